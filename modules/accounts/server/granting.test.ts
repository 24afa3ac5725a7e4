import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { SignInRequired, type CallOptions, type TestApp } from '#kit/server/fixtures/test-app.ts'
import { addBuilding, editBuilding, listBuildings } from '#modules/estates/contract/building.ts'
import { addEstate, listEstates } from '#modules/estates/contract/estate.ts'
import { getDataDomain, saveDataDomain, setProjectMenu } from '../contract/data-domain.ts'
import {
  deleteManagers,
  editManager,
  listManagers,
  getManager,
  resetPassword,
  resignManager,
  listOwnerCandidates,
  setManagerState,
} from '../contract/manager.ts'
import { getMyMenus } from '../contract/permission.ts'
import {
  addJobRoles,
  addRole,
  deleteRoles,
  editRole,
  listRoles,
  listRoleTemplates,
  getRoleMenuTree,
} from '../contract/role.ts'
import { login } from '../contract/sign-in.ts'
import {
  createAccount as createTestAccount,
  openAccountsApp,
  password,
  signInAs,
  type TestAccount,
} from './accounts.fixtures.ts'
import { createCompany, registerOpenWork } from './public.ts'

let t: TestApp
let n = 0

beforeAll(async () => {
  t = await openAccountsApp()
})

afterAll(() => t?.close())

let company: { ownerId: Id; operatorId: Id }
let boss: CallOptions

const signIn = (loginCode: string) => signInAs(t, loginCode)

beforeEach(async () => {
  n++
  company = await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: `boss${n}`,
      password,
      realName: '老板',
    }),
  )
  boss = await signIn(`boss${n}`)
  for (const p of ['EAST0001', 'WEST0001']) {
    await t.call(addEstate, { projectCode: p, name: p, projectType: 'housing', state: 'on' }, boss)
  }
  await t.call(
    addBuilding,
    {
      projectCode: 'EAST0001',
      code: 'B1',
      name: '1栋',
      units: 1,
      unitType: 'number',
      floors: ['10'],
    },
    boss,
  )
})

const jobNames = ['收费员', '客服', '工程', '秩序维护', '环境', '财务主管', '项目经理', '只读审计']

it('a new company begins with the roles of jobs, and may change them', async () => {
  const { rows } = await t.call(listRoles, {}, boss)
  expect(rows.map(r => r.roleName).toSorted()).toEqual(['全部权限', ...jobNames].toSorted())
  const cashier = defined(rows.find(r => r.roleName === '收费员'))
  expect(cashier.builtIn).toBe(false)
  const changed = await t.call(
    editRole,
    { id: cashier.id, roleName: '收费员', permissions: ['payments.cashier.pay'], needTotp: true },
    boss,
  )
  expect(changed.permissions).toEqual(['payments.cashier.pay', 'payments.cashier.view'])
})

it('the roles of jobs are added to a company that lacks them, by name and once', async () => {
  const before = await t.call(listRoles, {}, boss)
  const removed = before.rows.filter(r => ['收费员', '客服'].includes(r.roleName))
  await t.call(deleteRoles, { ids: removed.map(r => String(r.id)), reason: '岗位调整' }, boss)
  const templates = await t.call(listRoleTemplates, undefined, boss)
  expect(templates.filter(x => x.isPreset).map(x => x.name)).toEqual(['收费员', '客服'])
  const everything = defined(templates.find(x => x.name === '全部权限'))
  expect(everything.permissions).toContain('accounts.role.add')
  expect((await t.call(addJobRoles, undefined, boss)).names).toEqual(['收费员', '客服'])
  expect((await t.call(addJobRoles, undefined, boss)).names).toEqual([])
  const after = await t.call(listRoles, {}, boss)
  expect(after.rows.map(r => r.roleName).toSorted()).toEqual(before.rows.map(r => r.roleName).toSorted())
})

it('nobody adds the role of a job that may do more than they may (PERM-4)', async () => {
  const { rows } = await t.call(listRoles, {}, boss)
  const cashier = defined(rows.find(r => r.roleName === '收费员'))
  await t.call(deleteRoles, { ids: [String(cashier.id)], reason: '岗位调整' }, boss)
  const r = await createRole('人事', ['accounts.role.add'])
  const clerk = await createAccount('hr', [r.id])
  expect((await refusalOf(t.call(addJobRoles, undefined, clerk.as))).message).toContain(
    '不能授予你自己没有的权限',
  )
})

const createRole = (roleName: string, permissions: string[], as = boss) =>
  t.call(addRole, { roleName, permissions, needTotp: false }, as)

it('a role takes known permissions only', async () => {
  await expect(createRole('多写一项', ['rooms.room.view', 'rooms.room.fly'])).rejects.toMatchObject({
    code: 10001,
    message: '没有这项权限：rooms.room.fly，请刷新后重新选择',
  })
})

const createAccount = (
  name: string,
  roleIds: readonly Id[],
  overrides: object = {},
  granter = boss,
): Promise<TestAccount> =>
  createTestAccount(t, granter, {
    loginCode: `${name}${n}`,
    realName: name,
    roleIds: roleIds.map(String),
    ...overrides,
  })

const listMenuCodes = (tree: Awaited<ReturnType<typeof loadMenus>>): string[] =>
  tree.flatMap(m => defined(m.children).map(c => c.menuCode))

const loadMenus = (as: CallOptions) => t.call(getMyMenus, undefined, as)

it('a permission given to a signed-in account works at once, and one taken away ends at once', async () => {
  const r = await createRole('看楼', ['estates.building.view'])
  const clerk = await createAccount('clerk', [r.id])
  await t.call(saveDataDomain, { managerId: clerk.id, allProject: true }, boss)
  expect(listMenuCodes(await loadMenus(clerk.as))).toEqual(['estates.building'])
  const add = () =>
    t.call(
      addBuilding,
      {
        projectCode: 'EAST0001',
        code: 'B2',
        name: '2栋',
        units: 1,
        unitType: 'number',
        floors: ['10'],
      },
      clerk.as,
    )
  const refusal = await refusalOf(add())
  expect(refusal.code).toBe(10003)
  expect(refusal.message).toBe('无权执行此操作：需要「楼栋管理·新增」权限，请联系超级管理员 老板授权')
  t.published.length = 0
  await t.call(
    editRole,
    {
      id: r.id,
      roleName: '看楼',
      permissions: ['estates.building.add'],
      needTotp: false,
      version: r.version,
    },
    boss,
  )
  await expect.poll(() => t.published.filter(x => x.kind === 'rights').map(x => x.to)).toEqual([[clerk.id]])
  await add()
  // Adding includes viewing (PERM-2).
  expect(listMenuCodes(await loadMenus(clerk.as))).toEqual(['estates.building'])
  await t.call(editRole, { id: r.id, roleName: '看楼', permissions: [], needTotp: false }, boss)
  await expect.poll(async () => listMenuCodes(await loadMenus(clerk.as))).toEqual([])
  expect((await refusalOf(add())).code).toBe(10003)
})

it('nobody grants missing permissions, edits an own role, or changes an account with more permissions (PERM-4)', async () => {
  const admin = await createRole('人事', [
    'accounts.manager.add',
    'accounts.manager.edit',
    'accounts.manager.reset',
    'accounts.manager.domain',
    'accounts.role.add',
    'accounts.role.edit',
    'accounts.role.del',
  ])
  const strong = await createRole('楼管', ['estates.building.del'])
  const hr = await createAccount('hr', [admin.id])
  const other = await createAccount('other', [strong.id])
  await t.call(saveDataDomain, { managerId: hr.id, allProject: false, projectCodes: ['EAST0001'] }, boss)
  expect((await refusalOf(createRole('偷权', ['estates.building.del'], hr.as))).message).toContain(
    '不能授予你自己没有的权限「楼栋管理·删除」',
  )
  expect((await refusalOf(createAccount('x', [strong.id], {}, hr.as))).message).toContain(
    '不能授予你自己没有的权限',
  )
  expect(
    (
      await refusalOf(
        t.call(
          editRole,
          { id: admin.id, roleName: '人事', permissions: [...(admin.permissions ?? [])], needTotp: false },
          hr.as,
        ),
      )
    ).message,
  ).toContain('不能修改自己所属的角色')
  expect(
    (await refusalOf(t.call(resetPassword, { id: other.id, password: 'Taken2026' }, hr.as))).message,
  ).toContain('该账号拥有你没有的权限')
  expect(
    (
      await refusalOf(
        t.call(
          editManager,
          {
            id: hr.id,
            loginCode: hr.loginCode,
            realName: 'hr',
            managerType: 'ordinary',
            roleIds: [String(admin.id), String(strong.id)],
            showPrivacy: false,
          },
          hr.as,
        ),
      )
    ).message,
  ).toContain('个人中心')
  expect(
    (
      await refusalOf(
        t.call(setManagerState, { id: company.operatorId, state: 'off', reason: '夺权' }, hr.as),
      )
    ).message,
  ).toContain('超级管理员不能被修改')
  expect((await refusalOf(createAccount('dep', [], { managerType: 'deputy' }, hr.as))).message).toContain(
    '子管理员只能由超级管理员 老板设置',
  )
  expect((await refusalOf(createAccount('own', [], { managerType: 'owner' }))).message).toContain(
    '公司只有一位超级管理员',
  )
  expect((await refusalOf(createAccount('eye', [], { showPrivacy: true }, hr.as))).message).toContain(
    '你不能查看完整手机号、证件号',
  )
  // The data domain that is granted is within the granter's own.
  const ownAccount = await createAccount('mine', [], {}, hr.as)
  expect(
    (await refusalOf(t.call(saveDataDomain, { managerId: ownAccount.id, allProject: true }, hr.as))).message,
  ).toContain('全部项目')
  expect(
    (
      await refusalOf(
        t.call(
          saveDataDomain,
          { managerId: ownAccount.id, allProject: false, projectCodes: ['WEST0001'] },
          hr.as,
        ),
      )
    ).code,
  ).toBe(10003)
  await t.call(
    saveDataDomain,
    { managerId: ownAccount.id, allProject: false, projectCodes: ['EAST0001'] },
    hr.as,
  )
  await t.call(
    saveDataDomain,
    { managerId: ownAccount.id, allProject: false, projectCodes: ['EAST0001', 'WEST0001'] },
    boss,
  )
  expect(
    (await refusalOf(t.call(resetPassword, { id: ownAccount.id, password: 'Taken2026' }, hr.as))).message,
  ).toContain('数据范围超出')
})

it('the data domain limits by project and by building, at once, and an empty one allows nothing (PERM-6)', async () => {
  const r = await createRole('看', ['estates.building.view', 'estates.estate.view'])
  const clerk = await createAccount('dd', [r.id])
  await t.call(
    addBuilding,
    {
      projectCode: 'EAST0001',
      code: 'B2',
      name: '2栋',
      units: 1,
      unitType: 'number',
      floors: ['5'],
    },
    boss,
  )
  const seen = async (): Promise<unknown[]> => [
    (await t.call(listEstates, {}, clerk.as)).rows.map(x => x.projectCode),
    (await t.call(listBuildings, {}, clerk.as)).rows.map(x => x.code),
  ]
  expect(await seen()).toEqual([[], []])
  await t.call(
    saveDataDomain,
    { managerId: clerk.id, allProject: false, places: [{ projectCode: 'EAST0001', buildCodes: ['B2'] }] },
    boss,
  )
  expect(await seen()).toEqual([['EAST0001'], ['B2']])
  expect((await refusalOf(t.call(listBuildings, { projectCode: 'WEST0001' }, clerk.as))).message).toBe(
    '无权访问该项目',
  )
  const refusals = await t.database.reader(company.ownerId).rows<{ reason: string }>(
    sql`
        select reason
        from audit_log
        where owner_id = ${company.ownerId} and operator_id = ${clerk.id} and action = 'refused'
      `,
  )
  expect(refusals.map(x => x.reason)).toContain('无权访问该项目')
  await t.call(
    saveDataDomain,
    { managerId: clerk.id, allProject: false, projectCodes: ['EAST0001', 'WEST0001'] },
    boss,
  )
  expect(await seen()).toEqual([
    ['EAST0001', 'WEST0001'],
    ['B1', 'B2'],
  ])
  expect(await t.call(getDataDomain, { managerId: clerk.id }, boss)).toMatchObject({
    allProject: false,
    projectCodes: ['EAST0001', 'WEST0001'],
    places: [{ projectName: 'EAST0001' }, {}],
  })
  expect(
    (
      await refusalOf(
        t.call(
          saveDataDomain,
          {
            managerId: clerk.id,
            allProject: false,
            places: [{ projectCode: 'EAST0001', buildCodes: ['NONE'] }],
          },
          boss,
        ),
      )
    ).message,
  ).toBe('项目「EAST0001」没有楼栋「NONE」')
})

it('an auditor views and exports what the roles allow and changes nothing (PERM-1)', async () => {
  const r = await createRole('全栋', [
    'estates.building.view',
    'estates.building.edit',
    'estates.building.export',
    'estates.building.del',
  ])
  const a = await createAccount('audit', [r.id], { managerType: 'auditor' })
  const [node] = defined(defined((await loadMenus(a.as))[0]).children)
  expect(node).toMatchObject({
    allowView: true,
    allowAdd: false,
    allowEdit: false,
    allowDel: false,
    buttonCodes: ['export'],
  })
})

it('resignation: open work goes to a colleague, the sessions end, the history stays (PERM-8)', async () => {
  const workByAccount = new Map<number, number>()
  registerOpenWork({
    what: '待办',
    count: async (_, __, operator) => workByAccount.get(operator) ?? 0,
    handOver: async (_, __, from, to) => {
      workByAccount.set(to, workByAccount.get(from) ?? 0)
      workByAccount.delete(from)
    },
  })
  const [a, b] = [await createAccount('goer', []), await createAccount('heir', [])]
  workByAccount.set(a.id, 3)
  expect(
    (await refusalOf(t.call(deleteManagers, { ids: [String(a.id)], reason: '离职了' }, boss))).message,
  ).toContain('待办 3 项')
  expect((await refusalOf(t.call(resignManager, { id: a.id, reason: '个人原因' }, boss))).message).toContain(
    '请选择交接人',
  )
  expect(await t.call(resignManager, { id: a.id, handTo: b.id, reason: '个人原因' }, boss)).toEqual([
    { what: '待办', count: 3 },
  ])
  expect(workByAccount.get(b.id)).toBe(3)
  await expect
    .poll(() =>
      loadMenus(a.as).then(
        () => 'in',
        e => (e instanceof SignInRequired ? 'out' : e),
      ),
    )
    .toBe('out')
  expect((await refusalOf(signIn(a.loginCode))).message).toContain('账号已停用')
  expect((await t.call(getManager, { id: a.id }, boss)).state).toBe('off')
  await t.call(deleteManagers, { ids: [String(a.id)], reason: '离职满一年' }, boss)
  expect((await t.call(listManagers, { keyword: 'goer' }, boss)).total).toBe(0)
  // The login name is free again, the audit entries stay.
  await createAccount('goer', [])
  const log = await t.database.reader(company.ownerId).rows<{ action: string }>(
    sql`
        select action
        from audit_log
        where owner_id = ${company.ownerId} and entity = 'manager' and entity_id = ${a.id}
        order by id
      `,
  )
  expect(log.map(x => x.action)).toEqual(expect.arrayContaining(['insert', 'signin', 'update', 'delete']))
})

it('switching an account off is not held up by open work, but says what it leaves (PERM-8)', async () => {
  const paused = await createAccount('paused', [])
  registerOpenWork({
    what: '巡检',
    count: async (_, __, operator) => (operator === paused.id ? 3 : 0),
    handOver: async () => {},
  })
  expect(await t.call(setManagerState, { id: paused.id, state: 'off', reason: '暂停使用' }, boss)).toEqual([
    { what: '巡检', count: 3 },
  ])
  expect(await t.call(setManagerState, { id: paused.id, state: 'on' }, boss)).toEqual([])
})

it('a role in use or built in cannot be deleted; the permission tree shows every menu', async () => {
  const r = await createRole('暂用', ['estates.estate.view'])
  const p = await createAccount('user', [r.id])
  expect(
    (await refusalOf(t.call(deleteRoles, { ids: [String(r.id)], reason: '不用了' }, boss))).message,
  ).toBe('角色「暂用」还有 1 个账号在用（user），请先换成其他角色')
  const list = await t.call(listRoles, {}, boss)
  expect(list.rows.map(x => [x.roleName, x.userCount])).toEqual(
    expect.arrayContaining([
      ['全部权限', 0],
      ['暂用', 1],
    ]),
  )
  expect(list.rows[0]?.roleName).toBe('全部权限')
  expect(
    (
      await refusalOf(
        t.call(deleteRoles, { ids: [String(defined(list.rows[0]).id)], reason: '不用了' }, boss),
      )
    ).message,
  ).toContain('内置角色')
  const tree = await t.call(getRoleMenuTree, { ids: [String(r.id)] }, boss)
  expect(tree.map(x => x.menuCode)).toEqual(expect.arrayContaining(['estates', 'accounts']))
  expect(
    tree
      .flatMap(x => defined(x.children))
      .filter(x => x.allowView)
      .map(x => x.menuCode),
  ).toEqual(['estates.estate'])
  await t.call(deleteManagers, { ids: [String(p.id)], reason: '不用了' }, boss)
  await t.call(deleteRoles, { ids: [String(r.id)], reason: '不用了' }, boss)
})

it('another company neither sees nor changes accounts of this one', async () => {
  const p = await createAccount('ours', [])
  const other = await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: '别家',
      loginCode: `else${n}`,
      password,
      realName: '他人',
    }),
  )
  const as = await signIn(`else${n}`)
  expect(other.ownerId).not.toBe(company.ownerId)
  expect((await t.call(listManagers, {}, as)).rows.map(x => x.loginCode)).toEqual([`else${n}`])
  expect((await refusalOf(t.call(getManager, { id: p.id }, as))).code).toBe(10004)
  expect((await refusalOf(t.call(resetPassword, { id: p.id, password: 'Taken2026' }, as))).code).toBe(10004)
  expect((await refusalOf(t.call(saveDataDomain, { managerId: p.id, allProject: true }, as))).code).toBe(
    10004,
  )
})

it('the list shows data domain, open sessions, and who is locked now', async () => {
  const account = await createAccount('who', [])
  const wrong = () => t.call(login, { loginCode: account.loginCode, password: 'Wrong2026' })
  for (let i = 0; i < 5; i++) {
    await refusalOf(wrong())
  }
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        update login_attempt
        set failures = 10, lock_until = ${new Date(t.app.clock() + 60_000)}
        where failures = 5
      `,
    ),
  )
  const row = defined((await t.call(listManagers, { keyword: 'who' }, boss)).rows[0])
  expect(row).toMatchObject({
    state: 'locked',
    sessions: 1,
    place: '未分配',
    totpOn: false,
    wechatBound: false,
  })
  expect(await t.call(listOwnerCandidates, {}, boss)).toEqual([])
})

it('a project can close a menu', async () => {
  await t.call(
    setProjectMenu,
    { projectCode: 'EAST0001', rules: [{ menuCode: 'estates.area', enabled: false }] },
    boss,
  )
  expect(
    listMenuCodes(await t.call(getMyMenus, undefined, { ...boss, projectCode: 'EAST0001' })),
  ).not.toContain('estates.area')
  expect(listMenuCodes(await t.call(getMyMenus, undefined, { ...boss, projectCode: 'WEST0001' }))).toContain(
    'estates.area',
  )
})

it('the calls of a closed menu are refused for that project, by name and by record (PERM-3)', async () => {
  const [east, west] = await Promise.all(
    ['EAST0001', 'WEST0001'].map(projectCode =>
      t.call(
        addBuilding,
        { projectCode, code: 'Z9', name: '关楼', units: 1, unitType: 'number', floors: ['3'] },
        { ...boss, projectCode },
      ),
    ),
  )
  const clerk = await createAccount('closed', [(await createRole('楼栋', ['estates.building.edit'])).id])
  await t.call(saveDataDomain, { managerId: clerk.id, allProject: true, projectCodes: [] }, boss)
  await t.call(
    setProjectMenu,
    { projectCode: 'EAST0001', rules: [{ menuCode: 'estates.building', enabled: false }] },
    boss,
  )
  for (const as of [boss, clerk.as]) {
    expect(
      (
        await refusalOf(
          t.call(editBuilding, { ...defined(east), name: '改' }, { ...as, projectCode: 'EAST0001' }),
        )
      ).message,
    ).toBe('项目「EAST0001」未启用「楼栋管理」，请在项目菜单中启用后再操作')
    expect(
      await refusalOf(
        t.call(editBuilding, { ...defined(east), name: '改' }, { ...as, projectCode: 'WEST0001' }),
      ),
    ).toMatchObject({ code: 10003 })
  }
  await t.call(editBuilding, { ...defined(west), name: '改西' }, { ...boss, projectCode: 'WEST0001' })
  await t.call(
    setProjectMenu,
    { projectCode: 'EAST0001', rules: [{ menuCode: 'estates.building', enabled: true }] },
    boss,
  )
  await t.call(editBuilding, { ...defined(east), name: '改东' }, { ...boss, projectCode: 'EAST0001' })
})

it('a write for a project that does not exist is refused, whichever call it is', async () => {
  const own = {
    projectCode: 'EAST0001',
    code: 'Z7',
    name: '新楼',
    units: 1,
    unitType: 'number',
    floors: ['3'],
  } as const
  expect(await refusalOf(t.call(addBuilding, own, { ...boss, projectCode: 'NOPE0001' }))).toMatchObject({
    code: 10001,
    message: '项目「NOPE0001」不存在，请重新选择',
  })
  const rules = [{ menuCode: 'estates.area', enabled: false }]
  expect(await refusalOf(t.call(setProjectMenu, { projectCode: 'NOPE0001', rules }, boss))).toMatchObject({
    code: 10001,
  })
})

it('shows the projects of an account within the own data domain alone (PERM-6)', async () => {
  const r = await createRole('分配', ['accounts.manager.view', 'accounts.manager.domain'])
  const [granter, clerk] = [await createAccount('granter', [r.id]), await createAccount('both', [])]
  await t.call(saveDataDomain, { managerId: granter.id, allProject: false, projectCodes: ['EAST0001'] }, boss)
  await t.call(
    saveDataDomain,
    { managerId: clerk.id, allProject: false, projectCodes: ['EAST0001', 'WEST0001'] },
    boss,
  )
  expect((await t.call(getDataDomain, { managerId: clerk.id }, granter.as)).projectCodes).toEqual([
    'EAST0001',
  ])
})
