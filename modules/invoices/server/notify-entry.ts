import { parseId, type Id } from '#kit/domain/id.ts'
import { Refused } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import type { RawEndpoint, RawResponse } from '#kit/server/raw-endpoint.ts'
import { clockScope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { notifyPath, connectPlatform } from './tax-platform/accounts.ts'
import { ForgedMessageError, type PlatformNotification } from './tax-platform/platform.ts'
import { applyPlatformResult } from './platform-sync.ts'

/** Forged and replayed callbacks are audited. */
const auditRefusedCallback = (app: App, owner: Id, ip: string, id: Id, reason: string): Promise<void> =>
  app.database.tx(owner, tx =>
    audit(tx, { ...clockScope(app, owner), ip }, [
      { action: 'refused', entity: 'invoiceRecord', entityId: id, reason: `开票平台的回调被拒绝：${reason}` },
    ]),
  )

const failAnswer: RawResponse = {
  status: 400,
  type: 'application/json; charset=utf-8',
  body: '{"code":"FAIL"}',
}

const notifyEntry: RawEndpoint = {
  route: 'POST /api/invoice/notify/:owner/:set',
  run: async (request, app) => {
    const owner = parseId(request.params.owner)
    const settingId = parseId(request.params.set)
    if (!owner || !settingId) return { status: 404 }
    const platform = await connectPlatform(app, owner, settingId).catch((error: unknown) => {
      if (error instanceof Refused) return undefined
      throw error
    })
    if (!platform) return { status: 404 }
    let notification: PlatformNotification
    try {
      notification = platform.parseNotification(request.headers, notifyPath(owner, settingId), request.body)
    } catch (error) {
      if (!(error instanceof ForgedMessageError)) throw error
      await auditRefusedCallback(app, owner, request.ip, 0, error.message)
      return failAnswer
    }
    const invoice = await app.database.reader(owner).one<{ id: Id }>(
      sql`
          select id
          from invoice_record
          where owner_id = ${owner} and serial_no = ${notification.serialNo} and set_id = ${settingId} and ${notDeleted()}
        `,
    )
    if (!invoice) {
      await auditRefusedCallback(
        app,
        owner,
        request.ip,
        0,
        `没有流水号 ${notification.serialNo.slice(0, 40)}`,
      )
      return failAnswer
    }
    const isFirst = await app.database.tx(owner, tx =>
      tx.execute(
        sql`
          insert into invoice_notice (owner_id, nonce)
          values (${owner}, ${notification.nonce}) on conflict do nothing
        `,
      ),
    )
    if (!isFirst) {
      await auditRefusedCallback(app, owner, request.ip, invoice.id, '重放')
      return failAnswer
    }
    await applyPlatformResult(
      app,
      owner,
      { id: invoice.id, serialNo: notification.serialNo },
      notification.result,
    )
    return { type: 'application/json; charset=utf-8', body: '{"code":"SUCCESS"}' }
  },
}

export const invoiceEntries: readonly RawEndpoint[] = [notifyEntry]
