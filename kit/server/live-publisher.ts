import type { Id } from '#kit/domain/id.ts'
import type { App, Audience, Live } from './app.ts'
import { sql, type Database, type Statement } from './db.ts'

/** A message as it travels through NOTIFY: keys are short because its payload is. */
export interface LivePayload {
  /** The company. */
  readonly o: Id
  /** Operators, everyone, or a topic. */
  readonly t: readonly Id[] | 'all' | readonly string[]
  /** The kind of the message. */
  readonly k: string
  /** Its data. */
  readonly d?: object | undefined
}

/** The payload of NOTIFY ends at 7,999 bytes. */
const maxPayloadBytes = 7900
const notifyBatchSize = 500
const maxQueued = 20_000
const keptWhenOverflowing = 10_000

/**
 * Splits what one NOTIFY cannot carry by its recipients; data too long for any NOTIFY is left out: the screen
 * then reads again.
 */
function splitPayload(payload: LivePayload): string[] {
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) <= maxPayloadBytes) return [text]
  if (payload.t !== 'all' && payload.t.length > 1) {
    const half = payload.t.length >> 1
    return [
      ...splitPayload({ ...payload, t: payload.t.slice(0, half) }),
      ...splitPayload({ ...payload, t: payload.t.slice(half) }),
    ]
  }
  return [JSON.stringify({ ...payload, d: undefined })]
}

const recipientsOf = (audience: Audience): LivePayload['t'] =>
  audience === 'all' ? audience : 'topic' in audience ? [audience.topic] : audience

const notifyAll = (payloads: readonly string[]): Statement =>
  sql`select pg_notify('live', p) from unnest(${payloads}::text[]) as p`

/** A message without data for a topic, to be sent with a transaction that has no app at hand. */
export const liveStatement = (ownerId: Id, topic: string, kind: string): Statement =>
  notifyAll(splitPayload({ o: ownerId, t: [topic], k: kind }))

const isNobody = (audience: Audience): boolean => Array.isArray(audience) && audience.length === 0

interface LivePublisher extends Pick<Live, 'publish' | 'publishInTransaction'> {
  flush(): Promise<void>
}

/** Sends messages to every server process through NOTIFY; those of one tick go out together. */
export function openLivePublisher(database: Database, log: App['log']): LivePublisher {
  let queue: string[] = []
  let isScheduled = false
  const flush = async (): Promise<void> => {
    while (queue.length) {
      const batch = queue.splice(0, notifyBatchSize)
      await database
        .tx('*', tx => tx.execute(notifyAll(batch)))
        .catch((err: unknown) => log.warn({ err, messages: batch.length }, 'live messages lost'))
    }
    isScheduled = false
  }
  return {
    flush,
    publishInTransaction: (tx, ownerId, to, kind, data) => {
      if (isNobody(to)) return
      tx.defer(notifyAll(splitPayload({ o: ownerId, t: recipientsOf(to), k: kind, d: data })))
    },
    publish: (ownerId, to, kind, data) => {
      if (isNobody(to)) return
      queue.push(...splitPayload({ o: ownerId, t: recipientsOf(to), k: kind, d: data }))
      if (queue.length > maxQueued) {
        queue = queue.slice(-keptWhenOverflowing)
      }
      if (!isScheduled) {
        isScheduled = true
        setImmediate(() => void flush())
      }
    },
  }
}
