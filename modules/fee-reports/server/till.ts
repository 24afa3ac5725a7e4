import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { live } from '#kit/server/sql.ts'
import { payMethod } from '#modules/payments/contract/choices.ts'
import { lockDay, onDayClosing, onPaid } from '#modules/payments/server/public.ts'
import { fcSummary, moneyKind, rebuildDay } from '../contract/till.ts'
import {
  buildingDimension,
  createCalendarDimension,
  choiceLabelSql,
  projectDimension,
  type ReportSource,
  type Sql,
} from './report.ts'
import { rebuildDays, isDayKept, selectDayRows, type TillDay } from './till-days.ts'

// What was reckoned of these days waits to be reckoned anew.
onPaid((tx, scope, p) => {
  tx.defer(
    sql`
      insert into fc_pending (owner_id, project_code, day)
      select ${scope.ownerId}, ${p.projectCode}, d
      from unnest(${[...new Set(p.days)]}::date[]) as d
      returning 1
    `,
  )
})

// What a day holds is written down before it is closed; then its rows stay.
onDayClosing((tx, scope, d) =>
  rebuildDays(tx, scope.ownerId, [{ project: d.projectCode, day: d.day }]).then(() => undefined),
)

/**
 * Stored days, and those that wait reckoned on the spot: the summary is never behind the records (STAT-14).
 */
const selectTillRows = (owner: number): Sql => sql`from (
  with w as (
    select project_code, day, ${isDayKept(owner, sql`q.project_code`, sql`q.day`)} as shut
    from (select distinct project_code, day from fc_pending where owner_id = ${owner}) q
  )
  select s.owner_id, s.project_code, s.day, s.build_code, s.cashier_id, s.cashier_name, s.kind,
    s.fee_item_id, s.fee_item_name, s.method, s.history, s.count, s.received, s.refunded, s.net,
    0 as delete_tag
  from fc_summary s
  left join w on w.project_code = s.project_code and w.day = s.day
  where s.owner_id = ${owner} and (w.day is null or (w.shut and not s.history))
  union all
  select s.*, 0
  from (${selectDayRows(owner, sql`select project_code, day, shut from w`)}) s
) t`

const kindCode = (k: keyof typeof moneyKind.rows): Sql => sql.raw(String(codeOf(moneyKind, k)))
const prepaidMethodCodes = sql.raw(
  [codeOf(payMethod, 'prestore'), codeOf(payMethod, 'parkCoupon')].join(', '),
)

const sumOf = (n: Sql, where?: Sql): Sql =>
  sql`coalesce(sum(${n})${where ? sql` filter (where ${where})` : sql``}, 0)`

const monthExpression = sql`to_char(t.day, 'YYYY-MM')`

export const tillSource: ReportSource = {
  from: (_, { scope }) => selectTillRows(scope.ownerId),
  by: {
    day: createCalendarDimension(sql`t.day::text`),
    month: createCalendarDimension(monthExpression),
    cashier: { key: sql`t.cashier_id`, name: sql`max(t.cashier_name)` },
    item: { key: sql`t.fee_item_id`, name: sql`max(t.fee_item_name)` },
    method: { key: sql`t.method`, name: choiceLabelSql(payMethod, sql`t.method`) },
    kind: { key: sql`t.kind`, name: choiceLabelSql(moneyKind, sql`t.kind`) },
    project: projectDimension,
    build: buildingDimension,
  },
  figures: {
    count: sumOf(sql`t.count`),
    received: sumOf(sql`t.received`),
    refunded: sumOf(sql`t.refunded`),
    net: sumOf(sql`t.net`),
    offset: sumOf(sql`t.net`, sql`t.method in (${prepaidMethodCodes})`),
    cash: sumOf(sql`t.net`, sql`t.method not in (${prepaidMethodCodes})`),
    prestoreIn: sumOf(sql`t.received`, sql`t.kind = ${kindCode('prestore')}`),
    prestoreOut: sumOf(sql`t.refunded`, sql`t.kind = ${kindCode('prestore')}`),
    depositIn: sumOf(sql`t.received`, sql`t.kind = ${kindCode('deposit')}`),
    depositOut: sumOf(sql`t.refunded`, sql`t.kind = ${kindCode('deposit')}`),
  },
}

export const tillHandlers = [
  writes(rebuildDay, async ({ projectCode, day }, { tx, scope, today }) => {
    if (day > today) refuse('这一天还没到，不用重算')
    // The same lock as tills and closing: the day is not closed between the question and the work.
    await lockDay(tx, scope.ownerId, projectCode, day)
    if (
      await tx.one(
        sql`
          select 1 as x
          from day_close
          where owner_id = ${scope.ownerId}
            and project_code = ${projectCode}
            and day = ${day}
            and closed
            and ${live()}
        `,
      )
    )
      refuse(`${day} 已日结，汇总不再改动；确需重算请先反日结`)
    await rebuildDays(tx, scope.ownerId, [{ project: projectCode, day }])
    const said = defined(
      await tx.one<{ count: number; received: string; refunded: string; net: string }>(
        sql`
        select coalesce(sum(count), 0)::int as count, coalesce(sum(received), 0)::text as received,
          coalesce(sum(refunded), 0)::text as refunded, coalesce(sum(net), 0)::text as net
        from fc_summary
        where owner_id = ${scope.ownerId} and project_code = ${projectCode} and day = ${day}
      `,
      ),
    )
    const done = {
      day,
      count: said.count,
      received: parseYuan(said.received),
      refunded: parseYuan(said.refunded),
      net: parseYuan(said.net),
    }
    await audit(tx, scope, [
      { action: 'update', entity: fcSummary.name, entityId: 0, projectCode, after: done },
    ])
    return done
  }),
]

/** So many days are reckoned in one transaction: a day of a large estate holds thousands of payments. */
const daysPerTransaction = 40

/** Days that wait, four hundred of a company at a time; one that fails waits for the next minute. */
export async function rebuildPendingDays(app: {
  readonly database: import('#kit/server/db.ts').Database
}): Promise<number> {
  const due = await app.database.reader('*').rows<TillDay & { ownerId: number }>(
    sql`
        select owner_id, project_code as project, day
        from (
          select owner_id, project_code, day,
            row_number() over (partition by owner_id order by day desc) as n
          from (select distinct owner_id, project_code, day from fc_pending) d
        ) x
        where n <= 400
      `,
  )
  for (const [owner, days] of Map.groupBy(due, d => d.ownerId)) {
    for (let i = 0; i < days.length; i += daysPerTransaction) {
      await app.database.tx(owner, tx => rebuildDays(tx, owner, days.slice(i, i + daysPerTransaction)))
    }
  }
  return due.length
}

export const tillCron = defineCron({
  name: 'fee-reports-days',
  schedule: '* * * * *',
  run: async app => {
    await rebuildPendingDays(app)
  },
})
