import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import type { Activity } from '../contract/activity.ts'
import { signPayState } from '../contract/choices.ts'
import { feeFaults, hasFee } from '../domain/fee.ts'

type Context = Pick<WriteContext, 'tx' | 'scope'>

/** The item of a fee is in use, and of the kind that is charged once. */
export async function feeItemFaults(
  { tx, scope }: Context,
  draft: Pick<Activity, 'fee' | 'feeItemId'>,
  before: Activity | undefined,
): Promise<FieldFault[]> {
  const faults = feeFaults(draft, before)
  const { feeItemId } = draft
  if (faults.length || !hasFee(draft) || feeItemId === undefined || feeItemId === before?.feeItemId)
    return faults
  const [item] = await findByIds(tx, feeItem, scope, [feeItemId])
  if (item?.state === 'on' && item.feeType === 'temporary') return []
  return [{ Field: 'FeeItemID', Message: '请选择启用中的临时类收费项目' }]
}

/** Money that is still to come or to go back is found from the sign-ups. */
export async function refuseOpenFees(rows: readonly Activity[], { tx, scope }: Context): Promise<void> {
  const open = await tx.one<{ count: number }>(sql`
    select count(*)::integer as count
    from activity_sign
    where owner_id = ${scope.ownerId}
      and activity_id = any(${rows.map(({ id }) => id)}::bigint[])
      and pay_state in ${codes(signPayState, 'unpaid', 'refundDue')}
      and ${notDeleted()}
  `)
  const count = open?.count ?? 0
  if (count > 0) refuse(`有 ${count} 个报名未缴费或待退费，请先收费、取消报名或退费，再删除活动`)
}
