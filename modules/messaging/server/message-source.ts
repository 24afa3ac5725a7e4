import type { Id } from '#kit/domain/id.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { MessageChannel, MessagePurpose, MessageState, ReceiverKind } from '../contract/choices.ts'

/** What became of one message. */
export interface MessageOutcome {
  readonly bizId: Id
  readonly receiverKind: ReceiverKind
  readonly receiverId: Id
  readonly channel: MessageChannel
  readonly state: MessageState
  readonly reason: string | undefined
}

/** Who sends: a module with one kind of messages. `bizId` is its own number of what the message is about. */
export interface MessageSource {
  readonly key: string
  readonly label: string
  readonly purpose: MessagePurpose
  /** In the transaction that books the outcomes; several of one business may come at once. */
  readonly onOutcomes?: (tx: Tx, scope: Scope, outcomes: readonly MessageOutcome[]) => Promise<unknown>
}

const sources = new Map<string, MessageSource>()

/** Called once, as the module is loaded. */
export function defineMessageSource(source: MessageSource): MessageSource {
  if (sources.has(source.key)) throw new Error(`Two sources of messages are called ${source.key}`)
  sources.set(source.key, source)
  return source
}

export function requireSource(key: string): MessageSource {
  const source = sources.get(key)
  if (!source) throw new Error(`no source of messages is called ${key}`)
  return source
}

export const findSource = (key: string): MessageSource | undefined => sources.get(key)

export const sourceLabel = (key: string): string => sources.get(key)?.label ?? key
