import type { Moment } from '#kit/contract/field.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import {
  captchaAfterFailures,
  countActiveFailures,
  getClosedToStrangersMessage,
  getLockedMessage,
  isLocked,
  lockAfterFailures,
  needsCaptcha,
  type LoginAttempts,
} from '../domain/login-attempts.ts'
import { notifyAccountLocked } from './account-notifications.ts'
import { undoAttempt, type AttemptClaim, type AttemptKeys } from './login-attempts.ts'
import { accountActor } from './request-actor.ts'
import type { SignInAccount } from './sign-in-account.ts'
import { signInCounter } from './sign-in-count.ts'
import { loadSecondFactor, verifySecondFactor } from './totp.ts'

const resultOfField = { Password: 'wrong_password', Captcha: 'captcha', Totp: 'second_factor' } as const

/** Refuses a sign-in with what the form needs for the next try (`signInRefusalFields`). */
export function createSignInRefusal(
  message: string,
  attempts: LoginAttempts,
  now: Moment,
  field: 'Password' | 'Captcha' | 'Totp' = 'Password',
): Refused {
  const locked = isLocked(attempts, now)
  signInCounter.add(locked ? 'locked' : resultOfField[field])
  const failures = countActiveFailures(attempts, now)
  const limit = failures < captchaAfterFailures ? captchaAfterFailures : lockAfterFailures
  return new Refused(resultCode.refused, message, {
    Field: field,
    Captcha: needsCaptcha(attempts, now) && !locked ? 1 : 0,
    Totp: field === 'Totp' ? 1 : 0,
    Remaining: locked ? null : limit - failures,
    LockUntil: locked ? (attempts.lockUntil ?? null) : null,
  })
}

/** Refuses while an account is locked, or closed to where the request comes from (PERM-9). */
export function assertNotLocked(claim: AttemptClaim, now: Moment, remedy?: string): void {
  if (claim.isAllowed) return
  const until = claim.attempts.lockUntil ?? now
  if (claim.why === 'locked') throw createSignInRefusal(getLockedMessage(until, remedy), claim.attempts, now)
  if (claim.why === 'closed')
    throw createSignInRefusal(getClosedToStrangersMessage(until, remedy), claim.attempts, now)
}

/** Writes down that a wrong try has locked the account, and tells its holder; nothing where it did not. */
export async function reportLock(
  c: AnonymousContext,
  account: SignInAccount,
  { lockUntil }: LoginAttempts,
): Promise<void> {
  if (!lockUntil) return
  await c.app.database.tx(account.ownerId, async tx => {
    await audit(tx, accountActor(c, account), [
      {
        action: 'refused',
        entity: 'manager',
        entityId: account.id,
        reason: `密码连续错误 ${lockAfterFailures} 次，锁定至 ${lockUntil}`,
      },
    ])
    await notifyAccountLocked(tx, c.app, account, c.ip, lockUntil)
  })
  c.app.live.publish(account.ownerId, [account.id], 'account-locked', { ip: c.ip, until: lockUntil })
}

/** Asks for the dynamic code where the account has one; a wrong one costs a try, a missing one does not. */
export async function requireSecondFactor(
  c: AnonymousContext,
  account: SignInAccount,
  totp: string | undefined,
  keys: AttemptKeys,
  attempts: LoginAttempts,
): Promise<void> {
  const { database, clock } = c.app
  const factor = await loadSecondFactor(database.reader(account.ownerId), account.ownerId, account.id)
  if (!factor?.totp) return
  // What came first was right: asking for the code costs no try, a wrong code does.
  if (!totp) {
    await undoAttempt(database, clock(), keys)
    throw new Refused(resultCode.refused, '请输入动态验证码', { Field: 'Totp', Captcha: 0, Totp: 1 })
  }
  if (await verifySecondFactor(database, account.ownerId, account.id, totp, clock())) return
  await reportLock(c, account, attempts)
  throw createSignInRefusal('动态验证码不正确，请输入最新的 6 位数字', attempts, c.now, 'Totp')
}
