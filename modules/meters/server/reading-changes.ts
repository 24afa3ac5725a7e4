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
  const meter = book.meters.get(meterId)
  if (!meter) return refuseEntry('仪表不存在，请核对表号', 'MeterNo')
  const existing = meter.rows.find(r => r.id === entry.id)
  if (entry.id !== undefined && !existing) return refuseEntry('读数不存在或已作废', 'ID')
  const refusal =
    checkMeterState(meter) ??
    checkEntryDays(book, meter, entry, options) ??
    checkRegistersGiven(entry, existing)
  if (refusal) return refusal
  const complete = completeEntry(meter, entry, options, existing)
  if ('why' in complete) return complete
  const fault = checkNumbers(meter, complete) ?? checkBase(meter, complete)
  if (fault) return fault
  const placement = placeReading(
    toReadingRows(meter),
    toMeterBase(meter),
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
  return insertRow(book, meter, toRow(meter, entry, complete, options), existing)
}

function toRow(
  meter: BookMeter,
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
    multiple: existing?.multiple ?? meter.meter.multiple,
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
  meter: BookMeter,
  row: BookReading,
  existing: BookReading | undefined,
): EntryOutcome =>
  runOrRollBack(book, meter, () => {
    if (existing) {
      meter.rows.splice(meter.rows.indexOf(existing), 1)
    }
    const index = meter.rows.filter(r => r.readDate < row.readDate).length
    meter.rows.splice(index, 0, row)
    recount(book, meter, index)
    const fault = checkRegisterSum(meter, index)
    if (fault) throw new RangeError(fault)
    recount(book, meter, index + 1)
    if (row.id < 0) {
      book.changed.add(row)
    }
    return { kind: 'placed', row }
  })

/** Takes a reading out of the book; returns why it must stay (MTR-7, MTR-9). */
export function removeReading(book: ReadingBook, meterId: Id, id: ReadingKey): string | undefined {
  const meter = book.meters.get(meterId)
  const index = meter?.rows.findIndex(r => r.id === id) ?? -1
  if (!meter || index < 0) return '读数不存在或已作废'
  if (meter.meter.state === 'replaced') return `仪表「${meter.meter.meterNo}」已更换，读数不能再变动`
  const removal = planRemoval(toReadingRows(meter), toMeterBase(meter), id)
  if (typeof removal === 'string') return removal
  const removed = defined(meter.rows[index])
  const outcome = runOrRollBack(book, meter, () => {
    meter.rows.splice(index, 1)
    passRegistersOn(removed, meter.rows[index])
    recount(book, meter, index)
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
function runOrRollBack(book: ReadingBook, meter: BookMeter, change: () => EntryOutcome): EntryOutcome {
  const rows = [...meter.rows]
  const values = rows.map(r => ({ ...r }))
  const changedBefore = rows.filter(r => book.changed.has(r))
  try {
    return change()
  } catch (e) {
    if (!(e instanceof RangeError)) throw e
    for (const r of meter.rows) {
      book.changed.delete(r)
    }
    meter.rows.splice(0, meter.rows.length, ...rows)
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
