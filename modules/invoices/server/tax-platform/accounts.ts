import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { isDailyNumber, outerNumberOf, ownNumberOf } from '#kit/domain/document-number.ts'
import { sql } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { connectSimulator } from '../simulator/simulator.ts'
import { createHttpPlatform } from './http.ts'
import type { PlatformAccount, TaxPlatform } from './platform.ts'

interface StoredAccount {
  readonly simulated: boolean
  readonly appKey?: string
  readonly runSecret?: string
  readonly apiBase?: string
  readonly notifyBase?: string
}

/** The path of a setting's callbacks; it is part of what is signed. */
export const notifyPath = (ownerId: Id, settingId: Id): string =>
  `/api/invoice/notify/${ownerId}/${settingId}`

/** Companies may share an account: what they count for themselves goes to the platform with the company. */
export function withOuterNumbers(platform: TaxPlatform, ownerId: Id): TaxPlatform {
  const outer = (serialNo: string): string =>
    isDailyNumber(serialNo) ? outerNumberOf(serialNo, ownerId) : serialNo
  return {
    issue: request => platform.issue({ ...request, serialNo: outer(request.serialNo) }),
    query: serialNo => platform.query(outer(serialNo)),
    file: serialNo => platform.file(outer(serialNo)),
    parseNotification: (headers, path, body) => {
      const notification = platform.parseNotification(headers, path, body)
      return { ...notification, serialNo: ownNumberOf(notification.serialNo, ownerId) }
    },
  }
}

/**
 * The platform of a setting; refuses where it is not set up. A deleted setting still serves the invoices that
 * it has sent.
 */
export async function connectPlatform(app: App, ownerId: Id, settingId: Id): Promise<TaxPlatform> {
  const stored = await app.database.reader(ownerId).one<StoredAccount>(
    sql`
        select simulated, app_key, run_secret, api_base, notify_base
        from invoice_set
        where owner_id = ${ownerId} and id = ${settingId}
      `,
  )
  if (!stored) return refuse('开票设置不存在')
  const notifyUrlOf = (origin: string): string =>
    `${origin.replace(/\/+$/, '')}${notifyPath(ownerId, settingId)}`
  if (stored.simulated)
    return withOuterNumbers(
      createHttpPlatform({
        ...(await connectSimulator(app)),
        notifyUrl: notifyUrlOf(app.originUrl?.() ?? 'http://127.0.0.1'),
        clock: app.clock,
      }),
      ownerId,
    )
  if (!stored.appKey || !stored.runSecret || !stored.apiBase || !stored.notifyBase)
    return refuse('开票平台尚未设置完整，请到「发票设置」填写')
  const account: PlatformAccount = {
    appKey: stored.appKey,
    secret: stored.runSecret,
    base: stored.apiBase,
    notifyUrl: notifyUrlOf(stored.notifyBase),
    clock: app.clock,
  }
  return withOuterNumbers(createHttpPlatform(account), ownerId)
}
