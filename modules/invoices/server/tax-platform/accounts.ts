import { refuse } from '#kit/contract/wire.ts'
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

/** The path of a set's callbacks; it is part of what they sign. */
export const notifyPath = (owner: number, set: number): string => `/api/invoice/notify/${owner}/${set}`

/**
 * The company's account at the platform of a set; refuses where it is not set up. A set put into the bin
 * still answers for the invoices it has sent.
 */
export async function connectPlatform(app: App, owner: number, set: number): Promise<TaxPlatform> {
  const s = await app.database.reader(owner).one<StoredAccount>(
    sql`
        select simulated, app_key, run_secret, api_base, notify_base
        from invoice_set
        where owner_id = ${owner} and id = ${set}
      `,
  )
  if (!s) return refuse('开票设置不存在')
  const at = (base: string): string => `${base.replace(/\/+$/, '')}${notifyPath(owner, set)}`
  if (s.simulated)
    return createHttpPlatform({
      ...(await connectSimulator(app)),
      notifyUrl: at(app.originUrl?.() ?? 'http://127.0.0.1'),
      clock: app.clock,
    })
  if (!s.appKey || !s.runSecret || !s.apiBase || !s.notifyBase)
    return refuse('开票平台还没有设置完整，请到「发票设置」填写')
  const account: PlatformAccount = {
    appKey: s.appKey,
    secret: s.runSecret,
    base: s.apiBase,
    notifyUrl: at(s.notifyBase),
    clock: app.clock,
  }
  return createHttpPlatform(account)
}
