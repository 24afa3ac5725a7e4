import type { Id } from '#kit/domain/id.ts'
import type { Identity } from '../identity.ts'
import type { KernelFile } from '../drivers/driver.ts'
import type { JsonObject } from '../json.ts'
import type { LocalPermissions } from '../local-permissions.ts'
import type { Timings } from '../timings.ts'

/** A command that failed, in the operator's words. */
export class CommandFailure extends Error {
  readonly output: string | undefined

  constructor(reason: string, output?: string) {
    super(reason)
    this.output = output
  }
}

/**
 * The answer of a computer or device that is well: what was asked is not there, not allowed, or not to be had
 * as asked. Nothing has failed.
 */
export class CommandRefusal extends CommandFailure {}

/** Its time was over before it began. */
export class CommandExpired extends CommandFailure {}

export interface CommandOutcome {
  readonly data?: unknown
  readonly output?: string
}

export interface CommandContext {
  readonly taskId: Id
  readonly deviceId: Id
  readonly dataDir: string
  readonly list: LocalPermissions
  readonly identity: Identity
  readonly timings: Timings
  /** Aborted at the time-out, at a cancellation and when the program ends. */
  readonly signal: AbortSignal
  /** By `monotonicMs`: what has not started by then is not started. */
  readonly expiresAt: number
  readonly progress: (done: number, total: number) => void
  readonly sendToDevice: (deviceId: Id, action: string, data: JsonObject) => Promise<unknown>
  /** Returns the version that the device has then, where it reports one. */
  readonly sendKernel: (deviceId: Id, kernel: KernelFile) => Promise<string | undefined>
  /** Ends this program so that the launcher starts what the update has put in place. */
  readonly restartForUpdate: () => void
}

export interface CommandDefinition {
  /** Whether it is simply run again when the program was killed in the middle of it. */
  readonly canRepeat: boolean
  readonly run: (input: JsonObject, context: CommandContext) => Promise<CommandOutcome>
}
