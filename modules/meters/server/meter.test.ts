import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { previewMove } from '#modules/residents/contract/move.ts'
import { listOpenWork } from '#modules/accounts/server/open-work.ts'
import { resetAppSecret } from '#modules/accounts/contract/company.ts'
import { saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { deleteRooms, editRoom, getRoom } from '#modules/rooms/contract/room.ts'
import { getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import { addRelation } from '#modules/fees/contract/relation-calls.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden, password } from '#db/golden/golden-data.ts'
import {
  replaceMeter,
  deleteMetersBySearch,
  deleteMeters,
  editMeter,
  listMeters,
  listReplacements,
  listMainLosses,
  getMeter,
  listRoomsWithMeters,
  setMeterStandard,
} from '../contract/meter-calls.ts'
import {
  addPlan,
  deletePlans,
  editPlan,
  listPlans,
  listUnread,
  getPlan,
  setUnreadReason,
} from '../contract/plan.ts'
import { listMonthGrid } from '../contract/month-grid.ts'
import { getMeterReport, listReportDetail } from '../contract/report.ts'
import { submitSmartReadings } from '../contract/smart.ts'
import { faultTextsOf, refusalOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { expectFaults, createMeterFixtures } from './fixtures.ts'
import { findUnbilledReadings } from './public.ts'

let t: GoldenApp
let me: CallOptions
let fixtures: ReturnType<typeof createMeterFixtures>

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
  fixtures = createMeterFixtures(t, me)
})

afterAll(() => t?.close())
const project = { projectCode: 'GOLD0001' }
const listTestRooms = async (n: number) => Promise.all(Array.from({ length: n }, (_, i) => fixtures.home(i)))

it('MTR-1 a meter hangs in a room or an area, by its own number, under a main meter of its kind', async () => {
  const [a] = await listTestRooms(1)
  const of = { meterUse: 'household', sourceType: 'room', sourceCode: defined(a).code }
  const m = await fixtures.meter(of)
  expect(m).toMatchObject({ sourceName: defined(a).path, buildCode: 'B1', state: 'active' })
  expect((await refusalOf(fixtures.meter({ meterNo: m.meterNo }))).message).toContain('已有此表号')
  expect(await expectFaults(fixtures.meter({ meterUse: 'household' }))).toMatchObject({
    SourceType: expect.stringContaining('户表'),
  })
  expect(await expectFaults(fixtures.meter({ ...of, sourceCode: 'NOPE' }))).toMatchObject({
    SourceCode: expect.stringContaining('没有该房屋'),
  })
  expect(
    await expectFaults(
      fixtures.meter({
        multiple: '0',
        digits: 4,
        initNum: '10000',
        verifyDate: '2026-05-01',
        nextVerifyDate: '2026-04-01',
        state: 'replaced',
      }),
    ),
  ).toEqual({
    Multiple: expect.any(String),
    InitNum: expect.stringContaining('4 位'),
    NextVerifyDate: expect.any(String),
    State: expect.stringContaining('换表'),
  })
  const main = await fixtures.meter({ meterUse: 'main', sourceType: 'publicArea', sourceCode: 'A1' })
  const sub = await fixtures.meter({ parentMeterId: main.id })
  expect(main.sourceName).toBe('1栋大堂')
  expect(await expectFaults(t.call(editMeter, { ...main, parentMeterId: sub.id }, me))).toEqual({
    ParentMeterID: expect.stringContaining('循环'),
  })
  expect(await expectFaults(fixtures.meter({ meterKind: 'power', parentMeterId: main.id }))).toEqual({
    ParentMeterID: expect.stringContaining('类型不同'),
  })
  await fixtures.read(sub, '2026-09-30', '5')
  expect(
    await expectFaults(
      t.call(editMeter, { ...sub, meterKind: 'gas', parentMeterId: undefined, initNum: '1' }, me),
    ),
  ).toMatchObject({ MeterKind: expect.stringContaining('不能再改') })
  await fixtures.read(sub, '2026-10-31', '12345')
  expect(
    await expectFaults(
      t.call(editMeter, { ...sub, digits: 4, installDate: '2026-10-01', parentMeterId: undefined }, me),
    ),
  ).toEqual({
    Digits: '已有读数 12345，4 位表的量程不足，请核对',
    InstallDate: '已有 2026-09-30 的读数，安装日期不能晚于该日',
  })
  expect(
    (await t.call(listRoomsWithMeters, { ...project, buildCode: 'B1' }, me)).find(r => r.meterId === m.id),
  ).toMatchObject({ roomPath: defined(a).path, meterNo: m.meterNo })
  expect(
    (
      await t.call(
        listMeters,
        { ...project, keyword: m.meterNo },
        await t.signedInAs(golden.first.buildingOnly),
      )
    ).total,
  ).toBe(1)
  expect(
    (await t.call(listMeters, { ...project, keyword: main.meterNo }, await t.signedInAs(golden.second.owner)))
      .total,
  ).toBe(0)
})

it('BASE-5 a room with a meter stays, shows it, and tells it its new name; BILL-1 meters with readings stay', async () => {
  const a = defined((await listTestRooms(2))[1])
  const m = await fixtures.meter({ meterUse: 'household', sourceType: 'room', sourceCode: a.code })
  const room = await t.call(getRoom, { id: a.id }, me)
  expect(
    (await refusalOf(t.call(deleteRooms, { ids: [String(a.id)], reason: '录入有误' }, me))).message,
  ).toContain('仪表 1 个')
  await fixtures.read(m, '2026-10-31', '12')
  const shown = (await t.call(getRoomPanel, { id: a.id }, me)).sections.find(s => s.key === 'meters')
  expect(shown?.lines[0]).toMatchObject({
    label: '冷水',
    value: m.meterNo,
    note: expect.stringContaining('读数 12'),
  })
  await t.call(editRoom, { ...room, roomNo: '199' }, me)
  expect((await t.call(getMeter, { id: m.id }, me)).sourceName).toContain('199')
  const free = await fixtures.meter({ location: '废弃泵房' })
  const deleted = await t.call(deleteMeters, { ids: [String(m.id), String(free.id)], reason: '录入有误' }, me)
  expect([deleted.success, deleted.rows]).toEqual([
    1,
    [{ id: m.id, code: m.meterNo, reason: expect.stringContaining('有 1 条抄表记录') }],
  ])
  const q = { ...project, keyword: m.meterNo, reason: '录入有误' }
  expect((await refusalOf(t.call(deleteMetersBySearch, { ...q, expected: 2 }, me))).message).toContain(
    '现在有 1 块',
  )
  expect(
    (await refusalOf(t.call(deleteMetersBySearch, { ...project, expected: 2, reason: '录入有误' }, me)))
      .message,
  ).toContain('筛选条件')
  expect(await t.call(deleteMetersBySearch, { ...q, expected: 1 }, me)).toMatchObject({
    success: 0,
    fail: 1,
  })
})

it('PutFeeStand makes a relation that names the meter; a replaced meter hands it on', async () => {
  const a = defined((await listTestRooms(3))[2])
  const of = { meterUse: 'household', sourceType: 'room', sourceCode: a.code, initNum: '0' }
  const m = await fixtures.meter(of)
  const twin = await fixtures.meter(of)
  const bare = await fixtures.meter()
  const ownerId = a.ownerId
  const db = t.database.reader(ownerId)
  const std = async (code: string, at = 'GOLD0001'): Promise<Id> =>
    defined(
      await db.one<{ id: Id }>(
        sql`
          select id
          from fee_standard
          where owner_id = ${ownerId}
            and project_code = ${at}
            and code = ${code}
        `,
      ),
    ).id
  const set = (ids: readonly Id[], standardId: Id, beginDate: Day = '2026-09-01') =>
    t.call(setMeterStandard, { ids: ids.map(String), standardId, beginDate }, me)
  const relations = () =>
    db.rows<{ meterId: Id; standardId: Id; beginDate: string; endDate?: string; state: number }>(
      sql`
        select meter_id, standard_id, begin_date, end_date, state
        from fee_relation
        where owner_id = ${ownerId} and source_code = ${a.code} and meter_id is not null and delete_tag = 0
        order by id
      `,
    )
  const water = await std('SF01')
  const first = await set([m.id, twin.id, bare.id], water)
  expect([first.success, first.rows.map(r => [r.code, r.reason])]).toEqual([
    1,
    [
      [twin.meterNo, expect.stringContaining('同一收费项目')],
      [bare.meterNo, expect.stringContaining('没有所在的房屋')],
    ],
  ])
  expect((await set([m.id], water)).success).toBe(1)
  expect(await relations()).toEqual([
    { meterId: m.id, standardId: water, beginDate: '2026-09-01', state: 10 },
  ])
  // A reading goes onto one bill (MTR-9): a second fee on the meter would never be billed.
  const taken = '该表 2026-09-01 起已按「水费」的标准「居民生活用水」收费'
  expect(await set([m.id], await std('DF01'))).toMatchObject({
    success: 0,
    rows: [{ code: m.meterNo, reason: expect.stringContaining(taken) }],
  })
  const single = { ...project, sourceType: 'room', sourceCode: a.code, meterId: m.id } as const
  expect(
    await expectFaults(
      t.call(addRelation, { ...single, standardId: await std('DF01'), beginDate: '2026-10-01' }, me),
    ),
  ).toEqual({
    MeterID: expect.stringContaining(taken),
  })
  expect((await refusalOf(set([m.id], await std('WY01')))).message).toContain('不是抄表类收费')
  expect(defined((await set([m.id], await std('SF01', 'GOLD0002'))).rows[0]).reason).toContain(
    '不属于该仪表的项目',
  )
  // Hung elsewhere, it would go on to be billed to this room.
  expect(
    await expectFaults(
      t.call(
        editMeter,
        {
          ...m,
          version: undefined,
          sourceCode: defined((await listTestRooms(4))[3]).code,
        },
        me,
      ),
    ),
  ).toEqual({ SourceCode: expect.stringContaining('请先结束收费关联') })
  await fixtures.read(m, '2026-09-30', '10')
  const r = await t.call(
    replaceMeter,
    {
      meterId: m.id,
      oldEndNum: '12',
      newMeterNo: 'TNEW1',
      newInitNum: '0',
      newMultiple: '1',
      replaceDate: '2026-10-10',
      reason: '坏了',
    },
    me,
  )
  expect((await relations()).map(x => x.meterId)).toEqual([r.newMeterId])
  await fixtures.read(r.newMeterId, '2026-10-31', '3')
  const scope = await fixtures.scope()
  const relation = defined(
    await db.one<{ id: Id }>(
      sql`
      select id
      from fee_relation
      where owner_id = ${ownerId} and meter_id = ${r.newMeterId} and delete_tag = 0
    `,
    ),
  ).id
  // What the old meter was read before it went waits with the new one.
  expect(
    defined(
      (await findUnbilledReadings(db, scope, { relationIds: [relation], until: '2026-12-31' })).get(
        r.newMeterId,
      ),
    ).map(w => [w.readMeterId, w.meterId, w.begin, w.end, w.usage, w.usedBefore]),
  ).toEqual([
    [m.id, r.newMeterId, '2026-09-30', '2026-09-30', '10', '0'],
    [r.newMeterId, r.newMeterId, '2026-10-01', '2026-10-31', '5', '10'],
  ])
  expect((await t.call(listReplacements, { meterId: [String(m.id)] }, me)).rows[0]).toMatchObject({
    newMeterNo: 'TNEW1',
    oldUsage: '2',
  })
})

it('MTR-16 a plan’s progress, who is left and why; MTR-18 what must be verified soon', async () => {
  const some = await Promise.all(
    [1, 2, 3].map(i =>
      fixtures.meter({ meterKind: 'reclaimed', initNum: '0', ...(i === 3 ? { state: 'stopped' } : {}) }),
    ),
  )
  const plan = (overrides: object) =>
    t.call(
      addPlan,
      {
        ...project,
        name: '中水',
        meterKind: 'reclaimed',
        readDay: 10,
        windowDays: 5,
        strict: false,
        beginMonth: '2026-09',
        state: 'on',
        ...overrides,
      },
      me,
    )
  const p = await plan({})
  expect([p.total, p.read]).toEqual([2, 0])
  expect((await refusalOf(plan({}))).message).toContain('同名')
  expect((await refusalOf(plan({ name: '倒', endMonth: '2026-08' }))).message).toContain('止月')
  await fixtures.read(defined(some[0]), '2026-10-12', '3')
  const unreadMeters = async () =>
    (await t.call(listUnread, { planId: p.id, month: '2026-10' }, me)).rows.map(r => [r.id, r.unread])
  expect(await unreadMeters()).toEqual([[defined(some[1]).id, undefined]])
  expect(
    await t.call(
      setUnreadReason,
      {
        meterIds: some.slice(0, 2).map(m => String(m.id)),
        month: '2026-10',
        unread: 'nobody',
        remark: '敲门无人',
      },
      me,
    ),
  ).toMatchObject({ success: 1, skipped: 1 })
  expect([
    await unreadMeters(),
    (await t.call(listMonthGrid, { ...project, month: '2026-10', planId: p.id, show: 'unread' }, me)).rows[0],
  ]).toEqual([
    [[defined(some[1]).id, 'nobody']],
    expect.objectContaining({ unread: 'nobody', unreadRemark: '敲门无人' }),
  ])
  // Once it is read there is no reason any more.
  await fixtures.read(defined(some[1]), '2026-10-13', '3')
  expect([
    await unreadMeters(),
    (await t.call(listPlans, { ...project, progressMonth: '2026-10', name: '中水' }, me)).rows[0],
  ]).toEqual([[], expect.objectContaining({ total: 2, read: 2 })])
  expect(await t.call(editPlan, { ...p, readDay: 31 }, me)).toMatchObject({ readDay: 31 })
  await t.call(deletePlans, { ids: [String(p.id)], reason: '不再使用' }, me)
  const due = await fixtures.meter({ nextVerifyDate: '2026-12-21' })
  const later = await fixtures.meter({ nextVerifyDate: '2026-12-22' })
  const found = (await t.call(listMeters, { ...project, verifyDue: true, size: 100 }, me)).rows.map(m => m.id)
  expect([found.includes(due.id), found.includes(later.id)]).toEqual([true, false])
})

it('the report counts by month, building and kind; its detail goes back as far again; main meters tell what was lost', async () => {
  const main = await fixtures.meter({
    meterKind: 'hot',
    meterUse: 'main',
    initNum: '0',
    installDate: '2026-06-30',
  })
  const subs = await Promise.all(
    [1, 2].map(() =>
      fixtures.meter({ meterKind: 'hot', initNum: '0', installDate: '2026-06-30', parentMeterId: main.id }),
    ),
  )
  for (const [d, a, b, all] of [
    ['2026-07-31', '100', '50', '155'],
    ['2026-08-31', '200', '110', '320'],
  ] as const) {
    await fixtures.read(defined(subs[0]), d, a)
    await fixtures.read(defined(subs[1]), d, b)
    await fixtures.read(main, d, all)
  }
  const q = { ...project, meterKind: ['hot'], fromMonth: '2026-08', toMonth: '2026-08' } as const
  expect(await t.call(getMeterReport, q, me)).toEqual([
    expect.objectContaining({
      month: '2026-08',
      meterKind: 'hot',
      meters: 3,
      read: 3,
      usage: '160',
      billed: '0',
    }),
  ])
  const detail = await t.call(listReportDetail, { ...q, keyword: defined(subs[1]).meterNo }, me)
  expect([detail.total, detail.sum, detail.rows[0]]).toEqual([
    1,
    { usage: '60' },
    expect.objectContaining({
      lastNum: '50',
      curNum: '110',
      times: 1,
      usage: '60',
      before: '50',
      change: '20',
    }),
  ])
  expect(
    (await t.call(listMainLosses, { ...project, fromMonth: '2026-07', toMonth: '2026-08' }, me)).find(
      l => l.meterId === main.id,
    ),
  ).toMatchObject({ parts: 2, usage: '320', partUsage: '310', loss: '10', rate: '3.13' })
  expect((await refusalOf(t.call(getMeterReport, { ...q, toMonth: '2026-07' }, me))).message).toContain(
    '不能早于',
  )
  // The main meter is replaced: what the old one counted stays the main meter's, and is not counted beside
  // its parts; nor is a part counted twice that was replaced.
  const change = (m: { id: Id; multiple: string }, oldEndNum: string, newMeterNo: string) =>
    t.call(
      replaceMeter,
      {
        meterId: m.id,
        oldEndNum,
        newMeterNo,
        newInitNum: '0',
        newMultiple: '1',
        replaceDate: '2026-09-10',
        reason: '到期',
        isRollover: false,
      },
      me,
    )
  const newMeterId = (await change(main, '350', 'TMAIN2')).newMeterId
  const part = (await change(defined(subs[0]), '220', 'TSUB2')).newMeterId
  for (const [m, n] of [
    [newMeterId, '60'],
    [part, '30'],
    [defined(subs[1]), '140'],
  ] as const) {
    await fixtures.read(m, '2026-09-30', n)
  }
  expect(
    (await t.call(getMeterReport, { ...q, fromMonth: '2026-07', toMonth: '2026-09' }, me)).map(r => [
      r.month,
      r.usage,
    ]),
  ).toEqual([
    ['2026-09', '80'],
    ['2026-08', '160'],
    ['2026-07', '150'],
  ])
  expect(
    (await t.call(listReportDetail, { ...q, fromMonth: '2026-07', toMonth: '2026-09' }, me)).sum,
  ).toEqual({ usage: '390' })
  expect(
    (await t.call(listMainLosses, { ...project, fromMonth: '2026-07', toMonth: '2026-09' }, me)).find(
      l => l.meterId === newMeterId,
    ),
  ).toMatchObject({ parts: 2, usage: '410', partUsage: '390', loss: '20' })
})

it('a collector’s readings come signed, once, by device or number; a repeated reading is the same row; faults are reported by line', async () => {
  const m = await fixtures.meter({
    initNum: '99990',
    digits: 5,
    isSmart: true,
    deviceNo: 'E0001',
    meterKind: 'power',
  })
  const { appKey, appSecret } = await t.call(resetAppSecret, { password }, me)
  const ticket = (readings: unknown, overrides: object = {}, secret = appSecret): string => {
    const payload = Buffer.from(
      JSON.stringify({
        AppKey: appKey,
        Time: Math.floor(t.app.clock() / 1000),
        Nonce: randomBytes(12).toString('hex'),
        Readings: readings,
        ...overrides,
      }),
    ).toString('base64url')
    return `${payload}.${createHmac('sha256', createHash('sha256').update(secret).digest()).update(payload).digest('base64url')}`
  }
  const send = (x: string) => t.call(submitSmartReadings, { ticket: x })
  const one = [{ DeviceNo: 'E0001', CurNum: 12.5, ReadDate: '2026-11-05 08:00:00' }]
  const good = ticket(one)
  expect(await send(good)).toEqual({ success: 1, fail: 0, skipped: 0, rows: [] })
  // It rolls over alone.
  expect((await fixtures.all(m))[0]).toMatchObject({
    usage: '22.5',
    isRollover: true,
    source: 'automatic',
    month: '2026-11',
  })
  expect((await refusalOf(send(good))).message).toContain('已使用过')
  expect(await send(ticket(one))).toMatchObject({ success: 0, skipped: 1 })
  // Later in the month it moves on; an older one that comes late changes nothing.
  expect(await send(ticket([{ MeterNo: m.meterNo, CurNum: '30', ReadDate: '2026-11-06' }]))).toMatchObject({
    success: 1,
  })
  expect(await send(ticket([{ MeterNo: m.meterNo, CurNum: '20', ReadDate: '2026-11-04' }]))).toMatchObject({
    skipped: 1,
  })
  expect((await fixtures.all(m)).map(r => [r.curNum, r.readDate, r.usage])).toEqual([
    ['30', '2026-11-06', '40'],
  ])
  const bad = await send(
    ticket([
      { DeviceNo: 'E9999', CurNum: '1', ReadDate: '2026-11-06' },
      { CurNum: '1', ReadDate: '2026-11-06' },
      { DeviceNo: 'E0001', CurNum: 'x', ReadDate: '2026-11-06' },
      { DeviceNo: 'E0001', CurNum: '1', ReadDate: 'soon' },
      { DeviceNo: 'E0001', CurNum: '40', ReadDate: '2026-12-06' },
      null,
    ]),
  )
  expect([bad.fail, bad.rows.map(r => r.line), defined(bad.rows[4]).reason]).toEqual([
    6,
    [1, 2, 3, 4, 5, 6],
    expect.stringContaining('不能晚于今天'),
  ])
  for (const x of [
    ticket(one, {}, 'other'),
    ticket(one, { Time: 1 }),
    ticket(one, { AppKey: 'AKnone' }),
    'a.b',
  ]) {
    expect((await refusalOf(send(x))).message).toContain('凭证无效')
  }
  expect((await refusalOf(send(ticket([])))).message).toContain('没有 Readings')
})

it('BASE-11, PERM-8 who moves out sees what the meters show; a reader’s plans go over to another', async () => {
  const db = t.database.reader('*')
  const link = defined(
    await db.one<{ id: Id; roomId: Id; code: string; ownerId: Id }>(
      sql`
      select l.id, l.room_id, r.code, l.owner_id
      from user_room l
      join room r on r.owner_id = l.owner_id and r.id = l.room_id
      join property p on p.owner_id = l.owner_id
      where p.company_name = '金一物业'
        and r.project_code = 'GOLD0001'
        and l.status = 20
        and l.delete_tag = 0
        and l.in_date is not null
      order by l.id
      limit 1
    `,
    ),
  )
  const m = await fixtures.meter({
    meterUse: 'household',
    sourceType: 'room',
    sourceCode: link.code,
    initNum: '0',
  })
  await fixtures.read(m, '2026-10-31', '8')
  const parts = (
    await t.call(previewMove, { kind: 'checkout', ids: [String(link.id)], day: '2026-11-21' }, me)
  ).steps.find(p => p.title === '仪表')
  expect(parts?.lines.find(l => l.label.includes(m.meterNo))).toMatchObject({
    value: '2026-10-31 读数 8',
    note: '2026-11-21 尚未抄表，1 次读数未出账',
    tone: 'todo',
  })
})

const readerOf = async (permissions: readonly string[]): Promise<Id> => {
  const { loginCode } = await t.addClerk(permissions)
  const found = await t.database
    .reader(t.ownerId)
    .one<{ id: Id }>(sql`select id from manager where login_code = ${loginCode}`)
  return defined(found).id
}

it("PERM-8: a reader's plans are handed over to somebody who may read their meters", async () => {
  const scope = await fixtures.scope()
  const rights = ['meters.reading.view', 'meters.reading.add']
  const [leaver, successor] = [await readerOf(rights), await readerOf(rights)]
  const [viewer, distant] = [await readerOf(['meters.reading.view']), await readerOf(rights)]
  const places = [{ ...project, buildCodes: ['B1'] }]
  await t.call(saveDataDomain, { managerId: distant, allProject: false, places }, me)
  const draft = {
    ...project,
    readDay: 1,
    windowDays: 3,
    strict: false,
    beginMonth: '2026-11' as const,
    state: 'on' as const,
  }
  const faults = { readerIds: ['99999999'], buildCodes: ['NOSUCH'] }
  expect(await faultTextsOf(t.call(addPlan, { ...draft, name: '错误', ...faults }, me))).toEqual({
    Buildcodes: '楼栋不存在或不属于所选项目，请重新选择',
    ReaderIDs: '抄表员不存在或已被删除，请重新选择',
  })
  const readerIds = [String(leaver), String(successor)]
  const plan = await t.call(addPlan, { ...draft, name: '交接', readerIds }, me)
  const work = defined(
    (await t.database.tx(scope.ownerId, tx => listOpenWork(tx, scope, leaver))).find(
      w => w.what === '抄表计划',
    ),
  )
  expect(work.count).toBe(1)
  const handTo = (to: Id) => t.database.tx(scope.ownerId, tx => work.handOver(tx, scope, leaver, to))
  expect(await refusalTextOf(handTo(viewer))).toContain('没有「抄表·新增」权限 1 项')
  expect(await refusalTextOf(handTo(distant))).toContain('数据范围不含该计划的楼栋 1 项')
  await handTo(successor)
  expect((await t.call(getPlan, { id: plan.id }, me)).readerIds).toEqual([String(successor)])
})

it('G-13: a manager of one building writes no reading plan of the whole project', async () => {
  const clerk = await t.addClerk(['view', 'add', 'edit', 'del'].map(flag => `meters.plan.${flag}`))
  const found = await t.database
    .reader(t.ownerId)
    .one<{ id: Id }>(sql`select id from manager where login_code = ${clerk.loginCode}`)
  const places = [{ ...project, buildCodes: ['B1'] }]
  await t.call(saveDataDomain, { managerId: defined(found).id, allProject: false, places }, me)
  const draft = {
    ...project,
    readDay: 1,
    windowDays: 3,
    strict: false,
    beginMonth: '2026-11' as const,
    state: 'on' as const,
  }
  expect((await refusalOf(t.call(addPlan, { ...draft, name: '全部楼栋' }, clerk.as))).message).toContain(
    '抄表计划适用于整个项目',
  )
  const whole = await t.call(addPlan, { ...draft, name: '全部楼栋' }, me)
  expect((await refusalOf(t.call(editPlan, { ...whole, readDay: 2 }, clerk.as))).code).toBe(10003)
  const removal = { ids: [String(whole.id)], reason: '不用了' }
  expect((await refusalOf(t.call(deletePlans, removal, clerk.as))).code).toBe(10003)
  expect(
    (await t.call(addPlan, { ...draft, name: '一栋', buildCodes: ['B1'] }, clerk.as)).buildCodes,
  ).toEqual(['B1'])
})

it('a meter of another company is not there', async () => {
  const m = await fixtures.meter()
  const other = await t.signedInAs(golden.second.owner)
  expect((await refusalOf(t.call(getMeter, { id: m.id }, other))).code).toBe(10004)
})
