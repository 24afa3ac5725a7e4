import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { App } from './app.ts'
import { installationSecretOf } from './installation-secret.ts'

/** One record of one company, and as what the link opens it: one letter. */
export interface SignedLink {
  readonly letter: string
  readonly ownerId: Id
  readonly id: Id
}

/** 144 bits: nobody guesses the link of another record. */
const signatureLength = 24

const sign = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('base64url').slice(0, signatureLength)

const isSame = (a: string, b: string): boolean => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

/** `r.1.1k4.…`: short, because it is printed as a code. `purpose` names the installation's secret. */
export async function signLink(
  app: Pick<App, 'database'>,
  purpose: string,
  { letter, ownerId, id }: SignedLink,
): Promise<string> {
  const body = `${letter}.${ownerId.toString(36)}.${id.toString(36)}`
  return `${body}.${sign(await installationSecretOf(app.database, purpose), body)}`
}

/** What a token opens; nothing for a forged one. */
export async function readSignedLink(
  app: Pick<App, 'database'>,
  purpose: string,
  token: string,
): Promise<SignedLink | undefined> {
  const [letter = '', owner = '', record = '', signature = ''] = token.split('.')
  const expected = sign(await installationSecretOf(app.database, purpose), `${letter}.${owner}.${record}`)
  const [ownerId, id] = [parseId(parseInt(owner, 36)), parseId(parseInt(record, 36))]
  return isSame(signature, expected) && ownerId && id ? { letter, ownerId, id } : undefined
}
