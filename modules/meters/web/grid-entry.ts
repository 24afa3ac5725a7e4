import { useCallback, useMemo, useRef, useState } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import type { Day, Month } from '#kit/contract/field.ts'
import { newUuid, send } from '#kit/web/send.ts'
import { invalidateCalls } from '#kit/web/query.ts'
import type { MeterReading } from '../contract/meter.ts'
import {
  addReading,
  addReadings,
  editReading,
  listReadings,
  getMonthProgress,
  listMonthGrid,
  getEntryContext,
  type MeterMonth,
} from '../contract/reading.ts'
import { previewEntry } from './entry-preview.ts'
import {
  toRegisterBoxes,
  createRegisterBoxes,
  hasSameRegisters,
  checkEntry,
  needsRegisters,
  type RegisterBox,
} from './registers.ts'

export interface EntryDraft {
  readonly text: string
  readonly rollover: boolean
  /** By time of day, once somebody touched one. */ readonly boxes?: readonly RegisterBox[] | undefined
  readonly state: 'typing' | 'saving' | 'fault'
  readonly fault?: string | undefined
}

/** A meter's row after its reading was written. */
export const withReading = (p: MeterMonth, r: MeterReading): MeterMonth => {
  const { unread: _, unreadRemark: __, usage: ___, anomalies: ____, ...rest } = p
  return {
    ...rest,
    readingId: r.id,
    version: r.version,
    curNum: r.curNum,
    readDate: r.readDate,
    isRollover: r.isRollover,
    isEstimate: r.isEstimate,
    isBase: r.isBase,
    loss: r.loss,
    source: r.source,
    confirmed: r.confirmed,
    state: r.state,
    ...(r.usage === undefined ? {} : { usage: r.usage }),
    ...(r.anomalies ? { anomalies: r.anomalies } : {}),
    ...(r.registers ? { registers: r.registers } : {}),
    ...(r.photo ? { photo: r.photo } : {}),
    ...(r.lastNum === undefined ? {} : { before: r.lastNum }),
  }
}

const messageOf = (e: unknown): string =>
  (e instanceof Refused && Array.isArray(e.data)
    ? (e.data as { Message: string }[])[0]?.Message
    : undefined) ?? (e instanceof Error && e.message ? e.message : '没有保存，请重试')

/**
 * Somebody else may have read the meter meanwhile, or a collector: his reading comes in sight, and is what is
 * changed next. Nothing where it stands as it was.
 */
export const refetchMeterMonth = async (
  p: MeterMonth,
  month: Month,
  project?: string,
): Promise<MeterMonth | undefined> => {
  const now = await send(
    getEntryContext,
    { meterId: p.meterId, month },
    { quiet: true, ...(project === undefined ? {} : { project }) },
  ).catch(() => undefined)
  return now && (now.readingId !== p.readingId || now.version !== p.version) ? now : undefined
}

type ByMonth<T> = ReadonlyMap<string, T>

/** What is typed belongs to its month: turned to another one, the same meter's box is another box. */
export const draftKeyOf = (month: Month, meterId: number): string => `${month}/${meterId}`

export const filterByMonth = <T>(all: ByMonth<T>, month: Month): ReadonlyMap<number, T> =>
  new Map(
    [...all].flatMap(([k, v]) =>
      k.startsWith(`${month}/`) ? [[Number(k.slice(month.length + 1)), v] as const] : [],
    ),
  )

export interface GridEntry {
  /** Of the month that is shown. */
  readonly drafts: ReadonlyMap<number, EntryDraft>
  /** In any month. */
  readonly unsaved: boolean
  readonly rows: (from: readonly MeterMonth[]) => readonly MeterMonth[]
  readonly setText: (p: MeterMonth, text: string) => void
  readonly setRollover: (p: MeterMonth, on: boolean) => void
  readonly setRegister: (p: MeterMonth, i: number, change: Partial<RegisterBox>) => void
  /** Opens the times of day of a meter that has none yet. */
  readonly openRegisters: (p: MeterMonth) => void
  /** Takes back what was typed. */
  readonly discard: (p: MeterMonth) => void
  /**
   * Writes what was typed; nothing happens where it is what is there. Answers whether the row is good now.
   */
  readonly save: (p: MeterMonth) => Promise<boolean>
  readonly saveEstimate: (p: MeterMonth) => Promise<boolean>
  /** Numbers pasted from a sheet, one under the other from a row on. */
  readonly paste: (rows: readonly MeterMonth[], numbers: readonly string[]) => Promise<void>
  readonly replaceRow: (p: MeterMonth) => void
  readonly discardAll: () => void
}

/**
 * What a reader types into the month's rows. Each row is written as he leaves it; what could not be written
 * stays in its box with the reason.
 */
export function useGridEntry(month: Month, day: Day): GridEntry {
  const [all, setAll] = useState<ByMonth<EntryDraft>>(new Map())
  const [done, setDone] = useState<ByMonth<MeterMonth>>(new Map())
  const now = useRef({ month, day })
  const held = useRef(all)
  const uuids = useRef(new Map<string, string>())
  now.current = { month, day }
  const drafts = useMemo(() => filterByMonth(all, month), [all, month])
  const mine = (id: number): EntryDraft | undefined => held.current.get(draftKeyOf(now.current.month, id))
  // Read back at once: what is ticked is kept in the same breath.
  const set = useCallback((id: number, d: EntryDraft | undefined, at: Month = now.current.month): void => {
    const next = new Map(held.current)
    if (d) {
      next.set(draftKeyOf(at, id), d)
    } else {
      next.delete(draftKeyOf(at, id))
    }
    held.current = next
    setAll(next)
  }, [])
  const put = useCallback(
    (p: MeterMonth, at: Month = now.current.month): void =>
      setDone(was => new Map(was).set(draftKeyOf(at, p.meterId), p)),
    [],
  )
  const write = useCallback(
    async (p: MeterMonth, d: EntryDraft, what: object): Promise<boolean> => {
      // The reader may turn to another month before the answer is there.
      const at = now.current.month
      // The same words again under the same number: a write whose answer was lost cannot happen twice.
      const said = JSON.stringify([p.meterId, at, what])
      const uuid = uuids.current.get(said) ?? newUuid()
      uuids.current.set(said, uuid)
      set(p.meterId, { ...d, state: 'saving', fault: undefined }, at)
      try {
        const r =
          p.readingId === undefined
            ? await send(addReading, { meterId: p.meterId, month: at, ...what } as never, {
                quiet: true,
                uuid,
              })
            : await send(
                editReading,
                {
                  id: p.readingId,
                  version: p.version,
                  month: at,
                  ...(p.photo ? { photo: p.photo } : {}),
                  ...(p.remark ? { remark: p.remark } : {}),
                  ...(p.loss ? { loss: p.loss } : {}),
                  ...what,
                } as never,
                { quiet: true, uuid },
              )
        put(withReading(p, r), at)
        // Typed on meanwhile: that stays.
        const left = held.current.get(draftKeyOf(at, p.meterId))
        if (left?.text === d.text || left?.state === 'saving') {
          set(p.meterId, undefined, at)
        }
        void invalidateCalls(getMonthProgress, listReadings)
        return true
      } catch (e) {
        if (e instanceof Refused) {
          uuids.current.delete(said)
          const now = await refetchMeterMonth(p, at)
          if (now) {
            put(now, at)
          }
        }
        set(p.meterId, { ...d, state: 'fault', fault: messageOf(e) }, at)
        return false
      }
    },
    [put, set],
  )
  const keep = useCallback(
    (p: MeterMonth): Promise<boolean> => {
      const d = mine(p.meterId)
      if (!d || d.state === 'saving') return Promise.resolve(true)
      const boxes = d.boxes ?? toRegisterBoxes(p)
      const seen = checkEntry(p, d.text, boxes, d.rollover, p.readDate ?? now.current.day)
      const times = seen.times?.sent
      const none = d.text.trim() === '' && boxes.every(b => b.text.trim() === '')
      const same =
        seen.value !== undefined &&
        seen.value === p.curNum &&
        d.rollover === (p.isRollover ?? false) &&
        (times === undefined ? !boxes.some(b => b.text !== '') : hasSameRegisters(p, times))
      if (none || same) {
        set(p.meterId, undefined)
        return Promise.resolve(true)
      }
      if (seen.stays) {
        set(p.meterId, { ...d, state: 'fault', fault: seen.stays })
        return Promise.resolve(false)
      }
      return write(p, d, {
        curNum: seen.value,
        readDate: p.readDate ?? now.current.day,
        isRollover: d.rollover && seen.rolls,
        ...(times ? { registers: times } : {}),
      })
    },
    [set, write],
  )
  const change = useCallback(
    (p: MeterMonth, more: Partial<EntryDraft>): void => {
      const was = mine(p.meterId)
      set(p.meterId, {
        text: was?.text ?? p.curNum ?? '',
        rollover: was?.rollover ?? p.isRollover ?? false,
        boxes: was?.boxes,
        ...more,
        state: 'typing',
      })
    },
    [set],
  )
  const type = useCallback((p: MeterMonth, text: string): void => change(p, { text }), [change])
  const roll = useCallback((p: MeterMonth, on: boolean): void => change(p, { rollover: on }), [change])
  const time = useCallback(
    (p: MeterMonth, i: number, more: Partial<RegisterBox>): void =>
      change(p, {
        boxes: (mine(p.meterId)?.boxes ?? toRegisterBoxes(p)).map((b, n) =>
          n === i ? { ...b, ...more } : b,
        ),
      }),
    [change],
  )
  const unfold = useCallback(
    (p: MeterMonth): void =>
      change(p, { boxes: p.registers?.length ? toRegisterBoxes(p) : createRegisterBoxes() }),
    [change],
  )
  const drop = useCallback((p: MeterMonth): void => set(p.meterId, undefined), [set])
  const guess = useCallback(
    (p: MeterMonth): Promise<boolean> =>
      write(
        p,
        { text: '', rollover: false, state: 'typing' },
        { readDate: now.current.day, isEstimate: true },
      ),
    [write],
  )
  const paste = useCallback(
    async (rows: readonly MeterMonth[], numbers: readonly string[]): Promise<void> => {
      const at = now.current.month
      const fresh = rows.flatMap((p, i) => {
        const text = (numbers[i] ?? '').trim()
        const seen = previewEntry(p, text, false, now.current.day)
        if (text === '' || p.state === 'billed') return []
        const wants = needsRegisters(p)
          ? checkEntry(p, text, toRegisterBoxes(p), false, now.current.day).stays
          : undefined
        const fault = seen.fault ?? wants
        if (p.readingId !== undefined || fault) {
          set(p.meterId, { text, rollover: false, state: fault ? 'fault' : 'typing', fault })
          return []
        }
        set(p.meterId, { text, rollover: false, state: 'saving' })
        return [{ p, text, value: seen.value! }]
      })
      for (const p of rows) {
        if (p.readingId !== undefined) {
          await keep(p)
        }
      }
      if (!fresh.length) return
      const fail = (p: MeterMonth, text: string, fault: string): void =>
        set(p.meterId, { text, rollover: false, state: 'fault', fault }, at)
      try {
        const got = await send(
          addReadings,
          {
            readings: fresh.map(f => ({
              meterId: f.p.meterId,
              month: at,
              readDate: now.current.day,
              curNum: f.value,
            })),
          } as never,
          { quiet: true },
        )
        const wrong = new Map(got.rows.map(r => [r.line, r.reason]))
        for (const [i, f] of fresh.entries()) {
          const no = wrong.get(i + 1)
          if (no) {
            fail(f.p, f.text, no)
          } else {
            set(f.p.meterId, undefined, at)
          }
        }
        void invalidateCalls(listMonthGrid)
        void invalidateCalls(getMonthProgress, listReadings)
      } catch (e) {
        for (const f of fresh) {
          fail(f.p, f.text, messageOf(e))
        }
      }
    },
    [keep, put, set],
  )
  const forget = useCallback((): void => {
    setDone(new Map())
  }, [])
  const rows = useCallback(
    (from: readonly MeterMonth[]): readonly MeterMonth[] =>
      from.map(p => {
        const own = done.get(draftKeyOf(month, p.meterId))
        return own && (own.version ?? 0) >= (p.version ?? 0) ? own : p
      }),
    [done, month],
  )
  return useMemo(
    () => ({
      drafts,
      unsaved: [...all.values()].some(
        d => d.state !== 'saving' && (d.text !== '' || !!d.boxes?.some(b => b.text !== '')),
      ),
      rows,
      setText: type,
      setRollover: roll,
      setRegister: time,
      openRegisters: unfold,
      discard: drop,
      save: keep,
      saveEstimate: guess,
      paste,
      replaceRow: put,
      discardAll: forget,
    }),
    [drafts, all, rows, type, roll, time, unfold, drop, keep, guess, paste, put, forget],
  )
}
