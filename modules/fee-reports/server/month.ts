import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { monthOf, monthsFrom, shiftMonth, type Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { provideClosedMonths } from '#modules/bills/server/public.ts'
import { provideClosedBooks } from '#modules/estates/server/public.ts'
import { feeMonth, generateSummary } from '../contract/month.ts'
import { monthColumns, selectMonthRows } from './month-rows.ts'

const lockMonths = (tx: Tx, ownerId: Id, projectCode: string): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`fee_month/${projectCode}`}, ${ownerId}))`)

/** Stores a month of a project permanently; once kept it is not written again. Returns the number of rows. */
export async function saveMonth(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId'>,
  projectCode: string,
  month: Month,
  today: Day,
): Promise<number> {
  const ownerId = scope.ownerId
  await lockMonths(tx, ownerId, projectCode)
  await tx.execute(
    sql`
      delete
      from fee_month
      where owner_id = ${ownerId} and project_code = ${projectCode} and month = ${month} and not kept
    `,
  )
  return tx.execute(
    sql`
      insert into fee_month (${monthColumns}, kept, create_by, update_by)
      select ${monthColumns}, true, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
      from (${selectMonthRows(ownerId, month, today, sql`b.project_code = ${projectCode}`)}) s
      on conflict do nothing
      returning 1
    `,
  )
}

provideClosedMonths(async (db, ownerId, projectCode, months) =>
  (
    await db.rows<{ month: Month }>(
      sql`
        select distinct month
        from fee_month
        where owner_id = ${ownerId}
          and project_code = ${projectCode}
          and kept
          and month = any(${[...months]}::text[])
      `,
    )
  ).map(r => r.month),
)

provideClosedBooks(async (db, ownerId, projects) => {
  const rows = await db.rows<{ projectCode: string; month: Month }>(sql`
    select project_code, max(month) as month
    from fee_month
    where owner_id = ${ownerId} and project_code = any(${[...projects]}::text[]) and kept and ${notDeleted()}
    group by project_code
  `)
  return new Map(rows.map(row => [row.projectCode, { lastClosedMonth: row.month }]))
})

/** Months are carried over one after the other, each once. */
async function assertCarriedInOrder(tx: Tx, ownerId: Id, projectCode: string, month: Month): Promise<void> {
  const { last, isCarriedOver } = defined(
    await tx.one<{ last?: Month; isCarriedOver: boolean }>(
      sql`
        select max(month) as last, coalesce(bool_or(month = ${month}), false) as is_carried_over
        from fee_month
        where owner_id = ${ownerId} and project_code = ${projectCode} and kept and ${notDeleted()}
      `,
    ),
  )
  if (isCarriedOver) refuse(`${month} 已结转，此后的变动记入下月的“往期调整”`)
  if (last && month !== shiftMonth(last, 1))
    throw invalidInput([
      { Field: 'Month', Message: `已结转到 ${last}，请从 ${shiftMonth(last, 1)} 依次结转` },
    ])
}

/**
 * The first month that is carried over takes all months before it along: none of them may change behind the
 * chain that begins with it (CLO-4).
 */
async function saveEarlierMonths(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId'>,
  projectCode: string,
  month: Month,
  today: Day,
): Promise<void> {
  const found = await tx.one<{ first?: Month; isStarted: boolean }>(sql`
    select (
        select min(m.month)
        from bill_month m
        where m.owner_id = ${scope.ownerId} and m.project_code = ${projectCode}
      ) as first,
      exists (
        select 1
        from fee_month k
        where k.owner_id = ${scope.ownerId} and k.project_code = ${projectCode} and k.kept and ${notDeleted('k')}
      ) as is_started
  `)
  if (!found?.first || found.isStarted) return
  for (const earlier of monthsFrom(found.first, shiftMonth(month, -1))) {
    await saveMonth(tx, scope, projectCode, earlier, today)
  }
}

export const generateSummaryHandler = writes(
  generateSummary,
  async ({ projectCode, month }, { tx, scope, today }) => {
    const ownerId = scope.ownerId
    if (month >= monthOf(today))
      throw invalidInput([{ Field: 'Month', Message: `${month} 尚未结束，不能结转` }])
    await lockMonths(tx, ownerId, projectCode)
    await assertCarriedInOrder(tx, ownerId, projectCode, month)
    await saveEarlierMonths(tx, scope, projectCode, month, today)
    const rows = await saveMonth(tx, scope, projectCode, month, today)
    if (!rows) refuse(`${month} 没有账单，无需结转`)
    const sums = defined(
      await tx.one<{ opening: string; closing: string }>(
        sql`
          select sum(opening)::text as opening, sum(closing)::text as closing
          from fee_month
          where owner_id = ${ownerId} and project_code = ${projectCode} and month = ${month} and kept
        `,
      ),
    )
    const result = { month, rows, opening: parseYuan(sums.opening), closing: parseYuan(sums.closing) }
    await audit(tx, scope, [
      { action: 'insert', entity: feeMonth.name, entityId: 0, projectCode, after: result },
    ])
    return result
  },
)

/**
 * Carries the last month over, project by project, where the one before it was carried over or none ever was.
 */
export async function carryMonthsOver(app: {
  readonly database: Database
  readonly clock: () => number
}): Promise<number> {
  const today = dayOfMoment(fromInstant(app.clock()))
  const month = shiftMonth(monthOf(today), -1)
  const projects = await app.database.reader('*').rows<{
    ownerId: Id
    projectCode: string
  }>(sql`
    select e.owner_id, e.project_code
    from estate e
    left join (
      select owner_id, project_code, max(month) as last
      from fee_month
      where kept and ${notDeleted()}
      group by 1, 2
    ) k on k.owner_id = e.owner_id
      and k.project_code = e.project_code
    where ${notDeleted('e')}
      and (k.last is null or k.last = ${shiftMonth(month, -1)})
      and exists (
        select 1 from bill_month m where m.owner_id = e.owner_id and m.project_code = e.project_code
      )
    order by 1, 2
  `)
  const time = new Date(app.clock()).toISOString()
  for (const { ownerId, projectCode } of projects) {
    const scope = systemScope(ownerId, time)
    await app.database.tx(ownerId, async tx => {
      await lockMonths(tx, ownerId, projectCode)
      await saveEarlierMonths(tx, scope, projectCode, month, today)
      await saveMonth(tx, scope, projectCode, month, today)
    })
  }
  return projects.length
}

export const carryOverCron = defineCron({
  name: 'fee-reports-months',
  schedule: '40 4 1 * *',
  run: async app => {
    await carryMonthsOver(app)
  },
})
