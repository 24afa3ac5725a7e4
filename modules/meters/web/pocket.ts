import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Day, Month } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { keep, kept, useKept } from '#kit/web/keep.ts'
import { freshUuid, send } from '#kit/web/send.ts'
import { useSession } from '#kit/web/session.ts'
import type { MeterReading } from '../contract/meter.ts'
import { addReading, editReading, type Place } from '../contract/reading.ts'
import { boxesOf, seenOf, type Box } from './registers.ts'

/**
 * What somebody typed for a meter and the server does not have yet. `waits`: he has said it is right; only
 * the signal was missing.
 */
export interface Held {
  readonly project: string
  readonly month: Month
  readonly day: Day
  readonly text: string
  readonly rollover: boolean
  readonly photo?: string | undefined
  readonly boxes?: readonly Box[] | undefined
  /**
   * One number for one thing said: an answer that got lost cannot make it happen twice, nor a number typed
   * anew be answered with the old one.
   */
  readonly uuid: string
  readonly waits: boolean
  readonly why?: string | undefined
  readonly place: Place
}

export type Pocket = Readonly<Record<string, Held>>
const none: Pocket = {}

export const slot = (project: string, month: Month, meterId: number): string =>
  `${project}/${month}/${meterId}`

/** The pocket with one thing more, changed or taken out. */
export const withHeld = (all: Pocket, at: string, one: Held | undefined): Pocket => {
  const { [at]: _, ...rest } = all
  return one ? { ...rest, [at]: one } : rest
}

/** The same words keep their number; other words get another. */
export const said = (was: Held | undefined, now: Omit<Held, 'uuid' | 'waits' | 'why'>): Held => ({
  ...now,
  waits: false,
  uuid:
    was &&
    was.text === now.text &&
    was.rollover === now.rollover &&
    was.photo === now.photo &&
    JSON.stringify(was.boxes) === JSON.stringify(now.boxes)
      ? was.uuid
      : freshUuid(),
})

export const write = (h: Held): Promise<MeterReading> => {
  const p = h.place
  const seen = seenOf(p, h.text, h.boxes ?? boxesOf(p), h.rollover, h.day)
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

export const faultOf = (e: unknown): string =>
  (e instanceof Refused && Array.isArray(e.data)
    ? (e.data as { Message: string }[])[0]?.Message
    : undefined) ?? (e instanceof Error && e.message ? e.message : '没有保存，请重试')

/**
 * Sends what waits, one after the other: what is refused waits for its reader with the reason, without a
 * signal the rest stays.
 */
export async function empty(
  list: readonly (readonly [string, Held])[],
  send: (h: Held) => Promise<MeterReading>,
  put: (at: string, h: Held | undefined, r?: MeterReading) => void,
): Promise<void> {
  for (const [at, h] of list) {
    try {
      const r = await send(h)
      put(at, undefined, r)
    } catch (e) {
      if (!(e instanceof Refused)) return
      put(at, { ...h, waits: false, why: faultOf(e), uuid: freshUuid() })
    }
  }
}

/** The pocket of who is signed in, on this telephone: it outlives the page and the session. */
export function usePocket(): {
  readonly all: Pocket
  readonly put: (at: string, h: Held | undefined) => void
} {
  const who = useSession(s => s.signed?.manager.id ?? 0)
  const key = `meters.pocket/${who}`
  const [all] = useKept<Pocket>(key, none)
  const put = useCallback(
    (at: string, h: Held | undefined): void => keep(key, withHeld(kept<Pocket>(key, none), at, h)),
    [key],
  )
  return useMemo(() => ({ all, put }), [all, put])
}

const every = 30_000

/** Tries what waits when the page opens, when the signal is back, and every half a minute. */
export function useEmptying(
  waiting: readonly (readonly [string, Held])[],
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
    const timer = setInterval(run, every)
    addEventListener('online', run)
    return () => {
      clearInterval(timer)
      removeEventListener('online', run)
    }
  }, [some, run])
  return run
}
