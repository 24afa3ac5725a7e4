import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseYuan } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { startValues } from '#kit/server/crud-write.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { onPaid } from '#modules/payments/server/public.ts'
import { deposit, depositEntry } from '../contract/deposit.ts'
import { depositKindOf } from '../domain/deposit.ts'
import { depositPrefix } from './deposit-number.ts'

interface PaidDepositBill {
  readonly projectCode: string
  readonly billNo: string
  readonly itemId: Id
  readonly itemName: string
  readonly roomCode?: string
  readonly sourceName: string
  readonly buildCode?: string
  readonly payerName?: string
  readonly amount: string
  readonly payDay: Day
  readonly payTime: Moment
}

/** What a payment of deposit items was for. */
const findPaidBills = (tx: Tx, ownerId: Id, record: Id): Promise<PaidDepositBill[]> =>
  tx.rows<PaidDepositBill>(sql`
    select r.project_code, d.bill_no, d.fee_item_id as item_id, d.fee_item_name as item_name,
      case when d.source_type = ${code(sourceType, 'room')} then d.source_code end as room_code,
      d.source_name, b.build_code, r.payer_name, d.principal::text as amount, r.pay_time, r.pay_day
    from pay_detail d
    join pay_record r on r.owner_id = ${ownerId} and r.id = d.record_id
    join bill b on b.owner_id = ${ownerId} and b.id = d.bill_id
    where d.owner_id = ${ownerId} and d.record_id = ${record} and d.principal > 0
    order by d.id
  `)

/** C27-8: what was paid for deposit items is held as deposits, one for each bill, in the same transaction. */
async function holdDeposits(tx: Tx, scope: Scope, recordId: Id): Promise<void> {
  const paid = await findPaidBills(tx, scope.ownerId, recordId)
  const [first] = paid
  if (!first) return
  const numbers = await tx.numbers.nextMany(scope.ownerId, depositPrefix, first.payDay, paid.length)
  const ids = await insertAll(
    tx,
    deposit,
    scope,
    paid.map((paidDepositBill, i) => ({
      ...startValues(deposit),
      projectCode: paidDepositBill.projectCode,
      depositNo: defined(numbers[i]),
      kind: depositKindOf(paidDepositBill.itemName),
      feeItemId: paidDepositBill.itemId,
      feeItemName: paidDepositBill.itemName,
      roomCode: paidDepositBill.roomCode,
      roomName: paidDepositBill.sourceName,
      buildCode: paidDepositBill.buildCode,
      payerName: paidDepositBill.payerName,
      amount: parseYuan(paidDepositBill.amount),
      balance: parseYuan(paidDepositBill.amount),
      receiveTime: paidDepositBill.payTime,
      recordId,
      remark: `账单 ${paidDepositBill.billNo} ${paidDepositBill.itemName}`,
      state: 'received' as const,
    })),
  )
  await insertAll(
    tx,
    depositEntry,
    scope,
    paid.map((paidDepositBill, i) => ({
      projectCode: paidDepositBill.projectCode,
      depositId: defined(ids[i]),
      entryType: 'receive' as const,
      amount: parseYuan(paidDepositBill.amount),
      balanceBefore: 0,
      balanceAfter: parseYuan(paidDepositBill.amount),
      recordId,
      entryTime: paidDepositBill.payTime,
      operatorName: scope.name,
    })),
  )
}

onPaid(async (tx, scope, { recordId, billIds, recordType }) => {
  if (recordType === 'deposit' && billIds.length) {
    await holdDeposits(tx, scope, recordId)
  }
})
