import { refuse, wrong } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { greets, reads, uniqueSays, writes, type Arriving } from '#kit/server/handle.ts'
import { insert, page, remove, update, whole } from '#kit/server/table.ts'
import type { OrderView, PayOrder } from '../contract/order.ts'
import {
  addTerminal,
  cardPay,
  deleteTerminals,
  editTerminal,
  listTerminals,
  orderTerminals,
  posTerminal,
} from '../contract/terminal.ts'
import { channelsFor, gateFor } from './gates/accounts.ts'
import { apply, begin } from './order-ask.ts'
import { askingOf, found, has, orderFor } from './order-find.ts'
import { simulatorOf } from './simulator/open.ts'
import { viewOf } from './subjects.ts'

uniqueSays({ pos_terminal_no_live: '这个终端号已登记，请核对机身上的终端号' })

/** The order goes to the terminal once; no answer is no refusal: it stays in 60 and is asked for (PAY-8). */
export async function byCard(c: Arriving, mine: PayOrder, terminalNo: string): Promise<OrderView> {
  const owner = c.caller!.ownerId
  const db = c.world.store.reader(owner)
  await has(c, mine, 'pos')
  if (
    !(await db.one(
      sql`
        select 1 as x
        from pos_terminal
        where owner_id = ${owner}
          and project_code = ${mine.projectCode}
          and terminal_no = ${terminalNo}
          and enabled
          and delete_tag = 0
      `,
    ))
  )
    throw wrong([{ Field: 'TerminalNo', Message: '这台 POS 机没有登记在本项目或已停用，请换一台' }])
  const o = await begin(c.world, owner, mine, 'pos', 'pos')
  await c.world.store.tx(owner, tx =>
    tx.run(sql`update pay_order set terminal_no = ${terminalNo} where owner_id = ${owner} and id = ${o.id}`),
  )
  const gate = await gateFor(c.world, owner, o)
  const answer = await gate.byCode(askingOf(o), terminalNo).catch(err => {
    c.world.log.warn({ err: (err as Error).message, order: o.orderNo }, 'no answer from the terminal')
    return undefined
  })
  return viewOf(answer ? await apply(c.world, owner, o, answer, 'asked') : o)
}

export const terminalHandlers = [
  reads(listTerminals, (q, { db, scope }) =>
    page(db, posTerminal, scope, q, { filters: listTerminals.input.filters! }),
  ),
  writes(addTerminal, ({ id: _, version: __, ...draft }, { tx, scope }) =>
    insert(tx, posTerminal, scope, draft),
  ),
  writes(editTerminal, async ({ id, version, ...draft }, { tx, scope }) =>
    id
      ? update(tx, posTerminal, scope, id, whole(editTerminal.input, draft), { version })
      : refuse('缺少要修改的 POS 机'),
  ),
  writes(deleteTerminals, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, posTerminal, scope, ids, reason)
  }),
  reads(orderTerminals, async ({ orderNo }, { db, scope, world }) => {
    const o = await found(db, scope, orderNo, 'view')
    const list = await db.rows<{ terminalNo: string; name: string; place?: string }>(
      sql`
        select terminal_no, name, place
        from pos_terminal
        where owner_id = ${scope.ownerId} and project_code = ${o.projectCode} and enabled and delete_tag = 0
        order by terminal_no
        limit 50
      `,
    )
    // A simulated terminal has a page in the place of its screen.
    const at = (await channelsFor(world, scope.ownerId, 'company')).some(
      c => c.channel === 'pos' && c.simulated,
    )
      ? (await simulatorOf(world)).address
      : undefined
    return list.map(t => (at ? { ...t, page: `${at}/terminal/${encodeURIComponent(t.terminalNo)}` } : t))
  }),
  greets(cardPay, async ({ orderNo, terminalNo }, c) => byCard(c, await orderFor(c, orderNo), terminalNo)),
]
