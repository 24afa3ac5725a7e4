import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { refusalOf, refusalTextOf, faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { addManager, editManager, getManager, listManagers } from '#modules/accounts/contract/manager.ts'
import { revealPersonalData } from '#modules/accounts/contract/operation-log.ts'
import { golden } from '#db/golden/golden-data.ts'
import { departments, getDepartmentTree, getStaffTree, type Department } from '../contract/department.ts'
import {
  staffs,
  tagStaff,
  listAllStaff,
  untagStaff,
  importStaff,
  resignStaff,
  moveStaff,
  pickStaff,
  listTicketSellers,
  type Staff,
} from '../contract/staff.ts'
import { staffTags } from '../contract/tag.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

const createDepartment = (name: string, parentId?: Id): Promise<Department> =>
  t.call(departments.add, { name, ...(parentId ? { parentId } : {}) }, me)

const createStaff = (name: string, overrides: object = {}): Promise<Staff> =>
  t.call(staffs.add, { name, state: 'active', isTicketSeller: false, ...overrides }, me)

it('an account tells the employee who signs in with it, and is linked with the employee alone', async () => {
  const { loginCode } = await t.addClerk(['staff.staff.view'])
  const [found] = (await t.call(listManagers, { keyword: loginCode }, me)).rows
  const account = defined(found)
  const person = await createStaff('关联甲', { managerId: account.id })
  const other = await createStaff('关联乙')
  const linked = await t.call(getManager, { id: account.id }, me)
  expect(linked.staffId).toBe(person.id)
  const { sessions: _sessions, ...draft } = linked
  expect(await faultTextsOf(t.call(editManager, { ...draft, staffId: other.id }, me))).toEqual({
    StaffID: expect.stringContaining('通讯录'),
  })
  expect((await t.call(editManager, { ...draft, realName: '关联' }, me)).staffId).toBe(person.id)
  const added = { ...draft, id: undefined, loginCode: `${loginCode}b`, mobile: undefined, staffId: other.id }
  expect(await faultTextsOf(t.call(addManager, { ...added, password: 'Anju2026x' }, me))).toHaveProperty(
    'StaffID',
  )
})

it('refuses cycles and duplicate departments', async () => {
  const top = await createDepartment('测试总部')
  const a = await createDepartment('工程部', top.id)
  const b = await createDepartment('电梯组', a.id)
  expect((await refusalOf(createDepartment('工程部', top.id))).message).toBe('同一上级下已有同名部门')
  expect(
    (await refusalOf(t.call(departments.edit, { id: a.id, name: '工程部', parentId: b.id }, me))).data,
  ).toEqual([{ Field: 'ParentID', Message: '不能移到本部门或其下级' }])
  await createStaff('电工甲', { departmentId: b.id })
  const tree = await t.call(getDepartmentTree, { keyword: '测试总部' }, me)
  expect(tree.map(n => [n.name, n.count, n.children.map(c => [c.name, c.count])])).toEqual([
    ['测试总部', 1, [['工程部', 1]]],
  ])
  expect(
    (await refusalOf(t.call(departments.delete, { ids: [String(b.id)], reason: '撤销' }, me))).message,
  ).toBe('部门「电梯组」不能删除：还有员工 1 个，请先处理')
  // Record by record (G-11).
  const empty = await createDepartment('空部门', top.id)
  const both = { ids: [b, empty].map(({ id }) => String(id)), reason: '撤销' }
  expect(await t.call(departments.delete, both, me)).toMatchObject({
    success: 1,
    fail: 1,
    rows: [{ id: b.id, code: '电梯组', reason: expect.stringContaining('还有员工 1 个') }],
  })
  // Two moves that would make a circle together: one is refused.
  const x = await createDepartment('环甲')
  const y = await createDepartment('环乙')
  const outcomes = await Promise.allSettled([
    t.call(departments.edit, { id: x.id, name: '环甲', parentId: y.id }, me),
    t.call(departments.edit, { id: y.id, name: '环乙', parentId: x.id }, me),
  ])
  expect(outcomes.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

it('refuses a tag with a sign that parts tags from each other', async () => {
  for (const name of ['甲,乙', '甲，乙', '甲、乙']) {
    expect(await faultTextsOf(t.call(staffTags.add, { name }, me))).toEqual({
      TagName: '标签不能含有逗号、顿号',
    })
  }
})

it('answers the pickers: people as leaves, by name, pinyin and initials, those who left not', async () => {
  const d = await createDepartment('选人部')
  const s = await createStaff('欧阳建国', { departmentId: d.id, mobile: '13900010001', isTicketSeller: true })
  const formerStaff = await createStaff('走了的', {
    departmentId: d.id,
    state: 'left',
    leaveDate: '2026-10-01',
  })
  const askTree = (keyword: string) => t.call(getStaffTree, { keyword }, me)
  const leaves = async (keyword: string): Promise<string[]> => {
    const all: string[] = []
    const walk = (nodes: Awaited<ReturnType<typeof askTree>>): void => {
      for (const node of nodes) {
        all.push(...node.staffs.map(x => x.staffName))
        walk(node.children)
      }
    }
    walk(await askTree(keyword))
    return all
  }
  for (const sign of ["'", '·']) {
    expect([sign, await leaves(sign)]).toEqual([sign, []])
  }
  for (const k of ['建国', 'oyjg', 'jianguo', '选人部']) {
    expect([k, await leaves(k)]).toEqual([k, ['欧阳建国']])
  }
  expect(await t.callRaw(getStaffTree, { keyword: 'oyjg' }, me)).toMatchObject({
    Data: [
      {
        ID: d.id,
        Id: d.id,
        Departmentname: '选人部',
        DepartMentName: '选人部',
        Staffs: [{ StaffId: s.id, StaffName: '欧阳建国' }],
        Children: [],
        Child: [],
      },
    ],
  })
  expect(
    (await t.call(staffs.list, { departmentId: d.id, size: 2000 }, me)).rows.map(x => x.name).toSorted(),
  ).toEqual(['欧阳建国', '走了的'].toSorted())
  expect((await t.call(listAllStaff, {}, me)).some(x => x.id === formerStaff.id)).toBe(false)
  expect((await t.call(listTicketSellers, {}, me)).some(x => x.name === '欧阳建国' && x.isTicketSeller)).toBe(
    true,
  )
})

it('checks the fields of staff, each fault at its field', async () => {
  const faults = (overrides: object) => faultTextsOf(createStaff('校验', overrides))
  expect(await faults({ departmentId: 999999 })).toEqual({ Departmentid: '部门不存在，请重新选择' })
  expect(await faults({ state: 'left' })).toEqual({ LeaveDate: '离职请填写离职日期' })
  expect(await faults({ mobile: '12' })).toEqual({ Mobile: '手机号格式不正确' })
  await createStaff('工号甲', { staffNo: 'G001' })
  expect((await refusalOf(createStaff('工号乙', { staffNo: 'G001' }))).message).toBe(
    '该工号已存在，请更换工号',
  )
  const s = await createStaff('改我')
  await t.call(
    staffs.edit,
    { id: s.id, version: s.version, name: '改了', state: 'active', isTicketSeller: false },
    me,
  )
  expect(
    (
      await refusalOf(
        t.call(
          staffs.edit,
          { id: s.id, version: s.version, name: '又改', state: 'active', isTicketSeller: false },
          me,
        ),
      )
    ).code,
  ).toBe(10005)
  await t.call(staffs.delete, { ids: [String(s.id)], reason: '录错了' }, me)
})

it('moves people and tags them; a tag follows its name', async () => {
  const d = await createDepartment('调入部')
  const [a, b] = [await createStaff('标甲'), await createStaff('标乙')]
  const ids = [String(a.id), String(b.id)]
  await t.call(moveStaff, { ids, departmentId: d.id }, me)
  const tag = await t.call(staffTags.add, { name: '测试党员' }, me)
  await t.call(tagStaff, { ids, tags: ['测试党员', '骨干'] }, me)
  await expect(t.call(tagStaff, { ids, tags: ['骨干', '没这个'] }, me)).rejects.toMatchObject({
    message: '没有标签「没这个」，请先在标签管理中新增',
  })
  await t.call(untagStaff, { ids: [String(b.id)], tags: ['骨干'] }, me)
  // One who is no longer there is answered for; the others are done (G-11).
  const deleted = await createStaff('标丙')
  await t.call(staffs.delete, { ids: [String(deleted.id)], reason: '录错了' }, me)
  const withDeleted = [...ids, String(deleted.id)]
  const bulk = { success: 2, fail: 1, rows: [{ id: deleted.id, reason: expect.stringContaining('不存在') }] }
  expect(await t.call(moveStaff, { ids: withDeleted, departmentId: d.id }, me)).toMatchObject(bulk)
  expect(await t.call(tagStaff, { ids: withDeleted, tags: ['测试党员'] }, me)).toMatchObject(bulk)
  expect(await t.call(untagStaff, { ids: withDeleted, tags: ['不在其中'] }, me)).toMatchObject(bulk)
  const tags = async () =>
    (await t.call(staffs.list, { departmentId: d.id, order: 'name' }, me)).rows.map(x => [x.name, x.tags])
  expect(await tags()).toEqual(
    expect.arrayContaining([
      ['标甲', ['测试党员', '骨干']],
      ['标乙', ['测试党员']],
    ]),
  )
  await t.call(staffTags.edit, { id: tag.id, name: '先锋' }, me)
  expect((await t.call(staffs.list, { tag: '先锋' }, me)).total).toBe(2)
  await t.call(staffTags.delete, { ids: [String(tag.id)], reason: '不用了' }, me)
  expect((await t.call(staffs.list, { tag: '先锋' }, me)).total).toBe(0)
})

it('imports staff by department name; the other company sees nothing', async () => {
  await createDepartment('导入部')
  const csv =
    '姓名,工号,手机,部门,岗位\n导员一,D001,13900020001,导入部,保安\n导员二,D002,,没有部,\n导员三,D001,,导入部,\n'
  const seen = await t.call(
    importStaff.post,
    {},
    {
      ...me,
      upload: { ...t.upload('员工.csv', new TextEncoder().encode(csv)), name: '员工.csv', type: 'text/csv' },
    },
  )
  expect(defined(seen.errors).map(f => [f.line, f.message])).toEqual([[3, '部门「没有部」不存在']])
  const done = await t.waitForTask(
    defined((await t.call(importStaff.post, { importId: defined(seen.importId), mode: 'skip' }, me)).taskId),
  )
  // Two lines of one number: the second finds it taken.
  expect(done).toMatchObject({ success: 1, fail: 2 })
  expect((await t.call(staffs.list, { keyword: '导员' }, me)).rows).toMatchObject([
    { name: '导员一', departmentName: '导入部', position: '保安' },
  ])
  expect(
    (await t.call(staffs.list, { keyword: '导员' }, await t.signedInAs(golden.second.owner))).total,
  ).toBe(0)
})

it('an import lets people leave with the day of it, and their history has it (G-10)', async () => {
  const { id } = await createStaff('离导', { staffNo: 'L901', entryDate: '2026-03-01' })
  const check = (row: string) => {
    const csv = new TextEncoder().encode(`姓名,工号,状态,离职日期\n${row}\n`)
    const upload = { ...t.upload('员工.csv', csv), name: '员工.csv', type: 'text/csv' }
    return t.call(importStaff.post, {}, { ...me, upload })
  }
  const faults = async (row: string) => (await check(row)).errors?.map(fault => fault.message)
  expect(await faults('离导,L901,离职,')).toEqual(['离职请填写离职日期'])
  expect(await faults('新离导,L902,离职,')).toEqual(['离职请填写离职日期'])
  expect(await faults('离导,L901,离职,2026-02-01')).toEqual(['离职日期不能早于入职日期'])
  expect(await faults('离导,L901,离职,2026-11-22')).toEqual(['离职日期不能晚于今天，请到当天再办理'])
  const { importId } = await check('离导,L901,离职,2026-11-20')
  const asked = { importId: defined(importId), mode: 'update' } as const
  await t.waitForTask(defined((await t.call(importStaff.post, asked, me)).taskId))
  expect(await t.call(staffs.get, { id }, me)).toMatchObject({ state: 'left', leaveDate: '2026-11-20' })
  const written = await t.database.reader(t.ownerId).rows(sql`
    select before, after, reason
    from audit_log
    where owner_id = ${t.ownerId} and entity = 'staff' and entity_id = ${id} and action = 'state'
  `)
  expect(written).toEqual([
    {
      before: { state: 'active', leaveDate: null },
      after: { state: 'left', leaveDate: '2026-11-20' },
      reason: '离职（导入）',
    },
  ])
  // Who has left already keeps the day.
  expect(await faults('离导,L901,离职,')).toEqual([])
})

it('lets people leave: the reason is kept, no picker offers them, no department is led by them (G-10)', async () => {
  const d = await createDepartment('离职部')
  const [a, b] = [
    await createStaff('离甲', { departmentId: d.id, entryDate: '2026-03-01' }),
    await createStaff('离乙', { departmentId: d.id }),
  ]
  const led = await t.call(
    departments.edit,
    { id: d.id, version: d.version, name: '离职部', leaderId: a.id },
    me,
  )
  expect(led.leaderName).toBe('离甲')
  const leave = (overrides: object = {}, ids = [a.id, b.id]) =>
    t.call(
      resignStaff,
      { ids: ids.map(String), leaveDate: '2026-11-20', reason: '个人原因', ...overrides },
      me,
    )
  expect((await refusalOf(leave({ leaveDate: '2026-11-22' }))).data).toEqual([
    { Field: 'LeaveDate', Message: '离职日期不能晚于今天，请到当天再办理' },
  ])
  expect((await refusalOf(leave({ leaveDate: '2026-02-01' }, [a.id]))).data).toEqual([
    { Field: 'LeaveDate', Message: '离甲 2026-03-01 入职，离职日期不能早于该日' },
  ])
  // Two clerks at once: one does it, the other is answered record by record (G-11).
  const outcomes = await Promise.all([leave(), leave()])
  expect(outcomes.map(outcome => outcome.success).toSorted((x, y) => x - y)).toEqual([0, 2])
  const again = { id: a.id, code: '离甲', reason: '离甲已于 2026-11-20 离职，无需重复办理' }
  expect(await leave()).toEqual({
    success: 0,
    fail: 2,
    skipped: 0,
    rows: [again, { ...again, id: b.id, code: '离乙', reason: again.reason.replace('甲', '乙') }].toSorted(
      (x, y) => x.id - y.id,
    ),
  })
  expect(await refusalTextOf(leave({}, [a.id]))).toBe(again.reason)
  expect(
    (await t.call(staffs.list, { departmentId: d.id }, me)).rows.map(x => [x.name, x.state, x.leaveDate]),
  ).toEqual([
    ['离乙', 'left', '2026-11-20'],
    ['离甲', 'left', '2026-11-20'],
  ])
  const [now] = (await t.call(departments.list, { ids: [String(d.id)] }, me)).rows
  expect(defined(now).leaderId).toBeUndefined()
  expect(defined((await t.call(getStaffTree, { keyword: '离职部' }, me))[0]).staffs).toEqual([])
})

it('takes a list whole, and those of given ids (0§7: 10,000 and 100,000)', async () => {
  const whole = await t.call(staffs.list, { size: 10_000 }, me)
  const two = whole.rows.slice(0, 2)
  expect(whole.rows.length).toBe(whole.total)
  const numbers = (all: readonly Staff[]): number[] => all.map(s => s.id).toSorted((a, b) => a - b)
  expect(
    numbers(
      (await t.call(staffs.list, { size: 100_000, ids: [...two.map(s => String(s.id)), 'x'] }, me)).rows,
    ),
  ).toEqual(numbers(two))
  expect((await refusalOf(t.call(staffs.list, { size: 100_001 }, me))).code).toBe(10001)
})

it('masks mobiles like those of residents (PERM-7)', async () => {
  const s = await createStaff('遮号员工', { mobile: '13900010077' })
  for (const caller of [me, await t.signedInAs(golden.first.ofRole('auditor'))]) {
    const shown = (await t.call(staffs.list, { keyword: '遮号员工' }, caller)).rows[0]
    expect(shown?.mobile).toBe('139 **** 0077')
  }
  const named = { entity: 'staff', entityId: s.id, field: 'mobile' }
  expect(await t.call(revealPersonalData, named, me)).toBe('13900010077')
})

it('saves what it answered: the mobile and the document stay as they were', async () => {
  const whole = { mobile: '13900010078', certNo: '11010519491231002X' }
  const { id } = await createStaff('原样保存', whole)
  const shown = await t.call(staffs.get, { id }, me)
  expect(shown.mobile).toBe('139 **** 0078')
  expect((await t.call(staffs.edit, { ...shown, remark: '改备注' }, me)).remark).toBe('改备注')
  for (const field of ['mobile', 'certNo'] as const) {
    expect(await t.call(revealPersonalData, { entity: 'staff', entityId: id, field }, me)).toBe(whole[field])
  }
})

it('lists for cards leave out who has left, for those with the right and for everybody', async () => {
  const d = await createDepartment('名片部')
  await createStaff('名片在职', { departmentId: d.id })
  await createStaff('名片离职', { departmentId: d.id, state: 'left', leaveDate: '2026-10-01' })
  const { as } = await t.addClerk([])
  const namesIn = (rows: readonly { readonly name: string }[]) => rows.map(row => row.name)
  const asked = { departmentId: d.id, employed: true }
  expect(namesIn((await t.call(staffs.list, asked, me)).rows)).toEqual(['名片在职'])
  const picked = await t.call(pickStaff, asked, as)
  expect(namesIn(picked.rows)).toEqual(['名片在职'])
  expect(Object.keys(defined(picked.rows[0]))).not.toContain('mobile')
  expect(namesIn((await t.call(pickStaff, { departmentId: d.id }, as)).rows)).toHaveLength(2)
})
