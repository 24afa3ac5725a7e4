import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { openWechat, wechatSettings, type Wechat } from '#modules/accounts/server/public.ts'
import { provideCompanyWechat } from '#modules/residents/server/public.ts'
import { accountType } from '../contract/choices.ts'
import { findStoredAccount, type StoredAccount } from './platform/account-store.ts'
import { simulatorUrlOf } from './simulator/simulator.ts'

const consentPath = '/connect/oauth2/authorize'

/** Where the pages of an account ask who holds the phone. */
async function addressesOf(app: App, account: StoredAccount) {
  if (!account.isSimulated)
    return { authorizeUrl: wechatSettings.authorizeUrl.read(), apiUrl: wechatSettings.apiUrl.read() }
  const apiUrl = await simulatorUrlOf(app, account)
  return { authorizeUrl: apiUrl + consentPath, apiUrl }
}

/** The service account of an estate: subscriptions and mini programs may not ask who somebody is. */
async function findCompanyWechat(app: App, ownerId: Id, projectCode: string): Promise<Wechat | undefined> {
  const db = app.database.reader(ownerId)
  const bound = await db.one<{ accountId: Id }>(sql`
    select e.account_id
    from wechat_estate e
    join wechat_account a on a.owner_id = ${ownerId} and a.id = e.account_id and ${notDeleted('a')}
    where e.owner_id = ${ownerId}
      and e.project_code = ${projectCode}
      and ${notDeleted('e')}
      and a.mp_type = ${code(accountType, 'service')}
    limit 1
  `)
  const account = bound && (await findStoredAccount(app, db, ownerId, bound.accountId))
  if (account?.secret === undefined) return undefined
  const { appId, secret, isSimulated } = account
  return openWechat({ ...(await addressesOf(app, account)), appId, secret, isSimulated })
}

provideCompanyWechat(findCompanyWechat)
