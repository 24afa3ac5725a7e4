import { addMinutes, secondsBetween, type Moment } from '#kit/domain/moment.ts'

/**
 * PERM-9: wrong passwords until a captcha is required, until the account is locked, and for how long.
 */
export const captchaAfterFailures = 5
export const lockAfterFailures = 10
export const lockMinutes = 15
/**
 * After this many wrong passwords from anywhere, an account is closed to strangers for as long: to devices
 * and addresses that never signed it in. Nobody can lock out its holder.
 */
export const closeToStrangersAfter = 50

/** Failures are forgotten after a day without any. */
export const forgetFailuresHours = 24

export interface LoginAttempts {
  readonly failures: number
  readonly last: Moment
  readonly lockUntil?: Moment | undefined
}

/** Failures that still count: none after a day, as many as ask for a captcha once a lock has ended. */
export function countActiveFailures(a: LoginAttempts | undefined, now: Moment): number {
  if (!a || secondsBetween(a.last, now) >= forgetFailuresHours * 3600) return 0
  return a.lockUntil && a.lockUntil <= now ? Math.min(a.failures, captchaAfterFailures) : a.failures
}

export const isLocked = (a: LoginAttempts | undefined, now: Moment): boolean =>
  a?.lockUntil !== undefined && a.lockUntil > now

export const needsCaptcha = (a: LoginAttempts | undefined, now: Moment): boolean =>
  countActiveFailures(a, now) >= captchaAfterFailures

/** The count after one more wrong password; the last one locks. */
export function recordFailure(
  attempts: LoginAttempts | undefined,
  now: Moment,
  lockAfter = lockAfterFailures,
): LoginAttempts {
  const failures = countActiveFailures(attempts, now) + 1
  return {
    failures,
    last: now,
    lockUntil: failures >= lockAfter ? addMinutes(now, lockMinutes) : undefined,
  }
}

/** What else the holder of a locked account of staff can do. */
const staffRemedy = '用「忘记密码」重新设置'

/** What the sign-in form says after a wrong password; the same whether the account exists or not. */
export function getWrongPasswordMessage(attempts: LoginAttempts, remedy = staffRemedy): string {
  if (attempts.lockUntil) return getLockedMessage(attempts.lockUntil, remedy)
  if (attempts.failures < captchaAfterFailures)
    return `账号或密码不正确，还可再试 ${captchaAfterFailures - attempts.failures} 次；之后需要填写图形验证码`
  return `账号或密码不正确，请填写图形验证码后再试；还可再试 ${lockAfterFailures - attempts.failures} 次，之后锁定 ${lockMinutes} 分钟`
}

export const getLockedMessage = (until: Moment, remedy = staffRemedy): string =>
  `密码连续错误 ${lockAfterFailures} 次，账号已锁定，请在 ${until.slice(11, 16)} 后再试，或${remedy}`

export const getClosedToStrangersMessage = (until: Moment, remedy = staffRemedy): string =>
  `该账号密码错误次数过多，请在 ${until.slice(11, 16)} 后再试，或用登录过的设备登录、${remedy}`

/**
 * What the next attempt of an unknown device must bring: its own count, or the captcha that the account
 * requires of all unknown devices by now.
 */
export const mergeAttempts = (
  own: LoginAttempts,
  account: LoginAttempts | undefined,
  now: Moment,
): LoginAttempts => ({
  ...own,
  failures: Math.max(own.failures, Math.min(countActiveFailures(account, now), captchaAfterFailures)),
})
