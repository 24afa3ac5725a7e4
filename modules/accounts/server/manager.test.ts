import crypto, { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { FileResponse } from '#kit/contract/shape.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { openTestApp, type CallOptions, type TestApp } from '#kit/server/fixtures/test-app.ts'
import { deliveredSms } from '#modules/accounts/server/sms-simulator.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { addEstate } from '#modules/estates/contract/estate.ts'
import { contract as estates } from '#modules/estates/contract/index.ts'
import { server as estatesServer } from '#modules/estates/server/index.ts'
import { contract as system } from '#modules/system/contract/index.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { server as systemServer } from '#modules/system/server/index.ts'
import { getMyAccount, changePassword } from '../contract/account.ts'
import { requestSmsCode } from '../contract/sms-code.ts'
import { getProjectMenu, setProjectMenu } from '../contract/data-domain.ts'
import { contract } from '../contract/index.ts'
import {
  addManager,
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
import { getCaptcha, login } from '../contract/sign-in.ts'
import { server } from './index.ts'
import { createCallerLoader, createCompany } from './public.ts'

let database: TestDatabase
let t: TestApp
let n = 0
let company: { ownerId: number; operatorId: number }
let boss: CallOptions

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

const signIn = async (loginCode: string, password = 'Right2026'): Promise<CallOptions> => ({
  token: (await t.call(login, { loginCode, password })).token,
})

beforeEach(async () => {
  n++
  company = await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: `boss${n}`,
      password: 'Right2026',
      realName: '老板',
      mobile: `1380000${String(1000 + n)}`,
    }),
  )
  boss = await signIn(`boss${n}`)
})

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
  more: object = {},
): Promise<{ id: number; as: CallOptions; loginCode: string }> {
  const loginCode = `${name}${n}`
  const m = await t.call(
    addManager,
    {
      loginCode,
      realName: name,
      managerType: 'ordinary',
      roleIds: [],
      showPrivacy: false,
      password: 'First2026',
      ...more,
    } as never,
    boss,
  )
  await t.call(
    changePassword,
    { oldPassword: 'First2026', password: 'Right2026' },
    await signIn(loginCode, 'First2026'),
  )
  return { id: m.id, loginCode, as: await signIn(loginCode) }
}

const findOwnerIds = async (): Promise<number[]> =>
  (
    await t.database.reader(company.ownerId).rows<{ id: number }>(
      sql`
          select id
          from manager
          where owner_id = ${company.ownerId} and manager_type = 10 and state = 10 and delete_tag = 0
        `,
    )
  ).map(m => m.id)

it('the last administrator cannot be removed in any way, by anybody, nor made a second one (PERM-1, PERM-4)', async () => {
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
    } as never,
    boss,
  )
  const deputy = await createAccount('deputy', { managerType: 'deputy', roleIds: [String(all.id)] })
  const id = company.operatorId
  const me = await t.call(getManager, { id }, boss)
  for (const as of [boss, deputy.as]) {
    for (const said of [
      () => t.call(deleteManagers, { ids: [String(id)], reason: '不要了' }, as),
      () => t.call(setManagerState, { id, state: 'off', reason: '不要了' }, as),
      () => t.call(resignManager, { id, reason: '不要了' } as never, as),
      () => t.call(resetPassword, { id, password: 'Taken2026' }, as),
      () => t.call(editManager, { ...me, managerType: 'ordinary' } as never, as),
    ]) {
      expect((await refusalOf(said())).message).toMatch(
        /超级管理员不能被修改、停用或删除|不能在这里修改自己的账号/,
      )
    }
  }
  expect(
    (
      await refusalOf(
        t.call(
          addManager,
          {
            loginCode: `second${n}`,
            realName: '二',
            managerType: 'owner',
            showPrivacy: false,
            password: 'First2026',
          } as never,
          boss,
        ),
      )
    ).message,
  ).toContain('公司只有一位超级管理员')
  const d = await t.call(getManager, { id: deputy.id }, boss)
  expect(
    (await refusalOf(t.call(editManager, { ...d, managerType: 'owner' } as never, boss))).message,
  ).toContain('公司只有一位超级管理员')
  expect(await findOwnerIds()).toEqual([id])
})

it('two hand-overs at once leave exactly one owner, and both sides are told (PERM-5)', async () => {
  const heirs = [
    await createAccount('one', { managerType: 'deputy' }),
    await createAccount('two', { managerType: 'deputy' }),
  ]
  const { captchaKey } = await t.call(getCaptcha, undefined)
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        update captcha
        set answer = ${createHash('sha256').update(`${captchaKey}:ACEF`).digest()}
        where key = ${captchaKey}
      `,
    ),
  )
  await t.call(requestSmsCode, { purpose: 'transfer', captchaKey, captcha: 'ACEF' }, boss)
  const smsCode = deliveredSms(t.app).at(-1)!.params.code!
  const done = await Promise.allSettled(
    heirs.map(h =>
      t.call(transferOwnership, { id: h.id, password: 'Right2026', smsCode, reason: '移交' }, boss),
    ),
  )
  expect(done.filter(d => d.status === 'fulfilled')).toHaveLength(1)
  const winner = heirs[done.findIndex(d => d.status === 'fulfilled')]!
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

it('neither the answer nor the work of a sign-in tells whether an account exists (PERM-9)', async () => {
  const looks = vi.spyOn(crypto, 'argon2')
  const took: Record<string, number[]> = { there: [], ghost: [] }
  const costs = async (who: string): Promise<unknown[]> => {
    looks.mockClear()
    const began = performance.now()
    const no = await refusalOf(t.call(login, { loginCode: who, password: 'Wrong2026' }))
    took[who.startsWith('ghost') ? 'ghost' : 'there']!.push(performance.now() - began)
    return [
      no.code,
      no.message,
      no.data,
      looks.mock.calls.map(([kind, how]) => [kind, { ...(how as object), message: 0, nonce: 0 }]),
    ]
  }
  for (let i = 0; i < 2; i++) {
    const real = await createAccount(`timed${i}x`)
    const ghost = `ghost${n}x${i}`
    for (let j = 0; j < 3; j++) {
      expect(await costs(ghost)).toEqual(await costs(real.loginCode))
    }
  }
  looks.mockRestore()
  const middle = (all: number[]): number => all.sort((a, b) => a - b)[all.length >> 1]!
  // One look costs tens of milliseconds: leaving it out would show as a tenth.
  expect(middle(took.ghost!) / middle(took.there!)).toBeGreaterThan(0.4)
  expect(middle(took.ghost!) / middle(took.there!)).toBeLessThan(2.5)
}, 60_000)

it('who has never come in, or not yet with a password of his own, stands in the list of first sign-ins', async () => {
  await createAccount('done')
  await t.call(
    addManager,
    {
      loginCode: `never${n}`,
      realName: '新人',
      managerType: 'ordinary',
      showPrivacy: false,
      password: 'First2026',
    } as never,
    boss,
  )
  await t.call(
    addManager,
    {
      loginCode: `half${n}`,
      realName: '半途',
      managerType: 'ordinary',
      showPrivacy: false,
      password: 'First2026',
    } as never,
    boss,
  )
  await signIn(`half${n}`, 'First2026')
  const starting = (yes: boolean) =>
    t
      .call(listManagers, { starting: yes }, boss)
      .then(p => p.rows.map(m => [m.realName, m.mustChange] as const))
  expect(new Map(await starting(true))).toEqual(
    new Map([
      ['半途', true],
      ['新人', true],
    ]),
  )
  expect(new Set((await starting(false)).map(x => x[0]))).toEqual(new Set(['done', '老板']))
})

it('the list of accounts goes out as a sheet with roles and reach; only for whoever may export, and written down (EXP-1)', async () => {
  const r = await t.call(
    addRole,
    { roleName: '导账号', permissions: ['accounts.manager.export'] } as never,
    boss,
  )
  const clerk = await createAccount('clerk', { roleIds: [String(r.id)], mobile: '13911112222' })
  const sheet = async (as: CallOptions, more: object = {}): Promise<string[][]> => {
    const b = (await t.call(exportManagers.get, more as never, as)) as unknown as FileResponse
    const parts: Buffer[] = []
    for await (const part of b.body as AsyncIterable<Buffer>) {
      parts.push(part)
    }
    expect(b.name).toBe('管理员_20261121.xlsx')
    return readCells(Buffer.concat(parts))
  }
  const all = await sheet(boss)
  const at = (h: string): number => all[0]!.indexOf(h)
  const row = all.find(x => x[at('账号')] === clerk.loginCode)!
  expect([row[at('姓名')], row[at('角色')], row[at('数据范围')], row[at('手机')], row[at('类型')]]).toEqual([
    'clerk',
    '导账号',
    '未分配',
    '13911112222',
    '普通员工',
  ])
  expect(await sheet(boss, { starting: true, columns: ['loginCode'] }).catch(e => (e as Error).message)).toBe(
    '没有符合条件的数据，请调整筛选条件',
  )
  expect((await sheet(clerk.as)).length).toBe(all.length)
  expect(
    (await refusalOf(t.call(exportManagers.get, {}, (await createAccount('nobody')).as))).message,
  ).toContain('需要「管理员·导出」权限，请联系超级管理员 老板授权')
  const log = await t.database.reader(company.ownerId).rows<{ operatorId: number }>(
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
  const x = await readWorkbook(bytes)
  return [x.heading.map(String), ...x.lines.map(l => l.cells.map(cellToText))]
}

it('a project leaves out what is its own, never what belongs to the company, and that is written down', async () => {
  await t.call(
    addEstate,
    { projectCode: 'EAST0001', name: '东苑', projectType: 'housing', state: 'on' } as never,
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
  expect((await menus()).menus.find(m => m.menuCode === 'estates.building')!.enabled).toBe(false)
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
