import { notFound } from '#kit/contract/wire.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import type { Caller } from '#kit/server/scope.ts'
import { getLockedMessage } from '../domain/login-attempts.ts'
import { consumeCaptcha } from './captcha.ts'
import { createFieldRefusal } from './field-refusal.ts'
import { claimAttempt, clearAttempts } from './login-attempts.ts'
import { verifyPassword } from './password.ts'
import { isProofValid } from './proof-of-work.ts'
import { findAccountById, type SignInAccount } from './sign-in-account.ts'

interface CaptchaInput {
  readonly captchaKey: string
  readonly captcha: string
  readonly proof: string
}

/** Refuses a wrong or expired captcha, or an unsolved task; asked before any SMS is sent (PERM-11). */
export async function requireCaptcha(
  c: AnonymousContext,
  { captchaKey, captcha, proof }: CaptchaInput,
): Promise<void> {
  if (!(await consumeCaptcha(c.app.database, c.app.clock(), captchaKey, captcha)))
    throw createFieldRefusal('Captcha', '图形验证码不正确或已过期，请重新填写')
  if (!(await isProofValid(c.app, captchaKey, proof)))
    throw createFieldRefusal('Captcha', '安全校验未通过，请刷新页面后重试')
}

/**
 * Failures of a signed-in account are counted apart from its sign-ins: a borrowed browser locks nobody out.
 */
export const ownPasswordAttempts = (caller: Caller): string => `change ${caller.ownerId} ${caller.operatorId}`

/**
 * The caller's account, after the password was entered again for a sensitive action. Refuses a wrong
 * password, and every password while the account is locked (PERM-9).
 */
export async function requireOwnPassword(
  c: AnonymousContext,
  caller: Caller,
  password: string,
): Promise<SignInAccount> {
  const account = await findAccountById(c, caller.ownerId, caller.operatorId)
  if (!account) throw notFound()
  const keys = { own: ownPasswordAttempts(caller) }
  const claim = await claimAttempt(c.app.database, c.app.clock(), keys, 'read')
  if (!claim.isAllowed)
    throw createFieldRefusal('Password', getLockedMessage(claim.attempts.lockUntil ?? c.now))
  if (!(await verifyPassword(password, account.password)))
    throw createFieldRefusal('Password', '当前密码不正确，请重新输入')
  await clearAttempts(c.app.database, c.app.clock(), keys)
  return account
}
