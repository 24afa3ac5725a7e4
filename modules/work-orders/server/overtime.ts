import type { Id } from '#kit/domain/id.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { orderAction, orderState } from '../contract/choices.ts'
import { orderRecord } from '../contract/record.ts'

interface CrossedRow {
  readonly id: Id
  readonly projectCode: string
  readonly state: number
  readonly deadline: Moment
}

interface Crossing {
  readonly flag: string
  readonly deadline: string
  readonly label: string
  readonly runs: RawBuilder<unknown>
}

/** What the history says of each flag. */
const crossingLabels = {
  respOvertime: '响应超时',
  arriveOvertime: '到场超时',
  finishOvertime: '完成超时',
} as const

export type CrossingFlag = keyof typeof crossingLabels

/** While which states a clock runs, and the flag that its crossing sets. */
const crossings: readonly Crossing[] = [
  {
    flag: 'resp_overtime',
    deadline: 'response_deadline',
    label: crossingLabels.respOvertime,
    runs: sql`state in ${codes(orderState, 'pending', 'waiting', 'dispatched')}`,
  },
  {
    flag: 'arrive_overtime',
    deadline: 'arrive_deadline',
    label: crossingLabels.arriveOvertime,
    runs: sql`state = ${code(orderState, 'processing')} and arrive_time is null`,
  },
  {
    flag: 'finish_overtime',
    deadline: 'finish_deadline',
    label: crossingLabels.finishOvertime,
    runs: sql`state in ${codes(orderState, 'waiting', 'dispatched', 'processing')}`,
  },
]

const crossed = ({ flag, deadline, runs }: Crossing, now: Moment): RawBuilder<unknown> =>
  sql`${runs} and not ${sql.id(flag)} and ${sql.id(deadline)} < ${now}::timestamptz and ${notDeleted()}`

/**
 * Marks the deadlines that have passed, each with the moment at which it did, also when nobody looked then
 * (WO-3). One statement per clock; two processes at once mark each once. Uses work_order_response_due,
 * work_order_arrive_due, work_order_finish_due.
 */
export async function markCrossings(tx: Tx, app: App, ownerId: Id): Promise<number> {
  const now = fromInstant(app.clock())
  const scope = clockScope(app, ownerId)
  let count = 0
  for (const crossing of crossings) {
    const rows = await tx.rows<CrossedRow>(sql`
      update work_order
      set ${sql.id(crossing.flag)} = true, version = version + 1, update_time = ${scope.time}::timestamptz
      where owner_id = ${ownerId} and ${crossed(crossing, now)}
      returning id, project_code, state, ${sql.id(crossing.deadline)} as deadline
    `)
    count += rows.length
    await insertAll(
      tx,
      orderRecord,
      scope,
      rows.map(row => ({
        projectCode: row.projectCode,
        orderId: row.id,
        action: 'overtime' as const,
        fromState: keyOf(orderState, row.state),
        toState: keyOf(orderState, row.state) ?? 'waiting',
        actionTime: row.deadline,
        actor: 'system' as const,
        operatorName: '系统',
        content: crossing.label,
      })),
    )
    if (rows.length) {
      app.live.publishOnCommit(tx, ownerId, { topic: 'workOrders' }, 'workOrder')
    }
  }
  return count
}

/**
 * A step that was done without a network arrives after the deadline that it kept: what was marked before it
 * arrived is taken back (WO-3). Returns the flags that no longer hold.
 */
export async function takeBackCrossings(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId' | 'time'>,
  orderId: Id,
  kept: readonly CrossingFlag[],
  doneAt: Moment,
): Promise<{ readonly [F in CrossingFlag]?: false }> {
  if (!kept.length) return {}
  const rows = await tx.rows<{ content: string }>(sql`
    update work_order_record
    set delete_tag = 1, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and order_id = ${orderId}
      and action = ${code(orderAction, 'overtime')}
      and action_time >= ${doneAt}::timestamptz
      and content = any(${kept.map(flag => crossingLabels[flag])}::text[])
      and ${notDeleted()}
    returning content
  `)
  const removed = new Set(rows.map(row => row.content))
  return Object.fromEntries(
    kept.filter(flag => removed.has(crossingLabels[flag])).map(flag => [flag, false as const]),
  )
}

/** All companies in which a deadline has passed unmarked. */
export async function sweepCrossings(app: App): Promise<void> {
  const now = fromInstant(app.clock())
  const hasCrossed = sql.join(
    crossings.map(crossing => sql`(${crossed(crossing, now)})`),
    sql` or `,
  )
  const due = sql<{ ownerId: Id }>`select distinct owner_id from work_order where ${hasCrossed}`
  await forEachDueCompany(app.database, due, (tx, ownerId) => markCrossings(tx, app, ownerId))
}
