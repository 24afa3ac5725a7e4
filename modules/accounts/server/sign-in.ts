import { Refused, refuse, resultCode } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { getSignInPage, setUpInstallation } from '../contract/company.ts'
import { getCaptcha, getTokenSecondsLeft, login, logout, renewToken } from '../contract/sign-in.ts'
import { getWrongPasswordMessage, type LoginAttempts } from '../domain/login-attempts.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import { issueCaptcha } from './captcha.ts'
import { createCompany, hasCompany } from './company.ts'
import { createInputRefusal } from './field-refusal.ts'
import { findProviderExit } from './identity-exit.ts'
import { isKnownAddress, issueDevice, readDevice } from './known-device.ts'
import { clearAttempts, signInKeys } from './login-attempts.ts'
import { hashPassword, needsRehash, verifyPassword } from './password.ts'
import { issueChallenge } from './proof-of-work.ts'
import { callerActor, requireCaller } from './request-actor.ts'
import { loadSignInPage } from './sign-in-page.ts'
import { assertSetupCode } from './setup-code.ts'
import { startSession } from './session-start.ts'
import { assertNotPublished, claimSignIn } from './sign-in-claim.ts'
import { createSignInRefusal, reportLock, requireSecondFactor } from './sign-in-refusal.ts'
import { assertCanSignIn, findAccountByLogin, type SignInAccount } from './sign-in-account.ts'

type LoginInput = NonNullable<typeof login.input.T>

async function requirePassword(
  c: AnonymousContext,
  input: LoginInput,
  account: SignInAccount | undefined,
  attempts: LoginAttempts,
): Promise<SignInAccount> {
  // Verified for an unknown account too: it must cost the same.
  const isRight = await verifyPassword(input.password, account?.password)
  if (isRight && account) return account
  if (account) {
    await reportLock(c, account, attempts)
  }
  throw createSignInRefusal(getWrongPasswordMessage(attempts), attempts, c.now)
}

/** Rehashes the password where its hash was made at a lower cost than today's. */
async function upgradePasswordHash(
  c: AnonymousContext,
  account: SignInAccount,
  password: string,
): Promise<void> {
  if (!needsRehash(account.password)) return
  const passwordHash = await hashPassword(password)
  await c.app.database.tx(account.ownerId, tx =>
    tx.execute(
      sql`
        update manager_secret
        set password = ${passwordHash}
        where owner_id = ${account.ownerId}
          and manager_id = ${account.id}
          and password = ${account.password}
      `,
    ),
  )
}

export const signInHandlers = [
  anonymous(getSignInPage, ({ pageKey }, { app }) => loadSignInPage(app.database, pageKey)),
  anonymous(setUpInstallation, async ({ setupCode, ...input }, { app, ip }) => {
    await assertSetupCode(app, setupCode)
    const fault = findPasswordChangeFault(input.password, input)
    if (fault) throw createInputRefusal('Password', fault)
    await app.database.tx('*', async tx => {
      // One at a time: two first visitors must not both create the first company.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('first company'))`)
      if (await hasCompany(tx)) refuse('系统已完成初始化，请直接登录')
      await createCompany(tx, { ...input, ip })
    })
  }),

  anonymous(getCaptcha, async (_, { app }) => {
    const captcha = await issueCaptcha(app.database, app.clock())
    return { ...captcha, challenge: await issueChallenge(app, captcha.captchaKey) }
  }),

  anonymous(login, async (input, c) => {
    const named = await findAccountByLogin(c, input.loginCode)
    const device = await readDevice(c.app, input.loginCode, input.device)
    const keys = signInKeys(input.loginCode, c.ip, device, await isKnownAddress(c, named))
    const attempts = await claimSignIn(c, input, keys)
    const account = await requirePassword(c, input, named, attempts)
    assertCanSignIn(account)
    assertNotPublished(input.loginCode, input.password)
    await requireSecondFactor(c, account, input.totp, keys, attempts)
    await clearAttempts(c.app.database, c.app.clock(), keys)
    await upgradePasswordHash(c, account, input.password)
    const session = await startSession(c, account, input.entry)
    return { ...session, device: await issueDevice(c.app, input.loginCode) }
  }),

  anonymous(logout, async (_, c) => {
    const caller = requireCaller(c)
    const onward = await findProviderExit(c, caller)
    await c.app.sessions.end(c.token)
    await c.app.database.tx(caller.ownerId, tx =>
      audit(tx, callerActor(c, caller), [
        { action: 'signin', entity: 'manager', entityId: caller.operatorId, reason: '退出登录' },
      ]),
    )
    return onward
  }),

  anonymous(renewToken, async ({ token }, c) => {
    // A token in the body must be the caller's own.
    if (token && token !== c.token) throw new Refused(resultCode.forbidden, '无权执行此操作')
    return (await c.app.sessions.renew(c.token)) ?? refuse('登录失效，请重新登录')
  }),
  anonymous(getTokenSecondsLeft, async (_, { app, token }) => {
    const session = await app.sessions.find(token, true)
    return session ? Math.max(0, Math.floor((session.expiresAt - app.clock()) / 1000)) : 0
  }),
]
