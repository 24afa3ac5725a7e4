import { Refused, refuse, resultCode } from '#kit/contract/wire.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import { countHit } from '#kit/server/rate-limit.ts'
import { settings } from '#kit/server/settings.ts'
import { isPublicHost } from '#kit/server/startup/public-host.ts'
import { isPublishedSignIn } from '../domain/demo-account.ts'
import type { LoginAttempts } from '../domain/login-attempts.ts'
import { consumeCaptcha } from './captcha.ts'
import { claimAttempt, type AttemptKeys } from './login-attempts.ts'
import { isProofValid } from './proof-of-work.ts'
import { signInCounter } from './sign-in-count.ts'
import { assertNotLocked, createSignInRefusal } from './sign-in-refusal.ts'

/** The letters of a picture and the solved task, where the sign-in brings them. */
export interface SignInCaptcha {
  readonly captcha?: string | undefined
  readonly captchaKey?: string | undefined
  readonly proof?: string | undefined
}

/**
 * A client that reads the picture but solves no task gets so many attempts per address in a quarter of an
 * hour; a task that is solved costs enough on its own.
 */
const pictureOnlyTries = 30
const pictureOnlySeconds = 900

async function checkCaptcha(c: AnonymousContext, input: SignInCaptcha): Promise<'read' | 'none'> {
  const { database, clock } = c.app
  const { captchaKey, captcha, proof } = input
  if (!(await consumeCaptcha(database, clock(), captchaKey, captcha))) return 'none'
  if (captchaKey && (await isProofValid(c.app, captchaKey, proof))) return 'read'
  if ((await countHit(database, `picture ${c.ip}`, pictureOnlySeconds)) > pictureOnlyTries)
    throw new Refused(resultCode.rateLimited, '操作过于频繁，请 15 分钟后再试')
  return 'read'
}

/** Counts the try as a failure before the password is looked at (PERM-9); refuses a locked account. */
export async function claimSignIn(
  c: AnonymousContext,
  input: SignInCaptcha,
  keys: AttemptKeys,
  remedy?: string,
): Promise<LoginAttempts> {
  const { database, clock } = c.app
  const claim = await claimAttempt(database, clock(), keys, await checkCaptcha(c, input))
  if (claim.isAllowed) return claim.attempts
  assertNotLocked(claim, c.now, remedy)
  throw createSignInRefusal(
    input.captcha ? '图形验证码不正确或已过期，请重新填写' : '请填写图形验证码',
    claim.attempts,
    c.now,
    'Captcha',
  )
}

/** The demo's passwords are public: where other machines reach the server they open nothing. */
export function assertNotPublished(loginCode: string, password: string): void {
  if (isPublicHost(settings.host.read()) && isPublishedSignIn(loginCode, password)) {
    signInCounter.add('refused')
    refuse('演示账号的密码是公开的，对外的服务不接受。请在本机启动并登录后修改密码，或由管理员重置')
  }
}
