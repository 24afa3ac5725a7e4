import type { Id } from '#kit/domain/id.ts'
import { sumFen } from '#kit/domain/money.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { refundState } from '../contract/choices.ts'
import { feeRefund, type FeeRefund } from '../contract/refund.ts'
import { openRefundStates } from '../domain/refund.ts'

/** At least one: a refund that was asked for alone is its own group. */
export type RefundGroup = readonly [FeeRefund, ...FeeRefund[]]

/** What somebody decides about: all of it, as one amount. */
export const wholeOf = (group: RefundGroup): FeeRefund => ({
  ...group[0],
  amount: sumFen(group.map(({ amount }) => amount)),
})

/** The refunds that were asked for together with one, locked, the first first (by fee_refund_group). */
async function lockMembers(tx: Tx, scope: Scope, refund: FeeRefund): Promise<RefundGroup> {
  if (refund.groupNo === undefined) return [refund]
  const where = [sql`t.group_no = ${refund.groupNo}`]
  const ids = (await findAll(tx, feeRefund, scope, { order: 'id' }, { where })).map(({ id }) => id)
  const members = await findByIds(tx, feeRefund, scope, ids, { lock: true })
  const [first, ...others] = members.toSorted((a, b) => a.id - b.id)
  return first ? [first, ...others] : [refund]
}

/** Payments in the order of their ids, before what is theirs: two groups never wait in a circle. */
export const lockRecords = (tx: Tx, { ownerId }: Scope, recordIds: readonly Id[]): Promise<unknown> =>
  tx.rows(sql`
    select id
    from pay_record
    where owner_id = ${ownerId} and id = any(${sqlArray('bigint', [...recordIds])})
    order by id
    for no key update
  `)

/** The group of a refund that is locked, and their payments. */
export async function lockGroup(tx: Tx, scope: Scope, refund: FeeRefund): Promise<RefundGroup> {
  const group = await lockMembers(tx, scope, refund)
  if (group.length > 1) {
    await lockRecords(
      tx,
      scope,
      group.flatMap(({ recordId }) => recordId ?? []),
    )
  }
  return group
}

/** They name the first one from then on. */
export async function joinGroup(tx: Tx, { ownerId }: Scope, group: RefundGroup): Promise<RefundGroup> {
  if (group.length === 1) return group
  const [{ refundNo: groupNo }] = group
  await tx.execute(sql`
    update fee_refund
    set group_no = ${groupNo}
    where owner_id = ${ownerId} and id = any(${sqlArray(
      'bigint',
      group.map(({ id }) => id),
    )})
  `)
  const [first, ...others] = group
  return [{ ...first, groupNo }, ...others.map(refund => ({ ...refund, groupNo }))]
}

export interface GroupProgress {
  /** The first of them, which stands for all. */
  readonly firstId: Id
  readonly open: number
  readonly done: number
}

/** How far the refunds are that were asked for together with one. */
export async function findGroupProgress(
  db: Pick<Db, 'one'>,
  ownerId: Id,
  refundId: Id,
): Promise<GroupProgress> {
  const row = await db.one<GroupProgress>(sql`
    select min(f.id) as first_id,
      count(*) filter (where f.state in ${codes(refundState, ...openRefundStates)})::integer as open,
      count(*) filter (where f.state in ${codes(refundState, 'done')})::integer as done
    from fee_refund o
    join fee_refund f on f.owner_id = ${ownerId}
      and (f.id = o.id or f.group_no = o.group_no)
      and ${notDeleted('f')}
    where o.owner_id = ${ownerId} and o.id = ${refundId}
    having count(*) > 0
  `)
  return row ?? { firstId: refundId, open: 0, done: 0 }
}
