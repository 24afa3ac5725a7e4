import type { AnonymousContext } from '#kit/server/handler.ts'
import { getLockedMessage, getWrongPasswordMessage } from '../domain/login-attempts.ts'
import { createFieldRefusal } from './field-refusal.ts'
import { issueDevice, readDevice } from './known-device.ts'
import { claimAttempt, clearAttempts, signInKeys } from './login-attempts.ts'
import { verifyPassword } from './password.ts'
import { assertNotPublished, claimSignIn, type SignInCaptcha } from './sign-in-claim.ts'
import { createSignInRefusal } from './sign-in-refusal.ts'

/** An account that is none of staff: another module keeps it, and its hash. */
export interface OutsideAccount {
  /** Under which its tries are counted; of no account of staff. */
  readonly countedAs: string
  readonly loginName: string
  /** None where there is no such account: it costs the same. */
  readonly passwordHash: string | undefined
  /** What its holder can do while it is locked: `用短信验证码登录`. */
  readonly remedy: string
}

interface OutsidePassword extends SignInCaptcha {
  readonly password: string
  readonly device?: string | undefined
}

/** Refuses a wrong password as the sign-in of staff does (PERM-9); returns what the device keeps. */
export async function requireOutsidePassword(
  c: AnonymousContext,
  account: OutsideAccount,
  input: OutsidePassword,
): Promise<string> {
  const { countedAs, remedy } = account
  const keys = signInKeys(countedAs, c.ip, await readDevice(c.app, countedAs, input.device))
  const attempts = await claimSignIn(c, input, keys, remedy)
  if (!(await verifyPassword(input.password, account.passwordHash)))
    throw createSignInRefusal(getWrongPasswordMessage(attempts, remedy), attempts, c.now)
  assertNotPublished(account.loginName, input.password)
  await clearAttempts(c.app.database, c.app.clock(), keys)
  return issueDevice(c.app, countedAs)
}

/** The old password of somebody who is signed in and chooses another one. */
export async function requireOldPassword(
  c: AnonymousContext,
  account: OutsideAccount,
  password: string,
): Promise<void> {
  const keys = { own: `change ${account.countedAs}` }
  const claim = await claimAttempt(c.app.database, c.app.clock(), keys, 'read')
  if (!claim.isAllowed)
    throw createFieldRefusal(
      'OldPassword',
      getLockedMessage(claim.attempts.lockUntil ?? c.now, account.remedy),
    )
  if (!(await verifyPassword(password, account.passwordHash)))
    throw createFieldRefusal('OldPassword', '原密码不正确，请重新输入')
  await clearAttempts(c.app.database, c.app.clock(), keys)
}
