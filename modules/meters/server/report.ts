import { PassThrough } from 'node:stream'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import type { Blob } from '#kit/contract/shape.ts'
import { sheetColumns, sheetLimits, writeLine } from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import { compare, div, mul, sub, type Dec } from '#kit/domain/decimal.ts'
import { monthsBetween, shiftMonth, type Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { keywordCondition, wall } from '#kit/server/table.ts'
import { writeWorkbook, xlsx } from '#kit/server/workbook/write.ts'
import { mainLoss } from '../contract/device.ts'
import { meterKind } from '../contract/choices.ts'
import { meter } from '../contract/meter.ts'
import { exportReport, report, reportDetail, reportDetailFields } from '../contract/report.ts'

interface Asked {
  readonly projectCode: string
  readonly fromMonth: Month
  readonly toMonth: Month
  readonly meterKind?: readonly (keyof typeof meterKind.rows)[]
  readonly buildCodes?: readonly string[]
  readonly keyword?: string
}

const checked = (q: Asked): void => {
  if (q.toMonth < q.fromMonth) refuse('月份止不能早于月份起')
  if (monthsBetween(q.fromMonth, q.toMonth) > 35) refuse('一次最多统计 36 个月，请缩小月份范围')
}

const narrow = (q: Asked): RawBuilder<unknown> =>
  sql`${q.meterKind?.length ? sql` and t.meter_kind = any(${q.meterKind.map(k => codeOf(meterKind, k))})` : sql``}${q.buildCodes?.length ? sql` and t.build_code = any(${[...q.buildCodes]})` : sql``}`

/** Live readings `r` of the meters `t`. */
const live = (owner: number): RawBuilder<unknown> =>
  sql`r.owner_id = ${owner} and r.meter_id = t.id and r.delete_tag = 0 and r.state <> 30`

/**
 * A main meter counts what its parts count: it is in the list, not in the totals; nor is one whose parts went
 * over to its successor (MTR-11).
 */
export const countedOnce = (m: string): RawBuilder<unknown> => {
  const t = sql.id(m)
  return sql`not (
    ${t}.meter_use = 3
    and exists (
      with recursive now(id) as (
        select ${t}.id
        union all
        select p.new_meter_id
        from now
        join meter_replace p on p.owner_id = ${t}.owner_id and p.meter_id = now.id and p.delete_tag = 0
      )
      select 1
      from now
      join meter c on c.owner_id = ${t}.owner_id and c.parent_meter_id = now.id and c.delete_tag = 0
    )
  )`
}

const once = countedOnce('t')

/** The months `m` from one to another, each with every meter `t` and its live readings `r` of that month. */
export const metersByMonth = (owner: number, from: Month, to: Month): RawBuilder<unknown> => sql`(
    select to_char(d, 'YYYY-MM') as month, (d + interval '1 month')::date as next
    from generate_series(${`${from}-01`}::date, ${`${to}-01`}::date, interval '1 month') d
  ) m
  cross join meter t
  left join meter_reading r on ${live(owner)} and r.month = m.month`

/** Of those: what was to be read, and what was read nevertheless. */
export const dueThen = sql`(
  r.id is not null or t.state in (10, 40) and (t.install_date is null or t.install_date < m.next)
)`

const dec = (x: unknown): Dec => String(x ?? '0')

interface Row {
  meterId: number
  meterNo: string
  meterKind: number
  sourceName?: string
  buildName?: string
  lastNum?: Dec
  curNum: Dec
  times: number
  usage: Dec
  before?: Dec
}

const detailed = (scope: Scope, q: Asked, limit: number, offset: number): RawBuilder<Row> => {
  const span = monthsBetween(q.fromMonth, q.toMonth) + 1
  const of = [shiftMonth(q.fromMonth, -span), shiftMonth(q.fromMonth, -1)] as const
  return sql<Row>`
    select t.id as meter_id,
      t.meter_no,
      t.meter_kind,
      t.source_name,
      b.name as build_name,
      trim_scale(x.first)::text as last_num,
      trim_scale(x.last)::text as cur_num,
      x.times::int,
      trim_scale(x.usage)::text as usage,
      (
        select trim_scale(sum(r.usage))::text
        from meter_reading r
        where ${live(scope.ownerId)} and r.month between ${of[0]} and ${of[1]}
      ) as before
    from meter t
    join lateral (
      select (array_agg(r.last_num order by r.read_date))[1] as first,
        (array_agg(r.cur_num order by r.read_date desc))[1] as last, count(*) as times,
        coalesce(sum(r.usage), 0) as usage
      from meter_reading r
      where ${live(scope.ownerId)} and r.month between ${q.fromMonth} and ${q.toMonth}
    ) x on x.times > 0
    left join building b on b.owner_id = t.owner_id
      and b.project_code = t.project_code
      and b.code = t.build_code
      and b.delete_tag = 0
    where ${wall(meter, scope, q.projectCode)}${narrow(q)}
      and ${sql.join([sql`true`, ...keywordCondition(meter, q.keyword)], sql` and `)}
    order by t.sort_key, t.meter_no, t.id
    limit ${limit} offset ${offset}
  `
}

/** A part of a whole in percent, two digits; nothing of nothing. */
const percent = (part: Dec, whole: Dec | undefined): Dec | undefined =>
  whole !== undefined && compare(whole, '0') > 0 ? div(mul(part, '100'), whole, 2) : undefined

const asRow = (r: Row) => {
  const change = percent(sub(r.usage, r.before ?? '0'), r.before)
  return { ...r, meterKind: keyOf(meterKind, r.meterKind)!, ...(change === undefined ? {} : { change }) }
}

const totals = (db: Db, scope: Scope, q: Asked) =>
  db.one<{ n: number; usage: Dec }>(
    sql`
      select count(distinct t.id) as n,
        trim_scale(coalesce(sum(r.usage) filter (where ${once}), 0))::text as usage
      from meter t
      join meter_reading r on ${live(scope.ownerId)} and r.month between ${q.fromMonth} and ${q.toMonth}
      where ${wall(meter, scope, q.projectCode)}${narrow(q)}
        and ${sql.join([sql`true`, ...keywordCondition(meter, q.keyword)], sql` and `)}
    `,
  )

export const reportHandlers = [
  reads(report, async (q, { db, scope }) => {
    checked(q)
    const found = await db.rows<{
      month: Month
      buildCode?: string
      buildName?: string
      meterKind: number
      meters: number
      read: number
      estimated: number
      doubtful: number
      usage: Dec
      billed: Dec
    }>(sql`
      select m.month, t.build_code, b.name as build_name, t.meter_kind, count(distinct t.id)::int as meters,
        count(distinct r.meter_id)::int as read, (count(*) filter (where r.is_estimate))::int as estimated,
        (
          count(*) filter (where r.state = 10 and r.anomalies is not null and not r.confirmed)
        )::int as doubtful,
        trim_scale(coalesce(sum(r.usage) filter (where ${once}), 0))::text as usage,
        trim_scale(coalesce(sum(r.usage) filter (where r.state = 20 and ${once}), 0))::text as billed
      from ${metersByMonth(scope.ownerId, q.fromMonth, q.toMonth)}
      left join building b on b.owner_id = t.owner_id
        and b.project_code = t.project_code
        and b.code = t.build_code
        and b.delete_tag = 0
      where ${wall(meter, scope, q.projectCode)}${narrow(q)} and ${dueThen}
      group by 1, 2, 3, 4
      order by 1 desc, 2 nulls last, 4
    `)
    return found.map(r => ({ ...r, meterKind: keyOf(meterKind, r.meterKind)! }))
  }),
  reads(reportDetail, async ({ page = 1, size = 20, ...q }, { db, scope }) => {
    checked(q)
    const [rows, all] = await Promise.all([
      db.rows<Row>(detailed(scope, q, size, (page - 1) * size)),
      totals(db, scope, q),
    ])
    return { total: all!.n, rows: rows.map(asRow), sum: { usage: dec(all!.usage) } }
  }),
  reads(exportReport, async (q, { db, scope, world, today }): Promise<Blob> => {
    checked(q)
    const rows = (await db.rows<Row>(detailed(scope, q, sheetLimits.xlsxRows, 0))).map(asRow)
    if (!rows.length) return refuse('没有符合条件的数据，请调整筛选条件')
    const columns = sheetColumns(
      { ...reportDetailFields, meterNo: { ...meter.fields.meterNo, required: false } },
      [
        'meterNo',
        'meterKind',
        'sourceName',
        'buildName',
        'lastNum',
        'curNum',
        'times',
        'usage',
        'before',
        'change',
      ],
    ).map(c => ({ ...c, required: false }))
    const out = new PassThrough()
    await world.store.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        {
          action: 'export',
          entity: 'meterReading',
          entityId: 0,
          projectCode: q.projectCode,
          after: { rows: rows.length, filter: q },
        },
      ]),
    )
    writeWorkbook(columns, [rows.map(r => writeLine(columns, r as Record<string, unknown>, false))], out, {
      sheetName: '抄表明细',
    }).catch(e => out.destroy(e as Error))
    return {
      name: `抄表明细_${q.fromMonth}至${q.toMonth}_${today.replaceAll('-', '')}.xlsx`,
      type: xlsx,
      body: out,
    }
  }),
  reads(mainLoss, async ({ projectCode, fromMonth, toMonth }, { db, scope }) => {
    checked({ projectCode, fromMonth, toMonth })
    const parts = sql`c.owner_id = t.owner_id and c.parent_meter_id = t.id and c.delete_tag = 0`
    const used = (of: RawBuilder<unknown>): RawBuilder<unknown> =>
      sql`trim_scale(
        (
          select coalesce(sum(r.usage), 0)
          from (${of}) w(id)
          join meter_reading r on r.owner_id = ${scope.ownerId}
            and r.meter_id = w.id
            and r.delete_tag = 0
            and r.state <> 30
            and r.month between ${fromMonth} and ${toMonth}
        )
      )::text`
    // What the meters before it counted is the main meter's too (MTR-11).
    const own = sql`
      with recursive was(id) as (
        select t.id
        union all
        select p.meter_id
        from was
        join meter_replace p on p.owner_id = t.owner_id and p.new_meter_id = was.id and p.delete_tag = 0
      )
      select id
      from was
    `
    const found = await db.rows<{
      meterId: number
      meterNo: string
      sourceName?: string
      meterKind: number
      parts: number
      usage: Dec
      partUsage: Dec
    }>(sql`
      select t.id as meter_id, t.meter_no, t.source_name, t.meter_kind,
        (select count(*) from meter c where ${parts} and c.state <> 30)::int as parts,
        ${used(own)} as usage,
        ${used(sql`
      select c.id from meter c where ${parts}
    `)} as part_usage
      from meter t
      where ${wall(meter, scope, projectCode)} and exists (select 1 from meter c where ${parts})
      order by t.meter_kind, t.meter_no
    `)
    return found.map(f => {
      const loss = sub(f.usage, f.partUsage)
      const rate = percent(loss, f.usage)
      return {
        ...f,
        meterKind: keyOf(meterKind, f.meterKind)!,
        loss,
        ...(rate === undefined ? {} : { rate }),
      }
    })
  }),
]
