import { Refused } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import type { Plain, PlainAnswer } from '#kit/server/plain.ts'
import { systemScope } from '#kit/server/scope.ts'
import type { World } from '#kit/server/world.ts'
import { notifyPath, platformOf } from './desk/accounts.ts'
import { Forged, type Notified } from './desk/platform.ts'
import { apply } from './send.ts'

/** A forged callback, or an old one again, is worth a row of its own. */
const refused = (world: World, owner: number, ip: string, id: number, why: string): Promise<void> =>
  world.store.tx(owner, tx =>
    audit(tx, { ...systemScope(owner), ip }, [
      { action: 'refused', entity: 'invoiceRecord', entityId: id, reason: `开票平台的回调被拒绝：${why}` },
    ]),
  )

const no: PlainAnswer = { status: 400, type: 'application/json; charset=utf-8', body: '{"code":"FAIL"}' }

const notified: Plain = {
  at: 'POST /api/invoice/notify/:owner/:set',
  run: async (ask, world) => {
    const owner = Number(ask.path.owner)
    const set = Number(ask.path.set)
    if (![owner, set].every(n => Number.isSafeInteger(n) && n > 0)) return { status: 404 }
    const p = await platformOf(world, owner, set).catch(e => {
      if (e instanceof Refused) return undefined
      throw e
    })
    if (!p) return { status: 404 }
    let n: Notified
    try {
      n = p.notified(ask.headers, notifyPath(owner, set), ask.body)
    } catch (e) {
      if (!(e instanceof Forged)) throw e
      await refused(world, owner, ask.ip, 0, e.message)
      return no
    }
    const row = await world.store.reader(owner).one<{ id: number }>(
      sql`
          select id
          from invoice_record
          where owner_id = ${owner} and serial_no = ${n.serialNo} and set_id = ${set} and delete_tag = 0
        `,
    )
    if (!row) {
      await refused(world, owner, ask.ip, 0, `没有流水号 ${n.serialNo.slice(0, 40)}`)
      return no
    }
    const fresh = await world.store.tx(owner, tx =>
      tx.run(
        sql`insert into invoice_notice (owner_id, nonce) values (${owner}, ${n.nonce}) on conflict do nothing`,
      ),
    )
    if (!fresh) {
      await refused(world, owner, ask.ip, row.id, '重放')
      return no
    }
    await apply(world, owner, { id: row.id, serialNo: n.serialNo }, n.said)
    return { type: 'application/json; charset=utf-8', body: '{"code":"SUCCESS"}' }
  },
}

export const invoiceDoors: readonly Plain[] = [notified]
