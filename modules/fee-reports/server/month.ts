import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { columnOf } from '#kit/contract/entity.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { monthOf, monthsBetween, monthsFrom, shiftMonth, type Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { live } from '#kit/server/sql.ts'
import { provideClosedMonths } from '#modules/bills/server/public.ts'
import { feeMonth, generateSummary, summaryFigure } from '../contract/month.ts'
import { computeRates, type MonthFigures } from '../domain/rate.ts'
import { monthColumns, selectMonthRows } from './month-rows.ts'
import {
  buildingDimension,
  createCalendarDimension,
  projectDimension,
  type ReportContext,
  type ReportQuery,
  type ReportSource,
  type Sql,
} from './report.ts'

const maxMonths = 12

/** The months that were asked for; this one where nothing was said. */
export function resolveMonths(q: ReportQuery, today: Day): readonly Month[] {
  const now = monthOf(today)
  const to = (q.monthTo as Month | undefined) ?? (q.monthFrom as Month | undefined) ?? now
  const from = (q.monthFrom as Month | undefined) ?? to
  if (from > to) throw invalidInput([{ Field: 'MonthTo', Message: '止月不能早于起月' }])
  if (to > now) throw invalidInput([{ Field: 'MonthTo', Message: `只能看到本月（${now}）为止` }])
  if (monthsBetween(from, to) >= maxMonths)
    throw invalidInput([{ Field: 'MonthFrom', Message: `一次最多看 ${maxMonths} 个月` }])
  return monthsFrom(from, to)
}

/** Months that were carried over as they were; the others from the bills as they are now. */
const selectRows = (q: ReportQuery, { scope, today }: ReportContext): Sql => {
  const owner = scope.ownerId
  const asked = resolveMonths(q, today)
  const kept = (alias: string, month: Sql): Sql =>
    sql`exists (
      select 1
      from fee_month c
      where c.owner_id = ${owner}
        and c.project_code = ${sql.ref(`${alias}.project_code`)}
        and c.month = ${month}
        and c.kept
        and ${live('c')}
    )`
  const byBill = q.by === 'bill'
  const some = (column: string, of: unknown): Sql =>
    byBill && Array.isArray(of) && of.length ? sql` and ${sql.ref(column)} = any(${of as string[]})` : sql``
  const mine = (month: Month): Sql =>
    sql`not ${kept('b', sql`${month}`)}${q.projectCode ? sql` and b.project_code = ${q.projectCode}` : sql``}${some('b.fee_item_id', q.feeItemId)}${some('b.build_code', q.buildCode)}`
  return sql`from (
    select ${monthColumns}${byBill ? sql`, null::bigint as bill_id` : sql``}, 0 as delete_tag
    from fee_month
    where owner_id = ${owner}
      and kept
      and ${live()}
      and month = any(${asked}) ${sql.join(
        asked.map(
          m => sql`union all select s.*, 0 from (${selectMonthRows(owner, m, today, mine(m), byBill)}) s`,
        ),
        sql` `,
      )}
  ) t`
}

const figureColumns = Object.fromEntries(
  Object.keys(summaryFigure.rows).map(k => [k, sql.raw(`t.${columnOf(k)}`)]),
) as Readonly<Record<keyof typeof summaryFigure.rows, Sql>>

const sumOf = (column: string): Sql => sql`coalesce(sum(t.${sql.raw(column)}), 0)`

export const monthSource: ReportSource = {
  from: selectRows,
  // What a figure is made of: the bills that have a part in it, in the month that it stands for.
  where: (q, c) => {
    const asked = resolveMonths(q, c.today)
    const holding = [q.holding ?? []].flat() as (keyof typeof figureColumns)[]
    const at: Partial<Record<string, Month>> = { opening: defined(asked[0]), closing: defined(asked.at(-1)) }
    return [
      ...(holding.length
        ? [
            sql`(${sql.join(
              holding.map(k =>
                at[k] ? sql`${figureColumns[k]} <> 0 and t.month = ${at[k]}` : sql`${figureColumns[k]} <> 0`,
              ),
              sql` or `,
            )})`,
          ]
        : []),
      ...(q.inRate === undefined
        ? []
        : [
            sql`t.fee_item_id in (
              select i.id
              from fee_item i
              where i.owner_id = ${c.scope.ownerId} and i.in_rate = ${q.inRate}
            )`,
          ]),
    ]
  },
  by: {
    bill: {
      key: sql`t.bill_id`,
      name: sql`max(dim.source_name || ' ' || dim.fee_item_name || ' ' || dim.bill_no)`,
      join: sql`left join bill dim on dim.owner_id = t.owner_id and dim.id = t.bill_id`,
    },
    item: {
      key: sql`t.fee_item_id`,
      name: sql`max(dim.name)`,
      join: sql`left join fee_item dim on dim.owner_id = t.owner_id and dim.id = t.fee_item_id`,
    },
    build: buildingDimension,
    project: projectDimension,
    month: createCalendarDimension(sql`t.month`),
  },
  // Over several months: what the first opens with, what the last closes with, all that moved between.
  figures: (q, c) => {
    const asked = resolveMonths(q, c.today)
    const by = q.by ?? ''
    const edge = (column: string, month: Month): Sql =>
      by === 'month'
        ? sumOf(column)
        : sql`coalesce(sum(t.${sql.raw(column)}) filter (where t.month = ${month}), 0)`
    return {
      opening: edge('opening', defined(asked[0])),
      adjusted: sumOf('adjusted'),
      billed: sumOf('billed'),
      discount: sumOf('discount'),
      paidBefore: sumOf('paid_before'),
      received: sumOf('received'),
      recovered: sumOf('recovered'),
      writtenOff: sumOf('written_off'),
      closing: edge('closing', defined(asked.at(-1))),
      prepaid: sumOf('prepaid'),
    }
  },
  // A rate is of one month: what was owed at the start of several is not what was recovered in them; nor is
  // it of the bills behind one figure.
  derive: (f, { q, c, whole }) => {
    if (q.holding !== undefined || (resolveMonths(q, c.today).length > 1 && (whole || q.by !== 'month')))
      return {}
    const { currentRate, clearRate } = computeRates({ ...f, paidAfter: 0 } as unknown as MonthFigures)
    return {
      ...(currentRate === undefined ? {} : { currentRate }),
      ...(clearRate === undefined ? {} : { clearRate }),
    }
  },
}

/** By month the totals open with the first row and close with the last. */
export const monthlySource: ReportSource = {
  ...monthSource,
  derive: (f, of) => defined(monthSource.derive)(f, { ...of, q: { ...of.q, by: 'month' } }),
  figures: (q, c) =>
    (monthSource.figures as (q: ReportQuery, c: ReportContext) => Readonly<Record<string, Sql>>)(
      { ...q, by: 'month' },
      c,
    ),
}

/** Writes a month of a project down for good; once kept it is not written again. Answers how many rows. */
export async function saveMonth(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId'>,
  projectCode: string,
  month: Month,
  today: Day,
): Promise<number> {
  const owner = scope.ownerId
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`fee_month/${projectCode}`}, ${owner}))`)
  await tx.execute(
    sql`
      delete
      from fee_month
      where owner_id = ${owner} and project_code = ${projectCode} and month = ${month} and not kept
    `,
  )
  return tx.execute(
    sql`
      insert into fee_month (${monthColumns}, kept, create_by, update_by)
      select s.*, true, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
      from (${selectMonthRows(owner, month, today, sql`b.project_code = ${projectCode}`)}) s
      on conflict do nothing
    `,
  )
}

provideClosedMonths(async (db, owner, projectCode, months) =>
  (
    await db.rows<{ month: Month }>(
      sql`
        select distinct month
        from fee_month
        where owner_id = ${owner}
          and project_code = ${projectCode}
          and kept
          and month = any(${[...months]}::text[])
      `,
    )
  ).map(r => r.month),
)

export const monthHandlers = [
  writes(generateSummary, async ({ projectCode, month }, { tx, scope, today }) => {
    if (month >= monthOf(today))
      throw invalidInput([{ Field: 'Month', Message: `${month} 还没过完，不能结转` }])
    await tx.rows(
      sql`select pg_advisory_xact_lock(hashtextextended(${`fee_month/${projectCode}`}, ${scope.ownerId}))`,
    )
    const { last, here } = defined(
      await tx.one<{ last?: Month; here: boolean }>(
        sql`
        select max(month) as last, coalesce(bool_or(month = ${month}), false) as here
        from fee_month
        where owner_id = ${scope.ownerId} and project_code = ${projectCode} and kept and ${live()}
      `,
      ),
    )
    if (here) refuse(`${month} 已结转，之后的变动会记在下一个月的“往期调整”里`)
    if (last && month !== shiftMonth(last, 1))
      throw invalidInput([
        { Field: 'Month', Message: `已结转到 ${last}，请从 ${shiftMonth(last, 1)} 接着结转` },
      ])
    const n = await saveMonth(tx, scope, projectCode, month, today)
    if (!n) refuse(`${month} 没有账单，不用结转`)
    const said = defined(
      await tx.one<{ opening: string; closing: string }>(
        sql`
        select sum(opening)::text as opening, sum(closing)::text as closing
        from fee_month
        where owner_id = ${scope.ownerId} and project_code = ${projectCode} and month = ${month} and kept
      `,
      ),
    )
    const done = { month, rows: n, opening: parseYuan(said.opening), closing: parseYuan(said.closing) }
    await audit(tx, scope, [
      { action: 'insert', entity: feeMonth.name, entityId: 0, projectCode, after: done },
    ])
    return done
  }),
]

/**
 * On the first of each month, before work begins: the month before, project by project, where the one before
 * it was carried over or none ever was.
 */
export async function carryMonthsOver(app: {
  readonly database: Database
  readonly clock: () => number
}): Promise<number> {
  const today = dayOfMoment(fromInstant(app.clock()))
  const month = shiftMonth(monthOf(today), -1)
  const due = await app.database.reader('*').rows<{
    ownerId: number
    project: string
  }>(sql`
    select e.owner_id, e.project_code as project
    from estate e
    left join (
      select owner_id, project_code, max(month) as last
      from fee_month
      where kept and ${live()}
      group by 1, 2
    ) k on k.owner_id = e.owner_id
      and k.project_code = e.project_code
    where ${live('e')}
      and (k.last is null or k.last = ${shiftMonth(month, -1)})
      and exists (
        select 1 from bill_month m where m.owner_id = e.owner_id and m.project_code = e.project_code
      )
    order by 1, 2
  `)
  for (const d of due) {
    await app.database.tx(d.ownerId, tx => saveMonth(tx, systemScope(d.ownerId), d.project, month, today))
  }
  return due.length
}

export const carryOverCron = defineCron({
  name: 'fee-reports-months',
  schedule: '40 4 1 * *',
  run: async app => {
    await carryMonthsOver(app)
  },
})
