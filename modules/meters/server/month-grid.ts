import { keyOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { firstDay, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { keywordCondition, requireById, tenantFilter } from '#kit/server/table.ts'
import { fromStored } from '#kit/server/column-storage.ts'
import { live } from '#kit/server/sql.ts'
import { getMonthProgress, listMonthGrid, getEntryContext, type MeterMonth } from '../contract/reading.ts'
import { codeOf, type Field } from '#kit/contract/field.ts'
import { anomaly, meterKind } from '../contract/choices.ts'
import { meter, meterPlan } from '../contract/meter.ts'
import { computeWindow } from '../domain/anomaly.ts'
import { estimateOn, openBook } from './reading-book.ts'
import { resolveMeters } from './reading-entry.ts'
import { isReadCondition, coveredMeterCondition } from './plan.ts'
import { loadActivePlans, findWindow } from './active-plans.ts'

export type GridInput = Omit<NonNullable<typeof listMonthGrid.input.T>, 'page' | 'size'>

const doubtfulCondition = (owner: number, month: Month): RawBuilder<unknown> =>
  sql`exists (
    select 1
    from meter_reading r
    where r.owner_id = ${owner}
      and r.meter_id = t.id
      and r.month = ${month}
      and ${live('r')}
      and r.state = 10
      and r.anomalies is not null
      and not r.confirmed
  )`

const gridFilterConditions = (owner: number, month: Month) => ({
  all: sql`true`,
  left: sql`not ${isReadCondition(owner, month)}`,
  read: isReadCondition(owner, month),
  doubtful: doubtfulCondition(owner, month),
})

/** Meters `t` of a month: in use, or read in it. */
async function buildGridCondition(db: Db, scope: Scope, q: GridInput): Promise<RawBuilder<unknown>> {
  const plan = q.planId === undefined ? undefined : await requireById(db, meterPlan, scope, q.planId)
  return sql.join(
    [
      tenantFilter(meter, scope, q.projectCode),
      sql`(t.state in (10, 40) or ${isReadCondition(scope.ownerId, q.month)})`,
      ...(plan ? [coveredMeterCondition(plan)] : []),
      ...(q.buildCode === undefined ? [] : [sql`t.build_code = ${q.buildCode}`]),
      ...(q.meterKind === undefined ? [] : [sql`t.meter_kind = ${codeOf(meterKind, q.meterKind)}`]),
      ...keywordCondition(meter, q.keyword),
      gridFilterConditions(scope.ownerId, q.month)[q.show ?? 'all'],
    ],
    sql` and `,
  )
}

/**
 * A meter in its month. `p`: the newest live reading before it; `r`: what was read in it; `b`: where
 * registers go on from, as far back as a book looks.
 */
const meterMonthColumns = (owner: number, month: Month): RawBuilder<unknown> => sql`t.id as meter_id,
  t.meter_no,
  t.meter_kind,
  t.state as meter_state,
  t.source_name,
  t.build_code,
  t.location,
  trim_scale(t.multiple)::text as multiple,
  t.digits,
  t.decimals,
  t.is_smart,
  trim_scale(coalesce(r.last_num, p.cur_num, t.init_num))::text as before,
  coalesce(r.last_date, p.read_date, c.since, t.install_date) as before_day,
  coalesce(p.is_estimate, false) as after_estimate,
  trim_scale(case when p.id is null then coalesce(c.old_usage, 0) else 0 end)::text as carried,
  array(
    select trim_scale(x.usage)::text
    from meter_reading x
    where x.owner_id = ${owner}
      and x.meter_id = t.id
      and ${live('x')}
      and x.state <> 30
      and x.usage is not null
      and x.read_date < coalesce(r.read_date, ${firstDay(shiftMonth(month, 1))})
    order by x.read_date desc
    limit 3
  ) as recent,
  (
    select trim_scale(x.usage)::text
    from meter_reading x
    where x.owner_id = ${owner}
      and x.meter_id = t.id
      and ${live('x')}
      and x.state <> 30
      and x.month = ${shiftMonth(month, -12)}
      and x.read_date >= ${firstDay(shiftMonth(month, -13))}
    order by x.read_date
    limit 1
  ) as last_year,
  r.id as reading_id,
  r.version,
  trim_scale(r.cur_num)::text as cur_num,
  r.read_date,
  r.is_rollover,
  r.is_estimate,
  r.is_base,
  trim_scale(r.loss)::text as loss,
  trim_scale(r.usage)::text as usage,
  r.source,
  r.photo,
  r.confirmed,
  r.bill_no,
  r.remark,
  r.state,
  r.anomalies,
  coalesce(r.registers, b.registers) as registers,
  coalesce(p.registers is not null, false) as registers_go_on,
  u.reason as unread,
  u.remark as unread_remark`

const meterMonthJoins = (owner: number, month: Month): RawBuilder<unknown> => sql`left join lateral (
    select *
    from meter_reading x
    where x.owner_id = ${owner}
      and x.meter_id = t.id
      and x.month = ${month}
      and ${live('x')}
      and x.state <> 30
      and x.read_date >= ${firstDay(shiftMonth(month, -1))}
    order by x.read_date desc
    limit 1
  ) r on true
  left join lateral (
    select x.id, x.cur_num, x.read_date, x.is_estimate, x.registers
    from meter_reading x
    where x.owner_id = ${owner}
      and x.meter_id = t.id
      and ${live('x')}
      and x.state <> 30
      and x.read_date < coalesce(r.read_date, ${firstDay(shiftMonth(month, 2))})
      and (r.id is not null or x.month < ${month})
    order by x.read_date desc
    limit 1
  ) p on true
  left join lateral (
    select (
      select jsonb_agg(
        jsonb_build_object('name', e.v ->> 'name', 'last', e.v ->> 'current', 'price', e.v ->> 'price')
        order by e.n
      )
      from jsonb_array_elements(y.registers) with ordinality e(v, n)
    ) as registers
    from (
      select x.registers, x.read_date
      from meter_reading x
      where x.owner_id = ${owner}
        and x.meter_id = t.id
        and ${live('x')}
        and x.state <> 30
        and x.read_date <= p.read_date
      order by x.read_date desc
      limit 3
    ) y
    where y.registers is not null
    order by y.read_date desc
    limit 1
  ) b on true
  left join meter_replace c on c.owner_id = ${owner} and c.new_meter_id = t.id and ${live('c')}
  left join meter_unread u on u.owner_id = ${owner} and u.meter_id = t.id and u.month = ${month}`

const gridFields = listMonthGrid.output.fields

const toMeterMonth = (raw: Readonly<Record<string, unknown>>): MeterMonth =>
  Object.fromEntries(
    Object.entries(raw).map(([k, v]) => {
      const f = gridFields[k] as Field | undefined
      return [
        k,
        f?.kind === 'choice'
          ? keyOf(f.choices!, v as number)
          : f?.kind === 'choices'
            ? (v as string[]).map(c => keyOf(anomaly, c))
            : f?.kind === 'decimal'
              ? fromStored(v, f)
              : v,
      ]
    }),
  ) as MeterMonth

export async function findMeterMonths(
  db: Db,
  scope: Scope,
  q: GridInput,
  limit: number,
  offset = 0,
): Promise<MeterMonth[]> {
  const where = await buildGridCondition(db, scope, q)
  return (
    await db.rows<Record<string, unknown>>(
      sql`
        select ${meterMonthColumns(scope.ownerId, q.month)}
        from (
          select t.*
          from meter t
          where ${where}
          order by t.sort_key, t.meter_no, t.id
          limit ${limit} offset ${offset}
        ) t ${meterMonthJoins(scope.ownerId, q.month)}
        order by t.sort_key, t.meter_no, t.id
      `,
    )
  ).map(toMeterMonth)
}

export const gridHandlers = [
  reads(listMonthGrid, async ({ page: at = 1, size = 20, ...q }, { db, scope }) => {
    const where = await buildGridCondition(db, scope, q)
    const [rows, n] = await Promise.all([
      findMeterMonths(db, scope, q, size, (at - 1) * size),
      db.one<{ n: number }>(sql`select count(*) as n from meter t where ${where}`),
    ])
    return { total: n!.n, rows }
  }),
  reads(getMonthProgress, async (q, { db, scope }) => {
    const where = await buildGridCondition(db, scope, { ...q, show: 'all' })
    const plans = await loadActivePlans(db, scope.ownerId, [q.projectCode])
    const n = (await db.one<{
      total: number
      read: number
      doubtful: number
      billed: number
    }>(sql`
      select count(*)::int as total, count(x.meter_id)::int as read,
        (count(*) filter (where x.doubtful))::int as doubtful,
        (count(*) filter (where x.billed))::int as billed
      from meter t
      left join (
        select r.meter_id,
          bool_or(r.state = 10 and r.anomalies is not null and not r.confirmed) as doubtful,
          bool_or(r.state = 20) as billed
        from meter_reading r
        where r.owner_id = ${scope.ownerId}
          and r.project_code = ${q.projectCode}
          and r.month = ${q.month}
          and ${live('r')}
          and r.state <> 30
        group by 1
      ) x on x.meter_id = t.id
      where ${where}
    `))!
    const plan = q.planId === undefined ? undefined : await requireById(db, meterPlan, scope, q.planId)
    const of = plan
      ? { ...computeWindow(q.month, plan.readDay, plan.windowDays), strict: plan.strict }
      : q.meterKind === undefined
        ? undefined
        : findWindow(
            plans,
            {
              projectCode: q.projectCode,
              meterKind: q.meterKind,
              ...(q.buildCode === undefined ? {} : { buildCode: q.buildCode }),
            },
            q.month,
          )
    return { ...n, ...(of ? { begin: of.begin, end: of.end, strict: of.strict } : {}) }
  }),
  reads(getEntryContext, async ({ month, readDate, ...e }, { db, scope, today }) => {
    const id = (await resolveMeters(db, scope, [e]))(e)
    if (typeof id !== 'number')
      return refuse(
        id === 'many'
          ? '表号在多个项目中都有，请先在顶部选择项目'
          : e.meterNo
            ? `没有表号为「${e.meterNo}」的仪表`
            : '请选择仪表',
      )
    const day = readDate ?? today
    const leaf = (await openBook(db, scope, [id], day)).meters.get(id)
    if (!leaf) throw notFound()
    const [raw] = await db.rows<Record<string, unknown>>(
      sql`
        select ${meterMonthColumns(scope.ownerId, month)}
        from meter t ${meterMonthJoins(scope.ownerId, month)}
        where t.owner_id = ${scope.ownerId} and t.id = ${id}
      `,
    )
    const guess = estimateOn(leaf, day)
    // The room's history goes on through replacements (MTR-11).
    const history = await db.rows<Record<string, unknown>>(sql`
      with recursive chain(id) as (
        select ${id}::bigint
        union all
        select r.meter_id
        from chain c
        join meter_replace r on r.owner_id = ${scope.ownerId} and r.new_meter_id = c.id and ${live('r')}
      )
      select r.month, trim_scale(r.cur_num)::text as cur_num, r.read_date,
        trim_scale(r.usage)::text as usage, r.is_estimate, r.meter_no
      from chain c
      join meter_reading r on r.owner_id = ${scope.ownerId} and r.meter_id = c.id
      where ${live('r')} and r.state <> 30
      order by r.read_date desc
      limit 12
    `)
    return { ...toMeterMonth(raw!), ...(guess === undefined ? {} : { estimate: guess }), history } as never
  }),
]
