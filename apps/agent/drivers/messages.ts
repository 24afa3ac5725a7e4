import { parseId, type Id } from '#kit/domain/id.ts'
import type { DesiredItem, DeviceConfig, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { CodeReading, DriverEvent, KernelFile, ReadingAnswer } from './driver.ts'

/** What the agent tells a process of drivers. */
export type ToDriver =
  | { readonly kind: 'devices'; readonly devices: readonly DeviceConfig[] }
  | {
      readonly kind: 'command'
      readonly requestId: number
      readonly deviceId: Id
      readonly action: string
      readonly data: JsonObject
      /** By `monotonicMs`: it is not started later, whatever has held it up. */
      readonly expiresAt: number
    }
  | {
      readonly kind: 'kernel'
      readonly requestId: number
      readonly deviceId: Id
      readonly kernel: KernelFile
      readonly expiresAt: number
    }
  | { readonly kind: 'cancel'; readonly requestId: number }
  | {
      readonly kind: 'apply'
      readonly requestId: number
      readonly deviceId: Id
      readonly items: readonly DesiredItem[]
    }
  /** The event is on the disk. */
  | { readonly kind: 'written'; readonly eventId: number }
  | { readonly kind: 'decided'; readonly readingId: number; readonly answer: ReadingAnswer }

/** `refused`: the answer of a device that is well; `expired`: its time was over before it began. */
export type FailureCause = 'failed' | 'offline' | 'refused' | 'expired'

/** What it answers. */
export type FromDriver =
  | {
      readonly kind: 'status'
      readonly deviceId: Id
      readonly isOnline: boolean
      readonly kernelVersion?: string
    }
  | ({ readonly kind: 'event'; readonly eventId: number; readonly deviceId: Id } & Required<
      Pick<DriverEvent, 'type' | 'at' | 'data' | 'isCritical'>
    > & { readonly key?: string })
  | { readonly kind: 'answer'; readonly requestId: number; readonly data?: unknown }
  | {
      readonly kind: 'failure'
      readonly requestId: number
      readonly reason: string
      readonly cause: FailureCause
    }
  | { readonly kind: 'applied'; readonly requestId: number; readonly items: readonly ReportedItem[] }
  | {
      readonly kind: 'reading'
      readonly readingId: number
      readonly deviceId: Id
      readonly reading: CodeReading
    }
  | { readonly kind: 'giveBack'; readonly deviceId: Id; readonly recordKey: string }

/** Both ends are of one program; this only gives the pipe's values their types back. */
export const isFromDriver = (value: unknown): value is FromDriver =>
  isObject(value) && /^(status|event|answer|failure|applied|reading|giveBack)$/.test(String(value.kind))

export const isToDriver = (value: unknown): value is ToDriver =>
  isObject(value) && /^(devices|command|kernel|cancel|apply|written|decided)$/.test(String(value.kind))

/** The folder of a device's driver. */
export const deviceFolderName = (deviceId: Id): string => String(parseId(deviceId))
