import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { freshDatabase, type FreshDatabase } from '#kit/server/ground/testing.ts'
import { SignInFirst, openTestWorld, type As, type TestWorld } from '#kit/server/ground/world.ts'
import { contract as estates } from '#modules/estates/contract/index.ts'
import { server as estatesServer } from '#modules/estates/server/index.ts'
import { contract as system } from '#modules/system/contract/index.ts'
import { listMessages } from '#modules/system/contract/message.ts'
import { server as systemServer } from '#modules/system/server/index.ts'
import { account, changePassword } from '../contract/account.ts'
import { beginTotp, confirmTotp, endTotp } from '../contract/devices.ts'
import { contract } from '../contract/index.ts'
import { historyOf } from '../contract/log.ts'
import { addManager, editManager, listManagers, oneManager, resetFactor } from '../contract/manager.ts'
import { confirmScan, loginQr, scanned } from '../contract/qr.ts'
import { addRole, editRole, roleTree } from '../contract/role.ts'
import { login } from '../contract/sign-in.ts'
import { server } from './index.ts'
import { callerOf, createCompany } from './public.ts'
import { stepAt, totpAt } from './totp.ts'

let fresh: FreshDatabase
let t: TestWorld
let n = 0

beforeAll(async () => {
  fresh = await freshDatabase()
  t = await openTestWorld(
    fresh.url,
    [
      { contract, server },
      { contract: estates, server: estatesServer },
      { contract: system, server: systemServer },
    ],
    callerOf,
  )
})

afterAll(async () => {
  await t?.close()
  await fresh?.drop()
})

let boss: As
let deputy: As
let clerk = { id: 0, loginCode: '' }
let money: { id: number; version?: number | undefined }

const enter = async (loginCode: string, totp?: string) =>
  t.ask(login, { loginCode, password: 'Right2026', ...(totp ? { totp } : {}) })

const refusal = async (p: Promise<unknown>): Promise<Refused & { data: any }> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e as never
}

async function person(
  name: string,
  roleIds: number[],
  more: object = {},
): Promise<{ id: number; loginCode: string }> {
  const loginCode = `${name}${n}`
  const m = await t.ask(
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
  await t.ask(
    changePassword,
    { oldPassword: 'First2026', password: 'Right2026' },
    { token: (await t.ask(login, { loginCode, password: 'First2026' })).token },
  )
  return { id: m.id, loginCode }
}

const ask = (role: { id: number; version?: number | undefined }, needTotp: boolean, as = boss) =>
  t.ask(
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

const bind = async (as: As): Promise<{ secret: string; recovery: readonly string[] }> => {
  const { secret } = await t.ask(beginTotp, { password: 'Right2026' }, as)
  return {
    secret,
    recovery: (await t.ask(confirmTotp, { code: totpAt(secret, stepAt(t.world.clock())) }, as)).recovery,
  }
}

beforeEach(async () => {
  n++
  await t.store.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: `boss${n}`,
      password: 'Right2026',
      realName: '老板',
    }),
  )
  boss = { token: (await enter(`boss${n}`)).token }
  money = await t.ask(
    addRole,
    { roleName: `出纳${n}`, permissions: ['accounts.manager.view'], needTotp: false } as never,
    boss,
  )
  clerk = await person('clerk', [money.id])
  deputy = { token: (await enter((await person('deputy', [], { managerType: 'deputy' })).loginCode)).token }
})

it('a role that asks for a second factor sends its holders to sign in anew and lets them do nothing until one is bound', async () => {
  const before = { token: (await enter(clerk.loginCode)).token }
  await t.ask(listManagers, {}, before)
  const asking = await ask(money, true)
  await expect
    .poll(() =>
      t.ask(account, undefined, before).then(
        () => 'in',
        e => e,
      ),
    )
    .toBeInstanceOf(SignInFirst)
  const s = await enter(clerk.loginCode)
  const as = { token: s.token }
  expect(s.manager.mustBind).toBe(true)
  const no = await refusal(t.ask(listManagers, {}, as))
  expect([no.code, no.message]).toEqual([10003, '你的角色要求二次验证，请先绑定动态验证码'])
  // Nor may he let another browser in.
  const qr = await t.ask(loginQr, {})
  expect((await refusal(t.ask(scanned, { uuid: qr.uuid }, as))).message).toContain('要求二次验证')
  expect((await refusal(t.ask(confirmScan, { uuid: qr.uuid }, as))).message).toContain('要求二次验证')
  // What is his own stays open: that is how he gets on.
  expect(await t.ask(account, undefined, as)).toMatchObject({ totpOn: false, totpNeeded: true })
  const { secret, recovery } = await bind(as)
  expect(recovery).toHaveLength(10)
  await t.ask(listManagers, {}, as)
  expect(await t.ask(account, undefined, as)).toMatchObject({
    totpOn: true,
    totpNeeded: true,
    recoveryLeft: 10,
  })
  t.turn(30_000)
  expect((await enter(clerk.loginCode, totpAt(secret, stepAt(t.world.clock())))).manager.mustBind).toBe(false)
  // It stays bound as long as a role asks for it.
  t.turn(30_000)
  const off = () =>
    t.ask(endTotp, { password: 'Right2026', code: totpAt(secret, stepAt(t.world.clock())) }, as)
  expect((await refusal(off())).message).toBe(
    '你的角色要求二次验证，不能关闭；换手机请联系超级管理员 老板重置',
  )
  await ask(asking, false)
  await off()
  expect((await enter(clerk.loginCode)).manager.mustBind).toBe(false)
})

it('whoever is given such a role while signed in is led to bind as well, whoever has bound goes on', async () => {
  const plain = await t.ask(addRole, { roleName: `文员${n}`, permissions: [] } as never, boss)
  const other = await person('other', [plain.id])
  const bound = await person('bound', [plain.id])
  const [a, b] = [
    { token: (await enter(other.loginCode)).token },
    { token: (await enter(bound.loginCode)).token },
  ]
  await bind(b)
  await ask(money, true)
  for (const who of [other, bound]) {
    const m = await t.ask(oneManager, { id: who.id }, boss)
    await t.ask(editManager, { ...m, roleIds: [String(money.id)] } as never, boss)
  }
  await expect
    .poll(() =>
      t.ask(account, undefined, a).then(
        () => 'in',
        e => e,
      ),
    )
    .toBeInstanceOf(SignInFirst)
  await expect
    .poll(() =>
      t.ask(listManagers, {}, b).then(
        () => 'in',
        e => (e as Error).message,
      ),
    )
    .toBe('in')
})

it('an administrator with the right resets a lost factor, which is written down and told; nobody resets his own or that of one above him', async () => {
  await ask(money, true)
  const as = { token: (await enter(clerk.loginCode)).token }
  await bind(as)
  const reset = (id: number, who: As) => t.ask(resetFactor, { id, reason: '手机丢失' }, who)
  expect((await refusal(reset(clerk.id, as))).message).toContain(
    '需要「管理员·重置二次验证」权限，请联系超级管理员 老板授权',
  )
  const helper = await t.ask(
    addRole,
    { roleName: `助理${n}`, permissions: ['accounts.manager.factor', 'accounts.manager.view'] } as never,
    boss,
  )
  const helps = await person('helper', [helper.id])
  const help = { token: (await enter(helps.loginCode)).token }
  expect((await refusal(reset(helps.id, help))).message).toContain('不能在这里修改自己的账号')
  await expect(reset((await t.ask(account, undefined, deputy)).id, help)).rejects.toThrow('子管理员只能由')
  await reset(clerk.id, boss)
  await expect
    .poll(() =>
      t.ask(account, undefined, as).then(
        () => 'in',
        e => e,
      ),
    )
    .toBeInstanceOf(SignInFirst)
  expect((await t.ask(historyOf, { entity: 'manager', entityId: clerk.id }, boss))[0]).toMatchObject({
    reason: '重置二次验证：手机丢失',
    operatorName: '老板',
  })
  expect((await refusal(reset(clerk.id, boss))).message).toBe('该账号没有绑定动态验证码，无需重置')
  const again = await enter(clerk.loginCode)
  expect(again.manager.mustBind).toBe(true)
  expect((await t.ask(listMessages, {}, { token: again.token })).rows[0]).toMatchObject({
    kind: 'accounts.factor',
    level: 'important',
    title: '老板重置了你的二次验证',
  })
})

it('the form of a role knows which menus move money or power', async () => {
  const tree = await t.ask(roleTree, {}, boss)
  const of = (menu: string) => tree.flatMap(m => m.children ?? []).find(m => m.menuCode === menu)
  expect(of('accounts.manager')?.grave).toBe(true)
  expect(of('accounts.log')?.grave).toBeFalsy()
})
