import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Day, Month } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { saveStored, readStored, useStored } from '#kit/web/browser-store.ts'
import { newUuid, send } from '#kit/web/send.ts'
import { useSession } from '#kit/web/session.ts'
import type { MeterReading } from '../contract/meter.ts'
import { addReading, editReading, type MeterMonth } from '../contract/reading.ts'
import { toRegisterBoxes, checkEntry, type RegisterBox } from './registers.ts'

/**
 * What somebody typed for a meter and the server does not have yet. `waits`: he has said it is right; only
 * the signal was missing.
 */
export interface QueuedReading {
  readonly project: string
  readonly month: Month
  readonly day: Day
  readonly text: string
  readonly rollover: boolean
  readonly photo?: string | undefined
  readonly boxes?: readonly RegisterBox[] | undefined
  /**
   * One number for one thing said: an answer that got lost cannot make it happen twice, nor a number typed
   * anew be answered with the old one.
   */
  readonly uuid: string
  readonly waits: boolean
  readonly why?: string | undefined
  readonly place: MeterMonth
}

export type OfflineQueue = Readonly<Record<string, QueuedReading>>
const emptyQueue: OfflineQueue = {}

export const queueKeyOf = (project: string, month: Month, meterId: number): string =>
  `${project}/${month}/${meterId}`

/** The pocket with one thing more, changed or taken out. */
export const withQueued = (all: OfflineQueue, at: string, one: QueuedReading | undefined): OfflineQueue => {
  const { [at]: _, ...rest } = all
  return one ? { ...rest, [at]: one } : rest
}

/** The same words keep their number; other words get another. */
export const toQueuedReading = (
  was: QueuedReading | undefined,
  now: Omit<QueuedReading, 'uuid' | 'waits' | 'why'>,
): QueuedReading => ({
  ...now,
  waits: false,
  uuid:
    was &&
    was.text === now.text &&
    was.rollover === now.rollover &&
    was.photo === now.photo &&
    JSON.stringify(was.boxes) === JSON.stringify(now.boxes)
      ? was.uuid
      : newUuid(),
})

export const sendReading = (h: QueuedReading): Promise<MeterReading> => {
  const p = h.place
  const seen = checkEntry(p, h.text, h.boxes ?? toRegisterBoxes(p), h.rollover, h.day)
  const what = {
    month: h.month,
    readDate: h.day,
    curNum: seen.value ?? h.text,
    isRollover: h.rollover && seen.rolls,
    ...(seen.times?.sent ? { registers: seen.times.sent } : {}),
    ...(h.photo ? { photo: h.photo } : {}),
  }
  const how = { quiet: true, uuid: h.uuid, project: h.project }
  return p.readingId === undefined
    ? send(addReading, { ...what, meterId: p.meterId, phone: true } as never, how)
    : send(
        editReading,
        {
          ...what,
          id: p.readingId,
          version: p.version,
          ...(p.remark ? { remark: p.remark } : {}),
          ...(p.loss ? { loss: p.loss } : {}),
        } as never,
        how,
      )
}

export const messageOf = (e: unknown): string =>
  (e instanceof Refused && Array.isArray(e.data)
    ? (e.data as { Message: string }[])[0]?.Message
    : undefined) ?? (e instanceof Error && e.message ? e.message : '没有保存，请重试')

/**
 * Sends what waits, one after the other: what is refused waits for its reader with the reason, without a
 * signal the rest stays.
 */
export async function flushQueue(
  list: readonly (readonly [string, QueuedReading])[],
  send: (h: QueuedReading) => Promise<MeterReading>,
  put: (at: string, h: QueuedReading | undefined, r?: MeterReading) => void,
): Promise<void> {
  for (const [at, h] of list) {
    try {
      const r = await send(h)
      put(at, undefined, r)
    } catch (e) {
      if (!(e instanceof Refused)) return
      put(at, { ...h, waits: false, why: messageOf(e), uuid: newUuid() })
    }
  }
}

/** The pocket of who is signed in, on this telephone: it outlives the page and the session. */
export function useOfflineQueue(): {
  readonly all: OfflineQueue
  readonly put: (at: string, h: QueuedReading | undefined) => void
} {
  const who = useSession(s => s.signed?.manager.id ?? 0)
  const key = `meters.pocket/${who}`
  const [all] = useStored<OfflineQueue>(key, emptyQueue)
  const put = useCallback(
    (at: string, h: QueuedReading | undefined): void =>
      saveStored(key, withQueued(readStored<OfflineQueue>(key, emptyQueue), at, h)),
    [key],
  )
  return useMemo(() => ({ all, put }), [all, put])
}

const retryInterval = 30_000

/** Tries what waits when the page opens, when the signal is back, and every half a minute. */
export function useQueueFlush(
  waiting: readonly (readonly [string, QueuedReading])[],
  go: () => Promise<void>,
): () => void {
  const busy = useRef(false)
  const last = useRef(go)
  const some = waiting.length > 0
  last.current = go
  const run = useCallback((): void => {
    if (busy.current) return
    busy.current = true
    void last.current().finally(() => {
      busy.current = false
    })
  }, [])
  useEffect(() => {
    if (!some) return undefined
    run()
    const timer = setInterval(run, retryInterval)
    addEventListener('online', run)
    return () => {
      clearInterval(timer)
      removeEventListener('online', run)
    }
  }, [some, run])
  return run
}
