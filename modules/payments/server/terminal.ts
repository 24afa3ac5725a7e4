import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { errorMessage } from '#kit/server/database-error.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, reads, uniqueMessages, writes, type AnonymousContext } from '#kit/server/handler.ts'
import { insert, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { OrderView, PayOrder } from '../contract/order.ts'
import {
  addTerminal,
  payByCard,
  deleteTerminals,
  editTerminal,
  listTerminals,
  listOrderTerminals,
  posTerminal,
} from '../contract/terminal.ts'
import { findPayeeChannels, getOrderChannelClient } from './channels/channel-accounts.ts'
import { applyChannelResult, assignOrderChannel } from './order-query.ts'
import { toChannelOrderRequest, findOrder, assertChannelEnabled, findCallerOrder } from './order-lookup.ts'
import { getSimulator } from './simulator/gateway.ts'
import { toOrderView } from './order-subjects.ts'

uniqueMessages({ pos_terminal_no_live: '该终端号已登记，请核对机身上的终端号' })

/** The order goes to the terminal once; no answer is no refusal: it stays in 60 and is asked for (PAY-8). */
export async function sendToTerminal(
  c: AnonymousContext,
  callerOrder: PayOrder,
  terminalNo: string,
): Promise<OrderView> {
  const ownerId = defined(c.caller).ownerId
  const db = c.app.database.reader(ownerId)
  await assertChannelEnabled(c, callerOrder, 'pos')
  if (
    !(await db.one(
      sql`
        select 1 as x
        from pos_terminal
        where owner_id = ${ownerId}
          and project_code = ${callerOrder.projectCode}
          and terminal_no = ${terminalNo}
          and enabled
          and ${notDeleted()}
      `,
    ))
  )
    throw invalidInput([{ Field: 'TerminalNo', Message: '该 POS 机未登记在本项目或已停用，请换一台' }])
  const assigned = await assignOrderChannel(c.app, ownerId, callerOrder, 'pos', 'pos')
  await c.app.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update pay_order
        set terminal_no = ${terminalNo}
        where owner_id = ${ownerId}
          and id = ${assigned.id}
      `,
    ),
  )
  const client = await getOrderChannelClient(c.app, ownerId, assigned)
  const answer = await client.payByAuthCode(toChannelOrderRequest(assigned), terminalNo).catch(err => {
    c.app.log.warn({ err: errorMessage(err), order: assigned.orderNo }, 'no answer from the terminal')
    return undefined
  })
  return toOrderView(answer ? await applyChannelResult(c.app, ownerId, assigned, answer, 'asked') : assigned)
}

export const terminalHandlers = [
  reads(listTerminals, (query, { db, scope }) =>
    findPage(db, posTerminal, scope, query, { filters: defined(listTerminals.input.filters) }),
  ),
  writes(addTerminal, ({ id: _id, version: _version, ...draft }, { tx, scope }) =>
    insert(tx, posTerminal, scope, draft),
  ),
  writes(editTerminal, async ({ id, version, ...draft }, { tx, scope }) =>
    id
      ? update(tx, posTerminal, scope, id, withAllFields(editTerminal.input, draft), { version })
      : refuse('缺少要修改的 POS 机'),
  ),
  writes(deleteTerminals, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, posTerminal, scope, ids, reason)
  }),
  reads(listOrderTerminals, async ({ orderNo }, { db, scope, app }) => {
    const order = await findOrder(db, scope, orderNo, 'view')
    const list = await db.rows<{ terminalNo: string; name: string; place?: string }>(
      sql`
        select terminal_no, name, place
        from pos_terminal
        where owner_id = ${scope.ownerId} and project_code = ${order.projectCode} and enabled and ${notDeleted()}
        order by terminal_no
        limit 50
      `,
    )
    // A simulated terminal has a page in the place of its screen.
    const simulatorUrl = (await findPayeeChannels(app, scope.ownerId, 'company')).some(
      c => c.channel === 'pos' && c.simulated,
    )
      ? (await getSimulator(app)).address
      : undefined
    return list.map(t =>
      simulatorUrl ? { ...t, page: `${simulatorUrl}/terminal/${encodeURIComponent(t.terminalNo)}` } : t,
    )
  }),
  anonymous(payByCard, async ({ orderNo, terminalNo }, c) =>
    sendToTerminal(c, await findCallerOrder(c, orderNo), terminalNo),
  ),
]
