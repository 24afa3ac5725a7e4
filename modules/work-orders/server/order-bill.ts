import type { Day } from '#kit/domain/day.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import { codes } from '#kit/server/sql.ts'
import { findAll, findByIds, update } from '#kit/server/table.ts'
import { bill, type Bill } from '#modules/bills/contract/bill.ts'
import { billState } from '#modules/bills/contract/choices.ts'
import { issueBatch } from '#modules/bills/server/public.ts'
import { publicArea } from '#modules/estates/contract/public-area.ts'
import { feeItem, type FeeItem } from '#modules/fees/contract/item.ts'
import {
  completeTemporaryPeriod,
  findPayerAt,
  loadSources,
  sourceKey,
  temporaryRefusal,
  toPayer,
  type LocatedSource,
  type SourceRef,
} from '#modules/fees/server/public.ts'
import { charge, chargeLine, type Charge } from '../contract/charge.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { loadFunctions } from './function-settings.ts'
import { findChargeBills, isEffectiveBill } from './charge-bills.ts'
import { describeCost, findCharge } from './order-cost.ts'
import type { OrderContext } from './order-context.ts'
import { loadTypes } from './order-types.ts'
import { applyStep } from './transition.ts'

/** The bills that are owed of a cost, several where one was split; or why there can be none. */
export type BillOutcome = { readonly billIds: readonly Id[] } | { readonly refusal: string }

type BillingContext = Pick<OrderContext, 'tx' | 'scope' | 'today'>

/** Which item the bill of an order is of: that of its type, else that of the settings. */
async function findFeeItem({ tx, scope }: BillingContext, order: WorkOrder): Promise<FeeItem | undefined> {
  const type = (await loadTypes(tx, scope)).get(order.typeId)
  const functions = await loadFunctions(tx, scope.ownerId)
  const id = type?.feeItemId ?? functions.feeItem.value
  const [item] = id ? await findByIds(tx, feeItem, scope, [id]) : []
  return item?.state === 'off' ? undefined : item
}

/** What the bill is charged to: the room, or the public area. */
async function findSource({ tx, scope }: BillingContext, order: WorkOrder): Promise<SourceRef | undefined> {
  if (order.roomCode !== undefined) return { sourceType: 'room', sourceCode: order.roomCode }
  const [area] = order.areaId ? await findByIds(tx, publicArea, scope, [order.areaId]) : []
  return area?.code === undefined ? undefined : { sourceType: 'publicArea', sourceCode: area.code }
}

/** The last bill of the same work, which this one replaces: its price was changed, or it was refunded. */
async function findReplaced(
  { tx, scope }: BillingContext,
  order: WorkOrder,
  workDay: Day,
): Promise<Bill | undefined> {
  const [found] = await findAll(
    tx,
    bill,
    systemScope(scope.ownerId, scope.time),
    { order: '-id' },
    {
      // Work that was taken up again has been billed before: for days that lie before this work.
      // Of a bill that was split the whole, once none of its parts stands.
      where: [
        sql`t.ref_type = 'workOrder' and t.ref_id = ${order.id} and t.parent_id is null`,
        sql`t.state in ${codes(billState, 'abolished', 'split')} and t.begin_date >= ${workDay}`,
        sql`not exists (select from bill b where ${isEffectiveBill(scope.ownerId, order.id, sql`t.id`)})`,
      ],
      limit: 1,
    },
  )
  return found
}

/** BASE-17: who is to pay on the day of the work, even if the room is sold when the bill is made. */
function findDebtor(located: LocatedSource, workDay: Day, replaced: Bill | undefined) {
  const period = replaced
    ? { begin: replaced.beginDate, end: replaced.endDate }
    : completeTemporaryPeriod({}, workDay)
  // A bill that was made before anybody was registered names nobody to go on with.
  const named = replaced && toPayer(replaced.payerKind, replaced.payerId)
  const payer = named ?? findPayerAt(located.source, period.begin)
  return { ...period, payer, replaces: replaced?.id }
}

async function issueBill(c: BillingContext, order: WorkOrder, owed: Charge): Promise<BillOutcome> {
  const { tx, scope, today } = c
  const item = await findFeeItem(c, order)
  if (!item) return { refusal: '没有可用的收费项目，请在工单类型或工单设置中选择' }
  const source = await findSource(c, order)
  if (!source) return { refusal: '工单未关联房屋或公共区域，不能出账单；请由收费员按临时费用收取' }
  const fault = temporaryRefusal(item.feeType, owed.amount, 1, {})
  if (fault) return { refusal: `收费项目「${item.name}」不能用于工单：${fault.message}` }
  const located = (await loadSources(tx, scope.ownerId, order.projectCode, [source], today)).get(
    sourceKey(source),
  )
  if (!located) return { refusal: '工单的房屋或公共区域已被删除，不能出账单' }
  const lines = await findAll(
    tx,
    chargeLine,
    scope,
    { order: 'id' },
    { where: [sql`t.charge_id = ${owed.id}`] },
  )
  const workDay = order.finishTime === undefined ? today : dayOfMoment(order.finishTime)
  const debtor = findDebtor(located, workDay, await findReplaced(c, order, workDay))
  const { ids } = await issueBatch(
    tx,
    scope,
    { project: order.projectCode, source: 'workOrder', state: 'normal' },
    'temporary',
    [
      {
        ...source,
        sourceName: located.name,
        buildCode: located.buildCode,
        ...debtor,
        item,
        amount: owed.amount,
        dueDate: today,
        canOverlap: true,
        workOrderId: order.id,
        remark: describeCost(`工单 ${order.orderNo} ${order.typeName}：`, lines, owed.discountAmount),
      },
    ],
    today,
    { message: `工单 ${order.orderNo}` },
  )
  return { billIds: [parseId(ids[0])] }
}

/** WO-8: the bill of the cost, made where there is none. The caller has locked the day and the order. */
export async function ensureBill(c: BillingContext, order: WorkOrder, owed: Charge): Promise<BillOutcome> {
  const effective = await findChargeBills(c.tx, c.scope.ownerId, owed)
  if (effective.length) return { billIds: effective.flatMap(part => (part.isOwed ? [part.id] : [])) }
  const outcome = await issueBill(c, order, owed)
  if ('billIds' in outcome) {
    await update(c.tx, charge, c.scope, owed.id, { billId: outcome.billIds[0], payOrderId: undefined })
  }
  return outcome
}

/**
 * An order that waits for its payment has its bill, so that any cashier can take the money. Work that is
 * done is not refused for want of one: the history says why there is none, and service staff hear it again
 * when it starts the payment.
 */
export async function billWhenDue(c: OrderContext, order: WorkOrder): Promise<WorkOrder> {
  if (order.state !== 'unpaid') return order
  const owed = await findCharge(c.tx, c.scope, order.id)
  if (owed?.state !== 'unpaid') return order
  const outcome = await ensureBill(c, order, owed)
  return 'billIds' in outcome
    ? order
    : applyStep(c, order, { action: 'note', content: `未出账单：${outcome.refusal}` })
}
