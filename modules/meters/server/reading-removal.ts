import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { firstDay, shiftMonth, type Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { countRows, findAll, findByIds } from '#kit/server/table.ts'
import { meterKind } from '../contract/choices.ts'
import { meterReading } from '../contract/meter.ts'
import {
  clearMonthReadings,
  deleteReadings,
  deleteReadingsBySearch,
  readingFilters,
} from '../contract/reading.ts'
import { planMonthClear } from '../domain/reading.ts'
import { openBook, toReadingRows, type ReadingBook } from './meter-history.ts'
import { saveBook } from './meter-history-storage.ts'
import { removeReading } from './reading-changes.ts'
import { hasFilter, readingConditions, toReadingColumnFilters } from './reading-filters.ts'

const latestFirst = (a: { readonly readDate: Day }, b: { readonly readDate: Day }): number =>
  a.readDate < b.readDate ? 1 : -1

/** Removes readings; those that are billed or followed by a billed one stay. Returns the counts and why. */
async function removeReadings(tx: Tx, scope: Scope, ids: readonly Id[], reason: string) {
  const found = await findByIds(tx, meterReading, scope, ids)
  if (!found.length) throw notFound()
  const book = await openBook(
    tx,
    scope,
    found.map(r => r.meterId),
    defined(found.map(r => r.readDate).toSorted()[0]),
    { lock: true },
  )
  // Latest first: a later reading that is removed too does not stand in the way.
  const { refused } = judgeRecords(
    found.toSorted(latestFirst),
    r => removeReading(book, r.meterId, r.id),
    r => r.meterNo,
  )
  await saveBook(tx, scope, book, { reason })
  return bulkResultOf(ids, found, refused)
}

/** MTR-10: clears a month of every meter of the book. Returns how many readings were removed and kept. */
function clearMonth(book: ReadingBook, month: Month): { readonly removed: number; readonly kept: number } {
  let removed = 0
  let kept = 0
  for (const [meterId, meter] of book.meters) {
    const plan = planMonthClear(toReadingRows(meter), month)
    kept += plan.kept
    for (const id of plan.remove.toReversed()) {
      if (removeReading(book, meterId, id)) {
        kept++
      } else {
        removed++
      }
    }
  }
  return { removed, kept }
}

export const readingRemovalHandlers = [
  writes(deleteReadings, ({ ids, reason }, { tx, scope }) =>
    removeReadings(tx, scope, ids.map(parseId), reason),
  ),
  writes(deleteReadingsBySearch, async ({ expected, reason, ...query }, { tx, scope }) => {
    if (!hasFilter(query)) return refuse('请先设定筛选条件，再按条件删除')
    const options = { filters: readingFilters, where: readingConditions(query) }
    const columnFilters = toReadingColumnFilters(query)
    const count = await countRows(tx, meterReading, scope, columnFilters, options)
    if (count !== expected)
      return refuse(`数据已变化：符合条件的读数现在有 ${count} 条（刚才是 ${expected} 条），请刷新后重试`)
    const found = await findAll(tx, meterReading, scope, columnFilters, {
      ...options,
      keys: ['id'],
      limit: 50_000,
    })
    const result = await removeReadings(
      tx,
      scope,
      found.map(r => r.id),
      reason,
    )
    return { ...result, rows: result.rows.slice(0, 200) }
  }),
  writes(
    clearMonthReadings,
    async ({ projectCode, month, buildCodes, meterKind: kinds, reason }, { tx, scope }) => {
      const found = await findAll(
        tx,
        meterReading,
        scope,
        { projectCode, ...(kinds?.length ? { meterKind: kinds } : {}) },
        {
          filters: ['meterKind'],
          where: [
            sql`t.month = ${month}`,
            ...(buildCodes?.length ? [sql`t.build_code = any(${[...buildCodes]})`] : []),
          ],
          limit: 100_000,
          keys: ['id', 'meterId'],
        },
      )
      if (!found.length) return refuse(`${month} 无符合条件的读数`)
      const book = await openBook(
        tx,
        scope,
        found.map(r => r.meterId),
        firstDay(shiftMonth(month, -1)),
        { lock: true },
      )
      const counts = clearMonth(book, month)
      await saveBook(tx, scope, book, { reason, quiet: true })
      await audit(tx, scope, [
        {
          action: 'delete',
          entity: 'meterReading',
          entityId: 0,
          projectCode,
          after: { month, buildCodes, meterKind: kinds?.map(k => codeOf(meterKind, k)), ...counts },
          reason,
        },
      ])
      return counts
    },
  ),
]
