import { toError } from '#kit/domain/to-error.ts'
import type { App } from '#kit/server/app.ts'
import { retryAfter } from '../domain/retry.ts'
import type { Outcome } from './booking.ts'
import { ChannelFault } from './channel-fault.ts'
import { channelOf } from './channels.ts'
import type { ClaimedMessage } from './claim.ts'

export interface AttemptOutcome extends Outcome {
  /** No other message of the channel would get out now. */
  readonly isServerFault?: boolean
  readonly fault?: ChannelFault
}

const outcomeOfFault = (message: ClaimedMessage, error: unknown): Omit<AttemptOutcome, 'id' | 'attempts'> => {
  const reason = toError(error).message
  if (!(error instanceof ChannelFault)) return { state: 'unclear', reason }
  const fault = error
  switch (fault.kind) {
    case 'refused':
      return { state: 'refused', reason, fault }
    case 'address':
    case 'rejected':
      return { state: 'failed', reason, fault }
    case 'unclear':
      return { state: 'unclear', reason: `${reason}，可能已经发出，以送达回执为准`, fault }
    case 'later':
    case 'server': {
      const isServerFault = fault.kind === 'server'
      const minutes = retryAfter(fault.kind, message.attempts)
      return minutes === undefined
        ? { state: 'failed', reason, fault, isServerFault }
        : { state: 'queued', reason, retryAfter: minutes, fault, isServerFault }
    }
  }
}

/** One attempt at a message that this process has taken. */
export async function attempt(app: App, message: ClaimedMessage): Promise<AttemptOutcome> {
  const { id, attempts, channel } = message
  if (message.isExpired) return { id, attempts, state: 'failed', reason: '已过有效期，未发送' }
  try {
    const { ref } = await channelOf(channel).send(app, message)
    return { id, attempts, state: 'sent', ref }
  } catch (error) {
    if (!(error instanceof ChannelFault)) {
      app.log.error({ err: error, message: id }, 'defect in a channel')
    }
    return { id, attempts, ...outcomeOfFault(message, error) }
  }
}
