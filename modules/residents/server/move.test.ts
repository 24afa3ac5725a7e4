import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalOf, faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { getRoomBoard, getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import { addRoom, getRoom, type Room } from '#modules/rooms/contract/room.ts'
import { checkInAgain, checkOut, previewMove, transferRoom } from '../contract/move.ts'
import {
  addResidency,
  auditResidencies,
  listResidencyLog,
  listResidencies,
  type Residency,
} from '../contract/residency.ts'
import { addFamily, addResident, editResident, type Resident } from '../contract/resident.ts'
import { registerMoveStep } from './public.ts'

let t: GoldenApp
let me: CallOptions
let roomCounter = 0
let mobileCounter = 13700000000

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

const nextMobile = (): string => String(++mobileCounter)

const createRoom = async (): Promise<Room> => {
  roomCounter++
  return t.call(
    addRoom,
    {
      projectCode: 'GOLD0001',
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1 + (roomCounter % 6),
      roomNo: `M${100 + roomCounter}`,
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
      deliverDate: '2024-01-01',
    },
    me,
  )
}

const readRoom = (id: Id): Promise<Room> => t.call(getRoom, { id }, me)

type FamilyInput = NonNullable<typeof addFamily.input.T>

const addPeople = (
  r: Room,
  people: FamilyInput['people'],
  overrides: Partial<FamilyInput> = {},
): Promise<readonly Resident[]> =>
  t.call(
    addFamily,
    { projectCode: 'GOLD0001', roomIds: [String(r.id)], inDate: '2026-01-01', people, ...overrides },
    me,
  )

const residenciesOf = async (r: Room): Promise<readonly Residency[]> =>
  (await t.call(listResidencies, { roomId: r.id, order: 'id', size: 50 }, me)).rows

const residencyOf = async (r: Room, name: string): Promise<Residency> =>
  defined((await residenciesOf(r)).find(l => l.userName === name))

/** As it was saved: responses mask numbers. */
const createResident = async (name: string, overrides: object = {}): Promise<Resident> => {
  const numbers = { mobile: nextMobile(), ...overrides }
  const saved = await t.call(
    addResident,
    { homeProject: 'GOLD0001', name, userType: 'person', state: 'normal', ...numbers },
    me,
  )
  return { ...saved, mobile: numbers.mobile }
}

const livingDraft = { relation: 'owner', inDate: '2025-03-01' }

const moveOut = (ids: readonly Id[], overrides: object = {}) =>
  t.call(checkOut, { ids: ids.map(String), outDate: '2026-11-20', ...overrides }, me)

const cellOf = async (r: Room) => {
  const b = await t.call(getRoomBoard, { projectCode: 'GOLD0001', buildCode: 'B2' }, me)
  return defined(b.units.flatMap(u => u.rooms).find(c => c.id === r.id))
}

const countVacant = async (): Promise<number> =>
  defined(
    (await t.call(getRoomBoard, { projectCode: 'GOLD0001', buildCode: 'B2' }, me)).counts.find(
      c => c.roomState === 'vacant',
    ),
  ).count

it('board and panel follow who lives there: occupants, then 空置 once the last one is out (BASE-11)', async () => {
  const r = await createRoom()
  const empty = await countVacant()
  expect(await cellOf(r)).toMatchObject({ roomState: 'vacant', people: 0 })
  await addPeople(r, [
    { name: '板一', mobile: nextMobile(), relation: 'owner' },
    { name: '板二', relation: 'family' },
  ])
  expect(await cellOf(r)).toMatchObject({ roomState: 'lived', people: 2, mainOwnerName: '板一' })
  expect(await countVacant()).toBe(empty - 1)
  const peopleSection = async () =>
    defined((await t.call(getRoomPanel, { id: r.id }, me)).sections.find(s => s.key === 'residents'))
  expect((await peopleSection()).lines.map(l => [l.label, l.value])).toEqual([
    ['板一', '业主'],
    ['板二', '家属'],
  ])
  const out = async (name: string) =>
    t.call(checkOut, { ids: [String((await residencyOf(r, name)).id)], outDate: '2026-11-20' }, me)
  await out('板二')
  expect(await cellOf(r)).toMatchObject({ roomState: 'lived', people: 1 })
  await out('板一')
  expect(await cellOf(r)).toMatchObject({ roomState: 'vacant', people: 0 })
  expect((await cellOf(r)).mainOwnerName).toBeUndefined()
  expect(await countVacant()).toBe(empty)
  expect(await peopleSection()).toMatchObject({ count: 0, lines: [] })
})

it('a room with tenants alone shows 已出租, and 空置 after them', async () => {
  const r = await createRoom()
  await addPeople(r, [{ name: '出租主', mobile: nextMobile(), relation: 'owner' }], { inDate: undefined })
  await addPeople(r, [{ name: '承租', mobile: nextMobile(), relation: 'tenant' }])
  expect(await cellOf(r)).toMatchObject({ roomState: 'let', people: 1, mainOwnerName: '出租主' })
  await t.call(checkOut, { ids: [String((await residencyOf(r, '承租')).id)], outDate: '2026-11-20' }, me)
  expect(await cellOf(r)).toMatchObject({ roomState: 'vacant', people: 0, mainOwnerName: '出租主' })
})

it('refuses answers to questions or options that do not exist, before anything is written', async () => {
  registerMoveStep({
    key: 'test-asks',
    title: '押金',
    order: 120,
    kinds: ['checkout'],
    plan: async m =>
      m.room.id === asked
        ? {
            lines: [],
            question: {
              label: '押金处理',
              value: m.answerOf('test-asks') ?? 'back',
              options: [
                { value: 'back', label: '退还' },
                { value: 'keep', label: '留着' },
              ],
            },
          }
        : undefined,
  })
  const r = await createRoom()
  const asked = r.id
  await addPeople(r, [{ name: '答者', mobile: nextMobile(), relation: 'owner' }])
  const id = (await residencyOf(r, '答者')).id
  const saying = (key: string, value: string) => ({ ids: [String(id)], answers: [{ key, value }] })
  const out = (key: string, value: string) =>
    t.call(checkOut, { ...saying(key, value), outDate: '2026-11-20' }, me)
  expect(await faultTextsOf(out('nobody', 'x'))).toEqual({
    'Answers[0].Key': '没有「nobody」这一项选择，请刷新后重新办理',
  })
  expect(
    await faultTextsOf(
      t.call(previewMove, { kind: 'checkout', day: '2026-11-20', ...saying('nobody', 'x') }, me),
    ),
  ).toEqual({ 'Answers[0].Key': '没有「nobody」这一项选择，请刷新后重新办理' })
  // A key of another kind of move is unknown here.
  expect(
    Object.keys(
      await faultTextsOf(
        t.call(
          previewMove,
          {
            kind: 'transfer',
            roomId: r.id,
            day: '2026-11-20',
            answers: [{ key: 'test-asks', value: 'keep' }],
          },
          me,
        ),
      ),
    ),
  ).toEqual(['Answers[0].Key'])
  expect((await refusalOf(out('test-asks', 'burn'))).message).toBe('「押金处理」没有「burn」选项，请重新选择')
  expect((await residencyOf(r, '答者')).status).toBe('living')
  expect(defined((await out('test-asks', 'keep'))[0]).status).toBe('left')
})

it('previews a transfer to registered owners, chosen or found by telephone, with their roles (BASE-17)', async () => {
  const r = await createRoom()
  await addPeople(r, [{ name: '卖主', mobile: nextMobile(), relation: 'owner' }])
  await addPeople(r, [{ name: '买租客', mobile: nextMobile(), relation: 'tenant', isPayer: true }])
  const known = await createResident('熟客')
  const tenant = await residencyOf(r, '买租客')
  const plan = (people: readonly object[]) =>
    t.call(previewMove, { kind: 'transfer', roomId: r.id, day: '2026-11-15', familyLeaves: true, people }, me)
  const planOf = async (people: readonly object[]) =>
    defined((await plan(people)).steps[0]).lines.map(l => [l.label, l.value, l.note])
  expect(await planOf([{ userId: known.id }, { name: '生人', isMain: true }])).toEqual([
    ['卖主', '业主 · 主业主', '2026-11-15 迁出'],
    ['熟客', '新业主 · 已有住户', '2026-11-15 起为业主，不入住'],
    ['生人', '新业主', '2026-11-15 起为业主，不入住'],
    ['保留的住户', '买租客', '1 人'],
    ['主业主', '生人', undefined],
    ['缴费人', '买租客', '之后的账单由其缴纳'],
  ])
  expect((await planOf([{ name: '熟客', mobile: known.mobile }]))[1]).toEqual([
    '熟客',
    '新业主 · 已有住户',
    '2026-11-15 起为业主，不入住',
  ])
  // The tenant buys: the rent ends, and nobody stays.
  expect(await planOf([{ userId: tenant.userId }])).toEqual([
    ['卖主', '业主 · 主业主', '2026-11-15 迁出'],
    ['买租客', '租户 · 缴费人', '2026-11-15 起转为业主'],
    ['买租客', '新业主 · 已有住户', '2026-11-15 起为业主，不入住'],
    ['主业主', '买租客', undefined],
    ['缴费人', '买租客', '之后的账单由其缴纳'],
  ])
  expect((await refusalOf(plan([{ userId: (await residencyOf(r, '卖主')).userId }]))).message).toContain(
    '卖主已经是该房间的业主',
  )
  expect((await planOf([])).at(-2)).toEqual(['主业主', '--', '请填写新业主'])
  await t.call(
    transferRoom,
    {
      roomId: r.id,
      day: '2026-11-15',
      familyLeaves: true,
      people: [{ userId: tenant.userId, relation: 'owner' }],
      reason: '租客购买',
    },
    me,
  )
  expect(await readRoom(r.id)).toMatchObject({
    mainOwnerName: '买租客',
    payerName: '买租客',
    people: 1,
    roomState: 'lived',
  })
  expect((await residenciesOf(r)).map(l => [l.userName, l.relation, l.status])).toEqual([
    ['卖主', 'owner', 'left'],
    ['买租客', 'tenant', 'left'],
    ['买租客', 'owner', 'living'],
  ])
})

it('an audit of several passes the pending ones and names the others (G-11)', async () => {
  const r = await createRoom()
  await addPeople(r, [{ name: '在住者', mobile: nextMobile(), relation: 'owner' }])
  await addPeople(
    r,
    [
      { name: '申请甲', mobile: nextMobile(), relation: 'tenant' },
      { name: '申请乙', relation: 'tenantFamily' },
    ],
    { pending: true },
  )
  const done = await t.call(
    auditResidencies,
    { ids: (await residenciesOf(r)).map(l => String(l.id)), pass: true, inDate: '2026-11-20' },
    me,
  )
  expect(done).toMatchObject({ success: 2, fail: 1 })
  expect(done.rows.map(x => [x.code, x.reason])).toEqual([['在住者', '已经是“在住”，无需重复操作']])
  expect(await readRoom(r.id)).toMatchObject({ people: 3 })
})

it('two operators check the same person in again at once, or transfer one room at once: one succeeds, the other learns who did it (G-8)', async () => {
  const r = await createRoom()
  await addPeople(r, [{ name: '归人', mobile: nextMobile(), relation: 'owner' }])
  const id = String((await residencyOf(r, '归人')).id)
  await t.call(checkOut, { ids: [id], outDate: '2026-11-19' }, me)
  const back = await Promise.allSettled(
    [1, 2].map(() => t.call(checkInAgain, { ids: [id], inDate: '2026-11-20' }, me)),
  )
  expect(back.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(back.find(s => s.status === 'rejected')?.reason).toMatchObject({
    code: 10005,
    message: expect.stringContaining('归人已在住'),
  })
  const sale = (name: string) =>
    t.call(
      transferRoom,
      {
        roomId: r.id,
        linkId: parseId(id),
        day: '2026-11-20',
        familyLeaves: true,
        people: [{ name, mobile: nextMobile(), relation: 'owner' }],
        reason: '成交',
      },
      me,
    )
  const sold = await Promise.allSettled([sale('买家甲'), sale('买家乙')])
  expect(sold.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(sold.find(s => s.status === 'rejected')?.reason).toMatchObject({
    code: 10005,
    message: '归人已迁出（2026-11-20，由金一管理员办理），请刷新后重试',
  })
  expect((await residenciesOf(r)).filter(l => l.isMain && l.status === 'living')).toHaveLength(1)
  expect((await readRoom(r.id)).mainOwnerName).toMatch(/^买家/)
})

it('an edit reports each fault at its field', async () => {
  const other = await createResident('占号')
  const p = await createResident('改错')
  const {
    homes: _,
    isBlock: __,
    estateName: ___,
    createTime: ____,
    updateTime: _____,
    wechatBind: _w,
    appBind: _a,
    source: _s,
    ...own
  } = p
  const say = (overrides: object) => faultTextsOf(t.call(editResident, { ...own, ...overrides }, me))
  expect(await say({ mobile: other.mobile })).toEqual({
    Mobile: '该手机号已存在：占号，是同一个人请用「合并住户」',
  })
  expect(await say({ certType: 'idCard', certNo: '110105194912310021' })).toEqual({
    CertNo: '身份证号校验位不正确，请核对',
  })
  expect(await say({ birthday: '2026-11-22' })).toEqual({ Birthday: '生日不能晚于今天' })
  expect(await say({ name: '长'.repeat(41) })).toEqual({ Username: '姓名最多 40 个字' })
  expect(await say({ name: '👨‍👩‍👧' })).toEqual({ Username: '姓名不能含有表情符号，请删除后再保存' })
})

it('finds log entries by person and by room, also of deleted people', async () => {
  const r = await createRoom()
  await addPeople(r, [{ name: '寻踪者', mobile: nextMobile(), relation: 'owner' }])
  const found = async (keyword: string) =>
    (await t.call(listResidencyLog, { keyword }, me)).rows.filter(m => m.roomId === r.id).map(m => m.action)
  for (const k of ['寻踪', 'xunzong', 'xzz', r.path, r.roomNo]) {
    expect([k, await found(k)]).toEqual([k, ['movedIn']])
  }
  expect(await found('没有该人')).toEqual([])
})

it('check-outs of different people at once leave no half-empty room', async () => {
  const r = await createRoom()
  await t.call(
    addFamily,
    {
      projectCode: 'GOLD0001',
      roomIds: [String(r.id)],
      inDate: '2026-01-01',
      people: [
        { name: '并一', mobile: nextMobile(), relation: 'owner' },
        { name: '并二', relation: 'family' },
        { name: '并三', relation: 'family' },
        { name: '并四', relation: 'family' },
      ],
    },
    me,
  )
  await Promise.all((await residenciesOf(r)).map(l => moveOut([l.id])))
  expect(await readRoom(r.id)).toMatchObject({ people: 0, roomState: 'vacant' })
})

it('steps of other modules plan, ask, block and apply in the transaction of the move', async () => {
  const acted: string[] = []
  let owed: string | undefined
  registerMoveStep({
    key: 'test',
    title: '欠费',
    order: 100,
    kinds: ['checkout'],
    plan: async m =>
      owed !== m.room.path
        ? undefined
        : {
            lines: [{ label: '未缴', value: '120.00' }],
            question: {
              label: '欠费处理',
              value: m.answerOf('test') ?? 'settle',
              options: [
                { value: 'settle', label: '先结清' },
                { value: 'stay', label: '留在房屋' },
              ],
            },
            ...(m.answerOf('test') === 'stay'
              ? {}
              : { blocks: '还有 120.00 元未缴，请先收款，或选择「留在房屋」' }),
          },
    apply: async m => {
      acted.push(`${m.room.path} ${m.answerOf('test')} ${m.leavesEmpty}`)
      if (m.reason === '失败') throw new Error('later part fails')
    },
  })
  const r = await createRoom()
  const p = await createResident('欠费人', { rooms: [{ roomId: r.id, ...livingDraft }] })
  const id = defined(defined(p.homes)[0]).linkId
  owed = r.path
  const plan = await t.call(previewMove, { kind: 'checkout', ids: [String(id)], day: '2026-11-20' }, me)
  expect(plan.blocked).toBe(true)
  expect(defined(defined(plan.steps.find(s => s.key === 'test')).question).options).toHaveLength(2)
  expect((await refusalOf(moveOut([id]))).message).toBe(
    '欠费：还有 120.00 元未缴，请先收款，或选择「留在房屋」',
  )
  await expect(moveOut([id], { reason: '失败', answers: [{ key: 'test', value: 'stay' }] })).rejects.toThrow(
    'later part fails',
  )
  expect((await residencyOf(r, '欠费人')).status).toBe('living')
  await moveOut([id], { answers: [{ key: 'test', value: 'stay' }] })
  expect(acted).toEqual([`${r.path} stay true`, `${r.path} stay true`])
  owed = undefined
})

it('transfers a room: old owners and their family leave, tenants stay, the new owner owns (BASE-17)', async () => {
  const r = await createRoom()
  await t.call(
    addFamily,
    {
      projectCode: 'GOLD0001',
      roomIds: [String(r.id)],
      inDate: '2024-01-01',
      people: [
        { name: '旧主', mobile: nextMobile(), relation: 'owner' },
        { name: '旧属', relation: 'family' },
        { name: '租客', mobile: nextMobile(), relation: 'tenant', isPayer: true },
      ],
    },
    me,
  )
  const moveInput = { roomId: r.id, day: '2026-11-15' } as const
  const plan = await t.call(previewMove, { kind: 'transfer', ...moveInput, people: [{ name: '新主' }] }, me)
  expect(plan.steps.map(s => s.key)).toEqual(['people', 'arrearsPolicy', 'room'])
  expect(defined(plan.steps[0]).lines.map(l => l.label)).toEqual([
    '旧主',
    '旧属',
    '新主',
    '保留的住户',
    '主业主',
    '缴费人',
  ])
  const done = await t.call(
    transferRoom,
    {
      ...moveInput,
      familyLeaves: true,
      people: [{ name: '新主', mobile: nextMobile(), relation: 'owner' }],
      reason: '二手房成交',
    },
    me,
  )
  expect(done.map(l => [l.userName, l.isMain, l.status])).toEqual([['新主', true, 'living']])
  expect((await residenciesOf(r)).map(l => [l.userName, l.status])).toEqual([
    ['旧主', 'left'],
    ['旧属', 'left'],
    ['租客', 'living'],
    ['新主', 'living'],
  ])
  expect(await readRoom(r.id)).toMatchObject({
    mainOwnerName: '新主',
    payerName: '租客',
    payerKind: 'tenant',
    people: 1,
    roomState: 'let',
  })
  const log = (await t.call(listResidencyLog, { roomId: r.id, size: 50 }, me)).rows.map(
    x => `${x.userName} ${x.action} ${x.day}`,
  )
  expect(log.slice(0, 4)).toEqual([
    '新主 boughtIn 2026-11-15',
    '新主 added 2026-11-21',
    '旧属 soldOut 2026-11-15',
    '旧主 soldOut 2026-11-15',
  ])
  expect(
    (
      await refusalOf(
        t.call(
          transferRoom,
          {
            ...moveInput,
            familyLeaves: true,
            people: [{ userId: defined(done[0]).userId, relation: 'owner' }],
            reason: '重复',
          },
          me,
        ),
      )
    ).message,
  ).toContain('已经是该房间的业主')
  expect(
    (
      await refusalOf(
        t.call(
          transferRoom,
          {
            roomId: (await createRoom()).id,
            day: '2026-11-15',
            familyLeaves: true,
            people: [{ name: '谁', relation: 'owner' }],
            reason: '没有业主',
          },
          me,
        ),
      )
    ).message,
  ).toContain('暂无业主')
})

it('ends the WeChat binding with the last home, not before (BASE-11)', async () => {
  const [a, b] = [await createRoom(), await createRoom()]
  const [p] = await addPeople(a, [{ name: '温信', mobile: nextMobile(), relation: 'owner' }])
  await t.call(
    addResidency,
    { userId: defined(p).id, roomId: b.id, relation: 'owner', inDate: '2026-01-01' },
    me,
  )
  await t.database.tx('*', tx =>
    tx.execute(
      sql`update resident set wechat_bind = true, run_wechat = 'o-leaves' where id = ${defined(p).id}`,
    ),
  )
  const bound = () =>
    t.database
      .reader('*')
      .one(sql`select wechat_bind as bind, run_wechat as id from resident where id = ${defined(p).id}`)
  await moveOut([(await residencyOf(a, '温信')).id])
  expect(await bound()).toEqual({ bind: true, id: 'o-leaves' })
  const plan = await t.call(
    previewMove,
    { kind: 'checkout', ids: [String((await residencyOf(b, '温信')).id)], day: '2026-11-20' },
    me,
  )
  expect(JSON.stringify(plan)).toContain('App 与微信')
  await moveOut([(await residencyOf(b, '温信')).id])
  expect(await bound()).toEqual({ bind: false })
})
