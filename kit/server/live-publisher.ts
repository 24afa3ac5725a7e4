import type { Id } from '#kit/domain/id.ts'
import type { App, Audience, Live } from './app.ts'
import { sql, type Database } from './db.ts'

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

/** Sends messages to every server process through NOTIFY; those of one tick go out together. */
export function openLivePublisher(
  database: Database,
  log: App['log'],
): { readonly publish: Live['publish']; flush(): Promise<void> } {
  let queue: string[] = []
  let isScheduled = false
  const flush = async (): Promise<void> => {
    while (queue.length) {
      const batch = queue.splice(0, notifyBatchSize)
      await database
        .tx('*', tx => tx.execute(sql`select pg_notify('live', p) from unnest(${batch}::text[]) as p`))
        .catch((err: unknown) => log.warn({ err, messages: batch.length }, 'live messages lost'))
    }
    isScheduled = false
  }
  return {
    flush,
    publish: (ownerId, to, kind, data) => {
      if (Array.isArray(to) && to.length === 0) return
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
