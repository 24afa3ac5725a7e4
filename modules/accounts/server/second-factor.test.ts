import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions, TestApp } from '#kit/server/fixtures/test-app.ts'
import { toError } from '#kit/domain/to-error.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { getMyAccount } from '../contract/account.ts'
import { listRecordHistory } from '../contract/operation-log.ts'
import { editManager, listManagers, getManager, resetSecondFactor } from '../contract/manager.ts'
import { confirmQrLogin, createLoginQr, scanLoginQr } from '../contract/qr-login.ts'
import { addRole, editRole, getRoleMenuTree } from '../contract/role.ts'
import { beginTotp, confirmTotp, endTotp } from '../contract/second-factor.ts'
import { login } from '../contract/sign-in.ts'
import {
  createAccount,
  currentTotp,
  expectSignedOut,
  openAccountsApp,
  password,
  type TestAccount,
} from './accounts.fixtures.ts'
import { createCompany } from './public.ts'

let t: TestApp
let n = 0

beforeAll(async () => {
  t = await openAccountsApp()
})

afterAll(() => t?.close())

let boss: CallOptions
let deputy: CallOptions
let clerk: TestAccount
let cashierRole: { id: Id; version?: number | undefined }

const signIn = async (loginCode: string, totp?: string) =>
  t.call(login, { loginCode, password, ...(totp ? { totp } : {}) })

const addPerson = (name: string, roleIds: readonly Id[], overrides: object = {}): Promise<TestAccount> =>
  createAccount(t, boss, {
    loginCode: `${name}${n}`,
    realName: name,
    roleIds: roleIds.map(String),
    ...overrides,
  })

const setNeedTotp = (role: { id: Id; version?: number | undefined }, needTotp: boolean, as = boss) =>
  t.call(
    editRole,
    {
      id: role.id,
      roleName: `出纳${n}`,
      permissions: ['accounts.manager.view'],
      needTotp,
      version: role.version,
    },
    as,
  )

const bindTotp = async (as: CallOptions): Promise<{ secret: string; recovery: readonly string[] }> => {
  const { secret } = await t.call(beginTotp, { password }, as)
  const { recovery } = await t.call(confirmTotp, { code: currentTotp(t, secret) }, as)
  return { secret, recovery }
}

beforeEach(async () => {
  n++
  await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: `boss${n}`,
      password,
      realName: '老板',
    }),
  )
  boss = { token: (await signIn(`boss${n}`)).token }
  cashierRole = await t.call(
    addRole,
    { roleName: `出纳${n}`, permissions: ['accounts.manager.view'], needTotp: false },
    boss,
  )
  clerk = await addPerson('clerk', [cashierRole.id])
  deputy = (await addPerson('deputy', [], { managerType: 'deputy' })).as
})

it('a role that requires a second factor ends its holders’ sessions and allows them nothing until one is bound', async () => {
  const before = { token: (await signIn(clerk.loginCode)).token }
  await t.call(listManagers, {}, before)
  const strictRole = await setNeedTotp(cashierRole, true)
  await expectSignedOut(t, before)
  const session = await signIn(clerk.loginCode)
  const as = { token: session.token }
  expect(session.manager.mustBind).toBe(true)
  const refusal = await refusalOf(t.call(listManagers, {}, as))
  expect([refusal.code, refusal.message]).toEqual([10003, '你的角色要求二次验证，请先绑定动态验证码'])
  // Nor may the phone confirm another browser's sign-in.
  const qr = await t.call(createLoginQr, {})
  expect((await refusalOf(t.call(scanLoginQr, { uuid: qr.uuid }, as))).message).toContain('要求二次验证')
  expect((await refusalOf(t.call(confirmQrLogin, { uuid: qr.uuid }, as))).message).toContain('要求二次验证')
  // The account's own calls stay allowed: they are the way to bind a factor.
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
  expect((await signIn(clerk.loginCode, currentTotp(t, secret))).manager.mustBind).toBe(false)
  // It cannot be removed as long as a role requires it.
  t.advanceClock(30_000)
  const off = () => t.call(endTotp, { password, code: currentTotp(t, secret) }, as)
  expect((await refusalOf(off())).message).toBe(
    '你的角色要求二次验证，不能关闭；更换手机请联系超级管理员 老板重置',
  )
  await setNeedTotp(strictRole, false)
  await off()
  expect((await signIn(clerk.loginCode)).manager.mustBind).toBe(false)
})

it('an account that gets such a role while signed in must bind a factor too; one that has bound goes on', async () => {
  const plain = await t.call(addRole, { roleName: `文员${n}`, permissions: [], needTotp: false }, boss)
  const other = await addPerson('other', [plain.id])
  const bound = await addPerson('bound', [plain.id])
  await bindTotp(bound.as)
  await setNeedTotp(cashierRole, true)
  for (const { id } of [other, bound]) {
    const m = await t.call(getManager, { id }, boss)
    await t.call(editManager, { ...m, roleIds: [String(cashierRole.id)] }, boss)
  }
  await expectSignedOut(t, other.as)
  await expect
    .poll(() =>
      t.call(listManagers, {}, bound.as).then(
        () => 'in',
        (e: unknown) => toError(e).message,
      ),
    )
    .toBe('in')
})

it('an administrator with the permission resets a lost factor, audited and notified; never the own factor or that of a stronger account', async () => {
  await setNeedTotp(cashierRole, true)
  const as = { token: (await signIn(clerk.loginCode)).token }
  await bindTotp(as)
  const reset = (id: Id, caller: CallOptions) => t.call(resetSecondFactor, { id, reason: '手机丢失' }, caller)
  expect((await refusalOf(reset(clerk.id, as))).message).toContain(
    '需要「管理员·重置二次验证」权限，请联系超级管理员 老板授权',
  )
  const assistantRole = await t.call(
    addRole,
    {
      roleName: `助理${n}`,
      permissions: ['accounts.manager.factor', 'accounts.manager.view'],
      needTotp: false,
    },
    boss,
  )
  const assistant = await addPerson('helper', [assistantRole.id])
  expect((await refusalOf(reset(assistant.id, assistant.as))).message).toContain('不能在此处修改自己的账号')
  await expect(reset((await t.call(getMyAccount, undefined, deputy)).id, assistant.as)).rejects.toThrow(
    '子管理员只能由',
  )
  await reset(clerk.id, boss)
  await expectSignedOut(t, as)
  expect((await t.call(listRecordHistory, { entity: 'manager', entityId: clerk.id }, boss))[0]).toMatchObject(
    {
      reason: '重置二次验证：手机丢失',
      operatorName: '老板',
    },
  )
  expect((await refusalOf(reset(clerk.id, boss))).message).toBe('该账号未绑定动态验证码，无需重置')
  const again = await signIn(clerk.loginCode)
  expect(again.manager.mustBind).toBe(true)
  await bindTotp({ token: again.token })
  expect((await t.call(listNotifications, {}, { token: again.token })).rows[0]).toMatchObject({
    kind: 'accounts.factor',
    level: 'important',
    title: '老板重置了你的二次验证',
  })
})

it('the permission tree marks the menus that concern money or permissions', async () => {
  const tree = await t.call(getRoleMenuTree, {}, boss)
  const findMenu = (code: string) => tree.flatMap(m => m.children ?? []).find(m => m.menuCode === code)
  expect(findMenu('accounts.manager')?.sensitive).toBe(true)
  expect(findMenu('accounts.log')?.sensitive).toBeFalsy()
})
