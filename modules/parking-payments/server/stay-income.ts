import { parseId, type Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { issueBatch, payableBills } from '#modules/bills/server/public.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { feeItem, type FeeItem } from '#modules/fees/contract/item.ts'
import type { ParkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { passNoOf } from '#modules/parking-lanes/server/public.ts'
import type { PayOrder } from '#modules/payments/contract/order.ts'
import { settle, type ReceivedPayment } from '#modules/payments/server/public.ts'

/** The company's item of parking fees; one in use before those that are not any more. */
async function findItem(db: Db, scope: Scope, onlyInUse: boolean): Promise<FeeItem | undefined> {
  const isParking = sql`t.fee_type = ${code(feeType, 'parking')}`
  const isInUse = sql`t.state = ${code(enabledState, 'on')}`
  const where = onlyInUse ? [isParking, isInUse] : [isParking]
  const items = await findAll(db, feeItem, scope, {}, { where, limit: 50 })
  return items.find(item => item.state === 'on') ?? items[0]
}

/** Before money is asked for: there must be something that it can be booked as. */
export async function assertBookable(db: Db, scope: Scope): Promise<void> {
  if (!(await findItem(db, scope, true))) refuse('暂未开通线上缴费，请到岗亭缴费')
}

interface BookedIncome {
  readonly billId: Id
  readonly recordId: Id
}

/**
 * The money of an order in the books: a bill of the day for the company's parking item, charged to the
 * project, and its payment. So it is in receipts, reports, closings, reconciliation and refunds like others.
 */
export async function bookStayIncome(
  tx: Tx,
  scope: Scope,
  stay: ParkingStay,
  order: PayOrder,
  payment: ReceivedPayment,
): Promise<BookedIncome> {
  const item = await findItem(tx, scope, false)
  if (!item) return refuse('没有临停类收费项目，请先在「收费项目」中新增')
  const { projectCode } = stay
  const day = dayOfMoment(payment.at)
  const sourceName = `停车 ${stay.plateNo}`
  const { ids } = await issueBatch(
    tx,
    scope,
    { project: projectCode, source: 'parking', state: 'normal' },
    'temporary',
    [
      {
        sourceType: 'publicArea',
        sourceCode: projectCode,
        sourceName,
        item,
        begin: day,
        end: day,
        amount: payment.amount,
        dueDate: day,
        canOverlap: true,
        remark: `${stay.parkName ?? '停车场'} ${passNoOf(stay.id)}`,
      },
    ],
    day,
    { message: sourceName },
  )
  const billIds = ids.map(parseId)
  const bills = await payableBills(tx, scope, billIds, day, { lock: true })
  const { recordId } = await settle(tx, scope, {
    projectCode,
    type: 'payment',
    bills,
    allocations: bills.map(({ row, owed }) => ({ billId: row.id, principal: owed.principal, late: 0 })),
    tenders: [{ method: payment.method, amount: payment.amount }],
    change: 0,
    toPrestore: 0,
    payer: { name: stay.plateNo },
    sourceName,
    order: payment.orderId,
    at: payment.at,
    cashier: { id: order.cashierId ?? 0, name: order.cashierName ?? '' },
    remark: order.remark,
  })
  return { billId: parseId(ids[0]), recordId }
}
