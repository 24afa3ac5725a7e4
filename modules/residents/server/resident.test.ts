import { objectOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maskPhone } from '#kit/contract/text.ts'
import { sql } from '#kit/server/db.ts'
import { revealPersonalData } from '#modules/accounts/contract/operation-log.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import { listRoomChanges } from '#modules/rooms/contract/room-change.ts'
import { addRoom, deleteRooms, getRoom, type Room } from '#modules/rooms/contract/room.ts'
import { addResidentBlock, listResidentBlocks, updateResidentBlock } from '../contract/block.ts'
import { changeCardStates, listCards, listFaces, saveCard } from '../contract/card.ts'
import {
  changeResidentMobile,
  findDuplicateResidents,
  mergeResidents,
  searchResidentOptions,
  getResidentPanel,
  getResidentStatistics,
} from '../contract/maintenance.ts'
import { checkInAgain, checkOut, previewMove } from '../contract/move.ts'
import {
  addResidency,
  reapplyResidency,
  auditResidencies,
  deleteResidencies,
  editResidency,
  listResidentHomes,
  listResidencyLog,
  listResidencies,
  listRoomResidents,
  type Residency,
} from '../contract/residency.ts'
import {
  addFamily,
  addResident,
  deleteResidents,
  editResident,
  listResidents,
  getResident,
  findMatchingResidents,
  type Resident,
} from '../contract/resident.ts'
import { residencyStatusText } from '../contract/labels.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { refusalOf, faultTextsOf } from '#kit/server/fixtures/refusal.ts'

let t: GoldenApp
let me: CallOptions
let roomCounter = 0
let mobileCounter = 13900000000

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

const nextMobile = (): string => String(++mobileCounter)

/** An empty delivered room of its own. */
const createRoom = async (state: Room['roomState'] = 'vacant'): Promise<Room> => {
  roomCounter++
  return t.call(
    addRoom,
    {
      projectCode: 'GOLD0001',
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1 + (roomCounter % 6),
      roomNo: `T${100 + roomCounter}`,
      roomType: 'home',
      roomState: state,
      state: 'on',
      deliverDate: '2024-01-01',
    },
    me,
  )
}

const readRoom = (id: Id): Promise<Room> => t.call(getRoom, { id }, me)

/** As it was saved: responses mask numbers. */
const createResident = async (name: string, overrides: object = {}, as = me): Promise<Resident> => {
  const numbers = { mobile: nextMobile(), ...overrides }
  const saved = await t.call(
    addResident,
    { homeProject: 'GOLD0001', name, userType: 'person', state: 'normal', ...numbers },
    as,
  )
  return { ...saved, mobile: numbers.mobile }
}

const livingDraft = { relation: 'owner', inDate: '2025-03-01' }

const residenciesOf = async (r: Room, status?: Residency['status']): Promise<readonly Residency[]> =>
  (
    await t.call(
      listResidencies,
      { roomId: r.id, order: 'id', size: 50, ...(status ? { status: [status] } : {}) },
      me,
    )
  ).rows

const residencyOf = async (r: Room, name: string): Promise<Residency> =>
  defined((await residenciesOf(r)).find(l => l.userName === name))

const moveOut = (ids: readonly Id[], overrides: object = {}, as = me) =>
  t.call(checkOut, { ids: ids.map(String), outDate: '2026-11-20', ...overrides }, as)

it('puts a person into rooms in one step; the first owner is main owner and payer, the room is lived in (BASE-9, BASE-11)', async () => {
  const a = await createRoom()
  const b = await createRoom()
  const p = await createResident('张伟丽', {
    rooms: [
      { roomId: a.id, ...livingDraft },
      { roomCode: b.code, relation: 'owner' },
    ],
  })
  expect(defined(p.homes).map(h => [h.roomPath, h.relation, h.isMain, h.status])).toEqual([
    [a.path, 'owner', true, 'living'],
    [b.path, 'owner', true, 'living'],
  ])
  expect(await readRoom(a.id)).toMatchObject({
    roomState: 'lived',
    mainOwnerName: '张伟丽',
    payerName: '张伟丽',
    payerKind: 'owner',
    people: 1,
    checkinDate: '2025-03-01',
  })
  // An owner who does not live there leaves the room as it is.
  expect(await readRoom(b.id)).toMatchObject({ roomState: 'vacant', mainOwnerName: '张伟丽', people: 0 })
  const changes = (await t.call(listRoomChanges, { roomId: a.id }, me)).rows
  expect(changes.map(c => [c.item, c.newValue])).toEqual([
    ['roomState', '已入住'],
    ['payer', '张伟丽'],
    ['mainOwner', '张伟丽'],
  ])
})

it('reports each fault of a person and a residency at its field', async () => {
  const other = await t.call(
    addRoom,
    {
      projectCode: 'GOLD0002',
      buildCode: 'B1',
      unitName: 'A',
      floorNum: 1,
      roomNo: 'X9',
      roomType: 'office',
      roomState: 'vacant',
      state: 'on',
    },
    me,
  )
  const base = { homeProject: 'GOLD0001', name: '王五', userType: 'person', state: 'normal' } as const
  const say = (overrides: object) => faultTextsOf(t.call(addResident, { ...base, ...overrides }, me))
  expect(await say({ name: '王😀' })).toEqual({ Username: '姓名不能含有表情符号，请删除后再保存' })
  expect(await say({ name: '长'.repeat(41) })).toEqual({ Username: '姓名最多 40 个字' })
  expect(await say({ mobile: '1234' })).toEqual({ Mobile: '手机号格式不正确' })
  expect(await say({ certType: 'idCard', certNo: '110105194912310021', birthday: '2026-11-22' })).toEqual({
    CertNo: '身份证号校验位不正确，请核对',
    Birthday: '生日不能晚于今天',
  })
  expect(await say({ rooms: [{ roomId: other.id, relation: 'owner' }] })).toEqual({
    'Rooms[0].RoomID': `房间「${other.path}」不属于所选项目，请重新选择`,
  })
  expect(await say({ rooms: [{ relation: 'owner' }] })).toEqual({ 'Rooms[0].RoomID': '请选择房屋' })
  expect(
    await say({ rooms: [{ roomId: (await createRoom()).id, relation: 'tenant', isMain: true }] }),
  ).toEqual({
    'Rooms[0].IsMain': '租户不能设为主业主，请先把关系改为业主',
  })
})

it('keeps one record for one mobile and one document; links the room to the one who is there (BASE-13, BASE-14)', async () => {
  const r = await createRoom()
  const p = await createResident('李梅', { certNo: '11010519491231002X' })
  expect(p).toMatchObject({ certType: 'idCard', birthday: '1949-12-31', gender: 'female' })
  expect(await faultTextsOf(createResident('李梅', { mobile: p.mobile }))).toEqual({
    Mobile: '该手机号已存在：李梅，是同一个人请选择「关联到已有住户」',
  })
  expect(await faultTextsOf(createResident('李梅', { certNo: '11010519491231002x' }))).toEqual({
    CertNo: '该证件号已存在：李梅，是同一个人请选择「关联到已有住户」',
  })
  expect(
    (await faultTextsOf(createResident('李美', { mobile: p.mobile, linkExisting: true }))).Mobile,
  ).toContain('属于「李梅」')
  const again = await createResident('李梅', {
    mobile: p.mobile,
    linkExisting: true,
    rooms: [{ roomId: r.id, ...livingDraft }],
  })
  expect(again.id).toBe(p.id)
  expect((await t.call(findMatchingResidents, { mobile: defined(p.mobile) }, me)).map(x => x.id)).toEqual([
    p.id,
  ])
  const twice = await Promise.allSettled([1, 2].map(() => createResident('同时', { mobile: '13711112222' })))
  expect(twice.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

it('moves a family in, all or nothing', async () => {
  const r = await createRoom()
  const m = nextMobile()
  const family = (overrides: object = {}) =>
    t.call(
      addFamily,
      {
        projectCode: 'GOLD0001',
        roomIds: [String(r.id)],
        inDate: '2026-11-01',
        people: [
          { name: '赵一', mobile: m, relation: 'owner', isPayer: true },
          { name: '赵二', relation: 'family', birthday: '2019-05-01' },
          { name: '钱三', relation: 'family', mobile: nextMobile(), ...overrides },
        ],
      },
      me,
    )
  expect(Object.keys(await faultTextsOf(family({ mobile: m })))).toEqual(['Users[2].Mobile'])
  expect(await residenciesOf(r)).toEqual([])
  expect((await family()).map(p => p.name)).toEqual(['赵一', '赵二', '钱三'])
  expect(await readRoom(r.id)).toMatchObject({
    people: 3,
    roomState: 'lived',
    mainOwnerName: '赵一',
    payerName: '赵一',
  })
  expect(
    (await t.call(listRoomResidents, { roomCode: defined(r.code) }, me)).map(u => [
      u.name,
      u.relation,
      u.isMain,
    ]),
  ).toEqual([
    ['赵一', 'owner', true],
    ['赵二', 'family', false],
    ['钱三', 'family', false],
  ])
  const panel = await t.call(getRoomPanel, { id: r.id }, me)
  expect(defined(panel.sections.find(s => s.key === 'residents')).lines.map(l => l.label)).toEqual([
    '赵一',
    '赵二',
    '钱三',
  ])
  expect((await refusalOf(t.call(deleteRooms, { ids: [String(r.id)], reason: '录错了' }, me))).message).toBe(
    `房间「${r.path}」不能删除：还有住户 3 个，请先处理`,
  )
})

it('finds people by part of a name, pinyin, initials, phone tail and room', async () => {
  const r = await createRoom()
  const p = await createResident('欧阳振华', {
    mobile: '13655550987',
    rooms: [{ roomId: r.id, ...livingDraft }],
  })
  const found = async (keyword: string): Promise<boolean> =>
    (await t.call(listResidents, { keyword, size: 100 }, me)).rows.some(x => x.id === p.id)
  for (const k of [
    '欧阳',
    '振华',
    '华',
    'ouyang',
    'zhenhua',
    'oyzh',
    'oy',
    '0987',
    '1365555',
    r.roomNo,
    r.path,
    '阳振',
  ]) {
    expect([k, await found(k)]).toEqual([k, true])
  }
  for (const k of ['张飞', 'xyz', '7777777', '欧振']) {
    expect([k, await found(k)]).toEqual([k, false])
  }
  expect((await t.call(searchResidentOptions, { keyword: 'oyzh' }, me)).map(x => x.name)).toEqual([
    '欧阳振华',
  ])
  expect(
    (await t.call(listResidents, { roomCode: defined(r.code), relation: ['owner'] }, me)).rows.map(
      x => x.name,
    ),
  ).toEqual(['欧阳振华'])
  expect((await t.call(listResidents, { keyword: '100%_' }, me)).total).toBe(0)
})

it('audits: passes, rejects with a reason, takes a new application; no other transitions (BASE-10)', async () => {
  const r = await createRoom()
  const owner = await createResident('周主', { rooms: [{ roomId: r.id, ...livingDraft }] })
  const p = await createResident('吴租')
  const l = await t.call(
    addResidency,
    {
      userId: p.id,
      roomId: r.id,
      relation: 'tenant',
      leaseBegin: '2026-11-01',
      leaseEnd: '2027-10-31',
      inDate: '2026-11-01',
      pending: true,
    },
    me,
  )
  expect(l.status).toBe('pending')
  expect((await readRoom(r.id)).people).toBe(1)
  const audit = (pass: boolean, overrides: object = {}) =>
    t.call(auditResidencies, { ids: [String(l.id)], pass, ...overrides }, me)
  expect(await faultTextsOf(audit(false))).toEqual({ Reason: '驳回请填写原因（2 到 200 字）' })
  expect(await audit(false, { reason: '材料不全' })).toMatchObject({ success: 1, fail: 0 })
  expect(defined((await audit(true)).rows[0]).reason).toContain('当前为“已驳回”')
  await t.call(reapplyResidency, { id: l.id }, me)
  expect(await audit(true)).toMatchObject({ success: 1 })
  expect(await readRoom(r.id)).toMatchObject({ people: 2, roomState: 'lived', mainOwnerName: owner.name })
  expect(
    (await refusalOf(t.call(deleteResidencies, { ids: [String(l.id)], reason: '录错' }, me))).message,
  ).toContain('请用「迁出」')
  const log = (await t.call(listResidencyLog, { roomId: r.id }, me)).rows.map(x => [x.userName, x.action])
  expect(log).toEqual([
    ['吴租', 'passed'],
    ['吴租', 'again'],
    ['吴租', 'refused'],
    ['吴租', 'applied'],
    ['周主', 'movedIn'],
  ])
})

it('of two payers in one audit one becomes the payer; the audit day fills only a missing one (BASE-9, BASE-10)', async () => {
  const r = await createRoom()
  const applied: Residency[] = []
  for (const name of ['甲缴', '乙缴']) {
    const { id: userId } = await createResident(name)
    const application = { userId, roomId: r.id, relation: 'family', isPayer: true, pending: true } as const
    const dated = name === '甲缴' ? { ...application, inDate: '2026-10-05' as const } : application
    applied.push(await t.call(addResidency, dated, me))
  }
  const ids = applied.map(residency => String(residency.id))
  expect(await t.call(auditResidencies, { ids, pass: true, inDate: '2026-11-20' }, me)).toMatchObject({
    success: 2,
  })
  const passed = await residenciesOf(r, 'living')
  expect(passed.map(residency => [residency.userName, residency.inDate])).toEqual([
    ['甲缴', '2026-10-05'],
    ['乙缴', '2026-11-20'],
  ])
  expect(passed.filter(residency => residency.isPayer)).toHaveLength(1)
})

it('who may not audit can only apply', async () => {
  const { as: clerk } = await t.addClerk([
    'residents.resident.view',
    'residents.resident.add',
    'residents.link.add',
  ])
  const r = await createRoom()
  const p = await createResident('申请人', { rooms: [{ roomId: r.id, ...livingDraft }] }, clerk)
  expect(defined(defined(p.homes)[0]).status).toBe('pending')
  expect((await readRoom(r.id)).roomState).toBe('vacant')
})

it('checks out: cards and faces end, the next owner follows, the room becomes vacant, all in the log (BASE-11)', async () => {
  const r = await createRoom()
  const m = nextMobile()
  await t.call(
    addFamily,
    {
      projectCode: 'GOLD0001',
      roomIds: [String(r.id)],
      inDate: '2026-01-01',
      people: [
        { name: '孙主', mobile: m, relation: 'owner', isMain: true, isPayer: true },
        { name: '孙共', relation: 'owner' },
        { name: '孙子', relation: 'family' },
      ],
    },
    me,
  )
  const main = await residencyOf(r, '孙主')
  const co = await residencyOf(r, '孙共')
  const kid = await residencyOf(r, '孙子')
  const card = await t.call(
    saveCard,
    {
      projectCode: 'GOLD0001',
      cardNo: `C${roomCounter}A1`,
      cardType: 'ic',
      userId: main.userId,
      roomId: r.id,
    },
    me,
  )
  const plan = await t.call(previewMove, { kind: 'checkout', ids: [String(main.id)], day: '2026-11-20' }, me)
  expect(plan).toMatchObject({ blocked: false, title: `${r.path} 孙主迁出` })
  expect(plan.steps.map(s => [s.key, s.lines.map(l => l.value)])).toEqual([
    ['people', ['业主 · 主业主 · 缴费人', '孙共、孙子', '孙共', '孙共']],
    ['cards', ['1 张']],
    ['room', ['已入住']],
  ])
  // Nothing has happened yet.
  expect((await residencyOf(r, '孙主')).status).toBe('living')
  expect(await faultTextsOf(moveOut([main.id], { outDate: '2026-11-22' }))).toEqual({
    OutDate: '日期不能晚于今天，请到当天再办理',
  })
  expect((await faultTextsOf(moveOut([main.id], { outDate: '2025-12-31' }))).OutDate).toContain(
    '2026-01-01 入住，日期不能早于该日',
  )
  await moveOut([main.id], { reason: '卖房' })
  expect(await residencyOf(r, '孙主')).toMatchObject({ status: 'left', outDate: '2026-11-20' })
  expect(await residencyOf(r, '孙共')).toMatchObject({ isMain: true })
  expect(await readRoom(r.id)).toMatchObject({
    mainOwnerName: '孙共',
    payerName: '孙共',
    people: 2,
    roomState: 'lived',
  })
  expect(
    await t.database
      .reader('*')
      .one<{ state: number; endReason: string }>(
        sql`select state, end_reason from identity_card where id = ${card.id}`,
      ),
  ).toMatchObject({ state: 30, endReason: `住户迁出 ${r.path}` })
  await moveOut([co.id, kid.id])
  expect(await readRoom(r.id)).toMatchObject({ people: 0, roomState: 'vacant' })
  expect((await readRoom(r.id)).mainOwnerName).toBeUndefined()
  // BASE-12: the link alone comes back.
  const [back] = await t.call(checkInAgain, { ids: [String(main.id)], inDate: '2026-11-21' }, me)
  expect(back).toMatchObject({ status: 'living', inDate: '2026-11-21', isMain: true, isPayer: true })
  expect(defined(back).outDate).toBeUndefined()
  expect(await readRoom(r.id)).toMatchObject({ roomState: 'lived', mainOwnerName: '孙主', people: 1 })
  expect(
    defined(
      await t.database
        .reader('*')
        .one<{ state: number }>(sql`select state from identity_card where id = ${card.id}`),
    ).state,
  ).toBe(30)
  const log = (await t.call(listResidencyLog, { roomId: r.id, size: 50 }, me)).rows.map(
    x => `${x.userName} ${x.action}`,
  )
  expect(log).toEqual([
    '孙主 backIn',
    '孙子 movedOut',
    '孙共 movedOut',
    '孙共 mainSet',
    '孙主 movedOut',
    '孙子 movedIn',
    '孙共 movedIn',
    '孙主 movedIn',
  ])
  expect((await t.call(listResidentHomes, { userId: main.userId }, me)).map(l => l.status)).toEqual([
    'living',
  ])
})

it('two operators check out the same person: one succeeds, the other learns who did it (G-8)', async () => {
  const { as: clerk, loginCode: clerkName } = await t.addClerk([
    'residents.resident.view',
    'residents.link.checkout',
    'rooms.room.view',
  ])
  for (let i = 0; i < 5; i++) {
    const r = await createRoom()
    const p = await createResident(`双办${i}`, { rooms: [{ roomId: r.id, ...livingDraft }] })
    const id = defined(defined(p.homes)[0]).linkId
    const outcomes = await Promise.allSettled([moveOut([id]), moveOut([id], {}, clerk)])
    expect(outcomes.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(s => s.status === 'rejected')?.reason).toMatchObject({
      code: 10005,
      message: `双办${i}已迁出（2026-11-20，由${outcomes[0].status === 'fulfilled' ? '金一管理员' : clerkName}办理），请刷新后重试`,
    })
    expect((await t.call(listResidencyLog, { roomId: r.id, action: ['movedOut'] }, me)).total).toBe(1)
  }
})

it('moves the roles of main owner and payer; a room has one of each (BASE-9)', async () => {
  const r = await createRoom()
  await t.call(
    addFamily,
    {
      projectCode: 'GOLD0001',
      roomIds: [String(r.id)],
      inDate: '2024-01-01',
      people: [
        { name: '甲主', mobile: nextMobile(), relation: 'owner' },
        { name: '乙主', relation: 'owner' },
      ],
    },
    me,
  )
  const b = await residencyOf(r, '乙主')
  await t.call(
    editResidency,
    {
      id: b.id,
      version: b.version,
      relation: 'owner',
      isMain: true,
      isPayer: true,
      inDate: '2024-01-01',
    },
    me,
  )
  expect((await residenciesOf(r)).map(l => [l.userName, l.isMain, l.isPayer])).toEqual([
    ['甲主', false, false],
    ['乙主', true, true],
  ])
  expect(await readRoom(r.id)).toMatchObject({ mainOwnerName: '乙主', payerName: '乙主' })
  expect(
    (await refusalOf(t.call(editResidency, { id: b.id, version: b.version, relation: 'owner' }, me))).code,
  ).toBe(10005)
  expect(
    await faultTextsOf(
      t.call(
        addFamily,
        {
          projectCode: 'GOLD0001',
          roomIds: [String((await createRoom()).id)],
          people: [
            { name: '丙', relation: 'owner', isMain: true },
            { name: '丁', relation: 'owner', isMain: true },
          ],
        },
        me,
      ),
    ),
  ).toEqual({ 'Users[1].IsMain': expect.stringContaining('只能有一位主业主') })
})

it('merges records of one person: homes, cards and blocks go over (BASE-13)', async () => {
  const r = await createRoom()
  const s = await createRoom()
  const a = await createResident('郑合', {
    rooms: [{ roomId: r.id, ...livingDraft }],
    birthday: '1980-01-01',
  })
  const b = await createResident('郑合', {
    rooms: [
      { roomId: s.id, ...livingDraft },
      { roomId: r.id, relation: 'family' },
    ],
    birthday: '1980-01-01',
    email: 'z@example.com',
    tags: ['党员'],
  })
  expect(
    (await t.call(findDuplicateResidents, { keyword: '郑合' }, me)).map(g => [g.reason, g.people.length]),
  ).toEqual([['姓名、房间、生日', 2]])
  await t.call(
    saveCard,
    {
      projectCode: 'GOLD0001',
      cardNo: `M${roomCounter}`,
      cardType: 'ic',
      userId: b.id,
      roomId: s.id,
    },
    me,
  )
  const kept = await t.call(mergeResidents, { id: a.id, others: [String(b.id)], reason: '重复登记' }, me)
  expect(kept).toMatchObject({ id: a.id, email: 'z@example.com', tags: ['党员'] })
  expect(kept.phone2).toBe(maskPhone(defined(b.mobile)))
  expect(new Map(defined(kept.homes).map(h => [h.roomId, h.relation]))).toEqual(
    new Map([
      [r.id, 'owner'],
      [s.id, 'owner'],
    ]),
  )
  expect((await refusalOf(t.call(getResident, { id: b.id }, me))).code).toBe(10004)
  expect(await readRoom(s.id)).toMatchObject({ mainOwnerId: a.id, people: 1 })
  expect((await t.call(getResidentPanel, { id: a.id }, me)).sections.map(x => x.key)).toEqual([
    'facts',
    'homes',
    'cards',
    'history',
  ])
})

it('does not merge people whose documents differ (BASE-13)', async () => {
  const a = await createResident('冯异', { certType: 'idCard', certNo: '110101198802034514' })
  const b = await createResident('冯异', { certType: 'passport', certNo: 'E1234567' })
  const refusal = await refusalOf(
    t.call(mergeResidents, { id: a.id, others: [String(b.id)], reason: '重复登记' }, me),
  )
  expect(refusal.message).toBe('「冯异」与「冯异」的证件号不同，不是同一个人，不能合并')
  expect(await t.call(getResident, { id: b.id }, me)).toMatchObject({ id: b.id })
})

it('renames: rooms show the new name; a new mobile ends bindings to the old one (BASE-14)', async () => {
  const r = await createRoom()
  const p = await createResident('旧名', { rooms: [{ roomId: r.id, ...livingDraft }] })
  const old = defined(p.mobile)
  await t.database.tx('*', tx => tx.execute(sql`update resident set app_bind = true where id = ${p.id}`))
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
  await t.call(editResident, { ...own, name: '新名' }, me)
  expect((await readRoom(r.id)).mainOwnerName).toBe('新名')
  expect((await refusalOf(t.call(editResident, { ...own, name: '又名' }, me))).code).toBe(10005)
  const m = nextMobile()
  const after = await t.call(changeResidentMobile, { id: p.id, mobile: m }, me)
  expect(after).toMatchObject({ mobile: maskPhone(m), appBind: false })
  expect((await t.call(listResidents, { keyword: old }, me)).total).toBe(0)
  expect((await t.call(listResidents, { keyword: m.slice(-4), name: '新名' }, me)).total).toBe(1)
})

it('blocks with a reason until a day; no card is issued until then (BASE-15)', async () => {
  const r = await createRoom()
  const p = await createResident('冯黑', { rooms: [{ roomId: r.id, ...livingDraft }] })
  await t.call(
    updateResidentBlock,
    {
      userId: p.id,
      projectCode: 'GOLD0001',
      isBlock: true,
      reason: '多次破坏设施',
      expireDate: '2026-11-30',
    },
    me,
  )
  expect((await t.call(getResident, { id: p.id }, me)).isBlock).toBe(true)
  const card = () =>
    t.call(
      saveCard,
      {
        projectCode: 'GOLD0001',
        cardNo: `B${++roomCounter}`,
        cardType: 'ic',
        userId: p.id,
        roomId: r.id,
      },
      me,
    )
  expect((await refusalOf(card())).message).toContain('在黑名单中（多次破坏设施）')
  expect((await t.call(listResidents, { isBlock: true, name: '冯黑' }, me)).total).toBe(1)
  // The day after its last.
  await t.database.tx('*', tx =>
    tx.execute(sql`update user_blocklist set expire_date = '2026-11-20' where user_id = ${p.id}`),
  )
  expect((await t.call(getResident, { id: p.id }, me)).isBlock).toBe(false)
  const c = await card()
  expect(await t.call(changeCardStates, { ids: [String(c.id)], state: 'lost' }, me)).toMatchObject({
    success: 1,
  })
  expect(
    defined((await t.call(changeCardStates, { ids: [String(c.id)], state: 'expired' }, me)).rows[0]).reason,
  ).toContain('当前为“挂失”')
  expect(
    await faultTextsOf(
      t.call(
        addResidentBlock,
        { projectCode: 'GOLD0001', name: '外人', scope: ['visit'], reason: '滋扰' },
        me,
      ),
    ),
  ).toEqual({ Mobile: '非住户请填写手机号或证件号，否则无法识别' })
  await t.call(
    updateResidentBlock,
    { userId: p.id, projectCode: 'GOLD0001', isBlock: false, reason: '已道歉' },
    me,
  )
  expect((await t.call(listResidentBlocks, { userId: p.id }, me)).total).toBe(0)
})

it('masks numbers without the permission, and keeps them when the masked form is saved (PERM-7)', async () => {
  const { as: clerk } = await t.addClerk([
    'residents.resident.view',
    'residents.resident.edit',
    'rooms.room.view',
  ])
  const r = await createRoom()
  const p = await createResident('褚密', {
    mobile: '13512345678',
    certNo: '11010119900307451X'.replace('X', '5'),
    certType: 'other',
    rooms: [{ roomId: r.id, ...livingDraft }],
  })
  const seen = await t.call(getResident, { id: p.id }, clerk)
  expect([seen.mobile, defined(seen.certNo).includes('*')]).toEqual(['135 **** 5678', true])
  expect(defined((await t.call(listRoomResidents, { roomId: r.id }, clerk))[0]).mobile).toBe('135 **** 5678')
  expect(JSON.stringify(await t.callRaw(getRoomPanel, { id: r.id }, clerk))).not.toContain('13512345678')
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
  } = seen
  await t.call(editResident, { ...own, remark: '改备注' }, clerk)
  expect((await t.call(getResident, { id: p.id }, me)).remark).toBe('改备注')
  const reveal = (field: string) =>
    t.call(revealPersonalData, { entity: 'resident', entityId: p.id, field }, me)
  expect([await reveal('mobile'), await reveal('certNo')]).toEqual(['13512345678', '110101199003074515'])
})

it('keeps people inside the data domain: project, building, company (PERM-6, G-13)', async () => {
  const estate = await t.signedInAs(golden.first.estateOnly)
  const building = await t.signedInAs(golden.first.buildingOnly)
  const other = await t.signedInAs(golden.second.owner)
  const r = await createRoom()
  const p = await createResident('域内', { rooms: [{ roomId: r.id, ...livingDraft }] })
  const farMobile = nextMobile()
  const far = await t.call(
    addResident,
    { homeProject: 'GOLD0002', name: '域外', userType: 'person', state: 'normal', mobile: farMobile },
    me,
  )
  const sees = async (as: CallOptions, id: Id): Promise<unknown> =>
    t.call(getResident, { id }, as).then(
      x => x.name,
      (e: unknown) => objectOf(e).code,
    )
  expect([
    await sees(estate, p.id),
    await sees(estate, far.id),
    await sees(building, p.id),
    await sees(other, p.id),
  ]).toEqual(['域内', 10003, 10003, 10004])
  expect((await t.call(listResidents, { keyword: '域' }, estate)).rows.map(x => x.name)).toEqual(['域内'])
  expect((await t.call(listResidents, { keyword: '域' }, building)).total).toBe(0)
  expect((await refusalOf(moveOut([defined(defined(p.homes)[0]).linkId], {}, building))).code).toBe(10003)
  expect(
    (
      await faultTextsOf(
        t.call(
          addResident,
          {
            homeProject: 'GOLD0001',
            name: '域外',
            userType: 'person',
            state: 'normal',
            mobile: farMobile,
          },
          estate,
        ),
      )
    ).Mobile,
  ).toBe('该手机号已存在（登记在其他项目），请联系有权限的人员关联')
  expect(
    (
      await refusalOf(
        t.call(
          previewMove,
          { kind: 'checkout', ids: [String(defined(defined(p.homes)[0]).linkId)], day: '2026-11-20' },
          building,
        ),
      )
    ).code,
  ).toBe(10003)
})

it('counts who lives there (statistics)', async () => {
  const s = await t.call(getResidentStatistics, { projectCode: 'GOLD0001' }, me)
  expect(s.people).toBeGreaterThan(10)
  expect(s.byGender.reduce((x, g) => x + g.count, 0)).toBe(s.people)
  expect(s.byAge.reduce((x, g) => x + g.count, 0)).toBe(s.people)
  expect(s.bySize.reduce((x, g) => x + g.rooms, 0)).toBe(s.rooms)
})

it('refuses to delete a resident with a room, a card or a face', async () => {
  const r = await createRoom()
  const p = await createResident('删我', { rooms: [{ roomId: r.id, ...livingDraft }] })
  expect(
    (await refusalOf(t.call(deleteResidents, { ids: [String(p.id)], reason: '录错了' }, me))).message,
  ).toBe('住户「删我」不能删除：还有房屋关系 1 个，请先处理')
  await moveOut([defined(defined(p.homes)[0]).linkId])
  await t.call(deleteResidents, { ids: [String(p.id)], reason: '录错了' }, me)
  expect((await t.call(listResidents, { keyword: '删我' }, me)).total).toBe(0)
})

it('initials match in their order without repeats; what nobody is called finds nobody', async () => {
  for (const name of ['郑志娜', '宋娟', '史慧秀']) {
    await t.call(addResident, { homeProject: 'GOLD0001', name, userType: 'person', state: 'normal' }, me)
  }
  const namesFor = async (keyword: string): Promise<string[]> =>
    (await t.call(listResidents, { keyword, size: 50 }, me)).rows.map(r => r.name)
  expect(await namesFor('zzzzzz')).toEqual([])
  expect(await namesFor('zzz')).not.toContain('郑志娜')
  expect(await namesFor('sjj')).not.toContain('宋娟')
  expect(await namesFor('zzn')).toContain('郑志娜')
  expect(await namesFor('sj')).toContain('宋娟')
  expect(await namesFor('慧秀')).toContain('史慧秀')
  expect(await namesFor('huixiu')).toContain('史慧秀')
})

it('finds one and two characters of a name by the trigram index, whatever the policy adds', async () => {
  let plan = ''
  const undo = new Error('undo')
  const explain = t.database.tx('*', async tx => {
    // With so few rows any index that the company leads is cheaper: they are out of the way while this looks.
    const others = await tx.rows<{ name: string }>(sql`
      select i.indexrelid::regclass::text as name
      from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = 'resident'::regclass and a.attname = 'owner_id' and not i.indisprimary
    `)
    for (const { name } of others) {
      await tx.execute(sql`drop index ${sql.raw(name)}`)
    }
    await tx.execute(sql`alter table resident drop constraint resident_pkey cascade`)
    await tx.execute(sql`set local enable_seqscan = off`)
    plan = (
      await tx.rows<Record<string, string>>(
        sql`explain select id from resident t where ${matchesSearchText('建')}`,
      )
    )
      .map(r => Object.values(r)[0])
      .join('\n')
    throw undo
  })
  await expect(explain).rejects.toBe(undo)
  expect(plan).toContain('resident_search')
})

it('finds cards and faces by number and by their holder; names of what a form holds by id', async () => {
  const r = await createRoom()
  const p = await createResident('卡主慕容', { rooms: [{ roomId: r.id, ...livingDraft }] })
  const card = await t.call(
    saveCard,
    {
      projectCode: 'GOLD0001',
      cardNo: `Q${++roomCounter}X7`,
      cardType: 'ic',
      userId: p.id,
      roomId: r.id,
    },
    me,
  )
  for (const keyword of ['慕容', 'kzmr', card.cardNo, card.cardNo.slice(0, -1)]) {
    expect([keyword, (await t.call(listCards, { keyword }, me)).rows.map(c => c.id)]).toEqual([
      keyword,
      [card.id],
    ])
  }
  expect((await t.call(listFaces, { keyword: '慕容' }, me)).total).toBe(0)
  expect(
    (await t.call(listResidents, { userIds: [String(p.id)], projectCode: 'GOLD0002' }, me)).rows.map(
      x => x.name,
    ),
  ).toEqual(['卡主慕容'])
  expect(
    (await t.call(listRoomResidents, { roomIds: [String(r.id), String((await createRoom()).id)] }, me)).map(
      u => [u.name, u.roomId],
    ),
  ).toEqual([['卡主慕容', r.id]])
})

it('a staff member holds a card too: found by name, refused after leaving, never together with a resident', async () => {
  const person = defined(
    await t.database.reader('*').one<{ id: Id; name: string }>(
      sql`
        select id, name
        from staff
        where delete_tag = 0 and state <> 30 and owner_id = (select min(owner_id) from staff)
        order by id
        limit 1
      `,
    ),
  )
  const p = await createResident('卡主端木')
  const card = await t.call(
    saveCard,
    { projectCode: 'GOLD0001', cardNo: `Q${++roomCounter}S7`, cardType: 'ic', staffId: person.id },
    me,
  )
  expect(
    (await t.call(listCards, { keyword: person.name }, me)).rows.filter(c => c.id === card.id),
  ).toMatchObject([{ staffId: person.id, staffName: person.name }])
  expect(
    await faultTextsOf(
      t.call(
        saveCard,
        {
          projectCode: 'GOLD0001',
          cardNo: `Q${++roomCounter}S8`,
          cardType: 'ic',
          staffId: person.id,
          userId: p.id,
        },
        me,
      ),
    ),
  ).toEqual({ UserID: '住户和员工只能选一个' })
  await t.database.tx('*', tx => tx.execute(sql`update staff set state = 30 where id = ${person.id}`))
  expect(
    await faultTextsOf(
      t.call(
        saveCard,
        { projectCode: 'GOLD0001', cardNo: `Q${++roomCounter}S9`, cardType: 'ic', staffId: person.id },
        me,
      ),
    ),
  ).toEqual({ StaffID: '员工不存在或已离职，请重新选择' })
})

it('every figure over the list is what the view of the same name counts (C27-13)', async () => {
  const scoped = { projectCode: 'GOLD0001' }
  const count = async (filter: object): Promise<number> =>
    (await t.call(listResidents, { ...scoped, size: 1, ...filter }, me)).total
  // Somebody with two homes that wait for their audit is one person.
  const person = await createResident('待审两处')
  for (const room of [await createRoom(), await createRoom()]) {
    await t.call(
      addResidency,
      { userId: person.id, roomId: room.id, relation: 'family', inDate: '2026-11-01', pending: true },
      me,
    )
  }
  const figures = await t.call(getResidentStatistics, scoped, me)
  expect(figures).toMatchObject({
    people: await count({ status: ['living'], movedIn: true }),
    owners: await count({ status: ['living'], relation: ['owner'] }),
    tenants: await count({ status: ['living'], relation: ['tenant'] }),
    pending: await count({ status: ['pending'] }),
    wechat: await count({ status: ['living'], movedIn: true, wechatBind: true }),
  })
  expect(figures.pending).toBeGreaterThan(0)
})

it('BASE-11: an owner without a move-in day is 未入住 in lists, figures and panels', async () => {
  const person = await createResident('购房未住')
  const room = await createRoom()
  const residency = await t.call(addResidency, { userId: person.id, roomId: room.id, relation: 'owner' }, me)
  const views = async () => {
    const ofPerson = { keyword: '购房未住', status: ['living'] as const }
    const counts = await Promise.all(
      [true, false].flatMap(movedIn => [
        t.call(listResidents, { ...ofPerson, status: ['living'], movedIn }, me),
        t.call(listResidencies, { userId: person.id, status: ['living'], movedIn }, me),
      ]),
    )
    const panel = await t.call(getResidentPanel, { id: person.id }, me)
    const homes = panel.sections.find(section => section.key === 'homes')
    return [...counts.map(page => page.total), homes?.lines[0]?.note]
  }
  const peopleBefore = (await t.call(getResidentStatistics, { projectCode: 'GOLD0001' }, me)).people
  expect(await views()).toEqual([0, 0, 1, 1, '未入住'])
  expect((await t.call(getRoom, { id: room.id }, me)).roomState).toBe('vacant')
  const [home] = (await t.call(listResidents, { keyword: '购房未住' }, me)).rows[0]?.homes ?? []
  expect(home && residencyStatusText(home)).toBe('未入住')
  await t.call(editResidency, { ...residency, inDate: '2026-11-01' }, me)
  expect(await views()).toEqual([1, 1, 0, 0, '在住 · 2026-11-01 入住'])
  expect((await t.call(getResidentStatistics, { projectCode: 'GOLD0001' }, me)).people).toBe(peopleBefore + 1)
})

it('shows who pays for the room: the main owner, until somebody else is named (BASE-9)', async () => {
  const r = await createRoom()
  await t.call(
    addFamily,
    {
      projectCode: 'GOLD0001',
      roomIds: [String(r.id)],
      people: [
        { name: '周付主', mobile: nextMobile(), relation: 'owner', isMain: true },
        { name: '周付租', mobile: nextMobile(), relation: 'tenant' },
      ],
    },
    me,
  )
  const payers = async (): Promise<(string | undefined)[]> =>
    (await t.call(listResidencies, { roomId: r.id, isPayer: true, size: 50 }, me)).rows.map(x => x.userName)
  expect(await payers()).toEqual(['周付主'])
  const main = await residencyOf(r, '周付主')
  expect(main.isPayer).toBe(true)
  const edit = { relation: 'owner', isMain: true } as const
  await t.call(
    editResidency,
    { ...edit, id: main.id, version: main.version, isPayer: true, remark: '核对' },
    me,
  )
  const tenant = await residencyOf(r, '周付租')
  await t.call(
    editResidency,
    { id: tenant.id, version: tenant.version, relation: 'tenant', isPayer: true },
    me,
  )
  expect(await payers()).toEqual(['周付租'])
  expect((await residenciesOf(r)).filter(x => !x.isPayer).map(x => x.userName)).toEqual(['周付主'])
})
