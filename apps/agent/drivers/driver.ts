import type { DesiredItem, DeviceConfig, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import type { DriverCommand } from '#modules/devices/contract/driver-commands.ts'
import type { JsonObject } from '../json.ts'

/** What a device reports. */
export interface DriverEvent {
  readonly type: string
  /** ISO instant by the device's clock; without: now. */
  readonly at?: string
  readonly data?: JsonObject
  /** Kept when the buffer on the site's disk is full: alarms. */
  readonly isCritical?: boolean
  /** The device's own number of it: an event that is read from the device again counts once. */
  readonly key?: string
}

/** How often a code lets in, by the item: for when there is no line to the server. */
export interface CodeCount {
  readonly maxTimes: number
  readonly usedTimes: number
  /** The only gateway that has doors of the code. */
  readonly gatewayId: number
  readonly isInside: boolean
  /** The door is behind another one: who is inside is not counted there. */
  readonly isInner: boolean
}

/** A code before a reader that leads in: each entrance by it has to be counted (VIS-2). */
export interface CodeReading {
  readonly key: string
  /** The device's own number of the record; the passage that follows has the same. */
  readonly recordKey: string
  /** Nobody stands at the door any more after it: milliseconds since 1970. */
  readonly waitsUntil: number
  /** Absent where the doors of the code are of several gateways, or it is not its time. */
  readonly count?: CodeCount
}

export interface ReadingAnswer {
  readonly isOpen: boolean
  /** What is counted of the code with it. */
  readonly usedTimes?: number
  readonly reason?: string
}

export interface DeviceContext {
  readonly device: DeviceConfig
  /** A folder of this device's own that outlives the process. */
  readonly folder: string
  readonly setOnline: (isOnline: boolean, kernelVersion?: string) => void
  /** Resolves when the event is on the disk: only then may a driver delete it at the device. */
  readonly event: (event: DriverEvent) => Promise<void>
  /**
   * Whether the door may be opened, once: it is counted with the answer. May be asked again for the same
   * reading. The passage that is reported says whether the door was opened.
   */
  readonly decide: (reading: CodeReading) => Promise<ReadingAnswer>
  /** The door was not opened after all. */
  readonly giveBack: (recordKey: string) => void
  /** A file of the server that an item names by its link, such as the photo of a face. */
  readonly fetchFile: (link: string) => Promise<Buffer>
  readonly log: (message: string) => void
}

/** What a driver cannot do, in the operator's words. Any other error counts as a defect of the driver. */
export class DriverFailure extends Error {}

/** The device does not answer: what it has to hold is brought again when it is back. */
export class DeviceOffline extends DriverFailure {}

/** A kernel that was pushed for a device: on this computer's disk, its content checked. */
export interface KernelFile {
  readonly path: string
  readonly name: string
  readonly sha256: string
}

export interface DeviceConnection {
  /** What the device answers. `signal` is aborted at the time-out and at a cancellation. */
  command(action: string, data: JsonObject, signal: AbortSignal): Promise<unknown>
  /**
   * Brings the device to hold these items, or to hold them no more. May come again with the same versions.
   * Throws DeviceOffline when it could not be asked; what it refuses is reported as failed.
   */
  apply(items: readonly DesiredItem[]): Promise<readonly ReportedItem[]>
  /**
   * Brings a kernel to the device; returns the version that it has then, where the device reports one. May
   * come again with the same file. Without it the kernel stays where it was put.
   */
  installKernel?(kernel: KernelFile, signal: AbortSignal): Promise<string | undefined>
  stop(): Promise<void>
}

/** A kind of device. All devices of one driver live in one process of its own, which may die at any time. */
export interface Driver {
  /** The commands of its devices, as the server and the screens know them; without it whatever is typed. */
  readonly commands?: readonly DriverCommand[]
  /** Throws when the device cannot be driven with these settings; it is then tried again with pauses. */
  start(context: DeviceContext): Promise<DeviceConnection>
}
