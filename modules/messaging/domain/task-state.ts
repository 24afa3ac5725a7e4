import type { SmsTaskState } from '../contract/sms-choices.ts'

export interface TaskCounts {
  readonly waiting: number
  /** Handed to the provider, or arrived. */
  readonly done: number
  readonly failed: number
  readonly refused: number
  /** Nobody knows whether they went out: somebody asks the provider. */
  readonly unclear: number
  readonly cancelled: number
}

/** SMS-3: the state of a task by what became of its messages. */
export function taskStateOf(counts: TaskCounts): SmsTaskState {
  const { waiting, done, failed, refused, unclear, cancelled } = counts
  if (waiting > 0) return done + failed + refused + unclear > 0 ? 'sending' : 'waiting'
  if (cancelled > 0 && done + failed + refused + unclear === 0) return 'cancelled'
  if (unclear > 0) return 'unclear'
  const missed = failed + refused + cancelled
  if (missed === 0) return 'done'
  return done > 0 ? 'partial' : 'failed'
}
