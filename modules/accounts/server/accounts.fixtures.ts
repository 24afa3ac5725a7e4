import type { Id } from '#kit/domain/id.ts'
import { createHash } from 'node:crypto'
import { createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/scrypt'
import { generateSync } from 'otplib'
import { expect } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { installationSecretOf } from '#kit/server/installation-secret.ts'
import { SignInRequired, openTestApp, type CallOptions, type TestApp } from '#kit/server/fixtures/test-app.ts'
import { openTestDatabase } from '#kit/server/fixtures/test-database.ts'
import { contract as estates } from '#modules/estates/contract/index.ts'
import { server as estatesServer } from '#modules/estates/server/index.ts'
import { contract as system } from '#modules/system/contract/index.ts'
import { server as systemServer } from '#modules/system/server/index.ts'
import { changePassword, getMyAccount } from '../contract/account.ts'
import { contract } from '../contract/index.ts'
import { addManager } from '../contract/manager.ts'
import { getCaptcha, login } from '../contract/sign-in.ts'
import { server } from './index.ts'
import { createCallerLoader } from './public.ts'

/** The password of every account of these tests, once it is its own. */
export const password = 'Right2026'
const firstPassword = 'First2026'

/**
 * A server with accounts, estates and system on a test database of its own; closing it drops the database.
 */
export async function openAccountsApp(): Promise<TestApp> {
  const database = await openTestDatabase()
  const app = await openTestApp(
    database.url,
    [
      { contract, server },
      { contract: estates, server: estatesServer },
      { contract: system, server: systemServer },
    ],
    createCallerLoader,
  )
  const close = async (): Promise<void> => {
    await app.close()
    await database.drop()
  }
  return { ...app, close }
}

export const signInAs = async (
  t: TestApp,
  loginCode: string,
  withPassword = password,
): Promise<CallOptions> => ({
  token: (await t.call(login, { loginCode, password: withPassword })).token,
})

export interface TestAccount {
  readonly id: Id
  readonly loginCode: string
  readonly as: CallOptions
}

type AccountInput = Partial<NonNullable<typeof addManager.input.T>> & {
  readonly loginCode: string
  readonly realName: string
}

/** An account that must still change its first password, `First2026`. */
export const addAccount = (t: TestApp, granter: CallOptions, account: AccountInput) =>
  t.call(
    addManager,
    { managerType: 'ordinary', roleIds: [], showPrivacy: false, password: firstPassword, ...account },
    granter,
  )

/** An account that has changed its first password to `Right2026` and is signed in. */
export async function createAccount(
  t: TestApp,
  granter: CallOptions,
  account: AccountInput,
): Promise<TestAccount> {
  const { id } = await addAccount(t, granter, account)
  const as = await signInAs(t, account.loginCode, firstPassword)
  await t.call(changePassword, { oldPassword: firstPassword, password }, as)
  return { id, loginCode: account.loginCode, as }
}

/** The proof of a task that the server might have set, were it easier. */
export async function solveEasyTask(t: TestApp, captchaKey: string): Promise<string> {
  const challenge = await createChallenge({
    algorithm: 'SCRYPT',
    cost: 64,
    memoryCost: 8,
    keyPrefix: '0',
    deriveKey,
    hmacSignatureSecret: await installationSecretOf(t.app.database, 'proof-secret'),
    data: { captchaKey },
  })
  return JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })
}

/** A captcha with a known answer: the stored hash is replaced by that of other letters. */
export async function solveCaptcha(
  t: TestApp,
): Promise<{ captchaKey: string; captcha: string; proof: string }> {
  const { captchaKey, image } = await t.call(getCaptcha, undefined)
  expect(image).toMatch(/^data:image\/png;base64,/)
  const answer = createHash('sha256').update(`${captchaKey}:ACEF`).digest()
  const replaced = await t.database.tx('*', tx =>
    tx.execute(sql`update captcha set answer = ${answer} where key = ${captchaKey}`),
  )
  expect(replaced).toBe(1)
  return { captchaKey, captcha: 'acef', proof: await solveEasyTask(t, captchaKey) }
}

/** The code that an authenticator app shows now. */
export const currentTotp = (t: TestApp, secret: string): string =>
  generateSync({ secret, epoch: Math.floor(t.app.clock() / 1000) })

/** Waits until a session has ended, which happens after the commit of what ends it. */
export const expectSignedOut = (t: TestApp, as: CallOptions): Promise<void> =>
  expect
    .poll(() =>
      t.call(getMyAccount, undefined, as).then(
        () => 'signed in',
        (err: unknown) => err,
      ),
    )
    .toBeInstanceOf(SignInRequired)
