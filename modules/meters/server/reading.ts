import { notFound, refuse, staleVersion } from '#kit/contract/wire.ts'
import { firstDay, shiftMonth } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, countRows, requireById, findPage, findAll } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import { codeOf } from '#kit/contract/field.ts'
import { meterKind } from '../contract/choices.ts'
import { meter, meterReading, type MeterReading } from '../contract/meter.ts'
import {
  addReading,
  addReadings,
  clearMonthReadings,
  confirmReadings,
  deleteReadings,
  deleteReadingsBySearch,
  editReading,
  getLastEndNumberBeforeMonth,
  getLastEndNumber,
  listReadings,
  readingFilters,
} from '../contract/reading.ts'
import { planMonthClear, findLastEndNumber } from '../domain/reading.ts'
import { toMeterBase, openBook, toReadingRows, removeReading } from './reading-book.ts'
import { enterReadings, enterReading, resolveMeters } from './reading-entry.ts'
import { saveBook } from './reading-book-storage.ts'

uniqueMessages({ meter_reading_day_live: '这只表同一天已有读数，请刷新后核对' })
export type ReadingListInput = NonNullable<typeof listReadings.input.T>

/**
 * What a search says beyond the plain filters: for the list, its export and deleting by it (EXP-1, BILL-1).
 */
export const readingConditions = (q: ReadingListInput): RawBuilder<unknown>[] => [
  ...(q.doubtful ? [sql`t.anomalies is not null and not t.confirmed and t.state = 10`] : []),
  ...(q.meterId === undefined ? [] : [sql`t.meter_id = ${q.meterId}`]),
]

export const toReadingColumnFilters = ({ doubtful: _, meterId: __, ...q }: ReadingListInput) => q

export const hasFilter = (q: object, but: readonly string[] = []): boolean =>
  Object.entries(q).some(
    ([k, v]) =>
      v !== undefined &&
      ![...but, 'page', 'size', 'order', 'projectCode', 'expected', 'reason'].includes(k) &&
      (!Array.isArray(v) || v.length > 0),
  )

/** Takes readings out, those that are billed or lie before a billed one stay; the counts and why. */
async function removeReadings(tx: Tx, scope: Scope, ids: readonly number[], reason: string) {
  const found = await findByIds(tx, meterReading, scope, ids)
  const gone = ids.filter(id => !found.some(f => f.id === id))
  if (!found.length) throw notFound()
  const book = await openBook(
    tx,
    scope,
    found.map(r => r.meterId),
    found.map(r => r.readDate).toSorted()[0]!,
    true,
  )
  const stays: { id: number; code: string; reason: string }[] = []
  // Newest first: the reading after one that goes too is no obstacle.
  for (const r of found.toSorted((a, b) => (a.readDate < b.readDate ? 1 : -1))) {
    const why = removeReading(book, r.meterId, r.id)
    if (why) {
      stays.push({ id: r.id, code: r.meterNo, reason: why })
    }
  }
  await saveBook(tx, scope, book, { reason })
  return {
    success: found.length - stays.length,
    fail: stays.length + gone.length,
    skipped: 0,
    rows: [...stays, ...gone.map(id => ({ id, reason: notFound().message }))],
  }
}

export const readingHandlers = [
  reads(listReadings, (q, { db, scope }) =>
    findPage(db, meterReading, scope, toReadingColumnFilters(q), {
      filters: readingFilters,
      where: readingConditions(q),
    }),
  ),
  writes(addReading, ({ phone, ...one }, { tx, scope, today }) =>
    enterReading(tx, scope, one, { source: phone ? 'phone' : 'office', today }),
  ),
  writes(addReadings, async ({ readings }, { tx, scope, today }) => {
    const { book, outcomes } = await enterReadings(tx, scope, readings, { source: 'office', today })
    await saveBook(tx, scope, book)
    const is = (kind: string): number => outcomes.filter(o => o.kind === kind).length
    return {
      success: is('placed'),
      fail: is('refused'),
      skipped: is('same'),
      doubtful: outcomes.filter(o => o.kind === 'placed' && o.row.anomalies?.length).length,
      rows: outcomes.flatMap((o, i) =>
        o.kind === 'refused'
          ? [
              {
                line: i + 1,
                reason: o.why,
                ...(readings[i]!.meterNo ? { meterNo: readings[i]!.meterNo } : {}),
              },
            ]
          : [],
      ),
    }
  }),
  writes(editReading, async ({ id, version, ...one }, { tx, scope, today }) => {
    const was = await requireById(tx, meterReading, scope, id)
    await requireById(tx, meter, scope, was.meterId, true)
    const now = await requireById(tx, meterReading, scope, id, true)
    if (version !== undefined && version !== now.version) throw staleVersion()
    return enterReading(
      tx,
      scope,
      { ...one, id, meterId: now.meterId, month: one.month ?? now.month },
      { source: now.source, today },
    )
  }),
  writes(deleteReadings, ({ ids, reason }, { tx, scope }) =>
    removeReadings(tx, scope, ids.map(Number), reason),
  ),
  writes(deleteReadingsBySearch, async ({ expected, reason, ...q }, { tx, scope }) => {
    if (!hasFilter(q)) return refuse('请先设定筛选条件，再按条件删除')
    const find = { filters: readingFilters, where: readingConditions(q) }
    const n = await countRows(tx, meterReading, scope, toReadingColumnFilters(q), find)
    if (n !== expected)
      return refuse(`数据已变化：符合条件的读数现在有 ${n} 条（刚才是 ${expected} 条），请刷新后重试`)
    const found = (await findAll(tx, meterReading, scope, toReadingColumnFilters(q), {
      ...find,
      keys: ['id'],
      limit: 50_000,
    })) as unknown as { id: number }[]
    const out = {
      success: 0,
      fail: 0,
      skipped: 0,
      rows: [] as { id?: number; code?: string; reason: string }[],
    }
    const got = await removeReadings(
      tx,
      scope,
      found.map(f => f.id),
      reason,
    )
    return { ...out, ...got, rows: got.rows.slice(0, 200) }
  }),
  writes(
    clearMonthReadings,
    async ({ projectCode, month, buildCodes, meterKind: kinds, reason }, { tx, scope }) => {
      const found = (await findAll(
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
      )) as unknown as Pick<MeterReading, 'id' | 'meterId'>[]
      if (!found.length) return refuse(`${month} 没有符合条件的读数`)
      const book = await openBook(
        tx,
        scope,
        found.map(r => r.meterId),
        firstDay(shiftMonth(month, -1)),
        true,
      )
      let removedCount = 0
      let kept = 0
      for (const [id, leaf] of book.meters) {
        const { remove, kept: stay } = planMonthClear(toReadingRows(leaf), month)
        kept += stay
        for (const r of remove.toReversed()) {
          if (removeReading(book, id, r)) {
            kept++
          } else {
            removedCount++
          }
        }
      }
      await saveBook(tx, scope, book, { reason, quiet: true })
      await audit(tx, scope, [
        {
          action: 'delete',
          entity: 'meterReading',
          entityId: 0,
          projectCode,
          after: {
            month,
            buildCodes,
            meterKind: kinds?.map(k => codeOf(meterKind, k)),
            removed: removedCount,
            kept,
          },
          reason,
        },
      ])
      return { removed: removedCount, kept }
    },
  ),
  writes(confirmReadings, async ({ ids, reason }, { tx, scope }) => {
    const found = await findByIds(tx, meterReading, scope, ids, true)
    if (!found.length) throw notFound()
    const why = (r: MeterReading): string | undefined =>
      r.state !== 'open'
        ? '读数已出账，不用确认'
        : !r.anomalies?.length
          ? '读数没有异常'
          : r.confirmed
            ? '已经确认过'
            : undefined
    const good = found.filter(r => !why(r))
    await tx.execute(
      sql`
        update meter_reading
        set confirmed = true, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${good.map(r => r.id)})
      `,
    )
    await audit(
      tx,
      scope,
      good.map(r => ({
        action: 'update',
        entity: 'meterReading',
        entityId: r.id,
        projectCode: r.projectCode,
        before: { confirmed: false },
        after: { confirmed: true },
        reason,
      })),
    )
    return {
      success: good.length,
      fail: ids.length - found.length,
      skipped: found.length - good.length,
      rows: found.flatMap(r => {
        const w = why(r)
        return w ? [{ id: r.id, code: r.meterNo, reason: w }] : []
      }),
    }
  }),
  reads(getLastEndNumber, async (e, { db, scope, today }) => {
    const id = (await resolveMeters(db, scope, [e]))(e)
    if (typeof id !== 'number')
      return refuse(id === 'many' ? '表号在多个项目中都有，请先在顶部选择项目' : '没有这只表，请核对')
    const leaf = (await openBook(db, scope, [id], today)).meters.get(id)
    if (!leaf) throw notFound()
    return findLastEndNumber(toReadingRows(leaf), toMeterBase(leaf))
  }),
  reads(getLastEndNumberBeforeMonth, async ({ meterNo, month }, { db, scope }) => {
    const id = (await resolveMeters(db, scope, [{ meterNo }]))({ meterNo })
    if (typeof id !== 'number')
      return refuse(id === 'many' ? '表号在多个项目中都有，请先在顶部选择项目' : '没有这只表，请核对')
    const leaf = (await openBook(db, scope, [id], firstDay(month))).meters.get(id)
    if (!leaf) throw notFound()
    return findLastEndNumber(toReadingRows(leaf), toMeterBase(leaf), month)
  }),
]
