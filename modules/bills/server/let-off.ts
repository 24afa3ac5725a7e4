import { addFen, displayYuan, formatYuan, maxFen } from '#kit/domain/money.ts'
import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Bill } from '../contract/bill.ts'
import { lateUnpaid, unpaidPrincipal, withMoney } from '../domain/bill.ts'
import { runAction, type ActionDecision } from './action-runner.ts'
import { createLateFeeUpdater, lockSelection } from './adjustment.ts'
import type { ActionContext } from './actions.ts'
import { toBill } from './stored-bill.ts'

/**
 * For another module whose order ended: what is still owed of bills that were paid in part is owed no more,
 * principal as a discount and late fee as waived. Bills that cannot be changed are reported as skipped.
 */
export async function letOffRest(tx: Tx, context: ActionContext, ids: readonly Id[]): Promise<BulkResult> {
  const { scope, now, today, reason } = context
  if (!ids.length) return { success: 0, fail: 0, skipped: 0, rows: [] }
  const [rows, missing] = await lockSelection(tx, scope, { ids: ids.map(String) })
  const late = await createLateFeeUpdater(tx, scope.ownerId, rows, today)
  const decide = (row: Bill): ActionDecision => {
    const discount = addFen(row.discountAmount, unpaidPrincipal(toBill(row)))
    const discounted = late.withLateFee(row, { discount })
    const bill = { ...toBill(row), ...discounted }
    const lateWaived = addFen(bill.lateWaived, maxFen(0, lateUnpaid(bill)))
    return {
      change: { ...discounted, ...withMoney(bill, { lateWaived }, late.ruleOf(row)) },
      adjust: {
        type: 'discount',
        oldValue: formatYuan(row.discountAmount),
        newValue: displayYuan(discount),
        amount: unpaidPrincipal(toBill(row)),
      },
    }
  }
  const extraColumns = [sql`late_day = ${today}`]
  return runAction(tx, scope, rows, { action: 'discount', now, today, reason, extraColumns, decide }, missing)
}
