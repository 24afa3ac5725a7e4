import { defined } from '#kit/domain/defined.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { negateFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import { rebuildDays } from '#modules/fee-reports/server/collection-days.ts'
import { cashierHandover } from '#modules/payments/contract/day-close.ts'
import { sumHandover } from '#modules/payments/server/handover.ts'
import { untilSeeding } from './seed-day.ts'

export interface HandoverSeed {
  readonly project: string
  readonly cashier: Scope
  readonly handNo: string
  readonly until: Moment
  /** Who confirmed it the morning after; without, it waits. */
  readonly confirmedBy?: Scope
  /** What is short of the counted cash. */
  readonly missing?: Fen
  readonly remark?: string
}

/** Hands over all that the cashier took until a moment, if anything. */
export async function seedHandover(tx: Tx, seed: HandoverSeed): Promise<void> {
  const { project, cashier, until, confirmedBy, missing = 0 } = seed
  const ownerId = cashier.ownerId
  const sums = await sumHandover(tx, ownerId, project, cashier.operatorId, until)
  if (!sums.count) return
  const { id } = await insert(tx, cashierHandover, cashier, {
    projectCode: project,
    handNo: seed.handNo,
    cashierId: cashier.operatorId,
    cashierName: cashier.name,
    beginTime: defined(sums.beginTime),
    endTime: until,
    methods: sums.methods,
    totalReceived: sums.totalReceived,
    totalRefund: sums.totalRefund,
    cashAmount: sums.cashAmount,
    handAmount: subtractFen(sums.cashAmount, missing),
    diff: negateFen(missing) || 0,
    remark: seed.remark,
    state: confirmedBy ? 'confirmed' : 'pending',
    ...(confirmedBy
      ? {
          confirmBy: confirmedBy.operatorId,
          confirmName: confirmedBy.name,
          confirmTime: untilSeeding(cashier, `${addDays(dayOfMoment(until), 1)} 09:05:00`),
        }
      : {}),
  })
  await tx.execute(
    sql`
      update pay_record
      set handover_id = ${id}
      where owner_id = ${ownerId}
        and project_code = ${project}
        and cashier_id = ${cashier.operatorId}
        and handover_id is null
        and pay_time <= ${until}
    `,
  )
}

/** Sums the days of all records of a project, and closes those from one day to another. */
export async function closeDays(tx: Tx, closer: Scope, project: string, from: Day, to: Day): Promise<void> {
  const ownerId = closer.ownerId
  const days = await tx.rows<{ project: string; day: Day }>(
    sql`
      select distinct project_code as project, pay_day as day
      from pay_record
      where owner_id = ${ownerId} and project_code = ${project}
    `,
  )
  await rebuildDays(tx, ownerId, days)
  await tx.execute(
    sql`
      insert into day_close (
        owner_id, create_by, update_by, project_code, day, close_name, close_time, closed
      )
      select ${ownerId}::bigint, ${closer.operatorId}::bigint, ${closer.operatorId}::bigint, ${project}::text,
        d::date, ${closer.name}::text, (d::date + 1)::timestamp + interval '9 hours 10 minutes', true
      from generate_series(${from}::date, ${to}::date, interval '1 day') d
    `,
  )
}
