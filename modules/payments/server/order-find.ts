import { labelOf } from '#kit/contract/field.ts'
import { absent, refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Arriving } from '#kit/server/handle.ts'
import { inProject, needs, outside, systemScope, type Scope } from '#kit/server/scope.ts'
import { need } from '#kit/server/table.ts'
import { channel as channels } from '../contract/choices.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { noProject, payeeOf } from '../domain/order.ts'
import { menu } from '../module.ts'
import { channelsFor } from './gates/accounts.ts'
import type { Asking, Channel } from './gates/gate.ts'
import { subjectOf } from './subjects.ts'

export const askingOf = (o: PayOrder): Asking => ({
  orderNo: o.orderNo,
  amount: o.amount,
  title: `${o.orderMain} ${o.orderBody}`,
  expires: o.expireTime,
})

type How = 'view' | 'pay' | 'any'

/**
 * Who may follow an order, and who may bring it on: the till for bills, else those whom its subject names.
 */
function mayTend(scope: Scope, o: Pick<PayOrder, 'orderType'>, how: How): void {
  if (how !== 'any') {
    needs(scope, subjectOf(o)?.needs ?? menu.cashier.may[how])
  }
}

/** By its number, inside the caller's data domain; what the company as a whole pays lies in no project. */
export async function found(db: Db, scope: Scope, orderNo: string, how: How = 'pay'): Promise<PayOrder> {
  const row = await db.one<{ id: number }>(
    sql`
      select id
      from pay_order
      where owner_id = ${scope.ownerId} and order_no = ${orderNo} and delete_tag = 0
    `,
  )
  if (!row) throw absent()
  const o = await need(db, payOrder, systemScope(scope.ownerId), row.id)
  if (o.projectCode !== noProject && !inProject(scope.domain, o.projectCode)) throw outside()
  mayTend(scope, o, how)
  return o
}

export const scopeOf = (c: Arriving): Scope => ({
  ...c.caller!,
  projectCode: '',
  ip: c.ip,
  requestId: c.requestId,
})

export const orderFor = (c: Arriving, orderNo: string, how: How = 'pay'): Promise<PayOrder> =>
  found(c.world.store.reader(c.caller!.ownerId), scopeOf(c), orderNo, how)

export const has = async (c: Arriving, o: PayOrder, want: Channel): Promise<void> => {
  if (!(await channelsFor(c.world, c.caller!.ownerId, payeeOf(o.orderType))).some(x => x.channel === want))
    refuse(`公司没有启用${labelOf(channels, want)}，请换一种方式`)
}
