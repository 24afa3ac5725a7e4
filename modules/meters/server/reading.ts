import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { notFound, staleVersion } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { firstDay, type Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, findPage, requireById } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import { meter, meterReading, type MeterReading } from '../contract/meter.ts'
import {
  addReading,
  addReadings,
  confirmReadings,
  editReading,
  getLastEndNumber,
  getLastEndNumberBeforeMonth,
  listReadings,
  readingFilters,
} from '../contract/reading.ts'
import { findLastEndNumber } from '../domain/reading.ts'
import { openBook, toMeterBase, toReadingRows } from './meter-history.ts'
import { saveBook } from './meter-history-storage.ts'
import { enterReading, enterReadings, requireMeterId } from './reading-entry.ts'
import { readingConditions, toReadingColumnFilters } from './reading-filters.ts'

uniqueMessages({ meter_reading_day_live: '该表同一天已有读数，请刷新后核对' })

/** Why an anomalous reading needs no confirmation; undefined where it does (MTR-8). */
function confirmRefusal(r: MeterReading): string | undefined {
  if (r.state !== 'open') return '读数已出账，无需确认'
  if (!r.anomalies?.length) return '读数没有异常'
  return r.confirmed ? '已经确认过' : undefined
}

/** MTR-12: the last number of a meter on a day, or before a month. */
async function loadLastEndNumber(db: Db, scope: Scope, meterId: Id, day: Day, before?: Month) {
  const m = (await openBook(db, scope, [meterId], day)).meters.get(meterId)
  if (!m) throw notFound()
  return findLastEndNumber(toReadingRows(m), toMeterBase(m), before)
}

export const readingHandlers = [
  reads(listReadings, (q, { db, scope }) =>
    findPage(db, meterReading, scope, toReadingColumnFilters(q), {
      filters: readingFilters,
      where: readingConditions(q),
    }),
  ),
  writes(addReading, ({ phone, ...line }, { tx, scope, today }) =>
    enterReading(tx, scope, line, { source: phone ? 'phone' : 'office', today }),
  ),
  writes(addReadings, async ({ readings }, { tx, scope, today }) => {
    const { book, outcomes } = await enterReadings(tx, scope, readings, { source: 'office', today })
    await saveBook(tx, scope, book)
    const countOf = (kind: string): number => outcomes.filter(o => o.kind === kind).length
    return {
      success: countOf('placed'),
      fail: countOf('refused'),
      skipped: countOf('same'),
      doubtful: outcomes.filter(o => o.kind === 'placed' && o.row.anomalies?.length).length,
      rows: outcomes.flatMap((outcome, i) => {
        if (outcome.kind !== 'refused') return []
        const { meterNo } = defined(readings[i])
        return [{ line: i + 1, reason: outcome.why, ...(meterNo ? { meterNo } : {}) }]
      }),
    }
  }),
  writes(editReading, async ({ id, version, ...line }, { tx, scope, today }) => {
    // The meter is locked before its reading, as every entry does.
    const { meterId } = await requireById(tx, meterReading, scope, id)
    await requireById(tx, meter, scope, meterId, { lock: true })
    const current = await requireById(tx, meterReading, scope, id, { lock: true })
    if (version !== undefined && version !== current.version) throw staleVersion()
    return enterReading(
      tx,
      scope,
      { ...line, id, meterId: current.meterId, month: line.month ?? current.month },
      { source: current.source, today },
    )
  }),
  writes(confirmReadings, async ({ ids, reason }, { tx, scope }) => {
    const found = await findByIds(tx, meterReading, scope, ids, { lock: true })
    if (!found.length) throw notFound()
    const confirmed = found.filter(r => !confirmRefusal(r))
    await tx.execute(
      sql`
        update meter_reading
        set confirmed = true, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${confirmed.map(r => r.id)})
      `,
    )
    await audit(
      tx,
      scope,
      confirmed.map(row => ({
        action: 'update',
        entity: 'meterReading',
        entityId: row.id,
        projectCode: row.projectCode,
        before: { confirmed: false },
        after: { confirmed: true },
        reason,
      })),
    )
    return {
      success: confirmed.length,
      fail: ids.length - found.length,
      skipped: found.length - confirmed.length,
      rows: found.flatMap(r => {
        const why = confirmRefusal(r)
        return why ? [{ id: r.id, code: r.meterNo, reason: why }] : []
      }),
    }
  }),
  reads(getLastEndNumber, async (line, { db, scope, today }) =>
    loadLastEndNumber(db, scope, await requireMeterId(db, scope, line), today),
  ),
  reads(getLastEndNumberBeforeMonth, async ({ meterNo, month }, { db, scope }) =>
    loadLastEndNumber(db, scope, await requireMeterId(db, scope, { meterNo }), firstDay(month), month),
  ),
]
