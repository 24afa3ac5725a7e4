import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { encryptionOf } from '#kit/server/encryption.ts'
import { subjectOf, type StoredAccount } from './account-store.ts'
import { PlatformAway, PlatformFault } from './platform-fault.ts'
import { askPlatform } from './transport.ts'

/** Renewed so long before it ends. */
const marginMs = 300_000
/** Longer than the platform may take to answer. */
const leaseMs = 15_000
const pollMs = 150
const polls = 80

interface TokenRow {
  readonly runAccessToken?: Buffer
  readonly isValid: boolean
}

async function readStored(app: App, { ownerId, id }: StoredAccount): Promise<string | undefined> {
  const row = await app.database.reader(ownerId).one<TokenRow>(sql`
    select run_access_token, run_access_until > ${new Date(app.clock() + marginMs)} as is_valid
    from wechat_account
    where owner_id = ${ownerId} and id = ${id}
  `)
  if (!row?.runAccessToken || !row.isValid) return undefined
  return (await encryptionOf(app)).decrypt(row.runAccessToken, subjectOf(ownerId, id, 'accessToken'))
}

/** One process of all renews: the lease is a condition of the row. */
const claim = ({ database, clock }: App, { ownerId, id }: StoredAccount, holder: string): Promise<number> =>
  database.tx(ownerId, tx =>
    tx.execute(sql`
      update wechat_account
      set run_renewal_holder = ${holder}, run_renewal_until = ${new Date(clock() + leaseMs)}
      where owner_id = ${ownerId}
        and id = ${id}
        and (run_renewal_until is null or run_renewal_until < ${new Date(clock())})
    `),
  )

const release = ({ database }: App, { ownerId, id }: StoredAccount, holder: string): Promise<number> =>
  database.tx(ownerId, tx =>
    tx.execute(sql`
      update wechat_account
      set run_renewal_holder = null, run_renewal_until = null
      where owner_id = ${ownerId} and id = ${id} and run_renewal_holder = ${holder}
    `),
  )

async function renew(app: App, account: StoredAccount, holder: string, isForced: boolean): Promise<string> {
  const { ownerId, id, appId, secret } = account
  const answer = await askPlatform<{ access_token?: string; expires_in?: number }>(
    app,
    account,
    '/cgi-bin/stable_token',
    { grant_type: 'client_credential', appid: appId, secret, force_refresh: isForced },
  )
  const { access_token: token, expires_in: seconds = 0 } = answer
  if (!token) throw new PlatformFault(answer.errcode ?? -1, answer.errmsg ?? 'no token')
  const stored = (await encryptionOf(app)).encrypt(token, subjectOf(ownerId, id, 'accessToken'))
  await app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update wechat_account
      set run_access_token = ${stored}, run_access_until = ${new Date(app.clock() + seconds * 1000)}
      where owner_id = ${ownerId} and id = ${id} and run_renewal_holder = ${holder}
    `),
  )
  return token
}

/**
 * The access token that all servers share. `refused` is one that the platform does not take any more: another
 * one is fetched, unless somebody has done so already.
 */
export async function accessTokenOf(app: App, account: StoredAccount, refused?: string): Promise<string> {
  const holder = randomUUID()
  const current = async (): Promise<string | undefined> => {
    const stored = await readStored(app, account)
    return stored === refused ? undefined : stored
  }
  for (let i = 0; i < polls; i++) {
    const stored = await current()
    if (stored !== undefined) return stored
    if (await claim(app, account, holder)) {
      try {
        return (await current()) ?? (await renew(app, account, holder, refused !== undefined))
      } finally {
        await release(app, account, holder)
      }
    }
    await pause(pollMs)
  }
  throw new PlatformAway(new Error('another server has been renewing the access token for too long'))
}
