import type { Id } from '#kit/domain/id.ts'
import { useCallback, useMemo, useRef, useState, type RefObject } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import type { Day, Month } from '#kit/contract/field.ts'
import { newUuid } from '#kit/web/send.ts'
import { invalidateCalls } from '#kit/web/query.ts'
import { listReadings } from '../contract/reading.ts'
import { getMonthProgress, type MeterMonth } from '../contract/month-grid.ts'
import {
  draftKeyOf,
  filterByMonth,
  isUnsavedDraft,
  useDraftStore,
  type ByMonth,
  type DraftStore,
  type EntryDraft,
} from './grid-drafts.ts'
import { placePasted, sendPasted } from './grid-paste.ts'
import {
  messageOf,
  refetchMeterMonth,
  withReading,
  writeReading,
  type ReadingValues,
} from './reading-requests.ts'
import {
  checkEntry,
  createRegisterBoxes,
  hasSameRegisters,
  toRegisterBoxes,
  type RegisterBox,
  type RegisterInput,
} from './registers.ts'

export interface GridEntry {
  /** The drafts of the shown month. */
  readonly drafts: ReadonlyMap<Id, EntryDraft>
  /** In any month. */
  readonly unsaved: boolean
  /** Rows of the server, with those that were saved since. */
  readonly rows: (from: readonly MeterMonth[]) => readonly MeterMonth[]
  readonly setText: (meter: MeterMonth, text: string) => void
  readonly setRollover: (meter: MeterMonth, isRollover: boolean) => void
  readonly setRegister: (meter: MeterMonth, index: number, change: Partial<RegisterBox>) => void
  /** Opens boxes by time of day for a meter that has no registers yet. */
  readonly openRegisters: (meter: MeterMonth) => void
  readonly discard: (meter: MeterMonth) => void
  /** Writes what was typed, where it differs from the saved reading. Returns whether the row is valid now. */
  readonly save: (meter: MeterMonth) => Promise<boolean>
  readonly saveEstimate: (meter: MeterMonth) => Promise<boolean>
  /** Numbers pasted from a sheet, one below the other from a row on. */
  readonly paste: (meters: readonly MeterMonth[], numbers: readonly string[]) => Promise<void>
  readonly replaceRow: (meter: MeterMonth) => void
  readonly discardAll: () => void
}

/** Rows that were saved since the server's list was read. */
function useSavedRows(month: Month) {
  const [saved, setSaved] = useState<ByMonth<MeterMonth>>(new Map())
  const replace = useCallback(
    (meter: MeterMonth, savedMonth: Month): void =>
      setSaved(before => new Map(before).set(draftKeyOf(savedMonth, meter.meterId), meter)),
    [],
  )
  const clear = useCallback((): void => setSaved(new Map()), [])
  const merge = useCallback(
    (from: readonly MeterMonth[]): readonly MeterMonth[] =>
      from.map(meter => {
        const savedRow = saved.get(draftKeyOf(month, meter.meterId))
        return savedRow && (savedRow.version ?? 0) >= (meter.version ?? 0) ? savedRow : meter
      }),
    [saved, month],
  )
  return { replace, clear, merge }
}

/** Writes one reading; a failed one stays in its box with the reason. */
function useWriteReading(drafts: DraftStore, replaceRow: (meter: MeterMonth, month: Month) => void) {
  const uuids = useRef(new Map<string, string>())
  const { get, set } = drafts
  return useCallback(
    async (meter: MeterMonth, draft: EntryDraft, values: ReadingValues & { readonly month: Month }) => {
      const { meterId } = meter
      const { month } = values
      // The same values again under the same number: a write whose response was lost cannot happen twice.
      const key = JSON.stringify([meterId, values])
      const uuid = uuids.current.get(key) ?? newUuid()
      uuids.current.set(key, uuid)
      set(month, meterId, { ...draft, state: 'saving', fault: undefined })
      try {
        const reading = await writeReading(meter, values, { quiet: true, uuid })
        replaceRow(withReading(meter, reading), month)
        // What was typed in the meantime stays.
        const current = get(month, meterId)
        if (current?.text === draft.text || current?.state === 'saving') {
          set(month, meterId, undefined)
        }
        void invalidateCalls(getMonthProgress, listReadings)
        return true
      } catch (e) {
        if (e instanceof Refused) {
          uuids.current.delete(key)
          const current = await refetchMeterMonth(meter, month)
          if (current) {
            replaceRow(current, month)
          }
        }
        set(month, meterId, { ...draft, state: 'fault', fault: messageOf(e) })
        return false
      }
    },
    [get, set, replaceRow],
  )
}

const isUnchanged = (
  meter: MeterMonth,
  { rollover }: EntryDraft,
  value: string | undefined,
  boxes: readonly RegisterBox[],
  registers: readonly RegisterInput[] | undefined,
): boolean =>
  value !== undefined &&
  value === meter.curNum &&
  rollover === (meter.isRollover ?? false) &&
  (registers === undefined ? !boxes.some(b => b.text !== '') : hasSameRegisters(meter, registers))

/** What a draft means: nothing to write, a fault that keeps it, or the values to write. */
function readDraft(
  meter: MeterMonth,
  draft: EntryDraft,
  month: Month,
  day: Day,
): { readonly fault: string } | { readonly values: ReadingValues & { readonly month: Month } } | undefined {
  const boxes = draft.boxes ?? toRegisterBoxes(meter)
  const readDate = meter.readDate ?? day
  const check = checkEntry(meter, draft.text, boxes, draft.rollover, readDate)
  const registers = check.times?.sent
  const isEmpty = draft.text.trim() === '' && boxes.every(b => b.text.trim() === '')
  if (isEmpty || isUnchanged(meter, draft, check.value, boxes, registers)) return undefined
  if (check.stays) return { fault: check.stays }
  return {
    values: {
      month,
      curNum: check.value,
      readDate,
      isRollover: draft.rollover && check.rolls,
      ...(registers ? { registers } : {}),
    },
  }
}

/** The month and the day that the grid shows now: another month may be shown when a response arrives. */
type ShownMonth = RefObject<{ readonly month: Month; readonly day: Day }>

/** What typing changes in the drafts of the shown month. */
function useDraftSetters({ get, set }: DraftStore, shown: ShownMonth) {
  return useMemo(() => {
    const setDraft = (meterId: Id, draft: EntryDraft | undefined): void =>
      set(shown.current.month, meterId, draft)
    const change = (meter: MeterMonth, part: Partial<EntryDraft>): void => {
      const before = get(shown.current.month, meter.meterId)
      setDraft(meter.meterId, {
        text: before?.text ?? meter.curNum ?? '',
        rollover: before?.rollover ?? meter.isRollover ?? false,
        boxes: before?.boxes,
        ...part,
        state: 'typing',
      })
    }
    return {
      setText: (meter: MeterMonth, text: string): void => change(meter, { text }),
      setRollover: (meter: MeterMonth, rollover: boolean): void => change(meter, { rollover }),
      setRegister: (meter: MeterMonth, index: number, part: Partial<RegisterBox>): void => {
        const boxes = get(shown.current.month, meter.meterId)?.boxes ?? toRegisterBoxes(meter)
        change(meter, { boxes: boxes.map((b, i) => (i === index ? { ...b, ...part } : b)) })
      },
      openRegisters: (meter: MeterMonth): void =>
        change(meter, { boxes: meter.registers?.length ? toRegisterBoxes(meter) : createRegisterBoxes() }),
      discard: (meter: MeterMonth): void => setDraft(meter.meterId, undefined),
    }
  }, [get, set, shown])
}

/** What writes readings of the shown month. */
function useEntryWriters(
  { get, set }: DraftStore,
  shown: ShownMonth,
  write: ReturnType<typeof useWriteReading>,
) {
  const save = useCallback(
    async (meter: MeterMonth): Promise<boolean> => {
      const { month, day } = shown.current
      const draft = get(month, meter.meterId)
      if (!draft || draft.state === 'saving') return true
      const entered = readDraft(meter, draft, month, day)
      if (!entered) {
        set(month, meter.meterId, undefined)
        return true
      }
      if ('fault' in entered) {
        set(month, meter.meterId, { ...draft, state: 'fault', fault: entered.fault })
        return false
      }
      return write(meter, draft, entered.values)
    },
    [get, set, shown, write],
  )
  const saveEstimate = useCallback(
    (meter: MeterMonth): Promise<boolean> =>
      write(
        meter,
        { text: '', rollover: false, state: 'typing' },
        { month: shown.current.month, readDate: shown.current.day, isEstimate: true },
      ),
    [shown, write],
  )
  const paste = useCallback(
    async (meters: readonly MeterMonth[], numbers: readonly string[]): Promise<void> => {
      const { month } = shown.current
      const setPastedDraft = (meterId: Id, draft: EntryDraft | undefined): void => set(month, meterId, draft)
      const pasted = placePasted(meters, numbers, shown.current.day, setPastedDraft)
      for (const meter of meters) {
        if (meter.readingId !== undefined) {
          await save(meter)
        }
      }
      if (pasted.length) {
        await sendPasted(pasted, month, shown.current.day, setPastedDraft)
      }
    },
    [save, set, shown],
  )
  return { save, saveEstimate, paste }
}

/**
 * What is typed into the month's rows. Each row is written when its box is left; what could not be written
 * stays in its box with the reason.
 */
export function useGridEntry(month: Month, day: Day): GridEntry {
  const drafts = useDraftStore()
  const { replace, clear: discardAll, merge } = useSavedRows(month)
  const shown = useRef({ month, day })
  shown.current = { month, day }
  const write = useWriteReading(drafts, replace)
  const setters = useDraftSetters(drafts, shown)
  const { save, saveEstimate, paste } = useEntryWriters(drafts, shown, write)
  const replaceRow = useCallback((meter: MeterMonth): void => replace(meter, shown.current.month), [replace])
  return useMemo(
    () => ({
      drafts: filterByMonth(drafts.all, month),
      unsaved: [...drafts.all.values()].some(isUnsavedDraft),
      rows: merge,
      ...setters,
      save,
      saveEstimate,
      paste,
      replaceRow,
      discardAll,
    }),
    [drafts.all, month, merge, setters, save, saveEstimate, paste, replaceRow, discardAll],
  )
}
