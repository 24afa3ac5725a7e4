import { createHash, randomBytes } from 'node:crypto'
import { resultCode, UnknownSecret } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { findUsableAccount, type UsableAccount } from './usable-account.ts'

const sessionMs = 30 * 86_400_000
/** How long after a sign-in by code another password may be set without the old one. */
const codeProofMs = 600_000

const prefix = 's'

type ClockApp = Pick<App, 'database' | 'clock'>

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const endedSession = (): UnknownSecret => new UnknownSecret('登录已失效，请重新登录', resultCode.notFound)

/** Whether a token is of a sign-in, not of a link. */
export const isSessionToken = (token: string): boolean => token.startsWith(`${prefix}.`)

const ownerOf = (token: string): Id => parseId(parseInt(token.split('.')[1] ?? '', 36))

/** What the phone keeps; the database keeps its digest. Ended sessions of the account go. */
export async function beginSession(
  tx: Tx,
  app: ClockApp,
  { ownerId, id, projectCode }: UsableAccount,
  byCode: boolean,
): Promise<string> {
  const token = `${prefix}.${ownerId.toString(36)}.${randomBytes(24).toString('base64url')}`
  const now = app.clock()
  await tx.execute(sql`
    delete from merchant_session
    where owner_id = ${ownerId} and account_id = ${id} and expire_time <= ${new Date(now)}
  `)
  await tx.execute(sql`
    insert into merchant_session (
      owner_id, digest, project_code, account_id, by_code, begin_time, expire_time
    )
    values (
      ${ownerId}, ${digestOf(token)}, ${projectCode}, ${id}, ${byCode}, ${new Date(now)},
      ${new Date(now + sessionMs)}
    )
  `)
  return token
}

/** Ends the sessions of accounts; of one account perhaps all but the one that asks for it. */
export const endSessions = (
  tx: Tx,
  ownerId: Id,
  accountIds: readonly Id[],
  butOf?: string,
): Promise<number> =>
  tx.execute(sql`
    delete from merchant_session
    where owner_id = ${ownerId}
      and account_id = any(${[...accountIds]}::bigint[])
      and digest <> ${digestOf(butOf ?? '')}
  `)

export const endSession = async (app: ClockApp, token: string): Promise<void> => {
  const ownerId = ownerOf(token)
  if (!ownerId) return
  await app.database.tx(ownerId, tx =>
    tx.execute(sql`
      delete from merchant_session where owner_id = ${ownerId} and digest = ${digestOf(token)}
    `),
  )
}

export interface MerchantSession extends UsableAccount {
  /** A change of the password asks for the old one. */
  readonly asksOldPassword: boolean
}

/**
 * Who is behind a token. It ends after thirty days, and at once when the account is switched off or reset, or
 * the merchant or the employee is no longer there.
 */
export async function readMerchantSession(app: ClockApp, token: string): Promise<MerchantSession> {
  const ownerId = ownerOf(token)
  if (!isSessionToken(token) || !ownerId) throw endedSession()
  const now = app.clock()
  const db = app.database.reader(ownerId)
  const session = await db.one<{ accountId: Id; provedSince?: string }>(sql`
    select account_id, case when by_code then extract(epoch from begin_time)::text end as proved_since
    from merchant_session
    where owner_id = ${ownerId} and digest = ${digestOf(token)} and expire_time > ${new Date(now)}
  `)
  const account = session && (await findUsableAccount(db, ownerId, sql`a.id = ${session.accountId}`))
  if (!session || !account) throw endedSession()
  const isProved =
    session.provedSince !== undefined && now - Number(session.provedSince) * 1000 <= codeProofMs
  return { ...account, asksOldPassword: !isProved }
}
