import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions, TestApp } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { getMyAccount } from '../contract/account.ts'
import { getSignInPage } from '../contract/company.ts'
import { listDevices } from '../contract/devices.ts'
import {
  getIdentityProvider,
  saveIdentityProvider,
  testIdentityProvider,
} from '../contract/identity-provider.ts'
import {
  beginIdentityBinding,
  beginIdentitySignIn,
  finishIdentityBinding,
  finishIdentitySignIn,
  getOwnIdentity,
  unbindOwnIdentity,
} from '../contract/identity-sign-in.ts'
import { deleteManagers, resignManager, setManagerState } from '../contract/manager.ts'
import {
  bindManagerIdentity,
  listManagerIdentities,
  unbindManagerIdentities,
} from '../contract/manager-identity.ts'
import { beginTotp, confirmTotp } from '../contract/second-factor.ts'
import { logout } from '../contract/sign-in.ts'
import { createAccount, currentTotp, openAccountsApp, password, signInAs } from './accounts.fixtures.ts'
import { createCompany } from './company.ts'
import { signInAtProvider, testClient, TestProvider } from './identity-provider.fixtures.ts'

const origin = 'http://localhost:8100'
const page = { page: 1, size: 50 }

let t: TestApp
let provider: TestProvider
let n = 0
let ownerId: Id
let owner: CallOptions
let pageKey: string

const draft = (overrides: object = {}) => ({
  isEnabled: true,
  issuer: provider.issuer,
  clientId: testClient.id,
  clientSecret: testClient.secret,
  scopes: 'openid profile email phone',
  identityClaim: 'sub',
  matchBy: 'none' as const,
  buttonText: '统一身份登录',
  siteUrl: origin,
  endsSession: true,
  ...overrides,
})

async function setUp(overrides: object = {}, as = owner): Promise<string> {
  const { provider: saved } = await t.call(getIdentityProvider, undefined, as)
  const stamp = saved ? { id: saved.id, version: saved.version } : {}
  return (await t.call(saveIdentityProvider, { ...draft(overrides), ...stamp }, as)).pageKey
}

async function newCompany() {
  const loginCode = `oidc${++n}`
  const company = await t.database.tx('*', tx =>
    createCompany(tx, { companyName: `公司${n}`, loginCode, password, realName: '老板' }),
  )
  return { ...company, as: await signInAs(t, loginCode) }
}

beforeAll(async () => {
  vi.stubEnv('DATA_KEY', Buffer.alloc(32, 7).toString('base64'))
  vi.stubEnv('OIDC_PRIVATE_PROVIDERS', '1')
  t = await openAccountsApp()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await t?.close()
})
beforeEach(async () => {
  provider = await TestProvider.open(origin)
  const company = await newCompany()
  ownerId = company.ownerId
  owner = company.as
  pageKey = await setUp()
})
afterEach(async () => {
  vi.stubEnv('OIDC_PRIVATE_PROVIDERS', '1')
  vi.stubEnv('OIDC_TIMEOUT', '10')
  await provider.close()
})

const person = (overrides: object = {}) =>
  createAccount(t, owner, { loginCode: `wang${++n}`, realName: '王工', ...overrides })

/** What the browser comes back with. */
const returned = (url: URL) => ({
  code: url.searchParams.get('code') ?? undefined,
  iss: url.searchParams.get('iss') ?? undefined,
  error: url.searchParams.get('error') ?? undefined,
})

/** Goes to the provider, signs in there, and comes back. */
async function visit(login: string, key = pageKey) {
  const { address, state, browserKey } = await t.call(beginIdentitySignIn, { pageKey: key, origin })
  const url = await signInAtProvider(address, login)
  expect(`${url.origin}${url.pathname}`).toBe(`${origin}/oidclogin`)
  expect(url.searchParams.get('state')).toBe(state)
  return { state, browserKey, ...returned(url) }
}

const signInBy = async (login: string, key = pageKey) => t.call(finishIdentitySignIn, await visit(login, key))
const refusalBy = async (login: string, key = pageKey): Promise<string> =>
  (await refusalOf(signInBy(login, key))).message

async function bind(as: CallOptions, login: string): Promise<void> {
  const { address, state, browserKey } = await t.call(beginIdentityBinding, { password, origin }, as)
  const url = await signInAtProvider(address, login)
  await t.call(finishIdentityBinding, { state, browserKey, ...returned(url) }, as)
}

const identities = async () => (await t.call(listManagerIdentities, page, owner)).rows

it('an account binds its identity by itself and signs in by it: a session as any other, in the list of devices', async () => {
  const wang = await person()
  provider.people.set('w001', { name: '王工平台' })
  expect(await t.call(getOwnIdentity, undefined, wang.as)).toEqual({ isAvailable: true, isBound: false })
  await bind(wang.as, 'w001')
  expect(await t.call(getOwnIdentity, undefined, wang.as)).toMatchObject({
    isBound: true,
    displayName: '王工平台',
  })
  const { token, manager, device } = await signInBy('w001')
  expect(manager).toMatchObject({ loginCode: wang.loginCode, ownerId })
  expect(device).toBeTruthy()
  expect(await t.call(getMyAccount, undefined, { token })).toMatchObject({ loginCode: wang.loginCode })
  expect((await t.call(listDevices, undefined, { token })).map(d => d.entry)).toContain('oidc')
  expect(await identities()).toMatchObject([
    { subject: 'w001', managerName: '王工', boundBy: 'self', issuer: provider.issuer },
  ])
  expect((await identities())[0]?.lastUseTime).toBeDefined()
  await t.call(unbindOwnIdentity, { password }, wang.as)
  expect(await refusalBy('w001')).toContain('该身份尚未绑定本公司的账号')
})

it('an unknown identity is refused, with the person to contact, and creates no account', async () => {
  const count = async () =>
    defined(
      await t.database
        .reader(ownerId)
        .one<{ n: number }>(sql`select count(*)::int as n from manager where owner_id = ${ownerId}`),
    ).n
  const before = await count()
  expect(await refusalBy('stranger')).toBe(
    '该身份尚未绑定本公司的账号。已有账号的，请用账号密码登录，在「个人中心」绑定；没有的，请联系超级管理员 老板（身份标识：stranger）',
  )
  expect(await count()).toBe(before)
})

it('a started sign-in can be finished once, and only in the same browser', async () => {
  const wang = await person()
  await bind(wang.as, 'w002')
  const back = await visit('w002')
  const ended = '这次登录已过期、已完成，或不是从本浏览器发起，请重新登录'
  // Another browser was made to open the address that somebody else came back to.
  expect((await refusalOf(t.call(finishIdentitySignIn, { ...back, browserKey: 'of-another' }))).message).toBe(
    ended,
  )
  expect((await refusalOf(t.call(finishIdentitySignIn, { ...back, state: 'made-up' }))).message).toBe(ended)
  await t.call(finishIdentitySignIn, back)
  expect((await refusalOf(t.call(finishIdentitySignIn, back))).message).toBe(ended)
  const slow = await visit('w002')
  t.advanceClock(601_000)
  expect((await refusalOf(t.call(finishIdentitySignIn, slow))).message).toBe(ended)
  // A departure to bind signs nobody in.
  const binding = await t.call(beginIdentityBinding, { password, origin }, wang.as)
  const url = await signInAtProvider(binding.address, 'w002')
  expect(
    (
      await refusalOf(
        t.call(finishIdentitySignIn, {
          state: binding.state,
          browserKey: binding.browserKey,
          ...returned(url),
        }),
      )
    ).message,
  ).toBe(ended)
})

it('a token for another nonce, issuer or audience, one that has expired, and one signed by a stranger are refused', async () => {
  const wang = await person()
  await bind(wang.as, 'w003')
  const notGenuine = '身份平台发来的身份凭证未通过核验，请重新登录；仍不行请联系管理员'
  provider.spoil = claims => ({ ...claims, nonce: 'another' })
  expect(await refusalBy('w003')).toBe(notGenuine)
  provider.spoil = claims => ({ ...claims, iss: 'http://127.0.0.1:9' })
  expect(await refusalBy('w003')).toBe(notGenuine)
  provider.spoil = claims => ({ ...claims, aud: 'another-client' })
  expect(await refusalBy('w003')).toBe(notGenuine)
  provider.spoil = claims => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 120 })
  expect(await refusalBy('w003')).toContain('身份凭证已过期')
  provider.spoil = claims => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 20 })
  expect((await signInBy('w003')).manager.loginCode).toBe(wang.loginCode)
  provider.spoil = undefined
  provider.signsWithStrangeKey = true
  expect(await refusalBy('w003')).toBe(notGenuine)
})

it('a provider that is silent, away, or that the person leaves is explained in a message', async () => {
  expect(await refusalBy('')).toBe('已在身份平台取消登录')
  vi.stubEnv('OIDC_TIMEOUT', '1')
  await setUp({ clientSecret: 'another' })
  provider.isSilent = true
  expect((await refusalOf(t.call(beginIdentitySignIn, { pageKey, origin }))).message).toBe(
    '身份平台 1 秒内未应答，请稍后再试，或改用账号密码登录',
  )
  await provider.close()
  expect((await refusalOf(t.call(beginIdentitySignIn, { pageKey, origin }))).message).toBe(
    '无法连接身份平台（身份平台拒绝连接），请稍后再试，或改用账号密码登录',
  )
})

it('accounts that are switched off or have left are refused with the words of the password', async () => {
  const wang = await person()
  await bind(wang.as, 'w004')
  await t.call(setManagerState, { id: wang.id, state: 'off', reason: '请长假' }, owner)
  const off = '账号已停用，请联系超级管理员 老板启用'
  expect((await refusalOf(signInAs(t, wang.loginCode))).message).toBe(off)
  expect(await refusalBy('w004')).toBe(off)
  await t.call(setManagerState, { id: wang.id, state: 'on' }, owner)
  await t.call(resignManager, { id: wang.id, reason: '另谋高就' }, owner)
  expect(await refusalBy('w004')).toBe(off)
  await t.call(deleteManagers, { ids: [String(wang.id)], reason: '录入有误' }, owner)
  expect(await refusalBy('w004')).toContain('该身份尚未绑定本公司的账号')
  expect(await identities()).toEqual([])
})

it('an identity of one company opens nothing in another', async () => {
  const wang = await person()
  await bind(wang.as, 'w005')
  const other = await newCompany()
  const otherKey = await setUp({}, other.as)
  expect(await refusalBy('w005', otherKey)).toContain('该身份尚未绑定本公司的账号')
  expect((await t.call(listManagerIdentities, page, other.as)).rows).toEqual([])
  expect(await t.call(getSignInPage, {})).toEqual({ empty: false })
  expect(await t.call(getSignInPage, { pageKey: otherKey })).toMatchObject({
    identityButton: '统一身份登录',
    identityPageKey: otherKey,
  })
})

it('the dynamic code is asked for as with a password, and wrong ones are counted', async () => {
  const wang = await person()
  await bind(wang.as, 'w006')
  const { secret } = await t.call(beginTotp, { password }, wang.as)
  await t.call(confirmTotp, { code: currentTotp(t, secret) }, wang.as)
  t.advanceClock(60_000)
  const { state, browserKey, ...back } = await visit('w006')
  const first = await refusalOf(t.call(finishIdentitySignIn, { state, browserKey, ...back }))
  expect(first.data).toMatchObject({ Field: 'Totp', Totp: 1 })
  expect(
    (await refusalOf(t.call(finishIdentitySignIn, { state, browserKey: 'x', totp: '000000' }))).message,
  ).toContain('不是从本浏览器发起')
  for (let i = 0; i < 9; i++) {
    expect(
      (await refusalOf(t.call(finishIdentitySignIn, { state, browserKey, totp: '000000' }))).message,
    ).toContain('动态验证码不正确')
  }
  t.advanceClock(30_000)
  const { manager } = await t.call(finishIdentitySignIn, { state, browserKey, totp: currentTotp(t, secret) })
  expect(manager.loginCode).toBe(wang.loginCode)
  const again = await visit('w006')
  await refusalOf(t.call(finishIdentitySignIn, again))
  for (let i = 0; i < 10; i++) {
    await refusalOf(t.call(finishIdentitySignIn, { ...again, totp: '000000' }))
  }
  expect(await refusalBy('w006')).toContain('锁定')
})

it('a verified e-mail or phone binds by itself where the company allows it and exactly one account has it', async () => {
  const wang = await person({ mobile: '13800138001' })
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update manager set email = 'wang@example.com' where owner_id = ${ownerId} and id = ${wang.id}`,
    ),
  )
  provider.people.set('e1', { email: 'Wang@example.com', email_verified: true })
  provider.people.set('e2', { email: 'wang@example.com', email_verified: false })
  provider.people.set('p1', { phone_number: '+86 13800138001', phone_number_verified: true })
  const unknown = '该身份尚未绑定本公司的账号'
  expect(await refusalBy('e1')).toContain(unknown)
  await setUp({ matchBy: 'email' })
  expect(await refusalBy('e2')).toContain(unknown)
  expect((await signInBy('e1')).manager.loginCode).toBe(wang.loginCode)
  expect(await identities()).toMatchObject([{ subject: 'e1', boundBy: 'match' }])
  // The account has its identity: another with the same phone gets none.
  await setUp({ matchBy: 'mobile' })
  expect(await refusalBy('p1')).toContain(unknown)
  await t.call(unbindOwnIdentity, { password }, wang.as)
  const twin = await person({ mobile: '13800138001' })
  expect(await refusalBy('p1')).toContain(unknown)
  await t.call(setManagerState, { id: twin.id, state: 'off', reason: '重复' }, owner)
  expect((await signInBy('p1')).manager.loginCode).toBe(wang.loginCode)
})

it('an administrator binds and unbinds the accounts that may be changed, never two accounts to one identity (PERM-4)', async () => {
  const wang = await person()
  const li = await person({ realName: '李工' })
  await t.call(bindManagerIdentity, { managerId: wang.id, subject: 'w007' }, owner)
  expect((await signInBy('w007')).manager.loginCode).toBe(wang.loginCode)
  expect(
    (await refusalOf(t.call(bindManagerIdentity, { managerId: li.id, subject: 'w007' }, owner))).message,
  ).toBe('该身份已绑定本公司的其他账号（王工），请先在该账号解除绑定')
  expect((await refusalOf(bind(li.as, 'w007'))).message).toContain('该身份已绑定本公司的其他账号（王工）')
  expect(
    (await refusalOf(t.call(bindManagerIdentity, { managerId: wang.id, subject: 'w008' }, owner))).message,
  ).toBe('该账号已绑定统一身份，请先解除绑定')
  expect(
    (await refusalOf(t.call(bindManagerIdentity, { managerId: li.id, subject: 'x' }, wang.as))).code,
  ).toBe(10003)
  const [row] = await identities()
  await t.call(unbindManagerIdentities, { ids: [String(defined(row).id)], reason: '换人' }, owner)
  expect(await refusalBy('w007')).toContain('该身份尚未绑定本公司的账号')
  const audits = await t.database
    .reader(ownerId)
    .rows<{ action: string }>(
      sql`select action from audit_log where owner_id = ${ownerId} and entity = 'managerIdentity' order by id`,
    )
  expect(audits.map(audit => audit.action)).toEqual(['insert', 'delete'])
})

it('the secret is encrypted, in no answer and no audit row, and goes to no other provider than its own', async () => {
  const { provider: saved, hasSecret } = await t.call(getIdentityProvider, undefined, owner)
  expect(hasSecret).toBe(true)
  expect(JSON.stringify(saved)).not.toContain(testClient.secret)
  const rows = await t.database.reader('*').rows<{ all: string }>(sql`
    select (select string_agg(t::text, '') from identity_provider t) as "all"
    union all
    select string_agg(a::text, '') from audit_log a where entity = 'identityProvider'
    union all
    select string_agg(i::text, '') from idempotent_request i
  `)
  expect(JSON.stringify(rows)).not.toContain(testClient.secret)
  const { provider: before } = await t.call(getIdentityProvider, undefined, owner)
  const change = {
    ...draft(),
    id: defined(before).id,
    version: defined(before).version,
    clientSecret: undefined,
  }
  const moved = { ...change, issuer: 'https://login.example.com' }
  expect((await refusalOf(t.call(saveIdentityProvider, moved, owner))).message).toContain(
    '请重新填写客户端密钥',
  )
  await t.call(saveIdentityProvider, { ...change, buttonText: '工号登录' }, owner)
  expect(await t.call(getSignInPage, { pageKey })).toMatchObject({ identityButton: '工号登录' })
  expect((await refusalOf(t.call(saveIdentityProvider, change, owner))).code).toBe(10005)
})

it('the provider is on the internet, by https, unless the installation says otherwise', async () => {
  vi.stubEnv('OIDC_PRIVATE_PROVIDERS', '')
  for (const [issuer, why] of [
    ['http://login.example.com', '地址应以 https:// 开头'],
    ['https://127.0.0.1:8443', '不能连接内网或本机地址 127.0.0.1'],
    ['https://localhost', '不能连接内网或本机地址 localhost'],
    ['https://169.254.169.254', '不能连接地址 169.254.169.254'],
    ['https://a:b@login.example.com', '地址中不能有用户名和口令'],
  ] as const) {
    expect((await refusalOf(setUp({ issuer }))).message).toBe(why)
  }
  // What was saved before the setting changed is not reached either.
  expect((await refusalOf(t.call(beginIdentitySignIn, { pageKey, origin }))).message).toMatch(/https|内网/)
  const foreign = await refusalOf(t.call(beginIdentitySignIn, { pageKey, origin: 'http://localhost:9' }))
  expect(foreign.message).toBe(`统一身份登录只能从 ${origin} 使用，请打开该地址`)
})

it('a test of the connection tells what is wrong: the address, the client, or nothing', async () => {
  const test = () => t.call(testIdentityProvider, undefined, owner)
  expect(await test()).toMatchObject({ isOk: true })
  await setUp({ clientSecret: 'wrong' })
  const wrong = await test()
  expect(wrong.isOk).toBe(false)
  expect(wrong.checks.filter(c => !c.isOk)).toEqual([
    { name: '客户端编号与密钥', isOk: false, result: '身份平台不认可，请核对客户端编号与密钥' },
  ])
  await setUp({ issuer: `${provider.issuer}/nowhere` })
  expect((await test()).checks[0]?.result).toContain('不符合 OpenID Connect')
  await setUp({ isEnabled: false })
  expect((await refusalOf(t.call(beginIdentitySignIn, { pageKey, origin }))).message).toBe(
    '公司未启用统一身份登录，请用账号密码登录',
  )
  expect(await t.call(getSignInPage, { pageKey })).not.toHaveProperty('identityButton')
})

it('leaving a session of the provider leads to its own exit, leaving another does not', async () => {
  const wang = await person()
  await bind(wang.as, 'w009')
  const { token } = await signInBy('w009')
  const exit = new URL(defined(await t.call(logout, undefined, { token })))
  expect(`${exit.origin}${exit.pathname}`).toBe(`${provider.issuer}/session/end`)
  expect(exit.searchParams.get('post_logout_redirect_uri')).toBe(`${origin}/login`)
  expect(await t.call(logout, undefined, wang.as)).toBeUndefined()
  await setUp({ endsSession: false })
  const { token: second } = await signInBy('w009')
  expect(await t.call(logout, undefined, { token: second })).toBeUndefined()
})
