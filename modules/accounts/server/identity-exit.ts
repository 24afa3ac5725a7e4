import { createHash } from 'node:crypto'
import { sql } from '#kit/server/db.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import type { Caller } from '#kit/server/scope.ts'
import { identityEntry } from '../domain/identity-entry.ts'
import { paths } from '../module.ts'
import { findProvider } from './identity-provider-store.ts'
import { exitAddress } from './oidc-client.ts'
import { faultForLog } from './oidc-fault.ts'

/** A sign-out waits for the provider's description no longer than this. */
const maxWaitMs = 2_000

const isIdentitySession = async (c: AnonymousContext, { ownerId, operatorId }: Caller): Promise<boolean> =>
  (await c.app.database.reader(ownerId).one(sql`
    select 1 as found
    from session_token
    where owner_id = ${ownerId}
      and operator_id = ${operatorId}
      and hash = ${createHash('sha256').update(c.token).digest()}
      and kind = ${identityEntry}
  `)) !== undefined

/** Where a browser that was signed in by the provider leaves it too; nothing where that cannot be known. */
export async function findProviderExit(c: AnonymousContext, caller: Caller): Promise<string | undefined> {
  if (!(await isIdentitySession(c, caller))) return undefined
  const provider = await findProvider(c.app, c.app.database.reader(caller.ownerId), caller.ownerId)
  if (!provider?.isEnabled || !provider.endsSession) return undefined
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), maxWaitMs)
  try {
    return await Promise.race([exitAddress(provider, `${provider.siteUrl}${paths.login}`), late])
  } catch (error) {
    c.app.log.warn({ fault: faultForLog(error) }, 'the identity provider is not left')
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
