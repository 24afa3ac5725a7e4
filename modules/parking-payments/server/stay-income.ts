import { parseId, type Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
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
import { settle } from '#modules/payments/server/public.ts'

/** The company's item of parking fees; one in use before those that are not any more. */
export async function findItem(db: Db, scope: Scope, onlyInUse: boolean): Promise<FeeItem | undefined> {
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

type Settlement = Parameters<typeof settle>[2]

export interface StayIncome {
  readonly stay: ParkingStay
  readonly amount: Fen
  readonly method: Settlement['tenders'][number]['method']
  readonly at: Moment
  readonly order?: Settlement['order']
  readonly cashier: Settlement['cashier']
  readonly remark?: string | undefined
}

/**
 * Money for a stay in the books: a bill of the day for the company's parking item, charged to the project,
 * and its payment. So it is in receipts, reports, closings, reconciliation and refunds like others. Nothing
 * is booked where the company has no such item.
 */
export async function bookStayIncome(
  tx: Tx,
  scope: Scope,
  { stay, amount, method, at, order, cashier, remark }: StayIncome,
): Promise<BookedIncome | undefined> {
  const item = await findItem(tx, scope, false)
  if (!item) return undefined
  const { projectCode } = stay
  const day = dayOfMoment(at)
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
        amount,
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
    tenders: [{ method, amount }],
    change: 0,
    toPrestore: 0,
    payer: { name: stay.plateNo },
    sourceName,
    order,
    at,
    cashier,
    remark,
  })
  return { billId: parseId(ids[0]), recordId }
}
