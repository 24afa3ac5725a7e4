import { defined } from '#kit/domain/defined.ts'
import crypto from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { refusalOf, refusedTextsOf, detailsOf } from '#kit/server/fixtures/refusal.ts'
import { SignInRequired, openTestApp, type TestApp } from '#kit/server/fixtures/test-app.ts'
import { openTestDatabase } from '#kit/server/fixtures/test-database.ts'
import { addEstate } from '#modules/estates/contract/estate.ts'
import { contract as estates } from '#modules/estates/contract/index.ts'
import { server as estatesServer } from '#modules/estates/server/index.ts'
import { getMyAccount, changePassword, rememberProject } from '../contract/account.ts'
import { getSignInPage, setUpInstallation } from '../contract/company.ts'
import { contract } from '../contract/index.ts'
import { getMyMenus } from '../contract/permission.ts'
import { login, logout, renewToken, getTokenSecondsLeft } from '../contract/sign-in.ts'
import { server } from './index.ts'
import { openAccountsApp, solveCaptcha } from './accounts.fixtures.ts'
import { createCallerLoader, createCompany } from './public.ts'
import { logSetupCode } from './setup-code.ts'

let t: TestApp
let n = 0

beforeAll(async () => {
  t = await openAccountsApp()
})

afterAll(() => t?.close())

let loginCodeInUse = ''

beforeEach(async () => {
  loginCodeInUse = `user${++n}`
  await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: loginCodeInUse,
      password: 'Right2026',
      realName: `负责人${n}`,
    }),
  )
})

const signIn = (password = 'Right2026', overrides: object = {}) =>
  t.call(login, { loginCode: loginCodeInUse, password, ...overrides })

it('signs in with the right password, whatever the case of the login name, and answers with the account', async () => {
  const session = await t.call(login, { loginCode: loginCodeInUse.toUpperCase(), password: 'Right2026' })
  expect(session.manager).toMatchObject({
    loginCode: loginCodeInUse,
    companyName: `公司${n}`,
    realName: `负责人${n}`,
    managerType: 'owner',
    mustChange: false,
  })
  expect(session.token).toMatch(/^[\w-]{43}$/)
  const as = { token: session.token }
  expect(await t.call(getMyAccount, undefined, as)).toMatchObject({
    id: session.manager.id,
    ownerId: session.manager.ownerId,
    allProject: true,
    lastLoginIp: '10.0.0.1',
    lastLoginTime: expect.stringContaining('2026-11-2'),
  })
  await t.call(logout, undefined, as)
  await expect(t.call(getMyAccount, undefined, as)).rejects.toBeInstanceOf(SignInRequired)
})

it('counts wrong passwords: a captcha after five, a lock after ten, the same for an unknown account (PERM-9)', async () => {
  for (const loginCode of [loginCodeInUse, `ghost${n}`]) {
    const wrong = (overrides: object = {}) =>
      refusalOf(t.call(login, { loginCode, password: 'Wrong2026', ...overrides }))
    const first = await wrong()
    const second = await wrong()
    expect(first.message).toBe('账号或密码不正确，还可再试 4 次；之后需要填写图形验证码')
    expect(second.data).toMatchObject({ Field: 'Password', Captcha: 0, Remaining: 3 })
    await wrong()
    await wrong()
    const fifth = await wrong()
    expect(fifth.message).toContain('请填写图形验证码后再试；还可再试 5 次')
    expect(detailsOf(fifth).Captcha).toBe(1)
    // Without a captcha, with a wrong one, or with a used one the password is not verified at all.
    const argon2 = vi.spyOn(crypto, 'argon2')
    expect((await wrong()).message).toBe('请填写图形验证码')
    const captcha = await solveCaptcha(t)
    expect((await wrong({ ...captcha, captcha: 'zzzz' })).message).toBe(
      '图形验证码不正确或已过期，请重新填写',
    )
    expect((await wrong(captcha)).message).toBe('图形验证码不正确或已过期，请重新填写')
    expect(argon2).not.toHaveBeenCalled()
    argon2.mockRestore()
    for (let i = 6; i <= 9; i++) {
      expect(detailsOf(await wrong(await solveCaptcha(t))).Remaining).toBe(10 - i)
    }
    const last = await wrong(await solveCaptcha(t))
    expect(last.message).toContain('账号已锁定，请在 09:')
    const locked = await refusalOf(
      t.call(login, { loginCode, password: 'Right2026', ...(await solveCaptcha(t)) }),
    )
    expect(detailsOf(locked).LockUntil).toBe('2026-11-21 09:15:00')
  }
  expect(t.published.filter(x => x.kind === 'account-locked')).toHaveLength(1)
})

it('unlocks after fifteen minutes, with a captcha, and a sign-in clears the count', async () => {
  for (let i = 0; i < 10; i++) {
    await refusalOf(signIn('Wrong2026', i >= 5 ? await solveCaptcha(t) : {}))
  }
  t.advanceClock(14 * 60_000)
  expect((await refusalOf(signIn('Right2026', await solveCaptcha(t)))).message).toContain('账号已锁定')
  t.advanceClock(60_000)
  expect(detailsOf(await refusalOf(signIn())).Captcha).toBe(1)
  await signIn('Right2026', await solveCaptcha(t))
  expect(detailsOf(await refusalOf(signIn('Wrong2026'))).Remaining).toBe(4)
})

it('a hundred guesses at once get no more tries than one after another', async () => {
  const argon2 = vi.spyOn(crypto, 'argon2')
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      refusalOf(t.call(login, { loginCode: loginCodeInUse, password: `Guess${i}` }, { ip: `10.0.1.${i}` })),
    ),
  )
  expect(argon2).toHaveBeenCalledTimes(5)
  expect(all.filter(e => e.message === '请填写图形验证码')).toHaveLength(95)
  argon2.mockRestore()
})

it('does the same work for an unknown account', async () => {
  const argon2 = vi.spyOn(crypto, 'argon2')
  const cost = (): unknown[] =>
    argon2.mock.calls.map(([, { memory, passes, parallelism, tagLength }]) => ({
      memory,
      passes,
      parallelism,
      tagLength,
    }))
  const known = await refusalOf(t.call(login, { loginCode: loginCodeInUse, password: 'Wrong2026' }))
  const knownCost = cost()
  argon2.mockClear()
  const unknown = await refusalOf(t.call(login, { loginCode: 'nobody.here', password: 'Wrong2026' }))
  expect(cost()).toEqual(knownCost)
  expect([unknown.message, unknown.data]).toEqual([known.message, known.data])
  argon2.mockRestore()
})

it('changing the password ends the other sessions, keeps the own one, and checks the new password', async () => {
  const [here, otherSession] = [await signIn(), await signIn()]
  const change = (oldPassword: string, password: string) =>
    t.call(changePassword, { oldPassword, password }, { token: here.token })
  expect((await refusalOf(change('Right2026', 'abcdef'))).message).toBe(
    '密码至少包含大写字母、小写字母、数字、符号中的两类',
  )
  expect((await refusalOf(change('Right2026', 'Right2026'))).message).toBe('新密码不能与原密码相同')
  expect((await refusalOf(change('Right2026', '有中文abc1'))).code).toBe(10001)
  expect((await refusalOf(change('Wrong2026', 'Fresh2026'))).message).toBe('原密码不正确，请重新输入')
  await change('Right2026', 'Fresh2026')
  await t.call(getMyAccount, undefined, { token: here.token })
  await expect(t.call(getMyAccount, undefined, { token: otherSession.token })).rejects.toBeInstanceOf(
    SignInRequired,
  )
  await refusalOf(signIn('Right2026'))
  await signIn('Fresh2026')
})

it('an account that must change its password is refused other calls until it has', async () => {
  await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `新${n}`,
      loginCode: `${loginCodeInUse}x`,
      password: 'First2026',
      realName: '新人',
      mustChange: true,
    }),
  )
  const { manager, token } = await t.call(login, {
    loginCode: `${loginCodeInUse}x`,
    password: 'First2026',
  })
  expect(manager.mustChange).toBe(true)
  const add = () =>
    t.call(
      addEstate,
      { projectCode: 'PROJ0001', name: '一号', projectType: 'housing', state: 'on' },
      { token },
    )
  expect((await refusalOf(add())).message).toContain('请先修改密码')
  await t.call(changePassword, { oldPassword: 'First2026', password: 'Second2026' }, { token })
  await add()
})

it('a token is renewed with a minute of grace, and ends after eight hours without use (PERM-10)', async () => {
  const { token } = await signIn()
  expect(await t.call(getTokenSecondsLeft, undefined, { token })).toBe(8 * 3600)
  t.advanceClock(3600_000)
  expect(await t.call(getTokenSecondsLeft, undefined, { token })).toBe(7 * 3600)
  const renewed = await t.call(renewToken, { token, type: 'web' }, { token })
  expect(renewed).not.toBe(token)
  await t.call(getMyAccount, undefined, { token })
  t.advanceClock(61_000)
  await expect(t.call(getMyAccount, undefined, { token })).rejects.toBeInstanceOf(SignInRequired)
  await t.call(getMyAccount, undefined, { token: renewed })
  t.advanceClock(7 * 3600_000)
  await t.call(getMyAccount, undefined, { token: renewed })
  t.advanceClock(8 * 3600_000 + 61_000)
  await expect(t.call(getMyAccount, undefined, { token: renewed })).rejects.toBeInstanceOf(SignInRequired)
  await expect(t.call(getMyAccount, undefined, {})).rejects.toBeInstanceOf(SignInRequired)
})

it('a company can set a shorter idle limit', async () => {
  const { token, manager } = await signIn()
  await t.database.tx('*', tx =>
    tx.execute(sql`update property set idle_minutes = 30 where id = ${manager.ownerId}`),
  )
  await t.app.sessions.refresh(manager.ownerId, 'all')
  await t.call(getMyAccount, undefined, { token })
  expect(await t.call(getTokenSecondsLeft, undefined, { token })).toBe(1800)
  t.advanceClock(29 * 60_000)
  await t.call(getMyAccount, undefined, { token })
  t.advanceClock(29 * 60_000)
  await t.call(getMyAccount, undefined, { token })
  t.advanceClock(31 * 60_000)
  await expect(t.call(getMyAccount, undefined, { token })).rejects.toBeInstanceOf(SignInRequired)
})

it('a thousand guesses from many addresses are throttled, the account is notified once per lock, others are not slowed (PERM-9)', async () => {
  const before = t.published.length
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        refusalOf(
          t.call(
            login,
            { loginCode: loginCodeInUse, password: `Guess${round}${i}` },
            { ip: `10.1.${round}.${i}` },
          ),
        ),
      ),
    )
  }
  const counted = defined(
    await t.database.reader('*').one<{ failures: number }>(
      sql`
        select failures
        from login_attempt
        where key = ${crypto.createHash('sha256').update(loginCodeInUse).digest()}
      `,
    ),
  )
  expect(counted.failures).toBe(5)
  // Ten from one address lock that address out, and are reported once.
  for (let i = 0; i < 10; i++) {
    await refusalOf(signIn('Wrong2026', await solveCaptcha(t)))
  }
  expect(
    t.published
      .slice(before)
      .map(x => x.kind)
      .toSorted(),
  ).toEqual(['account-locked', 'notice'])
  // Another account signs in at the first try.
  const other = `${loginCodeInUse}z`
  await t.database.tx('*', tx =>
    createCompany(tx, { companyName: '旁观', loginCode: other, password: 'Right2026', realName: '旁人' }),
  )
  await t.call(login, { loginCode: other, password: 'Right2026' })
})

it('a token can renew only itself', async () => {
  const [a, b] = [await signIn(), await signIn()]
  expect((await refusalOf(t.call(renewToken, { token: b.token }, { token: a.token }))).code).toBe(10003)
})

it('starts in the project chosen last, as long as the data domain has it', async () => {
  const { token, nearestProjectCode } = await signIn()
  const as = { token }
  expect(nearestProjectCode).toBeUndefined()
  for (const i of [1, 2]) {
    await t.call(
      addEstate,
      { projectCode: `PROJ000${i}`, name: `项目${i}`, projectType: 'housing', state: 'on' },
      as,
    )
  }
  expect((await signIn()).nearestProjectCode).toBe('PROJ0001')
  await t.call(rememberProject, { projectCode: 'PROJ0002' }, as)
  expect((await signIn()).nearestProjectCode).toBe('PROJ0002')
})

it('gives the owner the whole menu, module by module, with buttons', async () => {
  const { token } = await signIn()
  const tree = await t.call(getMyMenus, undefined, { token })
  const accountsMenu = defined(tree.find(x => x.menuCode === 'accounts'))
  expect(defined(accountsMenu.children).map(x => x.menuCode)).toContain('accounts.manager')
  expect(defined(accountsMenu.children).find(x => x.menuCode === 'accounts.manager')).toMatchObject({
    allowView: true,
    allowDel: true,
    parentCode: 'accounts',
    buttonCodes: expect.arrayContaining(['reset', 'domain']),
  })
})

it('companies are separate, and a login name belongs to one of them', async () => {
  const other = await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: '另一家',
      loginCode: `${loginCodeInUse}b`,
      password: 'Right2026',
      realName: '他人',
    }),
  )
  const a = await signIn()
  const b = await t.call(login, { loginCode: `${loginCodeInUse}b`, password: 'Right2026' })
  expect(b.manager.ownerId).toBe(other.ownerId)
  expect(a.manager.ownerId).not.toBe(b.manager.ownerId)
  const seen = await t.database
    .reader(a.manager.ownerId)
    .rows<{ loginCode: string }>(sql`select login_code from manager`)
  expect(seen.map(x => x.loginCode)).toEqual([loginCodeInUse])
  const again = t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: '抢名',
      loginCode: loginCodeInUse.toUpperCase(),
      password: 'Right2026',
      realName: '谁',
    }),
  )
  expect((await refusalOf(again)).message).toBe('该账号已被使用，请更换账号')
  expect(
    (await refusalOf(t.call(getMyAccount, undefined, { token: a.token, ownerId: b.manager.ownerId }))).code,
  ).toBe(10003)
})

it('a stopped account is refused with the reason, and its sessions end', async () => {
  const { token, manager } = await signIn()
  await t.database.tx('*', tx =>
    tx.execute(sql`update manager set state = 20 where owner_id = ${manager.ownerId}`),
  )
  await t.app.sessions.refresh(manager.ownerId, manager.id)
  await expect(t.call(getMyAccount, undefined, { token })).rejects.toBeInstanceOf(SignInRequired)
  expect((await refusalOf(signIn())).message).toContain('账号已停用')
})

it('an empty installation that other machines reach is set up with the code of its log alone', async () => {
  const empty = await openTestDatabase({ from: 'migrated' })
  vi.stubEnv('HOST', '0.0.0.0')
  const e = await openTestApp(
    empty.url,
    [
      { contract, server },
      { contract: estates, server: estatesServer },
    ],
    createCallerLoader,
  )
  try {
    const logged = vi.spyOn(e.app.log, 'warn').mockImplementation(() => undefined)
    await logSetupCode(e.app)
    const setupCode = defined(/初始化码：([0-9a-f]{16})/.exec(String(logged.mock.calls[0]?.[0]))?.[1])
    expect(await e.call(getSignInPage, undefined)).toEqual({ empty: true, needsSetupCode: true })
    const draft = { companyName: '首家', realName: '首位', loginCode: 'first', password: 'Anju2026' }
    for (const wrong of [{}, { setupCode: '0'.repeat(16) }]) {
      expect(await refusalOf(e.call(setUpInstallation, { ...draft, ...wrong }))).toMatchObject({
        data: [{ Field: 'SetupCode', Message: '初始化码不正确，请查看服务的启动日志' }],
      })
    }
    await e.call(setUpInstallation, { ...draft, setupCode })
    expect(await e.call(getSignInPage, undefined)).toEqual({ empty: false, companyName: '首家' })
    logged.mockClear()
    await logSetupCode(e.app)
    expect(logged).not.toHaveBeenCalled()
  } finally {
    vi.unstubAllEnvs()
    await e.close()
    await empty.drop()
  }
})

it('an empty installation is set up once, also when several try at the same time', async () => {
  const empty = await openTestDatabase({ from: 'migrated' })
  const e = await openTestApp(
    empty.url,
    [
      { contract, server },
      { contract: estates, server: estatesServer },
    ],
    createCallerLoader,
  )
  try {
    expect(await e.call(getSignInPage, undefined)).toEqual({ empty: true })
    const first = (i: number) =>
      e.call(setUpInstallation, {
        companyName: `首家${i}`,
        realName: '首位',
        loginCode: `first${i}`,
        password: 'Anju2026',
      })
    const done = await Promise.allSettled([first(1), first(2), first(3)])
    expect(done.filter(d => d.status === 'fulfilled')).toHaveLength(1)
    expect(refusedTextsOf(done)[0]).toBe('系统已完成初始化，请直接登录')
    expect(await e.call(getSignInPage, undefined)).toMatchObject({
      empty: false,
      companyName: expect.stringContaining('首家'),
    })
    // A scope that shows no row, as on a cluster whose nodes do not learn it, makes no empty installation.
    await e.app.database.tx('*', tx => tx.execute(sql`alter policy own on property using (false)`))
    expect(await e.call(getSignInPage, undefined)).toEqual({ empty: false })
    await expect(first(4)).rejects.toThrow('系统已完成初始化，请直接登录')
  } finally {
    await e.close()
    await empty.drop()
  }
})
