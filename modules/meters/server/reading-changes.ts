import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { compare } from '#kit/domain/decimal.ts'
import { placeReading, planRemoval, type ReadingKey } from '../domain/reading.ts'
import {
  toMeterBase,
  toReadingRows,
  type BookMeter,
  type BookReading,
  type ReadingBook,
} from './meter-history.ts'
import { recount } from './reading-recount.ts'
import { checkRegisterSum } from './reading-registers.ts'
import {
  type CompleteEntry,
  type EntryChange,
  type EntryOptions,
  type EntryOutcome,
  checkBase,
  checkEntryDays,
  checkMeterState,
  checkNumbers,
  checkRegistersGiven,
  completeEntry,
  refuseEntry,
} from './entry-validation.ts'

const wireFields = { curNum: 'CurNum', readDate: 'ReadDate', month: 'Month' } as const

let lastTemporaryKey: ReadingKey = 0

/**
 * Takes an entry into the book, new or (with `id`) changed, and recomputes the reading after it (MTR-3 to
 * MTR-8). A refused entry leaves the book as it was.
 */
export function applyEntry(
  book: ReadingBook,
  meterId: Id,
  entry: EntryChange,
  options: EntryOptions,
): EntryOutcome {
  const m = book.meters.get(meterId)
  if (!m) return refuseEntry('仪表不存在，请核对表号', 'MeterNo')
  const existing = m.rows.find(r => r.id === entry.id)
  if (entry.id !== undefined && !existing) return refuseEntry('读数不存在或已作废', 'ID')
  const refusal =
    checkMeterState(m) ?? checkEntryDays(book, m, entry, options) ?? checkRegistersGiven(entry, existing)
  if (refusal) return refusal
  const complete = completeEntry(m, entry, options, existing)
  if ('why' in complete) return complete
  const fault = checkNumbers(m, complete) ?? checkBase(m, complete)
  if (fault) return fault
  const placement = placeReading(
    toReadingRows(m),
    toMeterBase(m),
    {
      ...(entry.id === undefined ? {} : { id: entry.id }),
      month: complete.month,
      day: entry.readDate,
      current: complete.current,
      rollover: complete.isRollover,
      estimate: entry.isEstimate ?? false,
    },
    { monthly: options.monthly },
  )
  if (placement.kind === 'same') return placement
  if (placement.kind === 'refused') return refuseEntry(placement.why, wireFields[placement.field])
  const isLower = placement.last !== undefined && compare(complete.current, placement.last) < 0
  if (complete.isRollover && !isLower)
    return refuseEntry('本期读数不小于上期读数，不是翻表，请取消勾选', 'IsRollover')
  return insertRow(book, m, toRow(m, entry, complete, options), existing)
}

function toRow(
  m: BookMeter,
  entry: EntryChange,
  complete: CompleteEntry,
  options: EntryOptions,
): BookReading {
  const { existing, registers } = complete
  const readerId = existing?.readerId ?? options.readerId
  return {
    id: existing?.id ?? --lastTemporaryKey,
    version: existing?.version ?? 1,
    month: complete.month,
    readDate: entry.readDate,
    curNum: complete.current,
    isEstimate: entry.isEstimate ?? false,
    isBase: complete.isBase,
    isRollover: complete.isRollover,
    multiple: existing?.multiple ?? m.meter.multiple,
    loss: entry.loss ?? '0',
    state: 'open',
    replacedUsage: '0',
    confirmed: existing?.confirmed ?? false,
    source: existing?.source ?? options.source,
    ...(registers ? { registers } : {}),
    ...(entry.photo ? { photo: entry.photo } : {}),
    ...(entry.remark ? { remark: entry.remark } : {}),
    ...(readerId === undefined ? {} : { readerId }),
    usage: existing?.usage,
    lastNum: existing?.lastNum,
    lastDate: existing?.lastDate,
    anomalies: existing?.anomalies,
  }
}

/**
 * Inserts a row at its day, in place of the one it changes; both it and the reading after it are recomputed.
 */
const insertRow = (
  book: ReadingBook,
  m: BookMeter,
  row: BookReading,
  existing: BookReading | undefined,
): EntryOutcome =>
  runOrRollBack(book, m, () => {
    if (existing) {
      m.rows.splice(m.rows.indexOf(existing), 1)
    }
    const index = m.rows.filter(r => r.readDate < row.readDate).length
    m.rows.splice(index, 0, row)
    recount(book, m, index)
    const fault = checkRegisterSum(m, index)
    if (fault) throw new RangeError(fault)
    recount(book, m, index + 1)
    if (row.id < 0) {
      book.changed.add(row)
    }
    return { kind: 'placed', row }
  })

/** Takes a reading out of the book; returns why it must stay (MTR-7, MTR-9). */
export function removeReading(book: ReadingBook, meterId: Id, id: ReadingKey): string | undefined {
  const m = book.meters.get(meterId)
  const index = m?.rows.findIndex(r => r.id === id) ?? -1
  if (!m || index < 0) return '读数不存在或已作废'
  if (m.meter.state === 'replaced') return `仪表「${m.meter.meterNo}」已更换，读数不能再变动`
  const removal = planRemoval(toReadingRows(m), toMeterBase(m), id)
  if (typeof removal === 'string') return removal
  const removed = defined(m.rows[index])
  const outcome = runOrRollBack(book, m, () => {
    m.rows.splice(index, 1)
    passRegistersOn(removed, m.rows[index])
    recount(book, m, index)
    book.changed.delete(removed)
    book.removed.add(removed)
    return { kind: 'placed', row: removed }
  })
  return outcome.kind === 'refused' ? `删除后后一次读数不成立：${outcome.why}` : undefined
}

/**
 * The reading after a removed one begins its registers where that one began them. `recount` replaces this
 * where an earlier reading has registers.
 */
function passRegistersOn(removed: BookReading, next: BookReading | undefined): void {
  if (!next?.registers || !removed.registers) return
  const lastByName = new Map(removed.registers.map(x => [x.name, x.last]))
  next.registers = next.registers.map(x => ({ ...x, last: lastByName.get(x.name) ?? x.last }))
}

/** Runs a change of one meter's readings; a RangeError in it restores everything and refuses the entry. */
function runOrRollBack(book: ReadingBook, m: BookMeter, change: () => EntryOutcome): EntryOutcome {
  const rows = [...m.rows]
  const values = rows.map(r => ({ ...r }))
  const changedBefore = rows.filter(r => book.changed.has(r))
  try {
    return change()
  } catch (e) {
    if (!(e instanceof RangeError)) throw e
    for (const r of m.rows) {
      book.changed.delete(r)
    }
    m.rows.splice(0, m.rows.length, ...rows)
    const unset = { usage: undefined, lastNum: undefined, lastDate: undefined, anomalies: undefined }
    for (const [i, r] of rows.entries()) {
      Object.assign(r, unset, values[i])
    }
    for (const r of changedBefore) {
      book.changed.add(r)
    }
    return refuseEntry(e.message)
  }
}
