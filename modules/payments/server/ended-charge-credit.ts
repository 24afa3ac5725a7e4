import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { invalidInput, notFound, refuse } from '#kit/contract/wire.ts'
import { addFen, minFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { notDeleted, codes } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import type { BillFollowUp } from '#modules/bills/contract/follow-up.ts'
import { closeFollowUps, discountBills, lockFollowUps } from '#modules/bills/server/public.ts'
import { recordState } from '../contract/choices.ts'
import { settleEnding } from '../contract/ended-charge-credit.ts'
import type { FeeRefund } from '../contract/refund.ts'
import { maxRefundOf, refundablePartsOf } from '../domain/refund.ts'
import { findDetails } from './record.ts'
import { applyForRefund } from './refund.ts'
import { findPendingAmounts } from './refund-state.ts'

/** Payments of a bill, the newest first. Needs pay_detail_bill. */
const findPaymentsOf = async (tx: Tx, ownerId: Id, billId: Id): Promise<Id[]> =>
  (
    await tx.rows<{ id: Id }>(sql`
      select distinct r.id
      from pay_detail d
      join pay_record r on r.owner_id = ${ownerId} and r.id = d.record_id
      where d.owner_id = ${ownerId}
        and d.bill_id = ${billId}
        and ${notDeleted('r')}
        and r.state in ${codes(recordState, 'normal', 'partRefunded')}
        and r.received_amount > 0
      order by r.id desc
    `)
  ).map(row => row.id)

type SettleInput = NonNullable<typeof settleEnding.input.T>

/** Asks back as much as was paid too much, from the newest payment on. */
async function refundPayments(
  { tx, scope, now }: WriteContext,
  followUp: BillFollowUp,
  { refundWay, reason }: SettleInput,
): Promise<{ refunds: FeeRefund[]; amount: Fen }> {
  const refunds: FeeRefund[] = []
  let remaining: Fen = followUp.amount
  for (const recordId of await findPaymentsOf(tx, scope.ownerId, followUp.billId)) {
    const details = await findDetails(tx, scope.ownerId, recordId)
    const ofBill = details.filter(detail => detail.billId === followUp.billId)
    const parts = refundablePartsOf(ofBill, await findPendingAmounts(tx, scope.ownerId, recordId))
    const lines = parts.flatMap(part => {
      const principal = minFen(maxRefundOf(part).principal, remaining)
      remaining = subtractFen(remaining, principal)
      return principal > 0 ? [{ detailId: part.id, principal, late: 0 as const }] : []
    })
    if (!lines.length) continue
    refunds.push(
      await applyForRefund(tx, scope, { recordId, lines, refundWay, billAfter: 'kept', reason }, now),
    )
  }
  if (remaining > 0) refuse('账单的收款不足以退还该笔金额，可能已经退过；请在收款记录中核对，或选择不处理')
  return { refunds, amount: sumFen(refunds.map(refund => refund.amount)) }
}

const refundMethodTexts: Readonly<Record<SettleInput['refundWay'], string>> = {
  original: '原路退款',
  cash: '现金退款',
  transfer: '转账退款',
  prestore: '转预存',
}

const settleHandler = writes(settleEnding, async (input, context) => {
  const { tx, scope, today, now } = context
  const { open, refused } = await lockFollowUps(tx, scope, [String(input.id)])
  const [followUp] = open
  if (!followUp) return refuse(refused[0]?.reason ?? notFound().message)
  if (followUp.kind !== 'ending')
    throw invalidInput([{ Field: 'ID', Message: '该账单不是止收产生的，请在收款记录中退款' }])
  if (followUp.discount > 0) {
    const { discountAmount } = await requireById(tx, bill, scope, followUp.billId)
    const { success, rows } = await discountBills(
      tx,
      { scope, today, now, reason: input.reason },
      {
        ids: [String(followUp.billId)],
        kind: 'amount',
        amount: addFen(discountAmount, followUp.discount),
        reason: input.reason,
      },
    )
    // What is owed stays as it was: the ending would be closed without it.
    if (!success) refuse(`账单的余款不能减免：${rows[0]?.reason ?? '账单已被删除'}`)
  }
  const { refunds, amount } = await refundPayments(context, followUp, input)
  const numbers = refunds.map(refund => refund.refundNo).join('、')
  const result = `${refundMethodTexts[input.refundWay]} ${numbers}：${input.reason}`
  await closeFollowUps(tx, scope, [followUp], 'done', result)
  const last = refunds.at(-1)
  return {
    amount,
    discount: followUp.discount,
    ...(last ? { refundNo: numbers, state: defined(last).state } : {}),
  }
})

export const endingCreditHandlers = [settleHandler]
