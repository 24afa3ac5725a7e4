import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { SignInRequired, openTestApp, type CallOptions, type TestApp } from '#kit/server/fixtures/test-app.ts'
import { contract as estates } from '#modules/estates/contract/index.ts'
import { server as estatesServer } from '#modules/estates/server/index.ts'
import { contract as system } from '#modules/system/contract/index.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { server as systemServer } from '#modules/system/server/index.ts'
import { getMyAccount, changePassword } from '../contract/account.ts'
import { beginTotp, confirmTotp, endTotp } from '../contract/devices.ts'
import { contract } from '../contract/index.ts'
import { listRecordHistory } from '../contract/operation-log.ts'
import { addManager, editManager, listManagers, getManager, resetSecondFactor } from '../contract/manager.ts'
import { confirmQrLogin, createLoginQr, scanLoginQr } from '../contract/qr-login.ts'
import { addRole, editRole, getRoleMenuTree } from '../contract/role.ts'
import { login } from '../contract/sign-in.ts'
import { server } from './index.ts'
import { createCallerLoader, createCompany } from './public.ts'
import { getTotpStep, generateTotp } from './totp.ts'

let database: TestDatabase
let t: TestApp
let n = 0

beforeAll(async () => {
  database = await openTestDatabase()
  t = await openTestApp(
    database.url,
    [
      { contract, server },
      { contract: estates, server: estatesServer },
      { contract: system, server: systemServer },
    ],
    createCallerLoader,
  )
})

afterAll(async () => {
  await t?.close()
  await database?.drop()
})

let boss: CallOptions
let deputy: CallOptions
let clerk = { id: 0, loginCode: '' }
let cashierRole: { id: number; version?: number | undefined }

const signIn = async (loginCode: string, totp?: string) =>
  t.call(login, { loginCode, password: 'Right2026', ...(totp ? { totp } : {}) })

const refusalOf = async (p: Promise<unknown>): Promise<Refused & { data: any }> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e as never
}

async function createAccount(
  name: string,
  roleIds: number[],
  more: object = {},
): Promise<{ id: number; loginCode: string }> {
  const loginCode = `${name}${n}`
  const m = await t.call(
    addManager,
    {
      loginCode,
      realName: name,
      managerType: 'ordinary',
      roleIds: roleIds.map(String),
      showPrivacy: false,
      password: 'First2026',
      ...more,
    } as never,
    boss,
  )
  await t.call(
    changePassword,
    { oldPassword: 'First2026', password: 'Right2026' },
    { token: (await t.call(login, { loginCode, password: 'First2026' })).token },
  )
  return { id: m.id, loginCode }
}

const setNeedTotp = (role: { id: number; version?: number | undefined }, needTotp: boolean, as = boss) =>
  t.call(
    editRole,
    {
      id: role.id,
      roleName: `出纳${n}`,
      permissions: ['accounts.manager.view'],
      needTotp,
      version: role.version,
    } as never,
    as,
  )

const bindTotp = async (as: CallOptions): Promise<{ secret: string; recovery: readonly string[] }> => {
  const { secret } = await t.call(beginTotp, { password: 'Right2026' }, as)
  return {
    secret,
    recovery: (await t.call(confirmTotp, { code: generateTotp(secret, getTotpStep(t.app.clock())) }, as))
      .recovery,
  }
}

beforeEach(async () => {
  n++
  await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: `boss${n}`,
      password: 'Right2026',
      realName: '老板',
    }),
  )
  boss = { token: (await signIn(`boss${n}`)).token }
  cashierRole = await t.call(
    addRole,
    { roleName: `出纳${n}`, permissions: ['accounts.manager.view'], needTotp: false } as never,
    boss,
  )
  clerk = await createAccount('clerk', [cashierRole.id])
  deputy = {
    token: (await signIn((await createAccount('deputy', [], { managerType: 'deputy' })).loginCode)).token,
  }
})

it('a role that asks for a second factor sends its holders to sign in anew and lets them do nothing until one is bound', async () => {
  const before = { token: (await signIn(clerk.loginCode)).token }
  await t.call(listManagers, {}, before)
  const asking = await setNeedTotp(cashierRole, true)
  await expect
    .poll(() =>
      t.call(getMyAccount, undefined, before).then(
        () => 'in',
        e => e,
      ),
    )
    .toBeInstanceOf(SignInRequired)
  const s = await signIn(clerk.loginCode)
  const as = { token: s.token }
  expect(s.manager.mustBind).toBe(true)
  const no = await refusalOf(t.call(listManagers, {}, as))
  expect([no.code, no.message]).toEqual([10003, '你的角色要求二次验证，请先绑定动态验证码'])
  // Nor may he let another browser in.
  const qr = await t.call(createLoginQr, {})
  expect((await refusalOf(t.call(scanLoginQr, { uuid: qr.uuid }, as))).message).toContain('要求二次验证')
  expect((await refusalOf(t.call(confirmQrLogin, { uuid: qr.uuid }, as))).message).toContain('要求二次验证')
  // What is his own stays open: that is how he gets on.
  expect(await t.call(getMyAccount, undefined, as)).toMatchObject({ totpOn: false, totpNeeded: true })
  const { secret, recovery } = await bindTotp(as)
  expect(recovery).toHaveLength(10)
  await t.call(listManagers, {}, as)
  expect(await t.call(getMyAccount, undefined, as)).toMatchObject({
    totpOn: true,
    totpNeeded: true,
    recoveryLeft: 10,
  })
  t.advanceClock(30_000)
  expect(
    (await signIn(clerk.loginCode, generateTotp(secret, getTotpStep(t.app.clock())))).manager.mustBind,
  ).toBe(false)
  // It stays bound as long as a role asks for it.
  t.advanceClock(30_000)
  const off = () =>
    t.call(endTotp, { password: 'Right2026', code: generateTotp(secret, getTotpStep(t.app.clock())) }, as)
  expect((await refusalOf(off())).message).toBe(
    '你的角色要求二次验证，不能关闭；换手机请联系超级管理员 老板重置',
  )
  await setNeedTotp(asking, false)
  await off()
  expect((await signIn(clerk.loginCode)).manager.mustBind).toBe(false)
})

it('whoever is given such a role while signed in is led to bind as well, whoever has bound goes on', async () => {
  const plain = await t.call(addRole, { roleName: `文员${n}`, permissions: [] } as never, boss)
  const other = await createAccount('other', [plain.id])
  const bound = await createAccount('bound', [plain.id])
  const [a, b] = [
    { token: (await signIn(other.loginCode)).token },
    { token: (await signIn(bound.loginCode)).token },
  ]
  await bindTotp(b)
  await setNeedTotp(cashierRole, true)
  for (const who of [other, bound]) {
    const m = await t.call(getManager, { id: who.id }, boss)
    await t.call(editManager, { ...m, roleIds: [String(cashierRole.id)] } as never, boss)
  }
  await expect
    .poll(() =>
      t.call(getMyAccount, undefined, a).then(
        () => 'in',
        e => e,
      ),
    )
    .toBeInstanceOf(SignInRequired)
  await expect
    .poll(() =>
      t.call(listManagers, {}, b).then(
        () => 'in',
        e => (e as Error).message,
      ),
    )
    .toBe('in')
})

it('an administrator with the right resets a lost factor, which is written down and told; nobody resets his own or that of one above him', async () => {
  await setNeedTotp(cashierRole, true)
  const as = { token: (await signIn(clerk.loginCode)).token }
  await bindTotp(as)
  const reset = (id: number, who: CallOptions) => t.call(resetSecondFactor, { id, reason: '手机丢失' }, who)
  expect((await refusalOf(reset(clerk.id, as))).message).toContain(
    '需要「管理员·重置二次验证」权限，请联系超级管理员 老板授权',
  )
  const helper = await t.call(
    addRole,
    { roleName: `助理${n}`, permissions: ['accounts.manager.factor', 'accounts.manager.view'] } as never,
    boss,
  )
  const helps = await createAccount('helper', [helper.id])
  const help = { token: (await signIn(helps.loginCode)).token }
  expect((await refusalOf(reset(helps.id, help))).message).toContain('不能在这里修改自己的账号')
  await expect(reset((await t.call(getMyAccount, undefined, deputy)).id, help)).rejects.toThrow(
    '子管理员只能由',
  )
  await reset(clerk.id, boss)
  await expect
    .poll(() =>
      t.call(getMyAccount, undefined, as).then(
        () => 'in',
        e => e,
      ),
    )
    .toBeInstanceOf(SignInRequired)
  expect((await t.call(listRecordHistory, { entity: 'manager', entityId: clerk.id }, boss))[0]).toMatchObject(
    {
      reason: '重置二次验证：手机丢失',
      operatorName: '老板',
    },
  )
  expect((await refusalOf(reset(clerk.id, boss))).message).toBe('该账号没有绑定动态验证码，无需重置')
  const again = await signIn(clerk.loginCode)
  expect(again.manager.mustBind).toBe(true)
  expect((await t.call(listNotifications, {}, { token: again.token })).rows[0]).toMatchObject({
    kind: 'accounts.factor',
    level: 'important',
    title: '老板重置了你的二次验证',
  })
})

it('the form of a role knows which menus move money or power', async () => {
  const tree = await t.call(getRoleMenuTree, {}, boss)
  const of = (menu: string) => tree.flatMap(m => m.children ?? []).find(m => m.menuCode === menu)
  expect(of('accounts.manager')?.grave).toBe(true)
  expect(of('accounts.log')?.grave).toBeFalsy()
})
