import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { recordState, recordType } from '#modules/payments/contract/choices.ts'
import { selectPaidParts } from '#modules/payments/server/public.ts'
import { moneyKind } from '../contract/daily-collection.ts'
import type { Sql } from './report-source.ts'

const recordParts = sqlFile(import.meta.dirname, 'record-parts.sql', [
  'ownerId',
  'days',
  'parts',
  'voided',
  'deposit',
  'prestore',
  'kind_fee',
  'kind_late',
  'kind_deposit',
  'kind_prestore',
  'kind_other',
  'live_record',
])

const selectRecordParts = (ownerId: Id, days: Sql): Sql =>
  recordParts({
    ownerId,
    days,
    parts: selectPaidParts(ownerId, sql`select id from record`),
    voided: code(recordState, 'voided'),
    deposit: code(recordType, 'deposit'),
    prestore: code(recordType, 'prestore'),
    kind_fee: code(moneyKind, 'fee'),
    kind_late: code(moneyKind, 'late'),
    kind_deposit: code(moneyKind, 'deposit'),
    kind_prestore: code(moneyKind, 'prestore'),
    kind_other: code(moneyKind, 'other'),
    live_record: notDeleted('r'),
  })

/** The rows of the summary for a set of days (project_code, day, is_kept). */
export const selectDayRows = (ownerId: Id, days: Sql): Sql => sql`
  select owner_id, project_code, day, build_code, cashier_id, max(cashier_name) as cashier_name, kind,
    fee_item_id, max(fee_item_name) as fee_item_name, method, history, count(*)::int as count,
    coalesce(sum(amount) filter (where side > 0), 0) as received,
    coalesce(sum(amount) filter (where side < 0), 0) as refunded, sum(amount * side) as net
  from (${selectRecordParts(ownerId, days)}) c
  group by owner_id, project_code, day, build_code, cashier_id, kind, fee_item_id, method, history
`

/** A closed day keeps its rows once it has them (CLO-2); history that is imported later is still added. */
export const isDayKept = (ownerId: Id, project: Sql, day: Sql): Sql =>
  sql`(
    exists (
      select 1
      from day_close c
      where c.owner_id = ${ownerId}
        and c.project_code = ${project}
        and c.day = ${day}
        and c.closed
        and ${notDeleted('c')}
    )
    and exists (
      select 1
      from fc_summary f
      where f.owner_id = ${ownerId} and f.project_code = ${project} and f.day = ${day} and not f.history
    )
  )`

export interface CollectionDay {
  readonly project: string
  readonly day: Day
}

const projectDays = (days: readonly CollectionDay[]): Sql => sql`
  select *
  from unnest(
    ${days.map(d => d.project)}::text[], ${days.map(d => d.day)}::date[]
  ) as x(project_code, day)
`

/** The days as a set (project_code, day, is_kept), each looked up once: its rows are about to be deleted. */
async function findKeptDays(tx: Tx, ownerId: Id, days: readonly CollectionDay[]): Promise<Sql> {
  const found = await tx.rows<CollectionDay & { readonly isKept: boolean }>(
    sql`
      select x.project_code as project, x.day, ${isDayKept(ownerId, sql`x.project_code`, sql`x.day`)} as is_kept
      from (${projectDays(days)}) x
    `,
  )
  return sql`
    select *
    from unnest(
      ${found.map(d => d.project)}::text[], ${found.map(d => d.day)}::date[],
      ${found.map(d => d.isKept)}::boolean[]
    ) as x(project_code, day, is_kept)
  `
}

/**
 * Recomputes the summary of days from their records; running it again changes nothing (CLO-2). One at a time
 * for a day of a project, days in one order, so that the closing of one estate never waits for another's; a
 * few hundred at most, each holds a lock. What a cashier adds during the run leaves its own mark in
 * fc_pending, whose marks are deleted here before the records are read.
 */
export async function rebuildDays(tx: Tx, ownerId: Id, days: readonly CollectionDay[]): Promise<number> {
  if (!days.length) return 0
  const locks = [...new Set(days.map(d => `fc_summary ${d.project} ${d.day}`))].toSorted()
  await tx.rows(
    sql`select pg_advisory_xact_lock(hashtextextended(x, ${ownerId})) from unnest(${locks}::text[]) as x`,
  )
  await tx.execute(
    sql`
      delete
      from fc_pending p
      using (${projectDays(days)}) x
      where p.owner_id = ${ownerId} and p.project_code = x.project_code and p.day = x.day
    `,
  )
  const daysToWrite = await findKeptDays(tx, ownerId, days)
  await tx.execute(
    sql`
      delete
      from fc_summary s
      using (${daysToWrite}) x
      where s.owner_id = ${ownerId}
        and s.project_code = x.project_code
        and s.day = x.day
        and (s.history or not x.is_kept)
    `,
  )
  return tx.execute(sql`
    insert into fc_summary (
      owner_id, project_code, day, build_code, cashier_id, cashier_name, kind, fee_item_id, fee_item_name,
      method, history, count, received, refunded
    )
    select owner_id, project_code, day, build_code, cashier_id, cashier_name, kind, fee_item_id,
      fee_item_name, method, history, count, received, refunded
    from (${selectDayRows(ownerId, daysToWrite)}) s
    returning 1
  `)
}
