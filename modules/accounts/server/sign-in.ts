import { Refused, refuse, resultCode } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { countHit } from '#kit/server/rate-limit.ts'
import { settings } from '#kit/server/settings.ts'
import { isPublicHost } from '#kit/server/startup/public-host.ts'
import { getSignInPage, setUpInstallation } from '../contract/company.ts'
import { getCaptcha, getTokenSecondsLeft, login, logout, renewToken } from '../contract/sign-in.ts'
import { getWrongPasswordMessage, type LoginAttempts } from '../domain/login-attempts.ts'
import { isPublishedSignIn } from '../domain/demo-account.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import { consumeCaptcha, issueCaptcha } from './captcha.ts'
import { createCompany, hasCompany } from './company.ts'
import { createInputRefusal } from './field-refusal.ts'
import { findProviderExit } from './identity-exit.ts'
import { isKnownAddress, issueDevice, readDevice } from './known-device.ts'
import { claimAttempt, clearAttempts, signInKeys, type AttemptKeys } from './login-attempts.ts'
import { hashPassword, needsRehash, verifyPassword } from './password.ts'
import { isProofValid, issueChallenge } from './proof-of-work.ts'
import { callerActor, requireCaller } from './request-actor.ts'
import { loadSignInPage } from './sign-in-page.ts'
import { assertSetupCode } from './setup-code.ts'
import { startSession } from './session-start.ts'
import { signInCounter } from './sign-in-count.ts'
import { assertNotLocked, createSignInRefusal, reportLock, requireSecondFactor } from './sign-in-refusal.ts'
import { assertCanSignIn, findAccountByLogin, type SignInAccount } from './sign-in-account.ts'

type LoginInput = NonNullable<typeof login.input.T>

/**
 * A client that reads the picture but solves no task gets so many attempts per address in a quarter of an
 * hour; a task that is solved costs enough on its own.
 */
const pictureOnlyTries = 30
const pictureOnlySeconds = 900

async function checkCaptcha(c: AnonymousContext, input: LoginInput): Promise<'read' | 'none'> {
  const { database, clock } = c.app
  const { captchaKey, captcha, proof } = input
  if (!(await consumeCaptcha(database, clock(), captchaKey, captcha))) return 'none'
  if (captchaKey && (await isProofValid(c.app, captchaKey, proof))) return 'read'
  if ((await countHit(database, `picture ${c.ip}`, pictureOnlySeconds)) > pictureOnlyTries)
    throw new Refused(resultCode.rateLimited, '操作过于频繁，请 15 分钟后再试')
  return 'read'
}

/** Counts the try as a failure before the password is looked at (PERM-9); refuses a locked account. */
async function claimSignIn(
  c: AnonymousContext,
  input: LoginInput,
  keys: AttemptKeys,
): Promise<LoginAttempts> {
  const { database, clock } = c.app
  const claim = await claimAttempt(database, clock(), keys, await checkCaptcha(c, input))
  if (claim.isAllowed) return claim.attempts
  assertNotLocked(claim, c.now)
  throw createSignInRefusal(
    input.captcha ? '图形验证码不正确或已过期，请重新填写' : '请填写图形验证码',
    claim.attempts,
    c.now,
    'Captcha',
  )
}

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

/** The demo's passwords are public: where other machines reach the server they open nothing. */
function assertNotPublished({ loginCode, password }: LoginInput): void {
  if (isPublicHost(settings.host.read()) && isPublishedSignIn(loginCode, password)) {
    signInCounter.add('refused')
    refuse('演示账号的密码是公开的，对外的服务不接受。请在本机启动并登录后修改密码，或由管理员重置')
  }
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
    assertNotPublished(input)
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
