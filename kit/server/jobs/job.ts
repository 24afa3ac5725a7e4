import type { Id } from '#kit/domain/id.ts'
import type { FileKey } from '#kit/contract/field.ts'
import type { App } from '../app.ts'
import type { Database, Tx } from '../db.ts'
import type { Scope } from '../scope.ts'

/** What a job leaves behind. Some failed and some not: 部分成功. `summary` counts the faults by reason. */
export interface JobOutcome {
  readonly success?: number | undefined
  readonly fail?: number | undefined
  readonly skipped?: number | undefined
  readonly message?: string | undefined
  readonly summary?: readonly { readonly reason: string; readonly count: number }[] | undefined
  /** Kept for seven days: the result, and the rows that failed. */
  readonly file?: FileKey | undefined
  readonly faultFile?: FileKey | undefined
}

/**
 * What a running job is given. Work in chunks: each in a transaction of its own that also saves the
 * checkpoint.
 */
export interface JobContext {
  readonly database: Database
  readonly scope: Scope
  readonly app: App
  readonly taskId: Id
  /** Aborts when the operator stops it, when the server ends, or when another process has taken it over. */
  readonly signal: AbortSignal
  /** Shown in the task centre, written once a second at most. */
  reportProgress(done: number, total?: number, note?: string): void
  /** What the last committed chunk saved; nothing at first. After a crash the job runs again from there. */
  readonly checkpoint: { read<T>(): T | undefined; save(tx: Tx, value: unknown): Promise<void> }
}

/**
 * A kind of long work. `type` is the code under which the task centre files it. `isUrgent`: somebody waits
 * for it at a counter, so it never waits behind long work.
 */
export interface Job<I = unknown> {
  readonly kind: string
  readonly type?: number | undefined
  readonly isUrgent?: boolean
  /**
   * A method, so that a job of one input is in the list of all jobs: its task holds what it was given.
   */
  run(input: I, c: JobContext): Promise<JobOutcome | void>
}

export const defineJob = <I>(job: Job<I>): Job<I> => job

/** Work at set times, Shanghai's, once for the whole installation however many processes there are. */
export interface Cron {
  readonly name: string
  readonly schedule: string
  readonly run: (app: App, signal: AbortSignal) => Promise<void>
}

export const defineCron = (cron: Cron): Cron => cron
