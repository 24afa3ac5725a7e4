import { createHash, randomBytes } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { identityPurpose, identityStage } from '../contract/identity-sign-in.ts'
import { requireProvider, returnAddress, type StoredProvider } from './identity-provider-store.ts'
import { authorizationAddress, newChallenge, redeemCode, type Challenge, type Claims } from './oidc-client.ts'
import { describeFault, faultForLog } from './oidc-fault.ts'

type Purpose = ChoiceOf<typeof identityPurpose>

/** How long somebody may take at the provider, and then to type a dynamic code. */
const lifetimeMs = 600_000

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** What proves that a request is the same browser's: what it was sent with, and what it keeps. */
export interface RequestKey {
  readonly state: string
  readonly browserKey: string
}

interface StoredRequest {
  readonly companyId: Id
  readonly managerId?: Id
  readonly nonce: string
  readonly verifier: string
}

interface Departure extends RequestKey {
  readonly address: string
}

const isOwn = ({ state, browserKey }: RequestKey, purpose: Purpose, now: Date) => sql`
  state_hash = ${sha256(state)}
  and browser_hash = ${sha256(browserKey)}
  and purpose = ${code(identityPurpose, purpose)}
  and expire_time > ${now}
`

const refuseEnded = (): never => refuse('这次登录已过期、已完成，或不是从本浏览器发起，请重新登录')

async function refuseFault(c: AnonymousContext, error: unknown): Promise<never> {
  c.app.log.warn({ fault: faultForLog(error) }, 'the identity provider did not sign somebody in')
  return refuse(describeFault(error))
}

async function insertRequest(
  c: AnonymousContext,
  purpose: Purpose,
  { state, nonce, verifier }: Challenge,
  { ownerId, managerId }: { readonly ownerId: Id; readonly managerId?: Id },
): Promise<string> {
  const browserKey = randomBytes(24).toString('base64url')
  const now = c.app.clock()
  await c.app.database.tx('*', async tx => {
    await tx.execute(sql`delete from identity_request where expire_time < ${new Date(now)}`)
    await tx.execute(sql`
      insert into identity_request (
        state_hash, browser_hash, purpose, stage, company_id, manager_id, nonce, verifier, create_time, expire_time
      )
      values (
        ${sha256(state)}, ${sha256(browserKey)}, ${codeOf(identityPurpose, purpose)},
        ${codeOf(identityStage, 'started')}, ${ownerId}, ${managerId ?? null}, ${nonce}, ${verifier},
        ${new Date(now)}, ${new Date(now + lifetimeMs)}
      )
    `)
  })
  return browserKey
}

/** Sends a browser to the provider of a company. */
export async function depart(
  c: AnonymousContext,
  purpose: Purpose,
  account: { readonly ownerId: Id; readonly managerId?: Id },
  origin: string,
): Promise<Departure> {
  const provider = await requireProvider(c.app, account.ownerId)
  // The provider sends everybody back to this one place, where another origin's browser keeps nothing.
  if (origin !== provider.siteUrl) refuse(`统一身份登录只能从 ${provider.siteUrl} 使用，请打开该地址`)
  const challenge = newChallenge()
  const target = { returnTo: returnAddress(provider), scopes: provider.scopes }
  const address = await authorizationAddress(provider, challenge, target).catch((error: unknown) =>
    refuseFault(c, error),
  )
  return { address, state: challenge.state, browserKey: await insertRequest(c, purpose, challenge, account) }
}

export interface ProvedIdentity {
  readonly provider: StoredProvider
  /** The account that started the sign-in, if it was known. */
  readonly managerId: Id | undefined
  readonly subject: string
  readonly claims: Claims
}

interface ReturnInput extends RequestKey {
  readonly code?: string
  readonly iss?: string
  readonly error?: string
}

const claimText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined

const claimsOfMatch = { none: [], email: ['email'], mobile: ['phone_number'] } as const

/** Whom the provider has signed in, once for each departure: it is used up before the provider is asked. */
export async function proveReturn(
  c: AnonymousContext,
  purpose: Purpose,
  input: ReturnInput,
): Promise<ProvedIdentity> {
  const now = new Date(c.app.clock())
  const request = await c.app.database.tx('*', tx =>
    tx.one<StoredRequest>(sql`
      update identity_request
      set stage = ${code(identityStage, 'used')}
      where ${isOwn(input, purpose, now)} and stage = ${code(identityStage, 'started')}
      returning company_id, manager_id, nonce, verifier
    `),
  )
  if (!request) return refuseEnded()
  const provider = await requireProvider(c.app, request.companyId)
  const { identityClaim } = provider
  // A binding shows how the provider calls the person.
  const named = purpose === 'bind' ? ['name'] : []
  const needed = [identityClaim, ...claimsOfMatch[provider.matchBy], ...named]
  const claims = await redeemCode(
    provider,
    { state: input.state, nonce: request.nonce, verifier: request.verifier },
    input,
    { returnTo: returnAddress(provider), needed },
  ).catch((error: unknown) => refuseFault(c, error))
  const subject = claimText(claims[identityClaim])
  if (subject === undefined || subject.length > 255)
    return refuse(`身份平台没有给出「${identityClaim}」，请联系管理员核对身份字段与授权范围`)
  return { provider, managerId: request.managerId, subject, claims }
}

/** The identity is proved, the account's dynamic code is still wanted. */
export const keepVerified = (c: AnonymousContext, { state }: RequestKey, managerId: Id): Promise<number> =>
  c.app.database.tx('*', tx =>
    tx.execute(sql`
      update identity_request
      set stage = ${code(identityStage, 'verified')}, manager_id = ${managerId},
        expire_time = ${new Date(c.app.clock() + lifetimeMs)}
      where state_hash = ${sha256(state)} and stage = ${code(identityStage, 'used')}
    `),
  )

/** Whose identity was proved before. */
export async function requireVerified(
  c: AnonymousContext,
  key: RequestKey,
): Promise<{ readonly companyId: Id; readonly managerId: Id }> {
  const found = await c.app.database.reader('*').one<{ companyId: Id; managerId: Id }>(sql`
    select company_id, manager_id
    from identity_request
    where ${isOwn(key, 'signIn', new Date(c.app.clock()))} and stage = ${code(identityStage, 'verified')}
  `)
  return found ?? refuseEnded()
}

/** Ends it. False where another request has ended it before. */
export const endRequest = async (c: AnonymousContext, { state }: RequestKey): Promise<boolean> =>
  (await c.app.database.tx('*', tx =>
    tx.execute(sql`delete from identity_request where state_hash = ${sha256(state)}`),
  )) > 0
