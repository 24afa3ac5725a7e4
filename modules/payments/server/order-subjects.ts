import type { Id } from '#kit/domain/id.ts'
import { outerNumberOf } from '#kit/domain/document-number.ts'
import { randomBytes } from 'node:crypto'
import type { Permission } from '#kit/contract/call.ts'
import { type ChoiceOf, codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Fen } from '#kit/domain/money.ts'
import { addMinutes, dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { systemScope, unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { insert, requireById } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { orderState, orderType } from '../contract/choices.ts'
import { payOrder, type OrderView, type PayOrder } from '../contract/order.ts'
import { companyWideProject, isPrepaidOrder, orderHoldMinutes, payeeOf } from '../domain/order.ts'
import { findEnabledChannels, findPayeeChannels } from './channels/channel-accounts.ts'
import type { Channel } from './channels/channel-client.ts'
import { orderPrefix } from './document-prefixes.ts'
import type { PayMethod } from './tenders.ts'

type OrderType = ChoiceOf<typeof orderType>

/** What an order is about, as its subject wrote it down when it began. */
export type OrderSubjectData = Readonly<Record<string, unknown>>

/**
 * Money that has come for an order, to be booked under `order`: the order itself, or, when it was paid twice,
 * the one made for the second payment.
 */
export interface ReceivedPayment {
  readonly orderId: Id
  readonly amount: Fen
  readonly at: Moment
  readonly method: PayMethod
  readonly channel: Channel
  readonly transactionId: string
  /** `double`: paid before; `odd`: another amount, accepted by a person (PAY-5, PAY-6). */
  readonly outcome: 'settle' | 'double' | 'odd'
}

export interface BookingContext {
  readonly tx: Tx
  readonly app: App
  readonly scope: Scope
  readonly now: Moment
}

/**
 * What a pay order may be for besides bills. The module that sells it says who may start and follow such an
 * order, and what happens in the transaction in which its money comes. `paid` is called once for each payment
 * and must book the money whatever has happened since: a refusal holds the order for a person. It returns the
 * record that it made, if any.
 */
export interface OrderSubject {
  readonly needs: Permission
  readonly paid: (
    b: BookingContext,
    o: PayOrder,
    data: OrderSubjectData,
    payment: ReceivedPayment,
  ) => Promise<Id | undefined>
  /** Gives another amount than was agreed back by itself: no person needs to decide (PAY-6). */
  readonly returnsOddAmounts?: boolean
  /** It ended without payment: what was kept for it is free again. May run any number of times. */
  readonly unpaid?: (tx: Tx, scope: Scope, o: PayOrder) => Promise<void>
}

const orderSubjects = new Map<OrderType, OrderSubject>()

export const registerOrderSubject = (type: Exclude<OrderType, 'bill'>, s: OrderSubject): void => {
  orderSubjects.set(type, s)
}

export const orderSubjectOf = (o: Pick<PayOrder, 'orderType'>): OrderSubject | undefined =>
  orderSubjects.get(o.orderType)

const billOrderNeeds = new Map<string, Permission>()

/**
 * For a module that has its own bills paid: who may start such an order may follow and cancel it too, as
 * the cashier may. `refType` is what it opens its orders with (`openBillOrder`).
 */
export const registerBillOrderNeeds = (refType: string, needs: Permission): void => {
  billOrderNeeds.set(refType, needs)
}

export const billOrderNeedsOf = ({ refType = '' }: Pick<PayOrder, 'refType'>): Permission | undefined =>
  billOrderNeeds.get(refType)

export const findSubjectData = async (db: Db, ownerId: Id, id: Id): Promise<OrderSubjectData> =>
  (
    await db.one<{ about?: OrderSubjectData }>(
      sql`select run_about as about from pay_order where owner_id = ${ownerId} and id = ${id}`,
    )
  )?.about ?? {}

export const toOrderView = (order: PayOrder): OrderView => ({
  ...order,
  url: order.codeUrl ?? '',
  payState: order.state === 'paid' ? 1 : 0,
  isPrepaid: isPrepaidOrder(order),
})

/**
 * What a new order has of itself: its number, its time, the address for the phone, with a key nobody can
 * guess.
 */
export async function buildNewOrderFields(
  tx: Tx,
  scope: Scope,
  type: OrderType,
  now: Moment,
): Promise<
  Pick<PayOrder, 'orderNo' | 'tradeNo' | 'codeUrl' | 'expireTime' | 'queryTime' | 'cashierId' | 'cashierName'>
> {
  const number = await tx.numbers.next(scope.ownerId, orderPrefix, dayOfMoment(now))
  return {
    orderNo: number,
    tradeNo: outerNumberOf(number, scope.ownerId),
    codeUrl: `/api/pay/h5?orderId=${number}&orderType=${codeOf(orderType, type)}&o=${scope.ownerId}&key=${randomBytes(18).toString('base64url')}`,
    expireTime: addMinutes(now, orderHoldMinutes),
    queryTime: addMinutes(now, 2),
    cashierId: scope.operatorId || undefined,
    cashierName: scope.name,
  }
}

export interface StartOrderInput {
  readonly type: Exclude<OrderType, 'bill'>
  /** None for what the company as a whole pays. */
  readonly projectCode?: string
  readonly amount: Fen
  /** For whom, for what, to whom, as the payer reads it. */
  readonly object: string
  readonly body: string
  readonly main?: string
  readonly payer: {
    readonly kind?: 'resident' | 'company' | undefined
    readonly id?: Id | undefined
    readonly name?: string | undefined
  }
  readonly ref: { readonly type: string; readonly id: Id }
  readonly subjectData?: OrderSubjectData
  /**
   * Only one order for this thing may wait at a time: the one that waits is answered again. The caller holds
   * the thing's row.
   */
  readonly shouldReuseWaiting?: boolean
  readonly remark?: string | undefined
}

/** The order that waits for the same thing, if any. */
const findWaitingOrder = (
  tx: Tx,
  ownerId: Id,
  { type, ref }: StartOrderInput,
  now: Moment,
): Promise<{ id: Id } | undefined> =>
  tx.one<{ id: Id }>(
    sql`
      select id
      from pay_order
      where owner_id = ${ownerId}
        and order_type = ${codeOf(orderType, type)}
        and ref_type = ${ref.type}
        and ref_id = ${ref.id}
        and state in ${codes(orderState, 'waiting', 'paying')}
        and expire_time > ${now}
      order by id
      limit 1
    `,
  )

const findCompanyName = async (tx: Tx, ownerId: Id): Promise<string> =>
  (await tx.one<{ name: string }>(sql`select company_name as name from property where owner_id = ${ownerId}`))
    ?.name ?? ''

async function insertOrder(tx: Tx, scope: Scope, now: Moment, input: StartOrderInput): Promise<Id> {
  const payeeName = input.main ?? (await findCompanyName(tx, scope.ownerId))
  const { id } = await insert(
    tx,
    payOrder,
    { ...scope, domain: unrestrictedDomain },
    {
      ...(await buildNewOrderFields(tx, scope, input.type, now)),
      projectCode: input.projectCode ?? companyWideProject,
      orderType: input.type,
      amount: input.amount,
      orderObj: input.object.slice(0, 100),
      orderBody: input.body.slice(0, 200),
      orderMain: payeeName.slice(0, 80),
      payerKind: input.payer.kind,
      payerId: input.payer.id,
      payerName: input.payer.name,
      refType: input.ref.type,
      refId: input.ref.id,
      remark: input.remark,
      state: 'waiting',
    },
  )
  return id
}

/**
 * Of the company by the transaction's own connection: of many that start at once, none waits for a second one
 * that the others have.
 */
const findChannelsOf = (tx: Tx, app: App, ownerId: Id, type: OrderType) =>
  payeeOf(type) === 'company' ? findEnabledChannels(tx, ownerId) : findPayeeChannels(app, ownerId, 'platform')

/**
 * Starts an order for a declared subject; what follows (code, scanner, terminal, polling, cancelling) is the
 * same as for bills.
 */
export async function startOrder(
  { tx, scope, now, app }: Pick<WriteContext, 'tx' | 'scope' | 'now' | 'app'>,
  input: StartOrderInput,
): Promise<OrderView> {
  const ownerId = scope.ownerId
  if (!orderSubjects.has(input.type)) throw new Error(`nobody has declared how a ${input.type} is paid for`)
  if (input.amount <= 0) refuse('金额应大于零')
  if (!(await findChannelsOf(tx, app, ownerId, input.type)).length) {
    refuse('没有可用的支付渠道，请更换方式')
  }
  const waiting = input.shouldReuseWaiting ? await findWaitingOrder(tx, ownerId, input, now) : undefined
  if (waiting)
    return toOrderView(await requireById(tx, payOrder, systemScope(ownerId, scope.time), waiting.id))
  const id = await insertOrder(tx, scope, now, input)
  if (input.subjectData) {
    await tx.execute(
      sql`
        update pay_order
        set run_about = ${JSON.stringify(input.subjectData)}::jsonb
        where owner_id = ${ownerId} and id = ${id}
      `,
    )
  }
  return toOrderView(await requireById(tx, payOrder, systemScope(ownerId, scope.time), id))
}
