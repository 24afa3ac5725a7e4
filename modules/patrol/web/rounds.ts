import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import type { QueuedSign } from '#modules/planned-work/web/public.signs.ts'
import type { listOwnRounds } from '../contract/round.ts'
import { codeOfScan, toTagNumber } from '../domain/matching.ts'

export type Round = NonNullable<typeof listOwnRounds.output.T>[number]
export type RoundPoint = Round['points'][number]

/** A point as the phone shows it: signed on the server, or signed here and still waiting. */
export interface ShownPoint extends RoundPoint {
  readonly waits: boolean
}

export interface ShownRound extends Omit<Round, 'points'> {
  readonly points: readonly ShownPoint[]
  readonly done: number
}

/** Rounds with what waits on the phone. */
export const applyQueue = (
  rounds: readonly Round[],
  queue: readonly QueuedSign[],
  toMoment: (ms: number) => Moment,
): ShownRound[] =>
  rounds.map(round => {
    const points = round.points.map((point): ShownPoint => {
      const sign = queue.find(each => each.stepId === point.stepId && each.refusal === undefined)
      return point.signTime === undefined && sign
        ? { ...point, signTime: toMoment(sign.deviceMs), waits: true }
        : { ...point, waits: false }
    })
    return { ...round, points, done: points.filter(point => point.signTime !== undefined).length }
  })

/** A round may be signed from half an hour before its begin until it is closed. */
const openMinutes = 30

export const isOpen = (
  { beginTime, closeTime, state }: Pick<Round, 'beginTime' | 'closeTime' | 'state'>,
  now: Moment,
): boolean => state !== 'disabled' && addMinutes(beginTime, -openMinutes) <= now && now <= closeTime

/** What can be signed now comes first, then what is still to come, then what is over. */
export function byUrgency(rounds: readonly ShownRound[], now: Moment): ShownRound[] {
  const rankOf = (round: ShownRound): number => {
    if (isOpen(round, now) && round.done < round.points.length && !isEnded(round)) return 0
    return round.beginTime > now && round.state !== 'disabled' ? 1 : 2
  }
  return rounds.toSorted((a, b) => rankOf(a) - rankOf(b))
}

const isEnded = ({ state }: Pick<Round, 'state'>): boolean => state !== 'waiting' && state !== 'running'

export const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/**
 * The point that a scanned code or a tag is of, in rounds that are open. In the round that the person is in
 * where it holds the code; else where it is not signed yet: one label may be in several rounds.
 */
export function findScanned(
  rounds: readonly ShownRound[],
  kind: 'qr' | 'nfc',
  scanned: string,
  { now, roundId }: { readonly now: Moment; readonly roundId: Id | undefined },
): { readonly round: ShownRound; readonly point: ShownPoint } | undefined {
  const hash = hashOf(kind === 'qr' ? codeOfScan(scanned) : toTagNumber(scanned))
  const found = rounds
    .filter(round => isOpen(round, now))
    .flatMap(round =>
      round.points.filter(point => point.codeHashes.includes(hash)).map(point => ({ round, point })),
    )
  return (
    found.find(({ round }) => round.id === roundId) ??
    found.find(({ point }) => point.signTime === undefined) ??
    found[0]
  )
}

/** The point that is walked to next. */
export const nextPoint = ({ points }: ShownRound): ShownPoint | undefined =>
  points.find(point => point.signTime === undefined)

/** What the server has judged, until the rounds are fetched again. */
export const withAnswer = (
  rounds: readonly Round[],
  stepId: Id,
  change: Partial<RoundPoint>,
): readonly Round[] =>
  rounds.map(round => ({
    ...round,
    points: round.points.map(point => (point.stepId === stepId ? { ...point, ...change } : point)),
  }))
