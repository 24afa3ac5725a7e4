import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { refusalOf, detailsOf } from '#kit/server/fixtures/refusal.ts'
import { SignInRequired, type CallOptions, type TestApp } from '#kit/server/fixtures/test-app.ts'
import { deliveredSms } from './sms-simulator.ts'
import { getMyAccount } from '../contract/account.ts'
import {
  changeMobile,
  verifySmsCode,
  resetForgottenPassword,
  registerCompany,
  requestSmsCode,
  requestAnonymousSmsCode,
} from '../contract/sms-code.ts'
import { editCompany, getMyCompany, resetAppSecret, ssoLogin } from '../contract/company.ts'
import { listDevices, endSessions } from '../contract/devices.ts'
import { listRecordHistory, getOperation, listOperations } from '../contract/operation-log.ts'
import { editManager, resetPassword, listOwnerCandidates, transferOwnership } from '../contract/manager.ts'
import {
  cancelQrLogin,
  confirmQrLogin,
  createLoginQr,
  scanLoginQr,
  getLoginQrState,
} from '../contract/qr-login.ts'
import { beginTotp, confirmTotp, endTotp } from '../contract/second-factor.ts'
import { login } from '../contract/sign-in.ts'
import { addAccount, currentTotp, openAccountsApp, signInAs, solveCaptcha } from './accounts.fixtures.ts'
import { createCompany } from './public.ts'

let t: TestApp
let n = 0

beforeAll(async () => {
  t = await openAccountsApp()
})

afterAll(() => t?.close())

let company: { ownerId: Id; operatorId: Id }
let boss: CallOptions
let loginCodeInUse = ''
let mobileInUse = ''

const signIn = (loginCode = loginCodeInUse, password?: string): Promise<CallOptions> =>
  signInAs(t, loginCode, password)

beforeEach(async () => {
  n++
  loginCodeInUse = `boss${n}`
  mobileInUse = `138000${String(10000 + n)}`
  company = await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: loginCodeInUse,
      password: 'Right2026',
      realName: '老板',
      mobile: mobileInUse,
    }),
  )
  boss = await signIn()
})

const listSentCodes = (to: string): string[] =>
  deliveredSms(t.app)
    .filter(d => d.mobile === to)
    .map(d => defined(d.params.code))

it('the owner transfers ownership with password and SMS code, and only the new owner can transfer it back (PERM-5)', async () => {
  const successor = await addAccount(t, boss, {
    loginCode: `successor${n}`,
    realName: '接班人',
    managerType: 'deputy',
    mobile: '13900000001',
  })
  expect((await t.call(listOwnerCandidates, {}, boss)).map(m => m.id)).toEqual([successor.id])
  expect(
    detailsOf(
      await refusalOf(
        t.call(requestSmsCode, { purpose: 'transfer', captchaKey: 'x', captcha: 'y', proof: 'z' }, boss),
      ),
    ).Field,
  ).toBe('Captcha')
  expect(await t.call(requestSmsCode, { purpose: 'transfer', ...(await solveCaptcha(t)) }, boss)).toBe(
    `138 **** ${mobileInUse.slice(7)}`,
  )
  const [code] = listSentCodes(mobileInUse)
  expect(code).toMatch(/^\d{6}$/)
  const transfer = (overrides: object = {}, as = boss) =>
    t.call(
      transferOwnership,
      { id: successor.id, password: 'Right2026', smsCode: defined(code), reason: '退休', ...overrides },
      as,
    )
  expect(detailsOf(await refusalOf(transfer({ password: 'Wrong2026' }))).Field).toBe('Password')
  expect((await refusalOf(transfer({ smsCode: code === '000000' ? '000001' : '000000' }))).message).toBe(
    '短信验证码不正确，还可再试 4 次',
  )
  expect(detailsOf(await refusalOf(transfer({ id: company.operatorId }))).Field).toBe('ID')
  await transfer()
  expect(await t.call(getMyAccount, undefined, boss)).toMatchObject({
    managerType: 'deputy',
    roleNames: ['全部权限'],
  })
  const owners = await t.database
    .reader(company.ownerId)
    .rows<{ id: Id }>(sql`select id from manager where manager_type = 10`)
  expect(owners).toEqual([{ id: successor.id }])
  expect((await refusalOf(transfer({}, boss))).code).toBe(10003)
  expect(t.published.filter(x => x.kind === 'owner-changed').map(x => x.to)).toEqual([
    [company.operatorId, successor.id],
  ])
  // As a deputy the former owner cannot change the new one.
  expect(
    (await refusalOf(t.call(resetPassword, { id: successor.id, password: 'Taken2026' }, boss))).message,
  ).toContain('超级管理员不能被修改')
  expect(
    (
      await refusalOf(
        t.call(
          editManager,
          {
            id: successor.id,
            loginCode: `successor${n}`,
            realName: '接班人',
            managerType: 'ordinary',
            showPrivacy: false,
          },
          boss,
        ),
      )
    ).message,
  ).toContain('超级管理员不能被修改')
})

it('SMS codes: one a minute, ten a day, valid for five minutes, void after five wrong tries (PERM-11)', async () => {
  const send = async () =>
    t.call(requestAnonymousSmsCode, {
      purpose: 'register',
      mobile: '13700000001',
      ...(await solveCaptcha(t)),
    })
  await send()
  expect((await refusalOf(send())).message).toBe('验证码刚发过，请 60 秒后再试')
  const register = (smsCode: string, i = 1) =>
    t.call(registerCompany, {
      companyName: '新公司',
      realName: '新人',
      mobile: '13700000001',
      smsCode,
      loginCode: `fresh${n}${i}`,
      password: 'Anju2026',
    })
  const right = defined(listSentCodes('13700000001').at(-1))
  const other = right === '111111' ? '222222' : '111111'
  for (let i = 4; i >= 1; i--) {
    expect((await refusalOf(register(other))).message).toBe(`短信验证码不正确，还可再试 ${i} 次`)
  }
  expect((await refusalOf(register(other))).message).toContain('错误次数过多')
  expect((await refusalOf(register(right))).message).toBe('短信验证码已失效，请重新获取')
  t.advanceClock(61_000)
  await send()
  t.advanceClock(301_000)
  expect((await refusalOf(register(defined(listSentCodes('13700000001').at(-1))))).message).toBe(
    '短信验证码已失效，请重新获取',
  )
  await send()
  await register(defined(listSentCodes('13700000001').at(-1)))
  expect(await t.call(getMyAccount, undefined, await signIn(`fresh${n}1`, 'Anju2026'))).toMatchObject({
    companyName: '新公司',
    managerType: 'owner',
  })
  for (let i = 4; i <= 10; i++) {
    t.advanceClock(61_000)
    await send()
  }
  t.advanceClock(61_000)
  expect((await refusalOf(send())).message).toContain('今天已发送 10 次')
  t.advanceClock(86_400_000)
  await send()
})

it('a forgotten password is reset by account, mobile and code; a wrong pair gets the same answer and no SMS', async () => {
  const requestCode = async (loginCode: string, to: string) =>
    t.call(requestAnonymousSmsCode, {
      purpose: 'password',
      loginCode,
      mobile: to,
      ...(await solveCaptcha(t)),
    })
  await requestCode('nobody.here', '13600000001')
  await requestCode(loginCodeInUse, mobileInUse)
  await expect.poll(() => listSentCodes(mobileInUse)).toHaveLength(1)
  expect(listSentCodes('13600000001')).toEqual([])
  // Both numbers must wait for the same time now.
  expect((await refusalOf(requestCode('nobody.here', '13600000001'))).message).toBe(
    (await refusalOf(requestCode(loginCodeInUse, mobileInUse))).message,
  )
  const pass = await t.call(verifySmsCode, {
    loginCode: loginCodeInUse,
    mobile: mobileInUse,
    smsCode: defined(listSentCodes(mobileInUse)[0]),
  })
  expect(
    (await refusalOf(t.call(resetForgottenPassword, { pass: 'guess', password: 'Fresh2026' }))).message,
  ).toContain('页面已过期')
  await t.call(resetForgottenPassword, { pass, password: 'Fresh2026' })
  await expect(t.call(getMyAccount, undefined, boss)).rejects.toBeInstanceOf(SignInRequired)
  await signIn(loginCodeInUse, 'Fresh2026')
  expect(
    (await refusalOf(t.call(resetForgottenPassword, { pass, password: 'Other2026' }))).message,
  ).toContain('页面已过期')
})

it('a changed mobile needs the password and a code to the new number, and ends other sessions', async () => {
  const other = await signIn()
  await t.call(requestSmsCode, { purpose: 'mobile', mobile: '13500000009', ...(await solveCaptcha(t)) }, boss)
  const smsCode = defined(listSentCodes('13500000009').at(-1))
  expect(
    detailsOf(
      await refusalOf(t.call(changeMobile, { mobile: '13500000009', smsCode, password: 'Wrong2026' }, boss)),
    ).Field,
  ).toBe('Password')
  await t.call(changeMobile, { mobile: '13500000009', smsCode, password: 'Right2026' }, boss)
  expect((await t.call(getMyAccount, undefined, boss)).mobile).toBe('13500000009')
  await expect(t.call(getMyAccount, undefined, other)).rejects.toBeInstanceOf(SignInRequired)
})

it('a QR code goes from waiting to scanned to confirmed, signs one browser in once, and expires (PERM-10)', async () => {
  const qr = await t.call(createLoginQr, {}, { ip: '10.9.9.9' })
  const getState = (secret?: string) =>
    t.call(getLoginQrState, { uuid: qr.uuid, ...(secret ? { secret } : {}) })
  expect((await getState(qr.secret)).state).toBe('waiting')
  expect(await t.call(scanLoginQr, { uuid: qr.uuid }, boss)).toEqual({ ip: '10.9.9.9', agent: 'test' })
  expect((await getState(qr.secret)).state).toBe('scanned')
  // Another account cannot confirm what this one scanned.
  await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: '别家',
      loginCode: `else${n}`,
      password: 'Right2026',
      realName: '他人',
    }),
  )
  expect(
    (await refusalOf(t.call(confirmQrLogin, { uuid: qr.uuid }, await signIn(`else${n}`)))).message,
  ).toContain('二维码已失效')
  await t.call(confirmQrLogin, { uuid: qr.uuid }, boss)
  // Without the secret there is the state but no token.
  expect(await getState('wrong')).toEqual({ state: 'confirmed' })
  const both = await Promise.all([getState(qr.secret), getState(qr.secret)])
  expect(both.filter(x => x.token)).toHaveLength(1)
  const signedIn = both.find(answer => answer.token)
  expect(signedIn?.manager).toMatchObject({ loginCode: loginCodeInUse })
  await t.call(getMyAccount, undefined, { token: signedIn?.token ?? '' })
  const second = await t.call(createLoginQr, {})
  await t.call(scanLoginQr, { uuid: second.uuid }, boss)
  await t.call(cancelQrLogin, { uuid: second.uuid }, boss)
  expect((await t.call(getLoginQrState, { uuid: second.uuid })).state).toBe('cancelled')
  const third = await t.call(createLoginQr, {})
  t.advanceClock(121_000)
  expect((await t.call(getLoginQrState, { uuid: third.uuid })).state).toBe('expired')
  expect((await refusalOf(t.call(scanLoginQr, { uuid: third.uuid }, boss))).message).toContain('二维码已失效')
})

it('a second factor is required once bound; a code is good once, a wrong one counts, a recovery code replaces it', async () => {
  const { secret, uri } = await t.call(beginTotp, { password: 'Right2026' }, boss)
  const now = () => currentTotp(t, secret)
  expect(uri).toContain(`secret=${secret}`)
  const wrong = now() === '000000' ? '000001' : '000000'
  expect(detailsOf(await refusalOf(t.call(confirmTotp, { code: wrong }, boss))).Field).toBe('Code')
  const { recovery } = await t.call(confirmTotp, { code: now() }, boss)
  const signInWith = (totp?: string) =>
    t.call(login, { loginCode: loginCodeInUse, password: 'Right2026', ...(totp ? { totp } : {}) })
  for (let i = 0; i < 12; i++) {
    expect((await refusalOf(signInWith())).data).toMatchObject({ Field: 'Totp', Totp: 1 })
  }
  expect((await refusalOf(signInWith(now()))).message).toContain('动态验证码不正确')
  t.advanceClock(30_000)
  await signInWith(now())
  expect((await refusalOf(signInWith(now()))).data).toMatchObject({ Field: 'Totp', Remaining: 4 })
  await signInWith(recovery[0]?.toLowerCase())
  await refusalOf(signInWith(recovery[0]))
  t.advanceClock(30_000)
  await t.call(endTotp, { password: 'Right2026', code: now() }, boss)
  await signInWith()
})

it('an account lists its sessions and ends one of them, or all others', async () => {
  const [second, third] = [await signIn(), await signIn()]
  const list = await t.call(listDevices, undefined, boss)
  expect(list.map(d => d.isCurrent)).toEqual([true, false, false])
  await t.call(endSessions, { id: defined(list[1]).id }, boss)
  expect(await t.call(listDevices, undefined, boss)).toHaveLength(2)
  await t.call(endSessions, {}, boss)
  for (const ended of [second, third]) {
    await expect(t.call(getMyAccount, undefined, ended)).rejects.toBeInstanceOf(SignInRequired)
  }
  const other = await t.database.tx('*', tx =>
    createCompany(tx, { companyName: '别家', loginCode: `x${n}`, password: 'Right2026', realName: '他人' }),
  )
  expect(other.ownerId).toBeGreaterThan(0)
  expect(
    (
      await refusalOf(
        t.call(
          endSessions,
          { id: defined((await t.call(listDevices, undefined, boss))[0]).id },
          await signIn(`x${n}`),
        ),
      )
    ).code,
  ).toBe(10004)
})

it('another system signs accounts in with a ticket: signed, recent, used once, of its own company', async () => {
  const { appKey, appSecret } = await t.call(resetAppSecret, { password: 'Right2026' }, boss)
  expect((await t.call(getMyCompany, undefined, boss)).appKey).toBe(appKey)
  const createTicket = (changes: object = {}, secret = appSecret): string => {
    const payload = Buffer.from(
      JSON.stringify({
        AppKey: appKey,
        Logincode: loginCodeInUse,
        Time: Math.floor(t.app.clock() / 1000),
        Nonce: randomBytes(12).toString('hex'),
        ...changes,
      }),
    ).toString('base64url')
    return `${payload}.${createHmac('sha256', createHash('sha256').update(secret).digest()).update(payload).digest('base64url')}`
  }
  const enter = (ticket: string) => t.call(ssoLogin, { ticket })
  const good = createTicket()
  expect((await enter(good)).manager.loginCode).toBe(loginCodeInUse)
  expect((await refusalOf(enter(good))).message).toContain('凭证已使用过')
  for (const bad of [
    createTicket({}, 'other'),
    createTicket({ Time: Math.floor(t.app.clock() / 1000) - 301 }),
    createTicket({ AppKey: 'AKnone' }),
    'a.b',
    createTicket({ Nonce: 'x' }),
  ]) {
    expect((await refusalOf(enter(bad))).message).toContain('凭证无效')
  }
  await t.database.tx('*', tx =>
    createCompany(tx, { companyName: '别家', loginCode: `sso${n}`, password: 'Right2026', realName: '他人' }),
  )
  expect((await refusalOf(enter(createTicket({ Logincode: `sso${n}` })))).message).toContain(
    '在本系统中不存在',
  )
})

it('a company edits its own record, and the history shows values before and after', async () => {
  const before = await t.call(getMyCompany, undefined, boss)
  const after = await t.call(
    editCompany,
    { ...before, companyName: '改了名', idleMinutes: 60, version: before.version },
    boss,
  )
  expect(after).toMatchObject({ companyName: '改了名', idleMinutes: 60, edition: 'trial', state: 'normal' })
  expect(
    (
      await refusalOf(
        t.call(editCompany, { companyName: '又改', idleMinutes: 60, version: before.version }, boss),
      )
    ).code,
  ).toBe(10005)
  const [last] = await t.call(listRecordHistory, { entity: 'property', entityId: company.ownerId }, boss)
  expect(last).toMatchObject({
    action: '修改',
    entity: '物业公司',
    operatorName: '老板',
    changes: [
      { field: '公司名称', before: `公司${n}`, after: '改了名' },
      { field: '自动退出', before: '480', after: '60' },
    ],
  })
  await t.database.tx(company.ownerId, tx =>
    tx.execute(
      sql`
        insert into operation_log (
          owner_id, operator_id, operator_name, request_id, call, title, code, took_ms, create_time, input
        )
        values (
          ${company.ownerId}, ${company.operatorId}, '老板', 'test', 'POST Property/PutInfo', '修改公司信息', 10000,
          5, now(), '{"a":1}'
        ),
          (${company.ownerId}, ${company.operatorId}, '老板', '', 'x', '其他', 10002, 5, now(), null)
      `,
    ),
  )
  const list = await t.call(listOperations, { operTimeFrom: '2020-01-01 00:00:00' }, boss)
  expect(list.total).toBe(2)
  expect(
    (await t.call(listOperations, { operTimeFrom: '2020-01-01 00:00:00', failed: true }, boss)).rows.map(
      r => r.title,
    ),
  ).toEqual(['其他'])
  const row = defined(list.rows.find(r => r.title === '修改公司信息'))
  const one = await t.call(getOperation, { id: row.id, operTime: row.operTime }, boss)
  expect(one.input).toContain('"a": 1')
  expect(defined(one.entries).some(a => a.entity === '物业公司')).toBe(true)
})
