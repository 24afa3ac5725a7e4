import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import {
  hasPermission,
  requirePermission,
  requireProject,
  systemScope,
  type Scope,
} from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { channel as channels } from '../contract/choices.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { companyWideProject, payeeOf } from '../domain/order.ts'
import { menu } from '../module.ts'
import { findPayeeChannels } from './channels/channel-accounts.ts'
import type { ChannelOrderRequest, Channel } from './channels/channel-client.ts'
import { assertOrderInDomain } from './order-domain.ts'
import { billOrderNeedsOf, orderSubjectOf } from './order-subjects.ts'

/** The number by which a channel knows an order. */
export const tradeNoOf = (o: Pick<PayOrder, 'orderNo' | 'tradeNo'>): string => o.tradeNo ?? o.orderNo

export const toChannelOrderRequest = (order: PayOrder): ChannelOrderRequest => ({
  orderNo: tradeNoOf(order),
  amount: order.amount,
  title: `${order.orderMain} ${order.orderBody}`,
  expires: order.expireTime,
})

type OrderAccess = 'view' | 'pay' | 'any'

/**
 * Who may view an order, and who may pay it: the cashier for bills, and who may start such an order; else
 * those whom its subject names.
 */
function assertOrderAccess(
  scope: Scope,
  order: Pick<PayOrder, 'orderType' | 'refType'>,
  access: OrderAccess,
): void {
  if (access === 'any') return
  const subject = orderSubjectOf(order)
  const starterNeeds = subject ? undefined : billOrderNeedsOf(order)
  if (starterNeeds !== undefined && hasPermission(scope, starterNeeds)) return
  requirePermission(scope, subject?.needs ?? menu.cashier.permissions[access])
}

/** By its number, inside the caller's data domain; what the company as a whole pays belongs to no project. */
export async function findOrder(
  db: Db,
  scope: Scope,
  orderNo: string,
  access: OrderAccess = 'pay',
): Promise<PayOrder> {
  const row = await db.one<{ id: Id }>(
    sql`
      select id
      from pay_order
      where owner_id = ${scope.ownerId} and order_no = ${orderNo} and ${notDeleted()}
    `,
  )
  if (!row) throw notFound()
  const order = await requireById(db, payOrder, systemScope(scope.ownerId, scope.time), row.id)
  const isOfProject = order.projectCode !== companyWideProject
  if (isOfProject) {
    requireProject(scope.domain, order.projectCode)
  }
  assertOrderAccess(scope, order, access)
  if (isOfProject) {
    await assertOrderInDomain(db, scope, order.id)
  }
  return order
}

export const callerScopeOf = (c: AnonymousContext): Scope => ({
  ...defined(c.caller),
  projectCode: '',
  ip: c.ip,
  requestId: c.requestId,
  time: c.now,
})

export const findCallerOrder = (
  c: AnonymousContext,
  orderNo: string,
  access: OrderAccess = 'pay',
): Promise<PayOrder> =>
  findOrder(c.app.database.reader(defined(c.caller).ownerId), callerScopeOf(c), orderNo, access)

export const assertChannelEnabled = async (
  c: AnonymousContext,
  order: PayOrder,
  targetChannel: Channel,
): Promise<void> => {
  if (
    !(await findPayeeChannels(c.app, defined(c.caller).ownerId, payeeOf(order.orderType))).some(
      x => x.channel === targetChannel,
    )
  )
    refuse(`公司未启用${labelOf(channels, targetChannel)}，请更换方式`)
}
