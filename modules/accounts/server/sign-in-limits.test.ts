import { defined } from '#kit/domain/defined.ts'
import { scrypt } from '@noble/hashes/scrypt.js'
import { solveChallenge } from 'altcha-lib'
import type { Challenge, DeriveKeyFunction } from 'altcha-lib/types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { TestApp } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { getCaptcha, login } from '../contract/sign-in.ts'
import { registerCompany, requestAnonymousSmsCode } from '../contract/sms-code.ts'
import { openAccountsApp, solveCaptcha, solveEasyTask } from './accounts.fixtures.ts'
import { isProofValid } from './proof-of-work.ts'
import { createCompany } from './public.ts'

let t: TestApp

beforeAll(async () => {
  t = await openAccountsApp()
})

afterAll(() => t?.close())

const password = 'Right2026'
let count = 0

async function createOwner(): Promise<string> {
  const loginCode = `limit${++count}`
  await t.database.tx('*', tx =>
    createCompany(tx, { companyName: `限额${count}`, loginCode, password, realName: '甲' }),
  )
  return loginCode
}

it('guessing locks out the guesser, not the holder of the account (PERM-9)', async () => {
  const loginCode = await createOwner()
  const holder = { ip: '10.9.0.1' }
  const { device } = await t.call(login, { loginCode, password }, holder)
  const guess = async (ip: string) =>
    refusalOf(t.call(login, { loginCode, password: 'Wrong2026', ...(await solveCaptcha(t)) }, { ip }))
  for (let tries = 0; tries < 10; tries++) {
    await guess('10.9.0.66')
  }
  expect((await guess('10.9.0.66')).message).toContain('账号已锁定')
  // The holder's address goes on without a captcha, and so does the holder's browser anywhere.
  await t.call(login, { loginCode, password }, holder)
  for (let stranger = 0; stranger < 7; stranger++) {
    for (let tries = 0; tries < 8; tries++) {
      await guess(`10.9.1.${stranger}`)
    }
  }
  const right = { loginCode, password, ...(await solveCaptcha(t)) }
  expect((await refusalOf(t.call(login, right, { ip: '10.9.2.1' }))).message).toContain(
    '该账号密码错误次数过多',
  )
  await t.call(login, { loginCode, password, device: defined(device) }, { ip: '10.9.2.1' })
}, 180_000)

it('a device speaks for one login name alone, and its own wrong tries lock it', async () => {
  const [loginCode, other] = [await createOwner(), await createOwner()]
  const { device } = await t.call(login, { loginCode: other, password }, { ip: '10.9.3.1' })
  const ip = '10.9.3.2'
  for (let tries = 0; tries < 5; tries++) {
    await refusalOf(t.call(login, { loginCode, password: 'Wrong2026', device: defined(device) }, { ip }))
  }
  expect(
    (await refusalOf(t.call(login, { loginCode, password, device: defined(device) }, { ip }))).message,
  ).toBe('请填写图形验证码')
  for (let tries = 0; tries < 10; tries++) {
    await refusalOf(
      t.call(
        login,
        { loginCode: other, password: 'Wrong2026', device: defined(device), ...(await solveCaptcha(t)) },
        { ip },
      ),
    )
  }
  expect(
    (await refusalOf(t.call(login, { loginCode: other, password, device: defined(device) }, { ip }))).message,
  ).toContain('账号已锁定')
})

it('the captcha is a picture of pixels: its source names no letters and no lines', async () => {
  const { image } = await t.call(getCaptcha, undefined)
  const png = Buffer.from(image.replace('data:image/png;base64,', ''), 'base64')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.toString('latin1')).not.toMatch(/<path|<svg|tEXt|iTXt/)
})

it('a client that knows no task signs in by the picture, though not without end', async () => {
  const loginCode = await createOwner()
  const ip = '10.9.4.1'
  const pictureOnly = async () => {
    const { captcha, captchaKey } = await solveCaptcha(t)
    return { captcha, captchaKey }
  }
  for (let tries = 0; tries < 5; tries++) {
    await refusalOf(t.call(login, { loginCode, password: 'Wrong2026' }, { ip }))
  }
  await t.call(login, { loginCode, password, ...(await pictureOnly()) }, { ip })
  let message = ''
  for (let tries = 0; tries < 31 && !message.includes('15 分钟'); tries++) {
    message = (
      await refusalOf(t.call(login, { loginCode: `g${tries}`, password, ...(await pictureOnly()) }, { ip }))
    ).message
  }
  expect(message).toBe('操作过于频繁，请 15 分钟后再试')
})

/** The same derivation as in the browser (`web/proof-worker.ts`). */
const deriveKey: DeriveKeyFunction = async ({ cost, memoryCost = 8, keyLength }, salt, word) => ({
  derivedKey: scrypt(word, salt, { N: cost, r: memoryCost, p: 1, dkLen: keyLength ?? 32 }),
})

it('the task that the browser solves is the one the server checks: signed, bound to its captcha', async () => {
  const { challenge: text, captchaKey } = await t.call(getCaptcha, undefined)
  const challenge: Challenge = JSON.parse(text)
  const solution = await solveChallenge({ challenge, deriveKey })
  const proof = JSON.stringify({ challenge, solution })
  expect(await isProofValid(t.app, captchaKey, proof)).toBe(true)
  expect(await isProofValid(t.app, 'another', proof)).toBe(false)
  const easier = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '0' } }
  for (const forged of [
    { challenge: easier, solution },
    { challenge, solution: { ...solution, counter: defined(solution).counter + 1 } },
    { challenge },
    null,
  ]) {
    expect(await isProofValid(t.app, captchaKey, JSON.stringify(forged))).toBe(false)
  }
  expect(await isProofValid(t.app, captchaKey, 'no JSON')).toBe(false)
}, 60_000)

const askRegisterCode = async (mobile: string, ip: string) =>
  t.call(requestAnonymousSmsCode, { purpose: 'register', mobile, ...(await solveCaptcha(t)) }, { ip })

it('no code by SMS without a solved task, and so many a day from one address (PERM-11)', async () => {
  const ip = '10.9.5.1'
  const unsolved = { ...(await solveCaptcha(t)), proof: await solveEasyTask(t, 'another') }
  expect(
    (
      await refusalOf(
        t.call(requestAnonymousSmsCode, { purpose: 'register', mobile: '13700000000', ...unsolved }, { ip }),
      )
    ).message,
  ).toBe('安全校验未通过，请刷新页面后重试')
  await t.database.tx('*', tx =>
    tx.execute(sql`
      insert into sms_code (mobile, purpose, hash, create_time, expire_time, ip, used)
      select '136' || n, '10', '', ${new Date(t.app.clock())}, ${new Date(t.app.clock())}, ${ip}, true
      from generate_series(1, 49) as n
    `),
  )
  await askRegisterCode('13700000001', ip)
  expect((await refusalOf(askRegisterCode('13700000002', ip))).message).toBe(
    '今天从此处发送的验证码过多，请明天再试',
  )
  await askRegisterCode('13700000002', '10.9.5.2')
})

it('registering tells nobody without a proved number which names there are', async () => {
  const known = await createOwner()
  const register = (loginCode: string, smsCode: string) =>
    refusalOf(
      t.call(registerCompany, {
        companyName: '新公司',
        realName: '新人',
        mobile: '13700000009',
        smsCode,
        loginCode,
        password: 'Fresh2026',
      }),
    )
  const [ofKnown, ofUnknown] = [await register(known, '000000'), await register('nobody9', '000000')]
  expect([ofKnown.code, ofKnown.message, ofKnown.data]).toEqual([
    ofUnknown.code,
    ofUnknown.message,
    ofUnknown.data,
  ])
})
