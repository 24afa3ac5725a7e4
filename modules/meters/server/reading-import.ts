import { defined } from '#kit/domain/defined.ts'
import type { Db } from '#kit/server/db.ts'
import { importer, type ImportFile } from '#kit/server/crud-import.ts'
import type { LineResult, ReadyLine } from '#kit/server/import-definition.ts'
import { findDuplicateLines } from '#kit/contract/sheet-reader.ts'
import { dayTimeKeys, dayTimes } from '../contract/choices.ts'
import { meterReading, type MeterReading } from '../contract/meter.ts'
import { importReadings, type ReadingLine } from '../contract/transfer.ts'
import type { ReadingKey } from '../domain/reading.ts'
import type { ReadingBook, BookReading } from './meter-history.ts'
import type { EntryOutcome } from './entry-validation.ts'
import { enterReadings, type EntryLine } from './reading-entry.ts'
import { saveBook } from './meter-history-storage.ts'

/** A line as an entry: its columns by time of day become its registers. */
function toEntryLine(row: Partial<ReadingLine>): EntryLine {
  const registers = dayTimeKeys.flatMap(key =>
    row[key] === undefined ? [] : [{ name: dayTimes[key], current: row[key] }],
  )
  // Lines with faults in their cells are not entered: the required ones are there.
  return { ...row, readDate: defined(row.readDate), ...(registers.length ? { registers } : {}) }
}

const remediesByField: Readonly<Record<string, string>> = {
  MeterNo: '核对表号',
  CurNum: '核对读数',
  ReadDate: '核对抄表日期',
  Month: '一块表一个月只留一行',
  IsRollover: '填 否 或不填',
  MeterID: '在仪表档案中核对状态',
  ID: '刷新后重试',
  IsBase: '填 否 或不填',
  RegistersJson: '核对各时段的读数',
}

const columnsByField: Readonly<Record<string, string>> = {
  MeterNo: 'meterNo',
  MeterID: 'meterNo',
  CurNum: 'curNum',
  ReadDate: 'readDate',
  Month: 'month',
  IsRollover: 'isRollover',
  RegistersJson: 'curNum',
}

/** The lines of a sheet in the book; keyed by their rows. */
interface EnteredLines {
  readonly book: ReadingBook
  readonly outcomes: ReadonlyMap<object, EntryOutcome>
  /** The readings that lines change. */
  readonly existingIds: ReadonlyMap<object, ReadingKey>
  /** Readings with only a total where the reading before has registers. */
  readonly withoutRegisters: ReadonlySet<BookReading>
}

async function enterLines(
  db: Db,
  { request, lines, isWriting }: ImportFile<ReadingLine, MeterReading, unknown>,
): Promise<EnteredLines> {
  const { scope, today, mode, extraInput } = request
  const duplicates = new Set(findDuplicateLines(importReadings.schema, [...lines]).map(f => f.line))
  const valid = lines.filter(l => !l.faults.length && !duplicates.has(l.line))
  const { book, outcomes, existing } = await enterReadings(
    db,
    scope,
    valid.map(l => toEntryLine(l.row)),
    { source: 'imported', today, onMonth: mode === 'update' ? 'update' : 'skip' },
    isWriting,
    extraInput.projectCode,
  )
  return {
    book,
    outcomes: new Map(valid.map((l, i) => [l.row, defined(outcomes[i])])),
    existingIds: new Map(
      valid.flatMap((l, i): [object, ReadingKey][] =>
        existing[i] === undefined ? [] : [[l.row, existing[i]]],
      ),
    ),
    withoutRegisters: new Set(
      [...book.meters.values()].flatMap(({ rows }) =>
        rows.filter((r, i) => book.changed.has(r) && !r.registers && rows[i - 1]?.registers?.length),
      ),
    ),
  }
}

const describeRefusal = (outcome: EntryOutcome | undefined) =>
  outcome?.kind === 'refused'
    ? [
        {
          column: columnsByField[outcome.field] ?? 'curNum',
          message: outcome.why,
          remedy: remediesByField[outcome.field] ?? '核对后重新填写',
        },
      ]
    : []

function describeMissingRegisters({ outcomes, withoutRegisters }: EnteredLines, row: object) {
  const outcome = outcomes.get(row)
  return outcome?.kind === 'placed' && withoutRegisters.has(outcome.row)
    ? [
        {
          column: 'curNum',
          message: '该表上期是分时计量，这一行只有总读数，整笔按标准单价计费',
          remedy: '补填尖、峰、平、谷',
        },
      ]
    : []
}

const describeOutcome = (
  row: ReadyLine<ReadingLine, ReadingKey>,
  outcome: EntryOutcome | undefined,
): LineResult =>
  outcome?.kind !== 'placed'
    ? { outcome: 'skipped', message: '该月已有读数，已跳过' }
    : row.existing !== undefined
      ? { outcome: 'changed', message: '已覆盖' }
      : { outcome: 'added', message: outcome.row.anomalies?.length ? '已导入，用量异常待确认' : '已导入' }

/**
 * Readings from a sheet: all lines are taken into one book in the order of their days, as if entered one by
 * one, and each gets its own fault. A constant number of statements for 20,000 lines.
 */
export const readingImporter = importer(meterReading, {
  calls: importReadings,
  prepare: enterLines,
  find: (row, { data }): ReadingKey | undefined => data.existingIds.get(row),
  rules: (row, _existing, { data }) => describeRefusal(data.outcomes.get(row)),
  warnings: (row, { data }) => describeMissingRegisters(data, row),
  isSkipped: ({ row }, { data }) => data.outcomes.get(row)?.kind !== 'placed',
  write: async (tx, ready, { request, data: { book, outcomes } }) => {
    await saveBook(tx, request.scope, book, { quiet: true, reason: '导入' })
    return new Map(ready.map(line => [line.line, describeOutcome(line, outcomes.get(line.row))]))
  },
})
