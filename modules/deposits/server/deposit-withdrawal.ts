import type { RowValues } from '#kit/contract/shape.ts'
import { refuse, invalidField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { addFen, formatYuan, type Fen, negateFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { insertStatement, requireById, update } from '#kit/server/table.ts'
import {
  payOut,
  recordIncome,
  registerRefundSubject,
  type BalanceRefund,
  type RefundContext,
} from '#modules/payments/server/public.ts'
import { deposit, depositEntry, type Deposit, type DepositEntry } from '../contract/deposit.ts'
import { applyWithdrawal, withdrawalRefusal, type DepositEntryType } from '../domain/deposit.ts'

type EntryDetails = Partial<Pick<DepositEntry, 'recordId' | 'evidence' | 'reason'>>

/** The audit row of the deposit speaks for its entry too. */
export const insertEntry = (
  { tx, scope }: RefundContext,
  depositRow: Deposit,
  entryType: DepositEntryType,
  amount: Fen,
  entryTime: Moment,
  details: EntryDetails,
): Promise<unknown> => {
  const entry: RowValues<typeof depositEntry.fields> = {
    ...details,
    projectCode: depositRow.projectCode,
    depositId: depositRow.id,
    entryType,
    amount,
    balanceBefore: depositRow.balance,
    balanceAfter: addFen(depositRow.balance, amount),
    entryTime,
    operatorName: scope.name,
  }
  return tx.rows(sql`${insertStatement(depositEntry, scope, [entry])} returning id`)
}

/** Money leaves a locked deposit, by one way; its entry and its new state in one. */
export async function withdraw(
  c: RefundContext,
  depositRow: Deposit,
  entryType: Exclude<DepositEntryType, 'receive'>,
  amount: Fen,
  details: EntryDetails,
): Promise<Deposit> {
  const { tx, scope, now } = c
  await insertEntry(c, depositRow, entryType, negateFen(amount), now, details)
  if (depositRow.recordId && (entryType === 'income' || entryType === 'deduct')) {
    await recordIncome(tx, scope.ownerId, depositRow.recordId, amount, now)
  }
  const { reason } = details
  return update(
    tx,
    deposit,
    scope,
    depositRow.id,
    applyWithdrawal(depositRow, entryType, amount),
    reason ? { reason } : {},
  )
}

export async function requireHeldDeposit(
  { tx, scope }: RefundContext,
  id: Id,
  amount: Fen,
): Promise<Deposit> {
  const depositRow = await requireById(tx, deposit, scope, id, { lock: true })
  const none = withdrawalRefusal(depositRow)
  const amountRefusal = withdrawalRefusal(depositRow, amount)
  if (none) refuse(none)
  if (amountRefusal) throw invalidField('Amount', amountRefusal)
  return depositRow
}

/** Money of a locked deposit is paid back: a negative record of the day, and the entry of the deposit. */
export async function payBack(
  c: RefundContext,
  depositRow: Deposit,
  refund: Pick<BalanceRefund, 'amount' | 'method' | 'reason'> & Partial<Pick<BalanceRefund, 'cashier'>>,
): Promise<{ readonly recordId: Id; readonly after: Deposit }> {
  const { amount, method, reason, cashier } = refund
  const recordId = await payOut(c.tx, c.scope, {
    type: 'deposit',
    projectCode: depositRow.projectCode,
    sourceName: depositRow.roomName,
    buildCode: depositRow.buildCode,
    amount,
    method,
    reason,
    at: c.now,
    cashier,
  })
  return { recordId, after: await withdraw(c, depositRow, 'refund', amount, { reason, recordId }) }
}

const addRefunding = ({ tx, scope }: RefundContext, id: Id, amount: Fen): Promise<number> =>
  tx.execute(sql`
    update deposit
    set refunding = refunding + ${formatYuan(amount)}, version = version + 1,
      update_time = ${scope.time}::timestamptz
    where owner_id = ${scope.ownerId} and id = ${id}
  `)

registerRefundSubject('deposit', {
  reserve: async (c, { subjectId, amount }) => {
    await addRefunding(c, subjectId, amount)
  },
  payOut: async (c, refund) => {
    await requireById(c.tx, deposit, c.scope, refund.subjectId, { lock: true })
    await addRefunding(c, refund.subjectId, negateFen(refund.amount))
    const current = await requireHeldDeposit(c, refund.subjectId, refund.amount)
    return (await payBack(c, current, refund)).recordId
  },
  release: async (c, { subjectId, amount }) => {
    await addRefunding(c, subjectId, negateFen(amount))
  },
})
