import { labelOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { decimalOf, div } from '#kit/domain/decimal.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { displayYuan, parseYuan, type Fen } from '#kit/domain/money.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findByIds, insert, update } from '#kit/server/table.ts'
import { payOrder } from '#modules/payments/contract/order.ts'
import { startOrder } from '#modules/payments/server/public.ts'
import { orderState } from '../contract/choices.ts'
import { chargerHub, type ChargerHub } from '../contract/hub.ts'
import { chargerOrder } from '../contract/order.ts'
import {
  openChargerOrder,
  openPort,
  placeChargerOrder,
  stopOwnCharge,
  type OrderPage,
  type PortPage,
} from '../contract/payer.ts'
import { chargerStandard, type ChargerStandard } from '../contract/standard.ts'
import { chargeFee } from '../domain/charge-fee.ts'
import { priceLines, termsOfStandard } from '../domain/terms-of-standard.ts'
import type { HourPackage } from '../domain/terms.ts'
import { askToStop } from './orders.ts'
import { orderTokenOf, payUrlOf, readOrderLink, readPortLink } from './payer-link.ts'
import { findPorts, shownState, type Port } from './ports.ts'
import { chargeOf, findSamples, keepTerms, readOrder, type StoredOrder } from './stored-order.ts'

const usualAmounts = ['5', '10', '20', '50']

/** What the numbers of orders begin with (G-14). */
const orderPrefix = 'CD'

interface OpenedPort {
  readonly port: Port
  readonly hub: ChargerHub
  readonly standard: ChargerStandard | undefined
}

interface SiteFacts {
  readonly estateName: string
  readonly companyName: string
  readonly servicePhone?: string
}

/** Named for who scans: the project, the company, whom to call. */
const siteFactsOf = async (db: Db, ownerId: Id, projectCode: string): Promise<SiteFacts> =>
  (await db.one<SiteFacts>(sql`
    select e.name as estate_name, p.company_name, e.service_phone
    from estate e
    join property p on p.owner_id = ${ownerId}
    where e.owner_id = ${ownerId} and e.project_code = ${projectCode}
  `)) ?? { estateName: '', companyName: '' }

async function loadPort(db: Db, scope: Scope, portId: Id): Promise<OpenedPort> {
  const row = await db.one<{ hubId: Id }>(sql`
    select hub_id from charger_port where owner_id = ${scope.ownerId} and id = ${portId}
  `)
  const [hub] = row ? await findByIds(db, chargerHub, scope, [row.hubId]) : []
  const port = hub && (await findPorts(db, scope.ownerId, [hub.id])).find(({ id }) => id === portId)
  if (!hub || !port) throw notFound()
  const [standard] = hub.standardId ? await findByIds(db, chargerStandard, scope, [hub.standardId]) : []
  return { port, hub, standard: standard?.state === 'on' ? standard : undefined }
}

function portRefusal({ port, hub, standard }: OpenedPort): string | undefined {
  if (hub.state === 'off' || port.portNo > hub.portCount) return '该充电桩已停用，请更换充电桩'
  if (!hub.isOnline) return '该充电桩离线，请更换充电桩'
  if (port.state === 'fault') return '该端口故障，请更换端口'
  if (port.state === 'charging' || port.orderNo !== undefined) return '该端口正在使用，请更换端口'
  return standard ? undefined : '该充电桩未设置收费标准，请联系物业'
}

const amountsOf = ({ prepaidAmounts }: ChargerStandard): readonly { readonly amount: Fen }[] =>
  (prepaidAmounts?.length ? prepaidAmounts : usualAmounts).map(yuan => ({ amount: parseYuan(yuan) }))

async function portPageOf(db: Db, scope: Scope, portId: Id): Promise<PortPage> {
  const opened = await loadPort(db, scope, portId)
  const { port, hub, standard } = opened
  const isPackage = standard?.chargeMode === 'package'
  return {
    ...(await siteFactsOf(db, scope.ownerId, hub.projectCode)),
    hubName: hub.hubName,
    hubNo: hub.hubNo ?? '',
    portNo: port.portNo,
    portState: shownState(port.state, hub.isOnline),
    refusal: portRefusal(opened),
    mode: standard?.chargeMode,
    prices: standard ? priceLines(termsOfStandard(standard)) : [],
    amounts: standard && !isPackage ? amountsOf(standard) : [],
    packages: isPackage ? (standard.packages ?? []) : [],
  }
}

/** What is bought: a package by its hours, else one of the offered amounts. */
function boughtOf(
  standard: ChargerStandard,
  { amount, hours }: { readonly amount?: Fen | undefined; readonly hours?: number | undefined },
): { readonly amount: Fen; readonly bought?: HourPackage } {
  if (standard.chargeMode === 'package') {
    const bought = (standard.packages ?? []).find(each => each.hours === hours)
    return bought ? { amount: bought.price, bought } : refuse('套餐已变化，请返回重新选择')
  }
  const offered = amountsOf(standard).find(each => each.amount === amount)
  return offered ?? refuse('预付金额已变化，请返回重新选择')
}

interface PayerContext {
  readonly tx: Tx
  readonly app: App
  readonly scope: Scope
  readonly now: Moment
}

const inCompany = <T>(app: App, ownerId: Id, work: (c: PayerContext) => Promise<T>): Promise<T> =>
  app.database.tx(ownerId, tx =>
    work({
      tx,
      app,
      scope: { ...clockScope(app, ownerId), name: '扫码充电' },
      now: fromInstant(app.clock()),
    }),
  )

/** The same press of the button was sent before; the port is locked, so that both do not place one. */
async function findPlaced({ tx, scope, app }: PayerContext, portId: Id, requestKey: string | undefined) {
  if (requestKey === undefined) return undefined
  await tx.rows(
    sql`select id from charger_port where owner_id = ${scope.ownerId} and id = ${portId} for update`,
  )
  const order = await tx.one<{ id: Id; payOrderId: Id }>(sql`
    select id, pay_order_id
    from charger_order
    where owner_id = ${scope.ownerId}
      and port_id = ${portId}
      and run_request_key = ${requestKey}
      and state = ${code(orderState, 'waiting')}
    limit 1
  `)
  const [pay] = order ? await findByIds(tx, payOrder, scope, [order.payOrderId]) : []
  if (!order || pay?.codeUrl === undefined) return undefined
  const orderToken = await orderTokenOf(app, scope.ownerId, order.id)
  return { orderToken, payUrl: payUrlOf(pay.codeUrl, orderToken) }
}

type Placed = NonNullable<typeof placeChargerOrder.input.T>

async function placeOrder(c: PayerContext, portId: Id, asked: Omit<Placed, 'token'>) {
  const { tx, scope, app, now } = c
  const placed = await findPlaced(c, portId, asked.requestKey)
  if (placed) return placed
  const opened = await loadPort(tx, scope, portId)
  const { port, hub, standard } = opened
  const refusal = portRefusal(opened)
  if (refusal !== undefined || !standard) return refuse(refusal ?? '该充电桩未设置收费标准，请联系物业')
  const { amount, bought } = boughtOf(standard, asked)
  const order = await insert(tx, chargerOrder, scope, {
    projectCode: hub.projectCode,
    orderNo: await tx.numbers.next(scope.ownerId, orderPrefix, dayOfMoment(now)),
    hubId: hub.id,
    hubNo: hub.hubNo ?? '',
    portId,
    portNo: port.portNo,
    mobile: asked.mobile,
    chargeMode: standard.chargeMode,
    standardName: standard.standardName,
    orderTime: now,
    elecFee: 0,
    serviceFee: 0,
    idleFee: 0,
    prepaidAmount: amount,
    paidAmount: 0,
    realAmount: 0,
    refundAmount: 0,
    state: 'waiting',
  })
  await keepTerms(tx, order.id, { standard, bought, requestKey: asked.requestKey })
  const pay = await startOrder(c, {
    type: 'charging',
    projectCode: hub.projectCode,
    amount,
    object: `${hub.hubName} ${port.portNo} 号端口`,
    body: bought ? `充电 ${bought.hours} 小时` : `充电预付 ${displayYuan(amount)} 元`,
    payer: {},
    ref: { type: chargerOrder.name, id: order.id },
  })
  await update(tx, chargerOrder, scope, order.id, { payOrderId: pay.id })
  const orderToken = await orderTokenOf(app, scope.ownerId, order.id)
  return { orderToken, payUrl: payUrlOf(pay.url, orderToken) }
}

const stateTexts: Readonly<Record<StoredOrder['state'], string>> = {
  waiting: '请完成付款，付款后自动开始充电',
  starting: '正在启动充电桩，请插好充电枪',
  charging: '正在充电，可以离开；结束后余款原路退回',
  settling: '充电已结束，余款正在原路退回',
  done: '充电已完成',
  failed: '启动失败，预付款全额原路退回',
  abnormal: '充电桩失去联系，恢复后按实际电量结算，或由物业结算',
  closed: '未付款，订单已关闭，请重新扫码',
}

const stateTextOf = (order: StoredOrder): string => {
  const isKept = order.state === 'settling' && !order.isSettled
  if (isKept) return '充电已结束，请拔出充电枪并驶离，之后结算'
  return order.state === 'failed' && order.failReason !== undefined
    ? `${order.failReason}，预付款全额原路退回`
    : stateTexts[order.state]
}

async function orderPageOf(db: Db, app: App, scope: Scope, id: Id): Promise<OrderPage> {
  const order = await readOrder(db, scope, id)
  const [hub] = await findByIds(db, chargerHub, scope, [order.hubId])
  const samples = await findSamples(db, scope.ownerId, id)
  const now = fromInstant(app.clock())
  const soFar = chargeFee(chargeOf(order, samples, order.endTime ?? now))
  const hasBegun = order.beginTime !== undefined
  const [pay] =
    order.state === 'waiting' && order.payOrderId
      ? await findByIds(db, payOrder, scope, [order.payOrderId])
      : []
  return {
    ...(await siteFactsOf(db, scope.ownerId, order.projectCode)),
    hubName: hub?.hubName ?? order.hubNo,
    hubNo: order.hubNo,
    portNo: order.portNo,
    orderNo: order.orderNo,
    state: order.state,
    stateText: stateTextOf(order) || labelOf(orderState, order.state),
    prepaid: order.prepaidAmount,
    beginTime: order.beginTime,
    endTime: order.endTime,
    minutes: hasBegun ? soFar.minutes : 0,
    energyKwh: div(decimalOf(soFar.wattHours), '1000', 4),
    fee: order.isSettled ? order.realAmount : soFar.realAmount,
    refund: order.refundAmount,
    stopReason: order.stopReason,
    canStop: order.state === 'charging' && order.plannedStop === undefined,
    payUrl: pay?.codeUrl && payUrlOf(pay.codeUrl, await orderTokenOf(app, scope.ownerId, id)),
  }
}

export const payerHandlers = [
  anonymous(openPort, async ({ token }, { app }) => {
    const { ownerId, id } = await readPortLink(app, token)
    return portPageOf(app.database.reader(ownerId), clockScope(app, ownerId), id)
  }),
  anonymous(placeChargerOrder, async ({ token, ...asked }, { app }) => {
    const { ownerId, id } = await readPortLink(app, token)
    return inCompany(app, ownerId, c => placeOrder(c, id, asked))
  }),
  anonymous(openChargerOrder, async ({ token }, { app }) => {
    const { ownerId, id } = await readOrderLink(app, token)
    return orderPageOf(app.database.reader(ownerId), app, clockScope(app, ownerId), id)
  }),
  anonymous(stopOwnCharge, async ({ token }, { app }) => {
    const { ownerId, id } = await readOrderLink(app, token)
    return inCompany(app, ownerId, async ({ tx, scope }) => {
      await askToStop(tx, scope, await readOrder(tx, scope, id))
      return orderPageOf(tx, app, scope, id)
    })
  }),
]
