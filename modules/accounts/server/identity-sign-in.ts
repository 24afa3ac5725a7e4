import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { findEntry } from '#kit/server/directory.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { beginIdentitySignIn, finishIdentitySignIn } from '../contract/identity-sign-in.ts'
import { identityEntry } from '../domain/identity-entry.ts'
import { notifyIdentityChanged } from './account-notifications.ts'
import {
  accountScope,
  bindIdentity,
  findIdentityHolder,
  findMatchingAccount,
  refuseUnknown,
} from './identity-account.ts'
import {
  depart,
  endRequest,
  keepVerified,
  proveReturn,
  requireVerified,
  type ProvedIdentity,
} from './identity-request.ts'
import { isKnownAddress, issueDevice, readDevice } from './known-device.ts'
import { claimAttempt, clearAttempts, signInKeys } from './login-attempts.ts'
import { startSession } from './session-start.ts'
import { assertCanSignIn, findAccountById, type SignInAccount } from './sign-in-account.ts'
import { signInCounter } from './sign-in-count.ts'
import { assertNotLocked, requireSecondFactor } from './sign-in-refusal.ts'

type FinishInput = NonNullable<typeof finishIdentitySignIn.input.T>

/** Binds an identity that nobody has bound to the account that a verified claim names. */
async function bindMatching(
  c: AnonymousContext,
  identity: ProvedIdentity,
): Promise<SignInAccount | undefined> {
  const { provider, claims } = identity
  const { ownerId } = provider
  const id = await findMatchingAccount(c.app.database.reader(ownerId), provider, claims)
  const account = id === undefined ? undefined : await findAccountById(c, ownerId, id)
  if (!account) return undefined
  assertCanSignIn(account)
  await c.app.database.tx(ownerId, async tx => {
    await bindIdentity(tx, accountScope(c, account), identity, { managerId: account.id, boundBy: 'match' })
    await notifyIdentityChanged(tx, c.app, account, 'bound')
  })
  return account
}

/** The account of an identity; refuses one that is nobody's. Nobody is created. */
async function requireAccount(c: AnonymousContext, identity: ProvedIdentity): Promise<SignInAccount> {
  const db = c.app.database.reader(identity.provider.ownerId)
  const holder = await findIdentityHolder(db, identity)
  const account = holder
    ? await findAccountById(c, identity.provider.ownerId, holder.managerId)
    : await bindMatching(c, identity)
  if (account) return account
  signInCounter.add('refused')
  return refuseUnknown(db, identity)
}

/** Whose sign-in it is: by what the provider sent, or proved before where the dynamic code follows. */
async function findSigningIn(c: AnonymousContext, input: FinishInput): Promise<SignInAccount> {
  if (input.totp === undefined) {
    const account = await requireAccount(c, await proveReturn(c, 'signIn', input))
    assertCanSignIn(account)
    await keepVerified(c, input, account.id)
    return account
  }
  const { companyId, managerId } = await requireVerified(c, input)
  const account = await findAccountById(c, companyId, managerId)
  if (!account) return refuse('账号已停用，请联系管理员')
  assertCanSignIn(account)
  return account
}

const recordUse = (c: AnonymousContext, { ownerId, id }: SignInAccount): Promise<number> =>
  c.app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update manager_identity
      set last_use_time = ${new Date(c.app.clock())}
      where owner_id = ${ownerId} and manager_id = ${id} and ${notDeleted()}
    `),
  )

export const identitySignInHandlers = [
  anonymous(beginIdentitySignIn, async ({ pageKey, origin }, c) => {
    const entry = await findEntry(c.app.database.reader('*'), 'sign_in_page', pageKey)
    if (!entry) return refuse('登录地址不正确，请向管理员索取本公司的登录地址')
    return depart(c, 'signIn', { ownerId: entry.ownerId }, origin)
  }),

  // As with a password: locked accounts stay locked, the dynamic code is asked for, wrong ones are counted.
  anonymous(finishIdentitySignIn, async (input, c) => {
    const { database, clock } = c.app
    const account = await findSigningIn(c, input)
    const { loginCode } = account
    const device = await readDevice(c.app, loginCode, input.device)
    const keys = signInKeys(loginCode, c.ip, device, await isKnownAddress(c, account))
    const claim = await claimAttempt(database, clock(), keys, 'read')
    assertNotLocked(claim, c.now)
    await requireSecondFactor(c, account, input.totp, keys, claim.attempts)
    if (!(await endRequest(c, input))) refuse('这次登录已完成，请重新登录')
    await clearAttempts(database, clock(), keys)
    await recordUse(c, account)
    const session = await startSession(c, account, identityEntry)
    return { ...session, device: await issueDevice(c.app, loginCode) }
  }),
]
