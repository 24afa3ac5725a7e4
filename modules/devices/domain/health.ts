import type { ChoiceOf } from '#kit/contract/field.ts'
import type { faultKind, faultLevel } from '../contract/choices.ts'

export type FaultKind = ChoiceOf<typeof faultKind>
export type FaultLevel = ChoiceOf<typeof faultLevel>

/** DEV-1: what an open fault of each level takes from 100. */
export const faultWeights: Readonly<Record<FaultLevel, number>> = {
  critical: 50,
  major: 25,
  minor: 10,
  warning: 4,
}

/** A clock that is further off than this is a fault. */
export const maxClockOffsetMs = 300_000
/** A site's disk with less than this is a fault, and with more events that wait. */
export const minFreeBytes = 500 * 2 ** 20
export const maxBufferedEvents = 1000
/** The number of failures in a row that make a fault. */
export const failuresForFault = 3

export interface GatewayBeat {
  readonly clockOffset: number
  readonly bufferedEvents: number
  readonly freeBytes: number
}

export type BeatFaultKind = Extract<FaultKind, 'clock' | 'disk' | 'backlog'>

const minutes = (ms: number): number => Math.round(Math.abs(ms) / 60_000)

/** What is wrong with a gateway by its beat, for each kind that a beat can tell; nothing where it is well. */
export const beatFaults = (
  beat: GatewayBeat,
): Readonly<Record<BeatFaultKind, { readonly level: FaultLevel; readonly title: string } | undefined>> => ({
  clock:
    Math.abs(beat.clockOffset) > maxClockOffsetMs
      ? { level: 'warning', title: `网关时钟与服务器相差 ${minutes(beat.clockOffset)} 分钟` }
      : undefined,
  disk:
    beat.freeBytes < minFreeBytes
      ? { level: 'major', title: `网关磁盘剩余 ${Math.floor(beat.freeBytes / 2 ** 20)} MB` }
      : undefined,
  backlog:
    beat.bufferedEvents > maxBufferedEvents
      ? { level: 'warning', title: `网关有 ${beat.bufferedEvents} 条事件待上传` }
      : undefined,
})
