import type { Id } from '#kit/domain/id.ts'
import { formatYuan, negateFen, type Fen } from '#kit/domain/money.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { requireById } from '#kit/server/table.ts'
import type { FeeRefund } from '#modules/payments/contract/refund.ts'
import {
  askForBalanceRefund,
  payOut,
  registerRefundSubject,
  type BalanceRefund,
  type RefundContext,
} from '#modules/payments/server/public.ts'
import { prestoreAccount, type PrestoreAccount } from '../contract/account.ts'
import { postEntries } from './ledger.ts'

export const assertAccountOpen = (a: PrestoreAccount): void => {
  if (a.state !== 'open')
    refuse(`账户「${a.ownerName}」已${a.state === 'frozen' ? '冻结' : '销户'}，请先解冻`)
}

type Refund = Pick<BalanceRefund, 'amount' | 'method' | 'reason'> & Partial<Pick<BalanceRefund, 'cashier'>>

/** A negative record of the day, and the entry of the account (ACC-10). Returns the record. */
export async function payOutOf(
  { tx, scope, now }: RefundContext,
  account: PrestoreAccount,
  { amount, method, reason, cashier }: Refund,
): Promise<Id> {
  const recordId = await payOut(tx, scope, {
    type: 'prestore',
    projectCode: account.projectCode,
    sourceName: account.ownerName,
    buildCode: account.buildCode,
    amount,
    method,
    reason,
    at: now,
    cashier,
  })
  await postEntries(
    tx,
    scope,
    [{ accountId: account.id, type: 'refund', amount: negateFen(amount), recordId, remark: reason }],
    now,
  )
  return recordId
}

export const askForRefund = (
  c: RefundContext,
  { id, projectCode, ownerName, buildCode }: PrestoreAccount,
  refund: Refund,
): Promise<FeeRefund | undefined> => {
  const { amount, method, reason } = refund
  return askForBalanceRefund(c, {
    subject: 'prestore',
    subjectId: id,
    projectCode,
    sourceName: ownerName,
    buildCode,
    amount,
    method,
    reason,
  })
}

const addRefunding = ({ tx, scope }: RefundContext, id: Id, amount: Fen): Promise<number> =>
  tx.execute(sql`
    update prestore_account
    set refunding = refunding + ${formatYuan(amount)}, version = version + 1,
      update_time = ${scope.time}::timestamptz
    where owner_id = ${scope.ownerId} and id = ${id}
  `)

registerRefundSubject('prestore', {
  reserve: async (c, { subjectId, amount }) => {
    await addRefunding(c, subjectId, amount)
  },
  payOut: async (c, refund) => {
    const account = await requireById(c.tx, prestoreAccount, c.scope, refund.subjectId, { lock: true })
    assertAccountOpen(account)
    await addRefunding(c, account.id, negateFen(refund.amount))
    return payOutOf(c, account, refund)
  },
  release: async (c, { subjectId, amount }) => {
    await addRefunding(c, subjectId, negateFen(amount))
  },
})
