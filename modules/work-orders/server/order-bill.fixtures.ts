import { defined } from '#kit/domain/defined.ts'
import { asFen, minFen, type Fen } from '#kit/domain/money.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { getBill } from '#modules/bills/contract/bill-detail.ts'
import { billState } from '#modules/bills/contract/choices.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { listCharges } from '../contract/charge.ts'
import { acceptOrder, dispatchOrder, finishOrder } from '../contract/order-actions.ts'
import type { OrderType } from '../contract/order-type.ts'
import { setFunctionSettings } from '../contract/settings.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

export const labour = (price: Fen) =>
  ({ lineKind: 'labour', name: '上门维修', quantity: '1', price }) as const

type BillAfter = NonNullable<typeof requestRefund.input.T>['billAfter']

const openSettings = async (w: OrderFixture): Promise<void> => {
  await w.t.call(setFunctionSettings, { settings: [{ key: 'closeApproval', enabled: false }] }, w.owner)
  await w.t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value: '99999999' }, w.owner)
}

/** The bills of the order that are owed or paid. */
const readLiveBills = (w: OrderFixture, order: WorkOrder) =>
  w.t.database.reader(w.t.ownerId).rows<{ id: Id; amount: string }>(sql`
    select id, amount::text as amount
    from bill
    where owner_id = ${w.t.ownerId}
      and ref_type = 'workOrder'
      and ref_id = ${order.id}
      and delete_tag = 0
      and state = ${code(billState, 'normal')}
    order by id
  `)

/** Gives back so much of a payment, or all of it. */
async function refundPayment(
  w: OrderFixture,
  recordId: Id,
  billAfter: BillAfter,
  amount?: Fen,
): Promise<unknown> {
  const record = await w.t.call(getRecord, { id: recordId }, w.owner)
  const detail = defined(record.details[0])
  const principal = minFen(amount ?? detail.principal, detail.principal)
  return w.t.call(
    requestRefund,
    {
      recordId,
      lines: [{ detailId: detail.id, principal, late: asFen(0) }],
      refundWay: 'cash',
      billAfter,
      reason: '多收了',
    },
    w.owner,
  )
}

/** Orders with bills: nobody approves a closing or a refund. */
export async function openBillFixture() {
  const w = await openOrderFixture()
  const feeItemId = await w.t.addFeeItem('GDB', { name: '维修费', feeType: 'temporary', multi: true })
  await openSettings(w)
  const handler = defined(w.handlers[0])
  const chargeOf = async (order: WorkOrder) =>
    defined((await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)).rows[0])
  const billOf = async (order: WorkOrder) =>
    w.t.call(getBill, { id: defined((await chargeOf(order)).billId) }, w.owner)
  const finishedOf = async (typeId: Id, amount: Fen, place: object = {}): Promise<WorkOrder> => {
    const { id } = await w.register({ typeId, roomCode: w.roomCode, address: undefined, ...place })
    await w.t.call(dispatchOrder, { id, handlerId: handler.id }, w.dispatcher)
    await w.t.call(acceptOrder, { id }, handler.as)
    return w.t.call(finishOrder, { id, resultText: '已更换', lines: [labour(amount)] }, handler.as)
  }
  return {
    w,
    /** The last cost of the order. */
    chargeOf,
    billOf,
    /** Finished, and due for this amount unless its type says otherwise. */
    finished: async (amount: Fen, more: Partial<OrderType> = {}, place: object = {}) => {
      const type = await w.addType({ isCharge: true, feeItemId, ...more })
      return finishedOf(type.id, amount, place)
    },
    /** The same of a type that is there. */
    finishedOf,
    liveBills: (order: WorkOrder) => readLiveBills(w, order),
    payCash: async (order: WorkOrder, amount: Fen) => {
      const { id, unpaid } = await billOf(order)
      return w.t.call(
        payBills,
        {
          projectCode,
          billIds: [String(id)],
          expectAmount: unpaid,
          methods: [{ method: 'cash', amount }],
        },
        w.owner,
      )
    },
    refund: (recordId: Id, billAfter: BillAfter, amount?: Fen) =>
      refundPayment(w, recordId, billAfter, amount),
  }
}

export type BillFixture = Awaited<ReturnType<typeof openBillFixture>>
