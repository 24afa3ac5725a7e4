import { Refused } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import type { RawEndpoint, RawResponse } from '#kit/server/raw-endpoint.ts'
import { systemScope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import { notifyPath, connectPlatform } from './tax-platform/accounts.ts'
import { ForgedMessageError, type PlatformNotification } from './tax-platform/platform.ts'
import { applyPlatformResult } from './platform-sync.ts'

/** A forged callback, or an old one again, is worth a row of its own. */
const auditRefusedCallback = (app: App, owner: number, ip: string, id: number, why: string): Promise<void> =>
  app.database.tx(owner, tx =>
    audit(tx, { ...systemScope(owner), ip }, [
      { action: 'refused', entity: 'invoiceRecord', entityId: id, reason: `开票平台的回调被拒绝：${why}` },
    ]),
  )

const failAnswer: RawResponse = {
  status: 400,
  type: 'application/json; charset=utf-8',
  body: '{"code":"FAIL"}',
}

const notifyEntry: RawEndpoint = {
  route: 'POST /api/invoice/notify/:owner/:set',
  run: async (ask, app) => {
    const owner = Number(ask.params.owner)
    const set = Number(ask.params.set)
    if (![owner, set].every(n => Number.isSafeInteger(n) && n > 0)) return { status: 404 }
    const p = await connectPlatform(app, owner, set).catch(e => {
      if (e instanceof Refused) return undefined
      throw e
    })
    if (!p) return { status: 404 }
    let n: PlatformNotification
    try {
      n = p.parseNotification(ask.headers, notifyPath(owner, set), ask.body)
    } catch (e) {
      if (!(e instanceof ForgedMessageError)) throw e
      await auditRefusedCallback(app, owner, ask.ip, 0, e.message)
      return failAnswer
    }
    const row = await app.database.reader(owner).one<{ id: number }>(
      sql`
          select id
          from invoice_record
          where owner_id = ${owner} and serial_no = ${n.serialNo} and set_id = ${set} and ${live()}
        `,
    )
    if (!row) {
      await auditRefusedCallback(app, owner, ask.ip, 0, `没有流水号 ${n.serialNo.slice(0, 40)}`)
      return failAnswer
    }
    const fresh = await app.database.tx(owner, tx =>
      tx.execute(
        sql`insert into invoice_notice (owner_id, nonce) values (${owner}, ${n.nonce}) on conflict do nothing`,
      ),
    )
    if (!fresh) {
      await auditRefusedCallback(app, owner, ask.ip, row.id, '重放')
      return failAnswer
    }
    await applyPlatformResult(app, owner, { id: row.id, serialNo: n.serialNo }, n.result)
    return { type: 'application/json; charset=utf-8', body: '{"code":"SUCCESS"}' }
  },
}

export const invoiceEntries: readonly RawEndpoint[] = [notifyEntry]
