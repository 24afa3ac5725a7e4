import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Month } from '#kit/domain/month.ts'
import type { Period } from '#kit/domain/period.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { keywordCondition, requireById, tenantFilter } from '#kit/server/table.ts'
import { toFieldValues } from '#kit/server/column-storage.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { meterKind, readingState } from '../contract/choices.ts'
import { meter, meterPlan } from '../contract/meter.ts'
import {
  getEntryContext,
  getMonthProgress,
  listMonthGrid,
  meterMonthFields,
  type MeterMonth,
} from '../contract/month-grid.ts'
import { computeWindow } from '../domain/anomaly.ts'
import { findWindow, loadActivePlans } from './active-plans.ts'
import { meterMonthColumns, meterMonthJoins } from './month-grid-sql.ts'
import { coveredMeterCondition, isReadCondition } from './plan.ts'
import { openBook } from './meter-history.ts'
import { doubtfulReading, meterInUse, validReading } from './reading-conditions.ts'
import { requireMeterId } from './reading-entry.ts'
import { estimateOn } from './reading-recount.ts'

export type GridInput = Omit<NonNullable<typeof listMonthGrid.input.T>, 'page' | 'size'>

const isDoubtfulCondition = (ownerId: Id, month: Month): RawBuilder<unknown> =>
  sql`exists (
    select 1
    from meter_reading r
    where r.owner_id = ${ownerId}
      and r.meter_id = t.id
      and r.month = ${month}
      and ${notDeleted('r')}
      and ${doubtfulReading('r')}
  )`

const gridFilterConditions = (ownerId: Id, month: Month) => ({
  all: sql`true`,
  unread: sql`not ${isReadCondition(ownerId, month)}`,
  read: isReadCondition(ownerId, month),
  doubtful: isDoubtfulCondition(ownerId, month),
})

/** Meters `t` of a month: in use, or read in it. */
async function buildGridCondition(db: Db, scope: Scope, query: GridInput): Promise<RawBuilder<unknown>> {
  const plan = query.planId === undefined ? undefined : await requireById(db, meterPlan, scope, query.planId)
  return sql.join(
    [
      tenantFilter(meter, scope, query.projectCode),
      sql`(${meterInUse('t')} or ${isReadCondition(scope.ownerId, query.month)})`,
      ...(plan ? [coveredMeterCondition(plan)] : []),
      ...(query.buildCode === undefined ? [] : [sql`t.build_code = ${query.buildCode}`]),
      ...(query.meterKind === undefined ? [] : [sql`t.meter_kind = ${code(meterKind, query.meterKind)}`]),
      ...keywordCondition(meter, scope.ownerId, query.keyword),
      gridFilterConditions(scope.ownerId, query.month)[query.show ?? 'all'],
    ],
    sql` and `,
  )
}

const toMeterMonth = (raw: Readonly<Record<string, unknown>>): MeterMonth =>
  toFieldValues(meterMonthFields, raw)

/** Meters of a month with what was read, in walking order. */
export async function findMeterMonths(
  db: Db,
  scope: Scope,
  query: GridInput,
  limit: number,
  offset = 0,
): Promise<MeterMonth[]> {
  const condition = await buildGridCondition(db, scope, query)
  const found = await db.rows<Record<string, unknown>>(
    sql`
      select ${meterMonthColumns(scope.ownerId, query.month)}
      from (
        select t.*
        from meter t
        where ${condition}
        order by t.sort_key, t.meter_no, t.id
        limit ${limit} offset ${offset}
      ) t ${meterMonthJoins(scope.ownerId, query.month)}
      order by t.sort_key, t.meter_no, t.id
    `,
  )
  return found.map(toMeterMonth)
}

async function countProgress(db: Db, scope: Scope, query: GridInput) {
  const condition = await buildGridCondition(db, scope, { ...query, show: 'all' })
  const counts = await db.one<{ total: number; read: number; doubtful: number; billed: number }>(sql`
    select count(*)::int as total, count(x.meter_id)::int as read,
      (count(*) filter (where x.doubtful))::int as doubtful,
      (count(*) filter (where x.billed))::int as billed
    from meter t
    left join (
      select r.meter_id, bool_or(${doubtfulReading('r')}) as doubtful,
        bool_or(r.state = ${code(readingState, 'billed')}) as billed
      from meter_reading r
      where r.owner_id = ${scope.ownerId}
        and r.project_code = ${query.projectCode}
        and r.month = ${query.month}
        and ${validReading('r')}
      group by 1
    ) x on x.meter_id = t.id
    where ${condition}
  `)
  return defined(counts)
}

/** The days of the chosen plan, or of the plan that covers the chosen kind and building (MTR-16). */
async function findGridWindow(
  db: Db,
  scope: Scope,
  query: GridInput,
): Promise<(Period & { readonly strict: boolean }) | undefined> {
  if (query.planId !== undefined) {
    const plan = await requireById(db, meterPlan, scope, query.planId)
    return { ...computeWindow(query.month, plan.readDay, plan.windowDays), strict: plan.strict }
  }
  if (query.meterKind === undefined) return undefined
  const covered = {
    projectCode: query.projectCode,
    meterKind: query.meterKind,
    ...(query.buildCode === undefined ? {} : { buildCode: query.buildCode }),
  }
  return findWindow(await loadActivePlans(db, scope.ownerId, [query.projectCode]), covered, query.month)
}

async function loadMeterMonth(db: Db, scope: Scope, meterId: Id, month: Month): Promise<MeterMonth> {
  const raw = await db.one<Record<string, unknown>>(
    sql`
      select ${meterMonthColumns(scope.ownerId, month)}
      from meter t ${meterMonthJoins(scope.ownerId, month)}
      where t.owner_id = ${scope.ownerId} and t.id = ${meterId}
    `,
  )
  return toMeterMonth(defined(raw))
}

interface HistoryRow {
  readonly month: Month
  readonly curNum: string
  readonly readDate: Day
  readonly usage?: string
  readonly isEstimate: boolean
  readonly meterNo: string
}

/** The last readings of a meter and of those it replaced (MTR-11). */
const loadHistory = (db: Db, scope: Scope, meterId: Id): Promise<HistoryRow[]> =>
  db.rows<HistoryRow>(sql`
    with recursive chain(id) as (
      select ${meterId}::bigint
      union all
      select r.meter_id
      from chain c
      join meter_replace r on r.owner_id = ${scope.ownerId} and r.new_meter_id = c.id and ${notDeleted('r')}
    )
    select r.month, trim_scale(r.cur_num)::text as cur_num, r.read_date,
      trim_scale(r.usage)::text as usage, r.is_estimate, r.meter_no
    from chain c
    join meter_reading r on r.owner_id = ${scope.ownerId} and r.meter_id = c.id
    where ${validReading('r')}
    order by r.read_date desc
    limit 12
  `)

export const gridHandlers = [
  reads(listMonthGrid, async ({ page = 1, size = 20, ...query }, { db, scope }) => {
    const condition = await buildGridCondition(db, scope, query)
    const [rows, count] = await Promise.all([
      findMeterMonths(db, scope, query, size, (page - 1) * size),
      db.one<{ n: number }>(sql`select count(*) as n from meter t where ${condition}`),
    ])
    return { total: defined(count).n, rows }
  }),
  reads(getMonthProgress, async (q, { db, scope }) => {
    const counts = await countProgress(db, scope, q)
    const window = await findGridWindow(db, scope, q)
    return { ...counts, ...(window ? { begin: window.begin, end: window.end, strict: window.strict } : {}) }
  }),
  reads(getEntryContext, async ({ month, readDate, ...line }, { db, scope, today }) => {
    const meterId = await requireMeterId(db, scope, line, ({ meterNo }) =>
      meterNo ? `表号「${meterNo}」不存在` : '请选择仪表',
    )
    const day = readDate ?? today
    const bookMeter = (await openBook(db, scope, [meterId], day)).meters.get(meterId)
    if (!bookMeter) throw notFound()
    const meterMonth = await loadMeterMonth(db, scope, meterId, month)
    const estimate = estimateOn(bookMeter, day)
    const history = await loadHistory(db, scope, meterId)
    return { ...meterMonth, ...(estimate === undefined ? {} : { estimate }), history }
  }),
]
