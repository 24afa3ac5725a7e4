import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import { installationSecretOf } from '#kit/server/installation-secret.ts'
import type { SignInAccount } from './sign-in-account.ts'

/** How long an address counts as the account's own after a sign-in from it. */
const knownAddressMs = 30 * 86_400_000

async function sign(app: Pick<App, 'database'>, loginCode: string, nonce: string): Promise<string> {
  const secret = await installationSecretOf(app.database, 'device-secret')
  return createHmac('sha256', secret)
    .update(`${loginCode.trim().toLowerCase()} ${nonce}`)
    .digest('base64url')
    .slice(0, 32)
}

/**
 * What a browser keeps after a sign-in and shows at the next: that this login name was signed in from it. It
 * opens nothing; its tries are counted apart from those of strangers.
 */
export async function issueDevice(app: Pick<App, 'database'>, loginCode: string): Promise<string> {
  const nonce = randomBytes(12).toString('base64url')
  return `${nonce}.${await sign(app, loginCode, nonce)}`
}

/** The nonce of a device that has signed this login name in; nothing where it has not. */
export async function readDevice(
  app: Pick<App, 'database'>,
  loginCode: string,
  device: string | undefined,
): Promise<string | undefined> {
  const [nonce = '', signature = ''] = (device ?? '').split('.')
  const expected = Buffer.from(await sign(app, loginCode, nonce))
  const actual = Buffer.from(signature)
  return nonce && actual.length === expected.length && timingSafeEqual(actual, expected) ? nonce : undefined
}

/** Whether the account was signed in from this address lately: for clients that keep no device. */
export async function isKnownAddress(
  c: AnonymousContext,
  account: SignInAccount | undefined,
): Promise<boolean> {
  // Asked for an unknown account, too: it must cost the same.
  const { ownerId, id } = account ?? { ownerId: 0, id: 0 }
  const session = await c.app.database.reader('*').one(
    sql`
      select 1
      from session_token
      where owner_id = ${ownerId}
        and operator_id = ${id}
        and ip = ${c.ip}
        and create_time > ${new Date(c.app.clock() - knownAddressMs)}
      limit 1
    `,
  )
  return session !== undefined
}
