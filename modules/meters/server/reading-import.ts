import { defined } from '#kit/domain/defined.ts'
import type { ImportDefinition, LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import { findDuplicateLines } from '#kit/contract/sheet-reader.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import { dayTimes } from '../contract/choices.ts'
import { importReadings, importProjectInput, readingSheet, type ReadingLine } from '../contract/transfer.ts'
import type { ReadingBook, BookReading } from './reading-book.ts'
import type { EntryOutcome } from './entry-validation.ts'
import { enterReadings, type EntryLine } from './reading-entry.ts'
import { saveBook } from './reading-book-storage.ts'

interface ExistingReading {
  readonly id: number
  readonly same: boolean
}

const dayTimeEntries = Object.entries(dayTimes) as [keyof typeof dayTimes, string][]

/** A line as an entry: its columns by time of day become its registers. */
const toEntryLine = (row: Partial<ReadingLine>): EntryLine => {
  const registers = dayTimeEntries.flatMap(([k, name]) =>
    row[k] === undefined ? [] : [{ name, current: row[k] }],
  )
  return { ...row, ...(registers.length ? { registers } : {}) } as EntryLine
}

const remediesByField: Readonly<Record<string, string>> = {
  MeterNo: '核对表号',
  CurNum: '核对读数',
  ReadDate: '核对抄表日期',
  Month: '一只表一个月只留一行',
  IsRollover: '填 否 或留空',
  MeterID: '在仪表档案里核对状态',
  ID: '刷新后重试',
  IsBase: '填 否 或留空',
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

/**
 * Readings from a sheet: all lines are taken into one book in the order of their days, as if entered one by
 * one, and each gets its own fault. A constant number of statements for 20,000 lines.
 */
export const readingImporter: ImportDefinition<ReadingLine, typeof importProjectInput, ExistingReading> = {
  kind: 'meters.reading',
  calls: importReadings,
  sheet: readingSheet,
  openSession: async (db, ask, _lines, lock) => {
    const {
      scope,
      today,
      mode,
      more: { projectCode },
    } = ask
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    let book: ReadingBook | undefined
    let alone = new Set<BookReading>()
    const outcomes = new Map<object, EntryOutcome>()
    const known = new Map<object, number>()
    return {
      findReferences: () => [],
      findExisting: async settled => {
        const twice = new Set(findDuplicateLines(readingSheet, [...settled]).map(f => f.line))
        const good = settled.filter(l => !l.faults.length && !twice.has(l.line))
        const got = await enterReadings(
          db,
          scope,
          good.map(l => toEntryLine(l.row)),
          { source: 'imported', today, onMonth: mode === 'update' ? 'update' : 'skip' },
          lock,
          projectCode,
        )
        book = got.book
        alone = new Set(
          [...book.meters.values()].flatMap(l =>
            l.rows.filter(
              (r, i) => defined(book).changed.has(r) && !r.registers && l.rows[i - 1]?.registers?.length,
            ),
          ),
        )
        for (const [i, l] of good.entries()) {
          outcomes.set(l.row, defined(got.outcomes[i]))
          if (got.existing[i] !== undefined) {
            known.set(l.row, got.existing[i])
          }
        }
        return new Map(
          settled.flatMap(l => {
            const id = known.get(l.row)
            return id === undefined
              ? []
              : [[l.line, { id, same: outcomes.get(l.row)?.kind === 'same' }] as const]
          }),
        )
      },
      checkRow: row => {
        const o = outcomes.get(row)
        return o?.kind === 'refused'
          ? [
              {
                column: columnsByField[o.field] ?? 'curNum',
                says: o.why,
                remedy: remediesByField[o.field] ?? '核对后重新填写',
              },
            ]
          : []
      },
      warnRow: row => {
        const o = outcomes.get(row)
        return o?.kind === 'placed' && alone.has(o.row)
          ? [
              {
                column: 'curNum',
                says: '这只表上期是分时计量，这一行只有总读数，整笔按标准单价计费',
                remedy: '补填尖、峰、平、谷',
              },
            ]
          : []
      },
      apply: async (tx, ready): Promise<ReadonlyMap<number, LineResult>> => {
        await saveBook(tx, scope, defined(book), { quiet: true, reason: '导入' })
        return new Map(ready.map(r => [r.line, describeOutcome(r, outcomes.get(r.row))]))
      },
    }
  },
}

const describeOutcome = (
  r: ReadyLine<ReadingLine, ExistingReading>,
  o: EntryOutcome | undefined,
): LineResult =>
  o?.kind !== 'placed'
    ? { did: 'skipped', says: '该月已有读数，已跳过' }
    : r.existing
      ? { did: 'changed', says: '已覆盖' }
      : { did: 'added', says: o.row.anomalies?.length ? '已导入，用量异常待确认' : '已导入' }
