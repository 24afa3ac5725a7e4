import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import crypto from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { forgetKnownHashes } from '#kit/server/fixtures/known-hashes.ts'
import { refusalOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions, TestApp } from '#kit/server/fixtures/test-app.ts'
import { deliveredSms } from './sms-simulator.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { addEstate } from '#modules/estates/contract/estate.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { getMyAccount } from '../contract/account.ts'
import { requestSmsCode } from '../contract/sms-code.ts'
import { getProjectMenu, setProjectMenu } from '../contract/data-domain.ts'
import {
  deleteManagers,
  editManager,
  exportManagers,
  listManagers,
  getManager,
  resetPassword,
  resignManager,
  setManagerState,
  transferOwnership,
} from '../contract/manager.ts'
import { addRole } from '../contract/role.ts'
import { login } from '../contract/sign-in.ts'
import {
  addAccount,
  createAccount as createTestAccount,
  openAccountsApp,
  password,
  signInAs,
  solveCaptcha,
  type TestAccount,
} from './accounts.fixtures.ts'
import { createCompany } from './public.ts'

let t: TestApp
let n = 0
let company: { ownerId: Id; operatorId: Id }
let boss: CallOptions

beforeAll(async () => {
  t = await openAccountsApp()
})

afterAll(() => t?.close())

const signIn = (loginCode: string, withPassword?: string) => signInAs(t, loginCode, withPassword)

beforeEach(async () => {
  n++
  company = await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: `boss${n}`,
      password,
      realName: '老板',
      mobile: `1380000${String(1000 + n)}`,
    }),
  )
  boss = await signIn(`boss${n}`)
})

const createAccount = (name: string, overrides: object = {}): Promise<TestAccount> =>
  createTestAccount(t, boss, { loginCode: `${name}${n}`, realName: name, ...overrides })

const findOwnerIds = async (): Promise<number[]> =>
  (
    await t.database.reader(company.ownerId).rows<{ id: Id }>(
      sql`
          select id
          from manager
          where owner_id = ${company.ownerId} and manager_type = 10 and state = 10 and delete_tag = 0
        `,
    )
  ).map(m => m.id)

it('the owner account cannot be removed by anybody in any way, and there is never a second one (PERM-1, PERM-4)', async () => {
  const all = await t.call(
    addRole,
    {
      roleName: '管人',
      permissions: [
        'accounts.manager.edit',
        'accounts.manager.del',
        'accounts.manager.resign',
        'accounts.manager.reset',
        'accounts.manager.add',
        'accounts.manager.factor',
        'accounts.manager.domain',
      ],
      needTotp: false,
    },
    boss,
  )
  const deputy = await createAccount('deputy', { managerType: 'deputy', roleIds: [String(all.id)] })
  const id = company.operatorId
  const me = await t.call(getManager, { id }, boss)
  for (const as of [boss, deputy.as]) {
    for (const attempt of [
      () => t.call(deleteManagers, { ids: [String(id)], reason: '不要了' }, as),
      () => t.call(setManagerState, { id, state: 'off', reason: '不要了' }, as),
      () => t.call(resignManager, { id, reason: '不要了' }, as),
      () => t.call(resetPassword, { id, password: 'Taken2026' }, as),
      () => t.call(editManager, { ...me, managerType: 'ordinary' }, as),
    ]) {
      expect((await refusalOf(attempt())).message).toMatch(
        /超级管理员不能被修改、停用或删除|不能在此处修改自己的账号/,
      )
    }
  }
  expect(
    (await refusalOf(addAccount(t, boss, { loginCode: `second${n}`, realName: '二', managerType: 'owner' })))
      .message,
  ).toContain('公司只有一位超级管理员')
  const d = await t.call(getManager, { id: deputy.id }, boss)
  expect((await refusalOf(t.call(editManager, { ...d, managerType: 'owner' }, boss))).message).toContain(
    '公司只有一位超级管理员',
  )
  expect(await findOwnerIds()).toEqual([id])
})

it('two ownership transfers at once leave exactly one owner, and both sides are notified (PERM-5)', async () => {
  const heirs = [
    await createAccount('one', { managerType: 'deputy' }),
    await createAccount('two', { managerType: 'deputy' }),
  ]
  await t.call(requestSmsCode, { purpose: 'transfer', ...(await solveCaptcha(t)) }, boss)
  const smsCode = defined(defined(deliveredSms(t.app).at(-1)).params.code)
  const done = await Promise.allSettled(
    heirs.map(h => t.call(transferOwnership, { id: h.id, password, smsCode, reason: '移交' }, boss)),
  )
  expect(done.filter(d => d.status === 'fulfilled')).toHaveLength(1)
  const winner = defined(heirs[done.findIndex(d => d.status === 'fulfilled')])
  expect(await findOwnerIds()).toEqual([winner.id])
  expect((await t.call(listNotifications, {}, winner.as)).rows[0]).toMatchObject({
    kind: 'accounts.owner',
    level: 'important',
    title: '「老板」已把超级管理员移交给你',
  })
  expect((await t.call(listNotifications, {}, boss)).rows[0]).toMatchObject({
    kind: 'accounts.owner',
    title: expect.stringMatching(/^你已把超级管理员移交给/),
  })
})

it('neither the answer of a sign-in nor its cost shows whether an account exists (PERM-9)', async () => {
  const argon2 = vi.spyOn(crypto, 'argon2')
  // A hash is nearly all that a sign-in costs; a time would tell of the machine's other work as well.
  const signInWrongly = async (loginCode: string) => {
    argon2.mockClear()
    forgetKnownHashes()
    const refusal = await refusalOf(t.call(login, { loginCode, password: 'Wrong2026' }))
    const hashes = argon2.mock.calls.map(([kind, options]) => [
      kind,
      { ...(options as object), message: 0, nonce: 0 },
    ])
    return { code: refusal.code, message: refusal.message, data: refusal.data, hashes }
  }
  for (let i = 0; i < 2; i++) {
    const real = await createAccount(`timed${i}x`)
    const ghost = `ghost${n}x${i}`
    for (let j = 0; j < 3; j++) {
      const answer = await signInWrongly(ghost)
      expect(answer).toEqual(await signInWrongly(real.loginCode))
      expect(answer.hashes.length).toBe(1)
    }
  }
  argon2.mockRestore()
}, 60_000)

it('accounts that never signed in, or still have their first password, are listed as first sign-ins', async () => {
  await createAccount('done')
  await addAccount(t, boss, { loginCode: `never${n}`, realName: '新人' })
  await addAccount(t, boss, { loginCode: `half${n}`, realName: '半途' })
  await signIn(`half${n}`, 'First2026')
  const starting = (yes: boolean) =>
    t
      .call(listManagers, { firstSignInPending: yes }, boss)
      .then(p => p.rows.map(m => [m.realName, m.mustChange] as const))
  expect(new Map(await starting(true))).toEqual(
    new Map([
      ['半途', true],
      ['新人', true],
    ]),
  )
  expect(new Set((await starting(false)).map(x => x[0]))).toEqual(new Set(['done', '老板']))
})

it('the list exports to a workbook with roles and data domains, only with the permission, and is audited (EXP-1)', async () => {
  const r = await t.call(
    addRole,
    { roleName: '导账号', permissions: ['accounts.manager.export'], needTotp: false },
    boss,
  )
  const clerk = await createAccount('clerk', { roleIds: [String(r.id)], mobile: '13911112222' })
  const sheet = async (as: CallOptions, overrides: object = {}): Promise<string[][]> => {
    // Without a task the export answers with the file itself.
    const file = await t.call(exportManagers.get, overrides, as)
    const bytes = await readBody(file)
    expect(file.name).toBe('管理员_20261121.xlsx')
    return readCells(bytes)
  }
  const all = await sheet(boss)
  const [heading = []] = all
  const column = (label: string): number => heading.indexOf(label)
  const row = all.find(cells => cells[column('账号')] === clerk.loginCode) ?? []
  expect(['姓名', '角色', '数据范围', '手机', '类型'].map(label => row[column(label)])).toEqual([
    'clerk',
    '导账号',
    '未分配',
    '13911112222',
    '普通员工',
  ])
  expect(await refusalMessageOf(sheet(boss, { firstSignInPending: true, columns: ['loginCode'] }))).toBe(
    '无符合条件的数据，请调整筛选条件',
  )
  expect((await sheet(clerk.as)).length).toBe(all.length)
  expect(
    (await refusalOf(t.call(exportManagers.get, {}, (await createAccount('nobody')).as))).message,
  ).toContain('需要「管理员·导出」权限，请联系超级管理员 老板授权')
  const log = await t.database.reader(company.ownerId).rows<{ operatorId: Id }>(
    sql`
        select operator_id
        from audit_log
        where owner_id = ${company.ownerId} and action = 'export' and entity = 'manager'
        order by id
      `,
  )
  expect(log.map(x => x.operatorId)).toEqual([company.operatorId, clerk.id])
})

const readCells = async (bytes: Buffer): Promise<string[][]> => {
  const { heading, lines } = await readWorkbook(bytes)
  return [heading.map(String), ...lines.map(line => line.cells.map(cellToText))]
}

it('a project closes its own menus, never those of the company settings, and that is audited', async () => {
  await t.call(
    addEstate,
    { projectCode: 'EAST0001', name: '东苑', projectType: 'housing', state: 'on' },
    boss,
  )
  const menus = async () => await t.call(getProjectMenu, { projectCode: 'EAST0001' }, boss)
  const first = await menus()
  expect(first.menus.map(m => m.menuCode)).toContain('estates.building')
  expect(first.menus.filter(m => m.menuCode.startsWith('accounts.'))).toEqual([])
  expect(
    (
      await refusalOf(
        t.call(
          setProjectMenu,
          { projectCode: 'EAST0001', rules: [{ menuCode: 'accounts.role', enabled: false }] },
          boss,
        ),
      )
    ).message,
  ).toBe('「角色与权限」属于公司设置，不能按项目关闭')
  expect(
    (
      await refusalOf(
        t.call(
          setProjectMenu,
          { projectCode: 'EAST0001', rules: [{ menuCode: 'no.such', enabled: false }] },
          boss,
        ),
      )
    ).message,
  ).toBe('没有菜单「no.such」')
  await t.call(
    setProjectMenu,
    { projectCode: 'EAST0001', rules: [{ menuCode: 'estates.building', enabled: false }] },
    boss,
  )
  expect(defined((await menus()).menus.find(m => m.menuCode === 'estates.building')).enabled).toBe(false)
  await t.call(
    setProjectMenu,
    { projectCode: 'EAST0001', rules: [{ menuCode: 'estates.building', enabled: true }] },
    boss,
  )
  expect((await menus()).closed ?? []).toEqual([])
  const log = await t.database.reader(company.ownerId).rows<{ after: object }>(
    sql`
        select after
        from audit_log
        where owner_id = ${company.ownerId} and entity = 'projectMenu'
        order by id
      `,
  )
  expect(log.map(x => x.after)).toEqual([{ closed: ['estates.building'] }, { closed: [] }])
  expect(await t.call(getMyAccount, undefined, boss)).toMatchObject({ managerType: 'owner' })
})
