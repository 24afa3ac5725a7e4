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
const auditRefusedCallback = (app: App, ownerId: Id, ip: string, id: Id, reason: string): Promise<void> =>
  app.database.tx(ownerId, tx =>
    audit(tx, { ...clockScope(app, ownerId), ip }, [
      { action: 'refused', entity: 'invoiceRecord', entityId: id, reason: `开票平台的回调被拒绝：${reason}` },
    ]),
  )

const failAnswer: RawResponse = {
  status: 400,
  type: 'application/json; charset=utf-8',
  body: '{"code":"FAIL"}',
}

const notifyEntry: RawEndpoint = {
  route: 'POST /api/invoice/notify/:ownerId/:set',
  run: async (request, app) => {
    const ownerId = parseId(request.params.ownerId)
    const settingId = parseId(request.params.set)
    if (!ownerId || !settingId) return { status: 404 }
    const platform = await connectPlatform(app, ownerId, settingId).catch((error: unknown) => {
      if (error instanceof Refused) return undefined
      throw error
    })
    if (!platform) return { status: 404 }
    let notification: PlatformNotification
    try {
      notification = platform.parseNotification(request.headers, notifyPath(ownerId, settingId), request.body)
    } catch (error) {
      if (!(error instanceof ForgedMessageError)) throw error
      await auditRefusedCallback(app, ownerId, request.ip, 0, error.message)
      return failAnswer
    }
    const invoice = await app.database.reader(ownerId).one<{ id: Id }>(
      sql`
          select id
          from invoice_record
          where owner_id = ${ownerId} and serial_no = ${notification.serialNo} and set_id = ${settingId} and ${notDeleted()}
        `,
    )
    if (!invoice) {
      await auditRefusedCallback(
        app,
        ownerId,
        request.ip,
        0,
        `没有流水号 ${notification.serialNo.slice(0, 40)}`,
      )
      return failAnswer
    }
    const isFirst = await app.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          insert into invoice_notice (owner_id, nonce)
          values (${ownerId}, ${notification.nonce}) on conflict do nothing
        `,
      ),
    )
    if (!isFirst) {
      await auditRefusedCallback(app, ownerId, request.ip, invoice.id, '重放')
      return failAnswer
    }
    await applyPlatformResult(
      app,
      ownerId,
      { id: invoice.id, serialNo: notification.serialNo },
      notification.result,
    )
    return { type: 'application/json; charset=utf-8', body: '{"code":"SUCCESS"}' }
  },
}

export const invoiceEntries: readonly RawEndpoint[] = [notifyEntry]
