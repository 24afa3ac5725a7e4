import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { offsetMethods, payMethod } from '#modules/payments/contract/choices.ts'
import { lockDay, onDayClosing, onPaid } from '#modules/payments/server/public.ts'
import { fcSummary, moneyKind, rebuildDay } from '../contract/daily-collection.ts'
import {
  buildingDimension,
  createDayDimension,
  createMonthDimension,
  choiceLabelSql,
  projectDimension,
  sumOf,
  type ReportSource,
  type Sql,
} from './report-source.ts'
import { rebuildDays, isDayKept, selectDayRows, type CollectionDay } from './collection-days.ts'

// The summary of these days must be recomputed.
onPaid((tx, scope, { projectCode, days }) => {
  tx.defer(
    sql`
      insert into fc_pending (owner_id, project_code, day)
      select ${scope.ownerId}, ${projectCode}, d
      from unnest(${[...new Set(days)]}::date[]) as d
      returning 1
    `,
  )
})

// The rows of a day are stored before it is closed; then they stay.
onDayClosing(async (tx, scope, { projectCode, day }) => {
  await rebuildDays(tx, scope.ownerId, [{ project: projectCode, day }])
})

/** Stored days; those that are pending, on the spot: the summary is never behind the records (STAT-14). */
const selectCollectionRows = (ownerId: Id): Sql => sql`from (
  with pending as (
    select project_code, day, ${isDayKept(ownerId, sql`q.project_code`, sql`q.day`)} as is_kept
    from (select distinct project_code, day from fc_pending where owner_id = ${ownerId}) q
  )
  select s.owner_id, s.project_code, s.day, s.build_code, s.cashier_id, s.cashier_name, s.kind,
    s.fee_item_id, s.fee_item_name, s.method, s.history, s.count, s.received, s.refunded, s.net,
    0 as delete_tag
  from fc_summary s
  left join pending p on p.project_code = s.project_code and p.day = s.day
  where s.owner_id = ${ownerId} and (p.day is null or (p.is_kept and not s.history))
  union all
  select s.*, 0
  from (${selectDayRows(ownerId, sql`select project_code, day, is_kept from pending`)}) s
) t`

const isPrepaid = sql`t.method in ${codes(payMethod, ...offsetMethods)}`
const isNewMoney = sql`not ${isPrepaid}`
const isPrestore = sql`t.kind = ${code(moneyKind, 'prestore')}`
const isDeposit = sql`t.kind = ${code(moneyKind, 'deposit')}`

const sumWhere = (column: Sql, condition: Sql): Sql =>
  sql`coalesce(sum(${column}) filter (where ${condition}), 0)`

const monthExpression = sql`to_char(t.day, 'YYYY-MM')`

export const dailyCollectionSource: ReportSource = {
  from: (_, { scope }) => selectCollectionRows(scope.ownerId),
  dimensions: {
    day: createDayDimension(sql`t.day::text`),
    month: createMonthDimension(monthExpression),
    cashier: { key: sql`t.cashier_id`, name: sql`max(t.cashier_name)` },
    item: { key: sql`t.fee_item_id`, name: sql`max(t.fee_item_name)` },
    method: { key: sql`t.method`, name: choiceLabelSql(payMethod, sql`t.method`) },
    kind: { key: sql`t.kind`, name: choiceLabelSql(moneyKind, sql`t.kind`) },
    project: projectDimension,
    build: buildingDimension,
  },
  figures: {
    count: sumOf('t.count'),
    received: sumWhere(sql`t.received`, isNewMoney),
    refunded: sumWhere(sql`t.refunded`, isNewMoney),
    net: sumWhere(sql`t.net`, isNewMoney),
    offset: sumWhere(sql`t.net`, isPrepaid),
    settled: sumOf('t.net'),
    prestoreIn: sumWhere(sql`t.received`, isPrestore),
    prestoreOut: sumWhere(sql`t.refunded`, isPrestore),
    depositIn: sumWhere(sql`t.received`, isDeposit),
    depositOut: sumWhere(sql`t.refunded`, isDeposit),
  },
}

async function assertDayOpen(tx: Tx, ownerId: Id, projectCode: string, day: Day): Promise<void> {
  const closed = await tx.one(
    sql`
      select 1 as found
      from day_close
      where owner_id = ${ownerId} and project_code = ${projectCode} and day = ${day} and closed and ${notDeleted()}
    `,
  )
  if (closed) refuse(`${day} 已日结，汇总不再改动；确需重算请先反日结`)
}

export const rebuildDayHandler = writes(rebuildDay, async ({ projectCode, day }, { tx, scope, today }) => {
  if (day > today) refuse('该日未到，无需重算')
  // The same lock as payments and closing: the day is not closed between the check and the work.
  await lockDay(tx, scope.ownerId, projectCode, day)
  await assertDayOpen(tx, scope.ownerId, projectCode, day)
  await rebuildDays(tx, scope.ownerId, [{ project: projectCode, day }])
  const sums = defined(
    await tx.one<{ count: number; received: string; refunded: string; net: string }>(
      sql`
        select coalesce(sum(t.count), 0)::int as count,
          ${sumWhere(sql`t.received`, isNewMoney)}::text as received,
          ${sumWhere(sql`t.refunded`, isNewMoney)}::text as refunded,
          ${sumWhere(sql`t.net`, isNewMoney)}::text as net
        from fc_summary t
        where t.owner_id = ${scope.ownerId} and t.project_code = ${projectCode} and t.day = ${day}
      `,
    ),
  )
  const result = {
    day,
    count: sums.count,
    received: parseYuan(sums.received),
    refunded: parseYuan(sums.refunded),
    net: parseYuan(sums.net),
  }
  await audit(tx, scope, [
    { action: 'update', entity: fcSummary.name, entityId: 0, projectCode, after: result },
  ])
  return result
})

/** One transaction's share: a day of a large estate holds thousands of payments. */
const daysPerTransaction = 40
const daysPerRun = 400

/** Pending days, so many of a company at a time; one that fails is tried again in the next minute. */
export async function rebuildPendingDays(app: { readonly database: Database }): Promise<number> {
  const pending = await app.database.reader('*').rows<CollectionDay & { ownerId: Id }>(
    sql`
      select owner_id, project_code as project, day
      from (
        select owner_id, project_code, day,
          row_number() over (partition by owner_id order by day desc) as place
        from (select distinct owner_id, project_code, day from fc_pending) d
      ) x
      where place <= ${daysPerRun}
    `,
  )
  for (const [ownerId, days] of Map.groupBy(pending, d => d.ownerId)) {
    for (let start = 0; start < days.length; start += daysPerTransaction) {
      await app.database.tx(ownerId, tx =>
        rebuildDays(tx, ownerId, days.slice(start, start + daysPerTransaction)),
      )
    }
  }
  return pending.length
}

export const dailyCollectionCron = defineCron({
  name: 'fee-reports-days',
  schedule: '* * * * *',
  run: async app => {
    await rebuildPendingDays(app)
  },
})
