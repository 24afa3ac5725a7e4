import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { refusalOf, refusedTextsOf, faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import { addRoom, getRoom, type Room } from '#modules/rooms/contract/room.ts'
import { registerMoveStep } from '#modules/residents/server/public.ts'
import {
  companies,
  addCompanyRooms,
  companyRooms,
  moveOutCompany,
  previewMoveOut,
  getCompanyQr,
  findRoomsInUse,
  type Company,
} from '../contract/company.ts'
import { getInvitation } from '../contract/join.ts'
import { companyWorkers, auditWorkers, setCompanyAdmins } from '../contract/company-worker.ts'
import { importCompanies, getImportState } from '../contract/import-export.ts'
import { server } from './index.ts'

let t: GoldenApp
let me: CallOptions
let roomCounter = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner, 'GOLD0002')
})

afterAll(() => t?.close())

const createRoom = async (roomState: Room['roomState'] = 'vacant'): Promise<Room> => {
  roomCounter++
  return t.call(
    addRoom,
    {
      projectCode: 'GOLD0002',
      buildCode: 'B1',
      unitName: 'A',
      floorNum: 1 + (roomCounter % 4),
      roomNo: `Q${100 + roomCounter}`,
      roomType: 'office',
      roomState,
      state: 'on',
      buildArea: '100',
      deliverDate: '2024-01-01',
    },
    me,
  )
}

const readRoom = (id: Id): Promise<Room> => t.call(getRoom, { id }, me)

const createCompany = (name: string, overrides: object = {}): Promise<Company> =>
  t.call(companies.add, { projectCode: 'GOLD0002', name, ...overrides }, me)

const createWorker = (companyId: Id, name: string, mobile?: string) =>
  t.call(companyWorkers.add, { projectCode: 'GOLD0002', companyId, name, ...(mobile ? { mobile } : {}) }, me)

it('a company with its rooms: each line checked, rooms follow (BASE-16)', async () => {
  const a = await createRoom()
  const b = await createRoom()
  const c = await createCompany('蓝湖科技', {
    contactName: '林工',
    contactPhone: '0571-88001234',
    places: [
      { roomId: a.id, beginDate: '2026-01-01' },
      { roomId: b.id, beginDate: '2027-01-01', endDate: '2027-12-31' },
    ],
  })
  expect(c).toMatchObject({ state: 'here', rooms: [a.path], area: '100' })
  expect(c.companyNo).toMatch(/^GS\d{6}$/)
  expect(await readRoom(a.id)).toMatchObject({ companyName: '蓝湖科技', roomState: 'let' })
  expect((await readRoom(b.id)).roomState).toBe('vacant')
  const home = await t.call(
    addRoom,
    {
      projectCode: 'GOLD0001',
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1,
      roomNo: 'Q1',
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
    },
    me,
  )
  expect(
    await faultTextsOf(
      createCompany('其他公司', {
        places: [
          { roomId: a.id, beginDate: '2026-06-01' },
          { roomId: home.id, beginDate: '2026-06-01' },
          { roomId: b.id, beginDate: '2026-06-01', endDate: '2026-05-01' },
        ],
      }),
    ),
  ).toEqual({
    'Rooms[0].RoomID': `房间「${a.path}」2026-01-01 至 今 属于「蓝湖科技」，请调整起止日期`,
    'Rooms[1].RoomID': `房间「${home.path}」不属于该企业所在的项目，请重新选择`,
    'Rooms[2].EndDate': '止日期不能早于起日期',
  })
  expect(
    (
      await t.call(findRoomsInUse, { roomIds: [String(a.id), String(b.id)], beginDate: '2027-06-01' }, me)
    ).map(x => [x.roomPath, x.companyName]),
  ).toEqual([
    [a.path, '蓝湖科技'],
    [b.path, '蓝湖科技'],
  ])
  expect(await t.call(findRoomsInUse, { companyId: c.id, roomIds: [String(a.id)] }, me)).toEqual([])
  expect((await refusalOf(createCompany('蓝湖科技'))).message).toBe('该项目已有同名企业')
  expect(
    await faultTextsOf(createCompany('坏代码', { creditCode: '91110108551385082R', bankAccount: '123' })),
  ).toEqual({
    CreditCode: '统一社会信用代码校验位不正确，请核对',
    BankAccount: '银行账号应为15位或20位数字，且不以0开头',
  })
  for (const keyword of ['蓝湖', 'lanhu', 'lhkj', '88001234', a.roomNo]) {
    expect([keyword, (await t.call(companies.list, { keyword }, me)).rows.map(x => x.name)]).toEqual([
      keyword,
      ['蓝湖科技'],
    ])
  }
  expect(
    defined(
      defined((await t.call(getRoomPanel, { id: a.id }, me)).sections.find(s => s.key === 'companies'))
        .lines[0],
    ).label,
  ).toBe('蓝湖科技')
})

it('two clerks give one room to two companies: one wins', async () => {
  const r = await createRoom()
  const [a, b] = [await createCompany('争甲'), await createCompany('争乙')]
  const outcomes = await Promise.allSettled(
    [a, b].map(c =>
      t.call(addCompanyRooms, { companyId: c.id, places: [{ roomId: r.id, beginDate: '2026-01-01' }] }, me),
    ),
  )
  expect(outcomes.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await t.call(companyRooms.list, { roomId: r.id }, me)).total).toBe(1)
})

it('gives rooms back: they are empty and free for the next', async () => {
  const r = await createRoom()
  const c = await createCompany('退房公司', { places: [{ roomId: r.id, beginDate: '2026-01-01' }] })
  const [holding] = (await t.call(companyRooms.list, { roomId: r.id }, me)).rows
  await t.call(companyRooms.delete, { ids: [String(defined(holding).id)], reason: '退租' }, me)
  expect(await readRoom(r.id)).toMatchObject({ roomState: 'vacant' })
  expect((await readRoom(r.id)).companyName).toBeUndefined()
  await createCompany('接手公司', { places: [{ roomId: r.id, beginDate: '2026-11-21' }] })
  expect((await readRoom(r.id)).companyName).toBe('接手公司')
  expect(
    (await refusalOf(t.call(companies.delete, { ids: [String(c.id)], reason: '录错了' }, me))).message,
  ).toContain('房间 1 个')
})

it('moves out: every room by its parts, all workers leave, nobody joins any more (BASE-16)', async () => {
  const seen: string[] = []
  registerMoveStep({
    key: 'test-out',
    title: '水电',
    order: 400,
    kinds: ['moveOut'],
    plan: async m =>
      m.company?.name === '迁出公司' && m.answerOf('test-out') !== 'done'
        ? { lines: [], blocks: '请先抄表' }
        : undefined,
    apply: async m => {
      seen.push(`${defined(m.company).name} ${m.room.path}`)
    },
  })
  const r = await createRoom()
  const s = await createRoom()
  const c = await createCompany('迁出公司', {
    inDate: '2025-01-01',
    places: [
      { roomId: r.id, beginDate: '2025-01-01' },
      { roomId: s.id, beginDate: '2025-01-01' },
    ],
  })
  await createWorker(c.id, '员甲', '13511110001')
  const out = (overrides: object = {}) =>
    t.call(moveOutCompany, { id: c.id, outDate: '2026-11-20', reason: '搬到新区', ...overrides }, me)
  // The plan says the same before anything is done, room by room; an answer for one room leaves the other
  // blocked.
  const plan = (overrides: object = {}) =>
    t.call(previewMoveOut, { id: c.id, outDate: '2026-11-20', ...overrides }, me)
  expect(await plan()).toMatchObject({ name: '迁出公司', blocked: true, workers: 1, pending: 0 })
  expect(
    (await plan()).rooms.map(x => [x.roomPath, defined(x.steps.find(k => k.key === 'test-out')).blocks]),
  ).toEqual([
    [r.path, '请先抄表'],
    [s.path, '请先抄表'],
  ])
  expect((await refusalOf(out())).message).toBe(`${r.path} 水电：请先抄表；${s.path} 水电：请先抄表`)
  expect((await refusalOf(out({ answers: [{ key: `test-out@${r.id}`, value: 'done' }] }))).message).toBe(
    `${s.path} 水电：请先抄表`,
  )
  expect(
    Object.keys(
      await faultTextsOf(
        plan({
          answers: [
            { key: 'nobody', value: 'x' },
            { key: `test-out@${c.id + 99_999}`, value: 'done' },
          ],
        }),
      ),
    ),
  ).toEqual(['Answers[0].Key', 'Answers[1].Key'])
  expect((await plan({ answers: [{ key: 'test-out', value: 'done' }] })).blocked).toBe(false)
  expect(seen).toEqual([])
  expect((await faultTextsOf(out({ outDate: '2026-12-01' }))).OutDate).toContain('不能晚于今天')
  expect((await faultTextsOf(plan({ outDate: '2026-12-01' }))).OutDate).toContain('不能晚于今天')
  const { code } = await t.call(getCompanyQr, { id: c.id }, me)
  // Two clerks at once: one moves it out, the other gets a message.
  const both = await Promise.allSettled([
    out({ answers: [{ key: 'test-out', value: 'done' }] }),
    out({ answers: [{ key: 'test-out', value: 'done' }] }),
  ])
  expect(both.map(x => x.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(refusedTextsOf(both)).toEqual(['「迁出公司」已于 2026-11-20 迁出'])
  expect(await t.call(companies.get, { id: c.id }, me)).toMatchObject({
    state: 'movedOut',
    outDate: '2026-11-20',
    workers: 0,
  })
  expect(seen).toEqual([`迁出公司 ${r.path}`, `迁出公司 ${s.path}`])
  expect([(await readRoom(r.id)).roomState, (await readRoom(s.id)).roomState]).toEqual(['vacant', 'vacant'])
  expect(
    (await t.call(companyWorkers.list, { companyId: [String(c.id)] }, me)).rows.map(w => w.state),
  ).toEqual(['left'])
  expect((await refusalOf(t.call(getInvitation, { code }))).message).toBe(
    '邀请码已失效，请向企业管理员重新索取',
  )
  expect((await refusalOf(out({ answers: [{ key: 'test-out', value: 'done' }] }))).message).toBe(
    '「迁出公司」已于 2026-11-20 迁出',
  )
})

it('moves out today: the rooms are empty at once, not only after the night', async () => {
  const r = await createRoom()
  const c = await createCompany('今天走', {
    inDate: '2025-01-01',
    places: [{ roomId: r.id, beginDate: '2025-01-01' }],
  })
  await createWorker(c.id, '欧阳小满', '13544440001')
  for (const keyword of ['oyxm', 'xiaoman', '40001', '小满']) {
    expect([keyword, (await t.call(companyWorkers.list, { keyword }, me)).rows.map(w => w.name)]).toEqual([
      keyword,
      ['欧阳小满'],
    ])
  }
  const plan = await t.call(previewMoveOut, { id: c.id, outDate: '2026-11-21' }, me)
  expect(plan.rooms.map(x => x.steps.flatMap(k => k.lines.map(l => l.value)))).toEqual([
    ['结束', '已出租 → 空置'],
  ])
  await t.call(moveOutCompany, { id: c.id, outDate: '2026-11-21', reason: '搬走' }, me)
  expect(await readRoom(r.id)).toMatchObject({ roomState: 'vacant' })
  expect((await readRoom(r.id)).companyName).toBeUndefined()
  expect(
    (await t.call(companyRooms.list, { companyId: [String(c.id)] }, me)).rows.map(x => [
      x.beginDate,
      x.endDate,
    ]),
  ).toEqual([['2025-01-01', '2026-11-21']])
})

it('workers: an administrator always stays, only people who work there become one (BASE-16)', async () => {
  const c = await createCompany('管理员公司')
  const w = await createWorker(c.id, '新人', '13522220001')
  const other = await createWorker(c.id, '老人')
  await t.database.tx('*', tx => tx.execute(sql`update company_worker set state = 30 where id = ${w.id}`))
  expect(
    (await refusalOf(t.call(setCompanyAdmins, { companyId: c.id, ids: [String(w.id)] }, me))).message,
  ).toContain('只有在职的员工')
  expect(await t.call(auditWorkers, { ids: [String(w.id), '999999'], pass: true }, me)).toMatchObject({
    success: 1,
    fail: 1,
  })
  expect(await t.call(auditWorkers, { ids: [String(w.id)], pass: true }, me)).toMatchObject({
    success: 0,
    rows: [{ reason: '新人不在待审核' }],
  })
  await t.call(setCompanyAdmins, { companyId: c.id, ids: [String(w.id)] }, me)
  expect(
    (await refusalOf(t.call(companyWorkers.delete, { ids: [String(w.id)], reason: '离职' }, me))).message,
  ).toBe('企业至少要有一位管理员，请先设置其他管理员')
  expect((await refusalOf(t.call(setCompanyAdmins, { companyId: c.id, ids: [] }, me))).message).toContain(
    '至少要有一位管理员',
  )
  await t.call(setCompanyAdmins, { companyId: c.id, ids: [String(other.id)] }, me)
  await t.call(companyWorkers.delete, { ids: [String(w.id)], reason: '离职' }, me)
  expect((await t.call(companies.get, { id: c.id }, me)).workers).toBe(1)
})

it('a company that begins on a day has its room from that day (nightly)', async () => {
  const r = await createRoom()
  const c = await createCompany('明年公司', { places: [{ roomId: r.id, beginDate: '2026-11-22' }] })
  const night = defined(defined(server.crons).find(x => x.name === 'companies-rooms'))
  await night.run(
    { ...t.app, clock: () => Date.parse('2026-11-22T00:06:00+08:00') },
    new AbortController().signal,
  )
  expect(await readRoom(r.id)).toMatchObject({ companyId: c.id, roomState: 'let' })
  const renamed = await t.call(
    companies.edit,
    { id: c.id, version: c.version, projectCode: 'GOLD0002', name: '改名公司' },
    me,
  )
  expect(renamed.name).toBe('改名公司')
  expect((await readRoom(r.id)).companyName).toBe('改名公司')
})

it('imports companies with their rooms; the state of the import can be asked', async () => {
  const r = await createRoom()
  const s = await createRoom()
  const csv = `公司名称,联系电话,楼栋,单元,房号,租用起,统一社会信用代码\n导入一,13533330001,A座,A,${r.roomNo},2026-05-01,\n导入一,,A座,A,${s.roomNo},2026-05-01,\n导入二,13533330002,A座,A,${r.roomNo},2026-06-01,\n导入三,,A座,A,,,\n导入四,,,,,,91110108551385082R\n导入五,0571-88889999,,,,,\n`
  const upload = t.upload('企业.csv', new TextEncoder().encode(csv))
  const seen = await t.call(
    importCompanies.post,
    { projectCode: 'GOLD0002' },
    {
      ...me,
      upload: { ...upload, name: '企业.csv', type: 'text/csv' },
    },
  )
  expect(defined(seen.errors).map(f => [f.line, f.message])).toEqual([
    [2, '表中「导入二」同时租用该房间'],
    [4, '表中「导入一」同时租用该房间'],
    [5, '楼栋、单元、房号要一起填写'],
    [6, '统一社会信用代码校验位不正确，请核对'],
  ])
  expect(seen.good).toBe(2)
  const { taskId } = await t.call(
    importCompanies.post,
    { projectCode: 'GOLD0002', importId: defined(seen.importId), mode: 'skip' },
    me,
  )
  await t.waitForTask(defined(taskId))
  expect(await t.call(getImportState, {}, me)).toMatchObject({ taskId, state: 'partly', success: 2, fail: 4 })
  expect(
    await t.call(getImportState, { taskId: defined(taskId) }, await t.signedInAs(golden.second.owner)),
  ).toEqual({})
  expect((await t.call(companies.list, { keyword: '导入' }, me)).rows.map(c => [c.name, c.rooms])).toEqual([
    ['导入五', undefined],
    ['导入一', [s.path]],
  ])
  expect(
    defined(
      await t.database
        .reader('*')
        .one<{ n: number }>(sql`select count(*)::int as n from company where name like '导入%'`),
    ).n,
  ).toBe(2)
})

it('stays inside the data domain and the company (PERM-6, G-13)', async () => {
  const c = await createCompany('域内公司')
  const code = async (as: CallOptions) => (await refusalOf(t.call(companies.get, { id: c.id }, as))).code
  expect(await code(await t.signedInAs(golden.first.estateOnly))).toBe(10003)
  expect(await code(await t.signedInAs(golden.second.owner))).toBe(10004)
})
