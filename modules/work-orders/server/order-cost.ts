import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { RowValues } from '#kit/contract/shape.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findAll, insert, insertAll, update } from '#kit/server/table.ts'
import { abolishByIds } from '#modules/bills/server/public.ts'
import { charge, chargeLine, type Charge } from '../contract/charge.ts'
import { chargeKind, chargeLineKind, chargeState } from '../contract/choices.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import {
  computeCost,
  costChangeRefusal,
  costFault,
  costLimitFault,
  lineAmount,
  paidBeforeRefusal,
  payableCost,
  type CostLine,
} from '../domain/cost.ts'
import { isUnfinished } from '../domain/order-actions.ts'
import { findChargeBills, paidOfBill } from './charge-bills.ts'
import type { OrderContext } from './order-context.ts'
import { assertNotPaying } from './pay-order.ts'

export interface CostInput {
  readonly lines: readonly (CostLine & { readonly unit?: string | undefined })[]
  readonly waiveCost: Fen
  readonly isWarranty?: boolean | undefined
}

/** The cost of an order that stands; a refunded or abolished one does not. Uses work_order_charge_order. */
export async function findCharge(
  db: Db,
  scope: OrderContext['scope'],
  orderId: Id,
): Promise<Charge | undefined> {
  const [found] = await findAll(
    db,
    charge,
    scope,
    { order: '-id' },
    {
      where: [
        sql`t.order_id = ${orderId}
        and t.charge_kind = ${code(chargeKind, 'repair')}
        and t.state in ${codes(chargeState, 'unpaid', 'paid', 'free')}`,
      ],
      limit: 1,
    },
  )
  return found
}

/** Bills of a cost that are not to be paid any more. Refuses while somebody is paying one. */
export async function abolishBills(c: OrderContext, billIds: readonly Id[], reason: string): Promise<void> {
  if (!billIds.length) return
  const result = await abolishByIds(
    c.tx,
    { scope: c.scope, today: c.today, now: c.now, reason, periodAfter: 'waived' },
    billIds,
  )
  if (result.success === billIds.length) return
  const failureReason = result.rows[0]?.reason ?? '账单不能作废'
  refuse(`工单的账单不能作废：${failureReason}`)
}

async function replaceLines(c: OrderContext, order: WorkOrder, chargeId: Id, lines: CostInput['lines']) {
  const { tx, scope, now } = c
  await tx.execute(sql`
    delete from work_order_charge_line where owner_id = ${scope.ownerId} and charge_id = ${chargeId}
  `)
  await insertAll(
    tx,
    chargeLine,
    scope,
    lines.map(({ lineKind, name, unit, quantity, price }) => ({
      projectCode: order.projectCode,
      orderId: order.id,
      buildCode: order.buildCode,
      chargeId,
      lineKind,
      name,
      unit,
      quantity,
      price,
      amount: defined(lineAmount({ quantity, price })),
      useTime: now,
    })),
  )
}

type CostColumns = RowValues<typeof workOrder.fields> & { readonly payState: WorkOrder['payState'] }

/** Writes the cost with its lines; returns what the order says of it. Refuses once it is paid (T-WO-04). */
export async function saveCost(c: OrderContext, order: WorkOrder, input: CostInput): Promise<CostColumns> {
  const { tx, scope, now } = c
  const limitFault = costLimitFault(input.lines)
  if (limitFault) throw invalidField('ItemJson', limitFault)
  const fault = costFault(input.lines, input.waiveCost)
  if (fault) throw invalidField('WaiveCost', fault)
  const owed = await findCharge(tx, scope, order.id)
  await assertNotPaying(c, owed, '修改费用')
  const billed = owed?.state === 'unpaid' ? await findChargeBills(tx, scope.ownerId, owed) : []
  const refusal = costChangeRefusal(owed && { ...owed, paidAmount: sumFen(billed.map(paidOfBill)) })
  if (refusal) refuse(isUnfinished(order.state) && owed?.state === 'paid' ? paidBeforeRefusal : refusal)
  const replaced = billed.map(bill => bill.id)
  const cost = computeCost(input.lines, input.waiveCost)
  const isWarranty = input.isWarranty ?? order.isWarranty
  const amount = payableCost({ ...cost, isWarranty })
  const state = amount > 0 ? 'unpaid' : 'free'
  const values = {
    amount,
    discountAmount: cost.waiveCost,
    state,
    billId: undefined,
    payOrderId: undefined,
    buildCode: order.buildCode,
  } as const
  const saved = owed
    ? await update(tx, charge, scope, owed.id, values)
    : await insert(tx, charge, scope, {
        ...values,
        projectCode: order.projectCode,
        orderId: order.id,
        chargeKind: 'repair',
        paidAmount: 0,
        chargeTime: now,
      })
  // Once the cost names them no more: it does not follow the end of its own bills.
  await abolishBills(c, replaced, '工单费用已修改')
  await replaceLines(c, order, saved.id, input.lines)
  return { ...cost, isWarranty, payState: state }
}

interface DescribedLine {
  readonly lineKind: CostLine['lineKind']
  readonly name: string
  readonly quantity: string
  readonly unit?: string | undefined
  readonly amount: Fen
}

const maxRemark = 200

/**
 * `人工 上门维修 1次 30.00；材料 角阀 2个 50.00；减免 8.00`, as a bill explains itself: lines that the remark has
 * no room for are left out, what was waived never is.
 */
export function describeCost(head: string, lines: readonly DescribedLine[], waived: Fen): string {
  const tail = waived > 0 ? `；减免 ${formatYuan(waived)}` : ''
  const text = lines
    .map(
      line =>
        `${labelOf(chargeLineKind, line.lineKind)} ${line.name} ${line.quantity}${line.unit ?? ''} ${formatYuan(line.amount)}`,
    )
    .join('；')
  return (head + text).slice(0, maxRemark - tail.length) + tail
}
