import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { monthOf, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { forEachCompany, forEachDueCompany, listDueCompanies } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { countTableChanges } from '#kit/server/table-activity.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { monthColumns, selectMonthRows, selectCollectionRows } from './month-rows.ts'

/**
 * Computes and stores a month of a company for the finance home: one scan of its months of bills, one of its
 * unpaid bills. What was carried over stays.
 */
export async function computeStatistic(
  database: Database,
  ownerId: Id,
  month: Month,
  today: Day,
  now: Moment,
): Promise<void> {
  await database.tx(ownerId, async tx => {
    await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`fee_pulse/${month}`}, ${ownerId}))`)
    await tx.execute(sql`delete from fee_month where owner_id = ${ownerId} and month = ${month} and not kept`)
    await tx.execute(
      sql`
        insert into fee_month (${monthColumns})
        select ${monthColumns}
        from (${selectMonthRows(ownerId, month, today)}) s
        where s.project_code <> all(
          array(select k.project_code from fee_month k where k.owner_id = ${ownerId} and k.month = ${month} and k.kept)
        )
        returning 1
      `,
    )
    await tx.execute(sql`delete from fee_pulse where owner_id = ${ownerId} and month = ${month}`)
    await tx.execute(
      sql`
        insert into fee_pulse (
          owner_id, project_code, month, build_code, households, clear, age_counts, age_sums
        ) ${selectCollectionRows(ownerId, month, today)}
        returning 1
      `,
    )
    await tx.execute(
      sql`
        insert into fee_pulse_time (owner_id, month, build_time)
        values (${ownerId}, ${month}, ${now})
        on conflict (owner_id, month) do update set build_time = excluded.build_time
      `,
    )
  })
}

/** The tables that the statistics are computed from. */
const statisticTables = ['bill', 'bill_month', 'bill_move', 'fee_item', 'day_close']

/** Marks the stored figures as current, because nothing has changed. */
const touchBuildTimes = (database: Database, months: readonly Month[], now: Moment): Promise<unknown> => {
  const isOfMonths = sql`month = any(${[...months]}::text[])`
  return forEachDueCompany(
    database,
    sql`select distinct owner_id from fee_pulse_time where ${isOfMonths}`,
    (tx, ownerId) =>
      tx.execute(sql`
        update fee_pulse_time set build_time = ${now} where owner_id = ${ownerId} and ${isOfMonths}
      `),
  )
}

let lastSeenChange = ''

/**
 * Every company's month, and in its first days the one before it; nothing is computed where no bill has
 * changed since the last run.
 */
export async function computeAllStatistics(app: {
  readonly database: Database
  readonly clock: () => number
}): Promise<number> {
  const now = fromInstant(app.clock())
  const today = dayOfMoment(now)
  const change = `${today}/${await countTableChanges(app.database.reader('*'), statisticTables)}`
  const month = monthOf(today)
  const months = today.endsWith('-01') || today.endsWith('-02') ? [month, shiftMonth(month, -1)] : [month]
  if (change === lastSeenChange) {
    await touchBuildTimes(app.database, months, now)
    return 0
  }
  const owners = await listDueCompanies(
    app.database,
    sql`select distinct owner_id from estate where ${notDeleted()} order by 1`,
  )
  await forEachCompany(owners, async ownerId => {
    for (const monthToCompute of months) {
      await computeStatistic(app.database, ownerId, monthToCompute, today, now)
    }
  })
  lastSeenChange = change
  return owners.length
}

export const statisticCron = defineCron({
  name: 'fee-reports-pulse',
  schedule: '*/3 * * * *',
  run: async app => {
    await computeAllStatistics(app)
  },
})
