import { parseId, type Id } from '#kit/domain/id.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { anonymous } from '#kit/server/handler.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { payableBills, type PayableBill } from '#modules/bills/server/public.ts'
import { orderState } from '#modules/payments/contract/choices.ts'
import { payOrder, type PayOrder } from '#modules/payments/contract/order.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import {
  closePayOrder,
  findEnabledChannels,
  lockDays,
  openBillOrder,
} from '#modules/payments/server/public.ts'
import {
  cancelResidentOrder,
  getResidentOrder,
  payResidentBills,
  type ResidentBills,
} from '../contract/bills.ts'
import {
  billsOfHome,
  inCompanyOf,
  isOwed,
  placeOf,
  readViewer,
  type BillContext,
  type Viewer,
} from './home-bills.ts'

/** `refType` of the orders that residents begin; `refId` is the resident. */
const residentOrderRef = 'residentBills'

const noChannel = '物业尚未开通在线缴费，请到物业服务中心缴费'

/** Whether a channel is there that a payer's own phone can use. */
export async function payRefusalOf(db: Db, ownerId: Id): Promise<string | undefined> {
  const channels = await findEnabledChannels(db, ownerId)
  return channels.some(({ channel }) => channel !== 'pos') ? undefined : noChannel
}

const isWaiting = ({ state }: Pick<PayOrder, 'state'>): boolean => state === 'waiting' || state === 'paying'

const toLink = ({ orderNo, codeUrl = '' }: PayOrder) => ({ orderNo, url: codeUrl })

/** Money of an order 支付中 may have come, whatever the hour (PAY-6); one that waits ends with its time. */
const isOpen = ({ state, expireTime }: Pick<PayOrder, 'state' | 'expireTime'>, now: Moment): boolean =>
  state === 'paying' || (state === 'waiting' && expireTime > now)

export const undecidedRefusal = '有一笔支付正在确认结果，请勿重复缴费；长时间没有结果的，请联系物业核实'

/** Bills of orders, also of the counter, whose outcome is open after their time. */
export async function findUndecidedBills(
  { tx, scope, now }: BillContext,
  bills: readonly PayableBill[],
): Promise<ReadonlySet<Id>> {
  const orderIds = [...new Set(bills.flatMap(({ row }) => row.lockOrderId ?? []))]
  const orders = await findByIds(tx, payOrder, scope, orderIds)
  const undecided = orders.filter(({ state, expireTime }) => state === 'paying' && expireTime <= now)
  const ids = new Set(undecided.map(({ id }) => id))
  return new Set(
    bills
      .filter(({ row: { lockOrderId } }) => lockOrderId !== undefined && ids.has(lockOrderId))
      .map(({ row }) => row.id),
  )
}

/** Begun by this resident for this home's project and not yet decided. */
export async function findOpenOrders(
  { tx, scope, now }: BillContext,
  { resident, home }: Viewer,
): Promise<ResidentBills['openOrders']> {
  const found = await findAll(
    tx,
    payOrder,
    scope,
    { projectCode: home.projectCode, order: 'id' },
    {
      where: [
        sql`t.ref_type = ${residentOrderRef} and t.ref_id = ${resident.userId}`,
        sql`t.state in ${codes(orderState, 'waiting', 'paying')}`,
        sql`(t.state = ${code(orderState, 'paying')} or t.expire_time > ${now})`,
      ],
      limit: 10,
    },
  )
  return found.map(order => ({
    ...toLink(order),
    amount: order.amount,
    expireTime: order.expireTime,
    isUndecided: order.expireTime <= now,
  }))
}

/** Bills of another home, or paid since the page was read, are as if they were not there. */
async function lockBills(tx: Tx, viewer: Viewer, ids: readonly Id[]): Promise<void> {
  const found = await tx.rows<{ id: Id }>(sql`
    select b.id
    from bill b
    where ${await billsOfHome(tx, viewer)} and ${isOwed} and b.id = any(${[...ids]}::bigint[])
    order by b.id
    for update
  `)
  if (found.length !== ids.length) refuse('部分账单已缴清或已变更，请重新选择')
}

/** The waiting orders of this resident that hold some of the bills. */
async function findHoldingOrders(
  { tx, scope, now }: BillContext,
  { resident }: Viewer,
  bills: readonly PayableBill[],
): Promise<readonly PayOrder[]> {
  const orderIds = [...new Set(bills.flatMap(({ row }) => row.lockOrderId ?? []))]
  const orders = await findByIds(tx, payOrder, scope, orderIds)
  return orders.filter(
    order => order.refType === residentOrderRef && order.refId === resident.userId && isOpen(order, now),
  )
}

/** The page is opened again with the order that holds exactly these bills; another one comes first. */
async function findSameOrder(
  c: BillContext,
  viewer: Viewer,
  bills: readonly PayableBill[],
): Promise<PayOrder | undefined> {
  const [order, ...others] = await findHoldingOrders(c, viewer, bills)
  if (!order) return undefined
  const isSame =
    others.length === 0 &&
    order.lines?.length === bills.length &&
    bills.every(({ row }) => row.lockOrderId === order.id)
  return isSame ? order : refuse('所选账单中有正在支付的，请先继续支付或取消支付')
}

interface PayInput {
  readonly billIds: readonly string[]
  readonly amount: Fen
}

/** The locks are those of the counter, in its order: of two at once the second finds bills paid or locked. */
async function startPayment(c: BillContext, viewer: Viewer, { billIds, amount }: PayInput) {
  const { tx, scope, today } = c
  const { projectCode } = viewer.home
  const ids = [...new Set(billIds.map(parseId))]
  const refusal = await payRefusalOf(tx, scope.ownerId)
  if (refusal !== undefined) refuse(refusal)
  await lockDays(tx, scope.ownerId, projectCode, [today])
  await lockBills(tx, viewer, ids)
  const bills = await payableBills(tx, scope, ids, today)
  if ((await findUndecidedBills(c, bills)).size > 0) refuse(undecidedRefusal)
  const same = await findSameOrder(c, viewer, bills)
  if (same?.amount === amount) return toLink(same)
  return toLink(
    await openBillOrder(c, {
      projectCode,
      billIds: ids,
      expectAmount: amount,
      payer: {},
      remark: '住户手机缴费',
      ref: { type: residentOrderRef, id: viewer.resident.userId },
    }),
  )
}

async function findOwnOrder(app: App, { resident }: Viewer, orderNo: string): Promise<PayOrder> {
  const { ownerId, userId } = resident
  const [order] = await findAll(
    app.database.reader(ownerId),
    payOrder,
    clockScope(app, ownerId),
    {},
    {
      where: [sql`t.order_no = ${orderNo}`, sql`t.ref_type = ${residentOrderRef} and t.ref_id = ${userId}`],
      limit: 1,
    },
  )
  if (!order) throw notFound()
  return order
}

/** Money for bills that something else had paid went to the account of the payer. */
async function isCredited(app: App, ownerId: Id, { recordId }: PayOrder): Promise<boolean> {
  if (recordId === undefined) return false
  const found = await findByIds(app.database.reader(ownerId), payRecord, clockScope(app, ownerId), [recordId])
  return found[0]?.recordType === 'prestore'
}

export const orderHandlers = [
  anonymous(payResidentBills, async ({ token, home, ...input }, { app }) => {
    const viewer = await readViewer(app, { token, home })
    return inCompanyOf(app, viewer, c => startPayment(c, viewer, input))
  }),
  anonymous(getResidentOrder, async ({ orderNo, ...input }, { app }) => {
    const viewer = await readViewer(app, input)
    const order = await findOwnOrder(app, viewer, orderNo)
    return {
      ...placeOf(viewer),
      amount: order.amount,
      url: toLink(order).url,
      state: order.state,
      isCredited: await isCredited(app, viewer.resident.ownerId, order),
      recordId: order.recordId,
    }
  }),
  anonymous(cancelResidentOrder, async ({ orderNo, ...input }, { app }) => {
    const viewer = await readViewer(app, input)
    const { ownerId } = viewer.resident
    const order = await findOwnOrder(app, viewer, orderNo)
    if (!isWaiting(order)) return
    const scope = { ...clockScope(app, ownerId), name: '线上缴费' }
    const closed = await closePayOrder(app, ownerId, order, scope, '住户取消')
    if (isWaiting(closed)) refuse(`暂不能取消：${closed.failReason ?? '支付结果尚未确认，请稍后再试'}`)
  }),
]
