import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { golden } from '../../../db/golden/fill.ts'
import { roomPanel } from '#modules/rooms/contract/board.ts'
import { listChanges } from '#modules/rooms/contract/change.ts'
import { addRoom, deleteRooms, oneRoom, type Room } from '#modules/rooms/contract/room.ts'
import { addBlock, listBlocks, updateBlock } from '../contract/block.ts'
import { changeCards, listCards, listFaces, saveCard } from '../contract/card.ts'
import {
  changeMobile,
  duplicates,
  mergeResidents,
  pickResidents,
  residentPanel,
  statistics,
} from '../contract/care.ts'
import { checkInAgain, checkOut, planMove } from '../contract/move.ts'
import {
  addResidency,
  applyAgain,
  auditResidencies,
  deleteResidencies,
  editResidency,
  homesOf,
  listMovements,
  listResidencies,
  usersInRoom,
  type Residency,
} from '../contract/residency.ts'
import {
  addFamily,
  addResident,
  deleteResidents,
  editResident,
  listResidents,
  oneResident,
  sameResidents,
  type Resident,
} from '../contract/resident.ts'
import { soughtBy } from '#kit/server/sought.ts'

let t: GoldenWorld
let me: As
let n = 0
let mobiles = 13900000000

beforeAll(async () => {
  t = await openGolden()
  me = await t.owner
})

afterAll(() => t?.close())

const refusal = async (p: Promise<unknown>): Promise<Refused & { data: any }> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e as never
}

const faults = async (p: Promise<unknown>): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await refusal(p)).data.map((f: { Field: string; Message: string }) => [f.Field, f.Message]),
  )

const mobile = (): string => String(++mobiles)

/** An empty delivered room of its own. */
const flat = async (state = 'vacant'): Promise<Room> => {
  n++
  return t.ask(
    addRoom,
    {
      projectCode: 'GOLD0001',
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1 + (n % 6),
      roomNo: `T${100 + n}`,
      roomType: 'home',
      roomState: state,
      state: 'on',
      deliverDate: '2024-01-01',
    } as never,
    me,
  )
}

const room = (id: number): Promise<Room> => t.ask(oneRoom, { id }, me)

const person = (name: string, more: object = {}, as = me): Promise<Resident> =>
  t.ask(
    addResident,
    {
      homeProject: 'GOLD0001',
      name,
      userType: 'person',
      state: 'normal',
      mobile: mobile(),
      ...more,
    } as never,
    as,
  )

const lives = { relation: 'owner', inDate: '2025-03-01' }

const links = async (r: Room, status?: string): Promise<readonly Residency[]> =>
  (
    await t.ask(
      listResidencies,
      { roomId: r.id, order: 'id', size: 50, ...(status ? { status: [status] } : {}) } as never,
      me,
    )
  ).rows

const link = async (r: Room, name: string): Promise<Residency> =>
  (await links(r)).find(l => l.userName === name)!

const out = (ids: readonly number[], more: object = {}, as = me) =>
  t.ask(checkOut, { ids: ids.map(String), outDate: '2026-11-20', ...more } as never, as)

it('puts a person into rooms in one step; the first owner is main owner and payer, the room is lived in (BASE-9, BASE-11)', async () => {
  const a = await flat()
  const b = await flat()
  const p = await person('张伟丽', {
    rooms: [
      { roomId: a.id, ...lives },
      { roomCode: b.code, relation: 'owner' },
    ],
  })
  expect(p.homes!.map(h => [h.roomPath, h.relation, h.isMain, h.status])).toEqual([
    [a.path, 'owner', true, 'living'],
    [b.path, 'owner', true, 'living'],
  ])
  expect(await room(a.id)).toMatchObject({
    roomState: 'lived',
    mainOwnerName: '张伟丽',
    payerName: '张伟丽',
    payerKind: 'owner',
    people: 1,
    checkinDate: '2025-03-01',
  })
  // An owner who does not live there leaves the room as it is.
  expect(await room(b.id)).toMatchObject({ roomState: 'vacant', mainOwnerName: '张伟丽', people: 0 })
  const changes = (await t.ask(listChanges, { roomId: a.id }, me)).rows
  expect(changes.map(c => [c.item, c.newValue])).toEqual([
    ['roomState', '已入住'],
    ['payer', '张伟丽'],
    ['mainOwner', '张伟丽'],
  ])
})

it('says every fault of a person and a home at its field', async () => {
  const other = await t.ask(
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
    } as never,
    me,
  )
  const base = { homeProject: 'GOLD0001', name: '王五', userType: 'person', state: 'normal' }
  const say = (more: object) => faults(t.ask(addResident, { ...base, ...more } as never, me))
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
  expect(await say({ rooms: [{ roomId: (await flat()).id, relation: 'tenant', isMain: true }] })).toEqual({
    'Rooms[0].IsMain': '租户不能设为主业主，请先把关系改为业主',
  })
})

it('keeps one record for one mobile and one document; links the room to the one who is there (BASE-13, BASE-14)', async () => {
  const r = await flat()
  const p = await person('李梅', { certNo: '11010519491231002X' })
  expect(p).toMatchObject({ certType: 'idCard', birthday: '1949-12-31', gender: 'female' })
  expect(await faults(person('李梅', { mobile: p.mobile }))).toEqual({
    Mobile: '该手机号已存在：李梅，是同一个人请选择「关联到已有住户」',
  })
  expect(await faults(person('李梅', { certNo: '11010519491231002x' }))).toEqual({
    CertNo: '该证件号已存在：李梅，是同一个人请选择「关联到已有住户」',
  })
  expect((await faults(person('李美', { mobile: p.mobile, linkExisting: true }))).Mobile).toContain(
    '属于「李梅」',
  )
  const again = await person('李梅', {
    mobile: p.mobile,
    linkExisting: true,
    rooms: [{ roomId: r.id, ...lives }],
  })
  expect(again.id).toBe(p.id)
  expect((await t.ask(sameResidents, { mobile: p.mobile! }, me)).map(x => x.id)).toEqual([p.id])
  const twice = await Promise.allSettled([1, 2].map(() => person('同时', { mobile: '13711112222' })))
  expect(twice.map(s => s.status).sort()).toEqual(['fulfilled', 'rejected'])
})

it('moves a family in, all or nothing', async () => {
  const r = await flat()
  const m = mobile()
  const family = (more: object = {}) =>
    t.ask(
      addFamily,
      {
        projectCode: 'GOLD0001',
        roomIds: [String(r.id)],
        inDate: '2026-11-01',
        people: [
          { name: '赵一', mobile: m, relation: 'owner', isPayer: true },
          { name: '赵二', relation: 'family', birthday: '2019-05-01' },
          { name: '钱三', relation: 'family', mobile: mobile(), ...more },
        ],
      } as never,
      me,
    )
  expect(Object.keys(await faults(family({ mobile: m })))).toEqual(['Users[2].Mobile'])
  expect(await links(r)).toEqual([])
  expect((await family()).map(p => p.name)).toEqual(['赵一', '赵二', '钱三'])
  expect(await room(r.id)).toMatchObject({
    people: 3,
    roomState: 'lived',
    mainOwnerName: '赵一',
    payerName: '赵一',
  })
  expect(
    (await t.ask(usersInRoom, { roomCode: r.code! }, me)).map(u => [u.name, u.relation, u.isMain]),
  ).toEqual([
    ['赵一', 'owner', true],
    ['赵二', 'family', false],
    ['钱三', 'family', false],
  ])
  const panel = await t.ask(roomPanel, { id: r.id }, me)
  expect(panel.sections.find(s => s.key === 'residents')!.lines.map(l => l.value)).toEqual([
    '赵一',
    '赵二',
    '钱三',
  ])
  expect((await refusal(t.ask(deleteRooms, { ids: [String(r.id)], reason: '录错了' }, me))).message).toBe(
    `房间「${r.path}」不能删除：还有住户 3 个，请先处理`,
  )
})

it('finds people by part of a name, pinyin, initials, phone tail and room', async () => {
  const r = await flat()
  const p = await person('欧阳振华', { mobile: '13655550987', rooms: [{ roomId: r.id, ...lives }] })
  const found = async (keyword: string): Promise<boolean> =>
    (await t.ask(listResidents, { keyword, size: 100 }, me)).rows.some(x => x.id === p.id)
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
  expect((await t.ask(pickResidents, { keyword: 'oyzh' }, me)).map(x => x.name)).toEqual(['欧阳振华'])
  expect(
    (await t.ask(listResidents, { roomCode: r.code!, relation: ['owner'] } as never, me)).rows.map(
      x => x.name,
    ),
  ).toEqual(['欧阳振华'])
  expect((await t.ask(listResidents, { keyword: '100%_' }, me)).total).toBe(0)
})

it('audits: pass, refuse with a reason, apply again; nothing else (BASE-10)', async () => {
  const r = await flat()
  const owner = await person('周主', { rooms: [{ roomId: r.id, ...lives }] })
  const p = await person('吴租')
  const l = await t.ask(
    addResidency,
    {
      userId: p.id,
      roomId: r.id,
      relation: 'tenant',
      leaseBegin: '2026-11-01',
      leaseEnd: '2027-10-31',
      inDate: '2026-11-01',
      pending: true,
    } as never,
    me,
  )
  expect(l.status).toBe('pending')
  expect((await room(r.id)).people).toBe(1)
  const audit = (pass: boolean, more: object = {}) =>
    t.ask(auditResidencies, { ids: [String(l.id)], pass, ...more } as never, me)
  expect(await faults(audit(false))).toEqual({ Reason: '驳回请填写原因（2 到 200 字）' })
  expect(await audit(false, { reason: '材料不全' })).toMatchObject({ success: 1, fail: 0 })
  expect((await audit(true)).rows[0]!.reason).toContain('当前为“已驳回”')
  await t.ask(applyAgain, { id: l.id }, me)
  expect(await audit(true)).toMatchObject({ success: 1 })
  expect(await room(r.id)).toMatchObject({ people: 2, roomState: 'lived', mainOwnerName: owner.name })
  expect(
    (await refusal(t.ask(deleteResidencies, { ids: [String(l.id)], reason: '录错' }, me))).message,
  ).toContain('请用「迁出」')
  const log = (await t.ask(listMovements, { roomId: r.id }, me)).rows.map(x => [x.userName, x.action])
  expect(log).toEqual([
    ['吴租', 'passed'],
    ['吴租', 'again'],
    ['吴租', 'refused'],
    ['吴租', 'applied'],
    ['周主', 'movedIn'],
  ])
})

it('who may not audit can only apply', async () => {
  const { clerk } = await limitedClerk([
    'residents.resident.view',
    'residents.resident.add',
    'residents.link.add',
  ])
  const r = await flat()
  const p = await person('申请人', { rooms: [{ roomId: r.id, ...lives }] }, clerk)
  expect(p.homes![0]!.status).toBe('pending')
  expect((await room(r.id)).roomState).toBe('vacant')
})

async function limitedClerk(permissions: string[], privacy = false): Promise<{ clerk: As; login: string }> {
  const login = `clerk${++n}`
  await t.store.tx('*', async tx => {
    const { ownerId } = (await tx.one<{ ownerId: number }>(
      sql`select owner_id from manager where login_code = ${golden.first.owner}`,
    ))!
    const role = await tx.one<{ id: number }>(
      sql`
        insert into role (owner_id, role_name, permissions, everything)
        values (${ownerId}, ${login}, ${permissions}, false)
        returning id
      `,
    )
    const m = await tx.one<{ id: number }>(
      sql`
        insert into manager (
          owner_id, login_code, real_name, manager_type, role_ids, all_project, show_privacy, state
        )
        values (${ownerId}, ${login}, ${login}, 30, ${[String(role!.id)]}, true, ${privacy}, 10)
        returning id
      `,
    )
    await tx.run(
      sql`
        insert into manager_secret (owner_id, manager_id, password)
        select owner_id, ${m!.id}::bigint, password
        from manager_secret
        where owner_id = ${ownerId}
        limit 1
      `,
    )
  })
  return { clerk: await t.as(login), login }
}

it('checks out: cards end, faces go, the heir follows, the last one empties the room, all in the history (BASE-11)', async () => {
  const r = await flat()
  const m = mobile()
  await t.ask(
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
    } as never,
    me,
  )
  const main = await link(r, '孙主')
  const co = await link(r, '孙共')
  const kid = await link(r, '孙子')
  const card = await t.ask(
    saveCard,
    {
      projectCode: 'GOLD0001',
      cardNo: `C${n}A1`,
      cardType: 'ic',
      userId: main.userId,
      roomId: r.id,
    } as never,
    me,
  )
  const plan = await t.ask(
    planMove,
    { kind: 'checkout', ids: [String(main.id)], day: '2026-11-20' } as never,
    me,
  )
  expect(plan).toMatchObject({ blocked: false, title: `${r.path} 孙主迁出` })
  expect(plan.steps.map(s => [s.key, s.lines.map(l => l.value)])).toEqual([
    ['people', ['业主 · 主业主 · 缴费人', '孙共、孙子', '孙共', '孙共']],
    ['cards', ['1 张']],
    ['room', ['已入住']],
  ])
  // Nothing has happened yet.
  expect((await link(r, '孙主')).status).toBe('living')
  expect(await faults(out([main.id], { outDate: '2026-11-22' }))).toEqual({
    OutDate: '日期不能晚于今天，请到当天再办理',
  })
  expect((await faults(out([main.id], { outDate: '2025-12-31' }))).OutDate).toContain('2026-01-01 才入住')
  await out([main.id], { reason: '卖房' })
  expect(await link(r, '孙主')).toMatchObject({ status: 'left', outDate: '2026-11-20' })
  expect(await link(r, '孙共')).toMatchObject({ isMain: true })
  expect(await room(r.id)).toMatchObject({
    mainOwnerName: '孙共',
    payerName: '孙共',
    people: 2,
    roomState: 'lived',
  })
  expect(
    await t.store
      .reader('*')
      .one<{ state: number; endReason: string }>(
        sql`select state, end_reason from identity_card where id = ${card.id}`,
      ),
  ).toMatchObject({ state: 30, endReason: `住户迁出 ${r.path}` })
  await out([co.id, kid.id])
  expect(await room(r.id)).toMatchObject({ people: 0, roomState: 'vacant' })
  expect((await room(r.id)).mainOwnerName).toBeUndefined()
  // BASE-12: the link alone comes back.
  const [back] = await t.ask(checkInAgain, { ids: [String(main.id)], inDate: '2026-11-21' } as never, me)
  expect(back).toMatchObject({ status: 'living', inDate: '2026-11-21', isMain: true, isPayer: true })
  expect(back!.outDate).toBeUndefined()
  expect(await room(r.id)).toMatchObject({ roomState: 'lived', mainOwnerName: '孙主', people: 1 })
  expect(
    (await t.store
      .reader('*')
      .one<{ state: number }>(sql`select state from identity_card where id = ${card.id}`))!.state,
  ).toBe(30)
  const log = (await t.ask(listMovements, { roomId: r.id, size: 50 }, me)).rows.map(
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
  expect((await t.ask(homesOf, { userId: main.userId }, me)).map(l => l.status)).toEqual(['living'])
})

it('two clerks check out the same person: one wins, the other is told who did (G-8)', async () => {
  const { clerk, login: clerkName } = await limitedClerk([
    'residents.resident.view',
    'residents.link.checkout',
    'rooms.room.view',
  ])
  for (let i = 0; i < 5; i++) {
    const r = await flat()
    const p = await person(`双办${i}`, { rooms: [{ roomId: r.id, ...lives }] })
    const id = p.homes![0]!.linkId
    const said = await Promise.allSettled([out([id]), out([id], {}, clerk)])
    expect(said.map(s => s.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((said.find(s => s.status === 'rejected') as PromiseRejectedResult).reason).toMatchObject({
      code: 10005,
      message: `双办${i}已迁出（2026-11-20，由${said[0]!.status === 'fulfilled' ? '金一管理员' : clerkName}办理），请刷新后重试`,
    })
    expect((await t.ask(listMovements, { roomId: r.id, action: ['movedOut'] } as never, me)).total).toBe(1)
  }
})

it('moves places of main owner and payer; a room has one of each (BASE-9)', async () => {
  const r = await flat()
  await t.ask(
    addFamily,
    {
      projectCode: 'GOLD0001',
      roomIds: [String(r.id)],
      inDate: '2024-01-01',
      people: [
        { name: '甲主', mobile: mobile(), relation: 'owner' },
        { name: '乙主', relation: 'owner' },
      ],
    } as never,
    me,
  )
  const b = await link(r, '乙主')
  await t.ask(
    editResidency,
    {
      id: b.id,
      version: b.version,
      relation: 'owner',
      isMain: true,
      isPayer: true,
      inDate: '2024-01-01',
    } as never,
    me,
  )
  expect((await links(r)).map(l => [l.userName, l.isMain, l.isPayer])).toEqual([
    ['甲主', false, false],
    ['乙主', true, true],
  ])
  expect(await room(r.id)).toMatchObject({ mainOwnerName: '乙主', payerName: '乙主' })
  expect(
    (await refusal(t.ask(editResidency, { id: b.id, version: b.version, relation: 'owner' } as never, me)))
      .code,
  ).toBe(10005)
  expect(
    await faults(
      t.ask(
        addFamily,
        {
          projectCode: 'GOLD0001',
          roomIds: [String((await flat()).id)],
          people: [
            { name: '丙', relation: 'owner', isMain: true },
            { name: '丁', relation: 'owner', isMain: true },
          ],
        } as never,
        me,
      ),
    ),
  ).toEqual({ 'Users[1].IsMain': expect.stringContaining('只能有一位主业主') })
})

it('merges records of one person: homes, cards and blocks go over (BASE-13)', async () => {
  const r = await flat()
  const s = await flat()
  const a = await person('郑合', { rooms: [{ roomId: r.id, ...lives }], birthday: '1980-01-01' })
  const b = await person('郑合', {
    rooms: [
      { roomId: s.id, ...lives },
      { roomId: r.id, relation: 'family' },
    ],
    birthday: '1980-01-01',
    email: 'z@example.com',
    tags: ['党员'],
  })
  expect((await t.ask(duplicates, { keyword: '郑合' }, me)).map(g => [g.reason, g.people.length])).toEqual([
    ['姓名、房间、生日', 2],
  ])
  await t.ask(
    saveCard,
    { projectCode: 'GOLD0001', cardNo: `M${n}`, cardType: 'ic', userId: b.id, roomId: s.id } as never,
    me,
  )
  const kept = await t.ask(mergeResidents, { id: a.id, others: [String(b.id)], reason: '重复登记' }, me)
  expect(kept).toMatchObject({ id: a.id, email: 'z@example.com', phone2: b.mobile, tags: ['党员'] })
  expect(new Map(kept.homes!.map(h => [h.roomId, h.relation]))).toEqual(
    new Map([
      [r.id, 'owner'],
      [s.id, 'owner'],
    ]),
  )
  expect((await refusal(t.ask(oneResident, { id: b.id }, me))).code).toBe(10004)
  expect(await room(s.id)).toMatchObject({ mainOwnerId: a.id, people: 1 })
  expect((await t.ask(residentPanel, { id: a.id }, me)).sections.map(x => x.key)).toEqual([
    'facts',
    'homes',
    'cards',
    'history',
  ])
})

it('renames: rooms show the new name; a new mobile ends what knows the old one (BASE-14)', async () => {
  const r = await flat()
  const p = await person('旧名', { rooms: [{ roomId: r.id, ...lives }] })
  const old = p.mobile!
  await t.store.tx('*', tx => tx.run(sql`update resident set app_bind = true where id = ${p.id}`))
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
  await t.ask(editResident, { ...own, name: '新名' } as never, me)
  expect((await room(r.id)).mainOwnerName).toBe('新名')
  expect((await refusal(t.ask(editResident, { ...own, name: '又名' } as never, me))).code).toBe(10005)
  const m = mobile()
  const after = await t.ask(changeMobile, { id: p.id, mobile: m }, me)
  expect(after).toMatchObject({ mobile: m, appBind: false })
  expect((await t.ask(listResidents, { keyword: old }, me)).total).toBe(0)
  expect((await t.ask(listResidents, { keyword: m.slice(-4), name: '新名' } as never, me)).total).toBe(1)
})

it('blocks with a reason until a day; no card meanwhile (BASE-15)', async () => {
  const r = await flat()
  const p = await person('冯黑', { rooms: [{ roomId: r.id, ...lives }] })
  await t.ask(
    updateBlock,
    {
      userId: p.id,
      projectCode: 'GOLD0001',
      isBlock: true,
      reason: '多次破坏设施',
      expireDate: '2026-11-30',
    } as never,
    me,
  )
  expect((await t.ask(oneResident, { id: p.id }, me)).isBlock).toBe(true)
  const card = () =>
    t.ask(
      saveCard,
      { projectCode: 'GOLD0001', cardNo: `B${++n}`, cardType: 'ic', userId: p.id, roomId: r.id } as never,
      me,
    )
  expect((await refusal(card())).message).toContain('在黑名单里（多次破坏设施）')
  expect((await t.ask(listResidents, { isBlock: true, name: '冯黑' } as never, me)).total).toBe(1)
  // The day after its last.
  await t.store.tx('*', tx =>
    tx.run(sql`update user_blocklist set expire_date = '2026-11-20' where user_id = ${p.id}`),
  )
  expect((await t.ask(oneResident, { id: p.id }, me)).isBlock).toBe(false)
  const c = await card()
  expect(await t.ask(changeCards, { ids: [String(c.id)], state: 'lost' } as never, me)).toMatchObject({
    success: 1,
  })
  expect(
    (await t.ask(changeCards, { ids: [String(c.id)], state: 'expired' } as never, me)).rows[0]!.reason,
  ).toContain('当前为“挂失”')
  expect(
    await faults(
      t.ask(
        addBlock,
        { projectCode: 'GOLD0001', name: '外人', scope: ['visit'], reason: '滋扰' } as never,
        me,
      ),
    ),
  ).toEqual({ Mobile: '不是住户的人请填写手机号或证件号，否则无法识别' })
  await t.ask(
    updateBlock,
    { userId: p.id, projectCode: 'GOLD0001', isBlock: false, reason: '已道歉' } as never,
    me,
  )
  expect((await t.ask(listBlocks, { userId: p.id }, me)).total).toBe(0)
})

it('hides numbers from who may not see them, and keeps them when he saves (PERM-7)', async () => {
  const { clerk } = await limitedClerk([
    'residents.resident.view',
    'residents.resident.edit',
    'rooms.room.view',
  ])
  const r = await flat()
  const p = await person('褚密', {
    mobile: '13512345678',
    certNo: '11010119900307451X'.replace('X', '5'),
    certType: 'other',
    rooms: [{ roomId: r.id, ...lives }],
  })
  const seen = await t.ask(oneResident, { id: p.id }, clerk)
  expect([seen.mobile, seen.certNo!.includes('*')]).toEqual(['135 **** 5678', true])
  expect((await t.ask(usersInRoom, { roomId: r.id }, clerk))[0]!.mobile).toBe('135 **** 5678')
  expect(JSON.stringify(await t.say(roomPanel, { id: r.id }, clerk))).not.toContain('13512345678')
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
  await t.ask(editResident, { ...own, remark: '改备注' } as never, clerk)
  expect(await t.ask(oneResident, { id: p.id }, me)).toMatchObject({
    mobile: '13512345678',
    certNo: p.certNo,
    remark: '改备注',
  })
})

it('keeps people inside the data domain: project, building, company (PERM-6, G-13)', async () => {
  const estate = await t.as(golden.first.estateOnly)
  const building = await t.as(golden.first.buildingOnly)
  const other = await t.as(golden.second.owner)
  const r = await flat()
  const p = await person('域内', { rooms: [{ roomId: r.id, ...lives }] })
  const far = await t.ask(
    addResident,
    {
      homeProject: 'GOLD0002',
      name: '域外',
      userType: 'person',
      state: 'normal',
      mobile: mobile(),
    } as never,
    me,
  )
  const sees = async (as: As, id: number): Promise<unknown> =>
    t.ask(oneResident, { id }, as).then(
      x => x.name,
      e => (e as Refused).code,
    )
  expect([
    await sees(estate, p.id),
    await sees(estate, far.id),
    await sees(building, p.id),
    await sees(other, p.id),
  ]).toEqual(['域内', 10003, 10003, 10004])
  expect((await t.ask(listResidents, { keyword: '域' }, estate)).rows.map(x => x.name)).toEqual(['域内'])
  expect((await t.ask(listResidents, { keyword: '域' }, building)).total).toBe(0)
  expect((await refusal(out([p.homes![0]!.linkId], {}, building))).code).toBe(10003)
  expect(
    (
      await faults(
        t.ask(
          addResident,
          {
            homeProject: 'GOLD0001',
            name: '域外',
            userType: 'person',
            state: 'normal',
            mobile: far.mobile,
          } as never,
          estate,
        ),
      )
    ).Mobile,
  ).toBe('该手机号已存在（登记在其他项目），请联系有权限的同事关联')
  expect(
    (
      await refusal(
        t.ask(
          planMove,
          { kind: 'checkout', ids: [String(p.homes![0]!.linkId)], day: '2026-11-20' } as never,
          building,
        ),
      )
    ).code,
  ).toBe(10003)
})

it('counts who lives there (statistics)', async () => {
  const s = await t.ask(statistics, { projectCode: 'GOLD0001' }, me)
  expect(s.people).toBeGreaterThan(10)
  expect(s.byGender.reduce((x, g) => x + g.count, 0)).toBe(s.people)
  expect(s.byAge.reduce((x, g) => x + g.count, 0)).toBe(s.people)
  expect(s.bySize.reduce((x, g) => x + g.rooms, 0)).toBe(s.rooms)
})

it('deletes only who has nothing left', async () => {
  const r = await flat()
  const p = await person('删我', { rooms: [{ roomId: r.id, ...lives }] })
  expect((await refusal(t.ask(deleteResidents, { ids: [String(p.id)], reason: '录错了' }, me))).message).toBe(
    '住户「删我」不能删除：还有房屋关系 1 个，请先处理',
  )
  await out([p.homes![0]!.linkId])
  await t.ask(deleteResidents, { ids: [String(p.id)], reason: '录错了' }, me)
  expect((await t.ask(listResidents, { keyword: '删我' }, me)).total).toBe(0)
})

it('seeks one and two characters of a name by the trigram index, whatever stands behind the wall', async () => {
  const plan = await t.store.tx('*', async tx => {
    await tx.run(sql`set local enable_seqscan = off`)
    return (
      await tx.rows<Record<string, string>>(sql`explain select id from resident t where ${soughtBy('建')}`)
    )
      .map(r => Object.values(r)[0])
      .join('\n')
  })
  expect(plan).toContain('resident_search')
})

it('finds cards and faces by number and by their holder; names of what a form holds by id', async () => {
  const r = await flat()
  const p = await person('卡主慕容', { rooms: [{ roomId: r.id, ...lives }] })
  const card = await t.ask(
    saveCard,
    { projectCode: 'GOLD0001', cardNo: `Q${++n}X7`, cardType: 'ic', userId: p.id, roomId: r.id } as never,
    me,
  )
  for (const keyword of ['慕容', 'kzmr', card.cardNo, card.cardNo.slice(0, -1)]) {
    expect([keyword, (await t.ask(listCards, { keyword }, me)).rows.map(c => c.id)]).toEqual([
      keyword,
      [card.id],
    ])
  }
  expect((await t.ask(listFaces, { keyword: '慕容' }, me)).total).toBe(0)
  expect(
    (await t.ask(listResidents, { userIds: [String(p.id)], projectCode: 'GOLD0002' } as never, me)).rows.map(
      x => x.name,
    ),
  ).toEqual(['卡主慕容'])
  expect(
    (await t.ask(usersInRoom, { roomIds: [String(r.id), String((await flat()).id)] } as never, me)).map(u => [
      u.name,
      u.roomId,
    ]),
  ).toEqual([['卡主慕容', r.id]])
})

it('a colleague holds a card too: found by his name, refused once he has left, never beside a resident', async () => {
  const who = (await t.store.reader('*').one<{ id: number; name: string; owner: number }>(
    sql`
        select id, name, owner_id as owner
        from staff
        where delete_tag = 0 and state <> 30 and owner_id = (select min(owner_id) from staff)
        order by id
        limit 1
      `,
  ))!
  const p = await person('卡主端木')
  const card = await t.ask(
    saveCard,
    { projectCode: 'GOLD0001', cardNo: `Q${++n}S7`, cardType: 'ic', staffId: who.id } as never,
    me,
  )
  expect(
    (await t.ask(listCards, { keyword: who.name }, me)).rows.filter(c => c.id === card.id),
  ).toMatchObject([{ staffId: who.id, staffName: who.name }])
  expect(
    await faults(
      t.ask(
        saveCard,
        {
          projectCode: 'GOLD0001',
          cardNo: `Q${++n}S8`,
          cardType: 'ic',
          staffId: who.id,
          userId: p.id,
        } as never,
        me,
      ),
    ),
  ).toEqual({ UserID: '住户和员工只能选一个' })
  await t.store.tx('*', tx => tx.run(sql`update staff set state = 30 where id = ${who.id}`))
  expect(
    await faults(
      t.ask(
        saveCard,
        { projectCode: 'GOLD0001', cardNo: `Q${++n}S9`, cardType: 'ic', staffId: who.id } as never,
        me,
      ),
    ),
  ).toEqual({ StaffID: '员工不存在或已离职，请重新选择' })
})
