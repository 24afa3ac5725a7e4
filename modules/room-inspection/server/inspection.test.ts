import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalTextOf, refusedTextsOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { resignManager } from '#modules/accounts/contract/manager.ts'
import { addResidency, editResidency } from '#modules/residents/contract/residency.ts'
import { addFamily, addResident } from '#modules/residents/contract/resident.ts'
import { changeRoomState } from '#modules/rooms/contract/room-change.ts'
import { addRoom, editRoom, getRoom } from '#modules/rooms/contract/room.ts'
import { evaluateOrder } from '#modules/work-orders/contract/evaluation.ts'
import {
  acceptOrder,
  checkOrder,
  closeOrder,
  dispatchOrder,
  finishOrder,
  reopenOrder,
} from '#modules/work-orders/contract/order-actions.ts'
import { listOrders } from '#modules/work-orders/contract/order-list.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { inspectionChecks } from '../contract/check.ts'
import { inspectionFindings, passFindings, recheckFinding, saveFinding } from '../contract/finding.ts'
import {
  addInspections,
  finishInspection,
  recheckInspection,
  roomInspections,
  startInspection,
} from '../contract/inspection.ts'
import {
  addStandardSet,
  copyStandard,
  getStandardForm,
  inspectionItems,
  inspectionStandards,
  saveStandardForm,
} from '../contract/standard.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let owner: CallOptions
let first: CallOptions
let second: CallOptions
let standardId: Id
let roomNumber = 900

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  owner = await t.owner
  const rights = ['view', 'add', 'edit', 'del', 'inspect'].map(flag => `room-inspection.sheet.${flag}`)
  first = (await t.addClerk(rights)).as
  second = (
    await t.addClerk([
      ...rights,
      'rooms.room.state',
      'work-orders.order.view',
      'work-orders.order.check',
      'work-orders.evaluation.add',
    ])
  ).as
  standardId = (await t.call(addStandardSet, { standardSet: 'bare' }, owner)).id
})

afterAll(() => t?.close())

/** A room that waits to be delivered, with its code. */
async function addPendingRoom() {
  const model = defined(
    await t.database.reader(t.ownerId).one<{ buildCode: string; unitName: string; floorNum: number }>(sql`
      select build_code, unit_name, floor_num
      from room
      where project_code = ${projectCode} and delete_tag = 0 and floor_num = 1
      order by sort_key
      limit 1
    `),
  )
  const added = await t.call(
    addRoom,
    {
      projectCode,
      ...model,
      roomNo: `1${++roomNumber}`,
      roomType: 'home',
      roomState: 'pending',
      buildArea: '89.00',
      feeRatio: '1',
      state: 'on',
      deliverDate: '2026-11-20',
    },
    owner,
  )
  return { id: added.id, code: defined(added.code) }
}

async function addSheet(roomCode: string): Promise<Id> {
  const made = await t.call(
    addInspections,
    { projectCode, roomCodes: [roomCode], standardId, planDate: '2026-11-25' },
    owner,
  )
  expect(made).toMatchObject({ success: 1, fail: 0, skipped: 0 })
  return defined((await t.call(roomInspections.list, { roomCode: [roomCode], size: 1 }, owner)).rows[0]).id
}

const findings = async (inspectionId: Id) =>
  (await t.call(inspectionFindings.list, { inspectionId: [String(inspectionId)], size: 500 }, owner)).rows

const ordersOf = async (roomCode: string) =>
  (await t.call(listOrders, { roomCode: [roomCode], size: 50 }, owner)).rows

/** Started and judged: so many problems, all else passed. */
async function judge(sheet: Id, problems: number, as = first) {
  await t.call(startInspection, { id: sheet }, as)
  for (const finding of (await findings(sheet)).slice(0, problems)) {
    await t.call(saveFinding, { id: finding.id, result: 'problem', problem: '墙面开裂' }, as)
  }
  await t.call(passFindings, { inspectionId: sheet }, as)
}

const finish = (id: Id, as = first) =>
  t.call(finishInspection, { id, ownerPresent: false, meters: [{ name: '水表', reading: '12.5' }] }, as)

async function closeOrders(roomCode: string) {
  for (const order of await ordersOf(roomCode)) {
    if (order.state !== 'closed') {
      await t.call(closeOrder, { id: order.id, reason: '整改完成' }, owner)
    }
  }
}

it('C13: three problems become orders, their end leads to the recheck, the recheck to the delivery', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await judge(sheet, 3)
  const failed = await finish(sheet)
  expect(failed).toMatchObject({ state: 'rectifying', problemCount: 3, openCount: 3, round: 1 })
  const orders = await ordersOf(room.code)
  expect(orders.map(order => order.source)).toEqual(['inspection', 'inspection', 'inspection'])

  const deliver = (overrides = {}, as = owner) =>
    t.call(changeRoomState, { ids: [String(room.id)], roomState: 'vacant', ...overrides }, as)
  const refused = await deliver()
  expect(refused).toMatchObject({ success: 0, fail: 1 })
  expect(defined(refused.rows[0]).reason).toBe(
    `验房单 ${failed.sheetNo} 还有 3 个问题未整改合格，复查合格后才能交付`,
  )

  await closeOrders(room.code)
  const rectified = await t.call(roomInspections.get, { id: sheet }, owner)
  expect(rectified.state).toBe('rectified')
  const fixed = (await findings(sheet)).filter(finding => finding.result === 'problem')
  expect(fixed.every(finding => finding.fixTime !== undefined)).toBe(true)
  expect((await deliver()).fail).toBe(1)

  const again = await t.call(recheckInspection, { id: sheet }, first)
  expect(again).toMatchObject({ state: 'inspecting', round: 1, recheckCount: 1 })
  // Until the recheck ends nobody has found anything put right.
  expect(defined((await deliver()).rows[0]).reason).toContain('还有 3 个问题未整改合格')
  expect((await findings(sheet)).filter(finding => finding.result === 'problem')).toHaveLength(3)
  await expect(finish(sheet)).rejects.toThrow('还有 3 个问题未复查，请先填写复查结果')
  for (const [i, finding] of fixed.entries()) {
    await t.call(recheckFinding, { id: finding.id, recheckResult: i ? 'passed' : 'failed' }, first)
  }
  expect(await finish(sheet)).toMatchObject({ state: 'rectifying', problemCount: 3, openCount: 1 })
  expect(await ordersOf(room.code)).toHaveLength(4)

  await closeOrders(room.code)
  await t.call(recheckInspection, { id: sheet }, first)
  await t.call(recheckFinding, { id: defined(fixed[0]).id, recheckResult: 'passed' }, first)
  expect(await finish(sheet)).toMatchObject({ state: 'recheckPassed', openCount: 0, recheckCount: 2 })
  expect(await deliver()).toMatchObject({ success: 1 })
  expect((await t.call(getRoom, { id: room.id }, owner)).roomState).toBe('vacant')
})

it('C13: a problem is put right once its work is accepted, before anybody rates; taken up again, no more', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await judge(sheet, 1)
  await finish(sheet)
  const [order] = await ordersOf(room.code)
  const { id } = defined(order)
  const stateOf = async () => (await t.call(roomInspections.get, { id: sheet }, owner)).state
  const fixTimes = async () =>
    (await findings(sheet)).flatMap(finding => (finding.fixTime === undefined ? [] : [finding.fixTime]))
  await t.call(dispatchOrder, { id, handlerId: t.managerId }, owner)
  await t.call(acceptOrder, { id }, owner)
  const done = await t.call(finishOrder, { id, resultText: '已修补' }, owner)
  if (done.state === 'checking') {
    expect([await stateOf(), await fixTimes()]).toEqual(['rectifying', []])
    await t.call(checkOrder, { id, isPassed: true }, second)
  }
  expect((await ordersOf(room.code)).map(each => each.state)).toEqual(['unrated'])
  expect([await stateOf(), (await fixTimes()).length]).toEqual(['rectified', 1])
  const scores = { speedScore: 2, attitudeScore: 2, qualityScore: 1 }
  await t.call(evaluateOrder, { orderId: id, ...scores }, second)
  await t.call(reopenOrder, { id, reason: '仍有裂缝' }, owner)
  expect([await stateOf(), await fixTimes()]).toEqual(['rectifying', []])
})

it('C13: a problem that passes at the recheck closes its order, if nobody has finished that', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await judge(sheet, 1)
  await finish(sheet)
  await t.call(recheckInspection, { id: sheet }, first)
  const [finding] = (await findings(sheet)).filter(each => each.result === 'problem')
  await t.call(recheckFinding, { id: defined(finding).id, recheckResult: 'passed' }, first)
  expect(await finish(sheet)).toMatchObject({ state: 'recheckPassed', openCount: 0 })
  expect((await ordersOf(room.code)).map(order => order.state)).toEqual(['closed'])
})

it('C13: a person with the permission delivers in spite of open problems, with a reason', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await judge(sheet, 1)
  await finish(sheet)
  const input = { ids: [String(room.id)], roomState: 'vacant', overridesChecks: true } as const
  await expect(t.call(changeRoomState, { ...input, reason: '业主同意' }, second)).rejects.toThrow(
    '你没有“强制交付”的权限',
  )
  await expect(t.call(changeRoomState, input, owner)).rejects.toThrow('强制交付请填写原因')
  expect(await t.call(changeRoomState, { ...input, reason: '业主同意先收房' }, owner)).toMatchObject({
    success: 1,
  })
})

it('C13: nobody moves into an undelivered room with open problems; registering its owner stays possible', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await judge(sheet, 1)
  await finish(sheet)
  const person = (name: string, mobile: string) =>
    t.call(
      addResident,
      { name, mobile, homeProject: projectCode, state: 'normal', userType: 'person' },
      owner,
    )
  const successor = await person('业主张三', '13912340001')
  const link = { projectCode, roomId: room.id, relation: 'owner' } as const
  const movedIn = { ...link, userId: successor.id, inDate: '2026-11-21' } as const
  await expect(t.call(addResidency, movedIn, owner)).rejects.toThrow('1 个问题未整改合格，复查合格后才能交付')
  const family = {
    projectCode,
    roomIds: [String(room.id)],
    people: [{ name: '业主李四', mobile: '13912340002', relation: 'owner' as const }],
    inDate: '2026-11-21',
  } as const
  await expect(t.call(addFamily, family, owner)).rejects.toThrow('1 个问题未整改合格，复查合格后才能交付')
  const registered = await t.call(addResidency, { ...link, userId: successor.id }, owner)
  expect(registered.inDate).toBeUndefined()
  const edit = { id: registered.id, version: registered.version, relation: 'owner' } as const
  await expect(t.call(editResidency, { ...edit, inDate: '2026-11-21' }, owner)).rejects.toThrow(
    '1 个问题未整改合格',
  )
  const forced = {
    ids: [String(room.id)],
    roomState: 'vacant',
    overridesChecks: true,
    reason: '业主先收房',
  } as const
  expect(await t.call(changeRoomState, forced, owner)).toMatchObject({ success: 1 })
  expect((await t.call(editResidency, { ...edit, inDate: '2026-11-21' }, owner)).inDate).toBe('2026-11-21')
})

it('C13: a sheet without problems passes, and the next sheet of the room is the second round', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  const skipped = await t.call(addInspections, { projectCode, roomCodes: [room.code], standardId }, owner)
  expect(skipped).toMatchObject({ success: 0, skipped: 1 })
  await t.call(startInspection, { id: sheet }, first)
  const all = await findings(sheet)
  await expect(finish(sheet)).rejects.toThrow(`还有 ${all.length} 项未查验，请先填写结果`)
  await t.call(passFindings, { inspectionId: sheet, part: '入户门' }, first)
  expect((await findings(sheet)).filter(finding => finding.result === 'passed')).toHaveLength(3)
  await t.call(passFindings, { inspectionId: sheet }, first)
  await expect(
    t.call(finishInspection, { id: sheet, ownerPresent: true, ownerName: '业主' }, first),
  ).rejects.toThrow('业主在场时请业主签名')
  expect(await finish(sheet)).toMatchObject({ state: 'passed', meters: [{ name: '水表', reading: '12.5' }] })
  const next = await addSheet(room.code)
  expect((await t.call(roomInspections.get, { id: next }, owner)).round).toBe(2)
  await t.call(roomInspections.delete, { ids: [String(next)], reason: '重复' }, owner)
  await expect(
    t.call(roomInspections.delete, { ids: [String(sheet)], reason: '重复' }, owner),
  ).rejects.toThrow('验房单状态为「合格」，不能修改或删除')
})

it('G-8: of two inspectors who start one sheet one does, and the refusal names that person', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  const outcomes = await Promise.allSettled(
    [first, second, first, second].map(as => t.call(startInspection, { id: sheet }, as)),
  )
  expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
  const { inspectorName } = await t.call(roomInspections.get, { id: sheet }, owner)
  const words = new Set(refusedTextsOf(outcomes))
  expect(words).toEqual(new Set([`验房单已由${inspectorName}开始查验`, '你已开始查验此验房单，请继续填写']))
  const { items } = await t.call(getStandardForm, { id: standardId }, owner)
  expect(await findings(sheet)).toHaveLength(items.length)
})

it('G-8: of two batches over the same rooms at once each room gets one sheet', async () => {
  const rooms = [await addPendingRoom(), await addPendingRoom()]
  const input = { projectCode, roomCodes: rooms.map(room => room.code), standardId }
  const made = await Promise.all([1, 2, 3].map(() => t.call(addInspections, input, owner)))
  expect(made.reduce((sum, one) => sum + one.success, 0)).toBe(2)
})

it('G-6: finished twice with one uuid it makes its orders once', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await judge(sheet, 2)
  const as = { ...first, uuid: 'finish-inspection-1' }
  await Promise.all([finish(sheet, as), finish(sheet, as)])
  expect(await ordersOf(room.code)).toHaveLength(2)
})

it('only the inspector fills in the sheet, and a problem says what it is', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await t.call(startInspection, { id: sheet }, first)
  const finding = defined((await findings(sheet))[0])
  await expect(t.call(saveFinding, { id: finding.id, result: 'passed' }, second)).rejects.toThrow(
    '只有查验人可以填写',
  )
  await expect(t.call(saveFinding, { id: finding.id, result: 'problem' }, first)).rejects.toThrow(
    '请填写问题描述，至少 2 个字',
  )
  await expect(
    t.call(saveFinding, { id: finding.id, result: 'problem', problem: '门扇划伤', photos: ['a'] }, first),
  ).rejects.toThrow('图片不存在或已过期')
})

it('a standard is copied with its items, and its items become the lines that are saved', async () => {
  const copy = await t.call(copyStandard, { id: standardId, standardName: '毛坯房（二期）' }, owner)
  const form = await t.call(getStandardForm, { id: copy.id }, owner)
  const [a, b, ...rest] = form.items
  const swapped = [
    { ...defined(b), id: defined(a).id },
    { ...defined(a), id: defined(b).id },
    ...rest.slice(0, 2),
  ]
  await t.call(saveStandardForm, { ...form, items: swapped }, owner)
  const saved = (await t.call(getStandardForm, { id: copy.id }, owner)).items
  expect(saved.map(item => item.itemName)).toEqual(swapped.map(item => item.itemName))
  await expect(
    t.call(
      saveStandardForm,
      { ...form, version: undefined, items: [defined(a), { ...defined(a), id: undefined }] },
      owner,
    ),
  ).rejects.toThrow('同一部位已有此项目')
  await expect(
    t.call(inspectionStandards.delete, { ids: [String(standardId)], reason: '不用' }, owner),
  ).rejects.toThrow('已有验房单使用')
  expect((await t.call(inspectionItems.list, { standardId: [String(copy.id)], size: 50 }, owner)).total).toBe(
    4,
  )
})

it('C13: no day of delivery is set while findings are open, by whichever call', async () => {
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await judge(sheet, 1)
  await finish(sheet)
  const stored = await t.call(getRoom, { id: room.id }, owner)
  const words = '1 个问题未整改合格，复查合格后才能交付'
  await expect(t.call(editRoom, { ...stored, deliverDate: '2026-11-24' }, owner)).rejects.toThrow(words)
  await t.call(editRoom, { ...stored, remark: '只改备注' }, owner)
  const back = {
    ids: [String(room.id)],
    roomState: 'unsold',
    reason: '退房',
    deliverDate: '2026-11-23',
  } as const
  expect(defined((await t.call(changeRoomState, back, owner)).rows[0]).reason).toContain(words)
  expect((await t.call(getRoom, { id: room.id }, owner)).deliverDate).toBe('2026-11-20')
})

const idOf = async (login: string): Promise<Id> =>
  defined(
    await t.database
      .reader(t.ownerId)
      .one<{ id: Id }>(sql`select id from manager where login_code = ${login}`),
  ).id

const viewerRights = ['room-inspection.sheet.view']

it('C13: the inspector of a sheet is somebody who may inspect its room', async () => {
  const room = await addPendingRoom()
  const viewer = await idOf((await t.addClerk(viewerRights)).loginCode)
  const batch = (inspectorId: Id) =>
    t.call(addInspections, { projectCode, roomCodes: [room.code], standardId, inspectorId }, owner)
  expect(await faultTextsOf(batch(viewer))).toEqual({
    InspectorID: expect.stringContaining('没有「验房单·查验」权限，不能作为查验人'),
  })
  const distant = await idOf((await t.addClerk([...viewerRights, 'room-inspection.sheet.inspect'])).loginCode)
  const places = [{ projectCode, buildCodes: ['B3'] }]
  await t.call(saveDataDomain, { managerId: distant, allProject: false, places }, owner)
  expect(await faultTextsOf(batch(distant))).toEqual({
    InspectorID: expect.stringContaining('数据范围不含该房屋'),
  })
  const sheet = await t.call(roomInspections.get, { id: await addSheet(room.code) }, owner)
  expect(await faultTextsOf(t.call(roomInspections.edit, { ...sheet, inspectorId: viewer }, owner))).toEqual({
    InspectorID: expect.stringContaining('没有「验房单·查验」权限'),
  })
})

it('C13: a planned sheet is taken over only by who says so and may change the plan; its history tells', async () => {
  const room = await addPendingRoom()
  const planned = await t.addClerk([...viewerRights, 'room-inspection.sheet.inspect'])
  const other = await t.addClerk([...viewerRights, 'room-inspection.sheet.inspect'])
  const inspectorId = await idOf(planned.loginCode)
  await t.call(addInspections, { projectCode, roomCodes: [room.code], standardId, inspectorId }, owner)
  const { id } = defined(
    (await t.call(roomInspections.list, { roomCode: [room.code], size: 1 }, owner)).rows[0],
  )
  const startAs = (as: CallOptions, takesOver?: true) =>
    t.call(startInspection, { id, ...(takesOver ? { takesOver } : {}) }, as)
  await expect(startAs(other.as, true)).rejects.toThrow(`验房单由${planned.loginCode}查验；需要接手的`)
  await expect(startAs(first)).rejects.toThrow(`验房单由${planned.loginCode}查验，请确认接手后再开始查验`)
  expect((await startAs(first, true)).state).toBe('inspecting')
  const log = await t.database.reader(t.ownerId).rows<{ reason?: string }>(sql`
    select reason from audit_log where entity = 'roomInspection' and entity_id = ${id} and reason is not null
  `)
  expect(log).toEqual([{ reason: `接手查验，原查验人${planned.loginCode}` }])
})

it('PERM-8: a leaving inspector hands the sheets over to somebody who may inspect', async () => {
  const room = await addPendingRoom()
  const departing = await idOf(
    (await t.addClerk([...viewerRights, 'room-inspection.sheet.inspect'])).loginCode,
  )
  const successor = await t.addClerk([...viewerRights, 'room-inspection.sheet.inspect'])
  const viewer = await idOf((await t.addClerk(viewerRights)).loginCode)
  const batch = { projectCode, roomCodes: [room.code], standardId, inspectorId: departing }
  await t.call(addInspections, batch, owner)
  const resign = (handTo: Id) => t.call(resignManager, { id: departing, handTo, reason: '个人原因' }, owner)
  expect(await refusalTextOf(resign(viewer))).toContain('1 项验房单无法办理：没有「验房单·查验」权限 1 项')
  expect(await resign(await idOf(successor.loginCode))).toEqual([{ what: '验房单', count: 1 }])
  const { rows } = await t.call(roomInspections.list, { roomCode: [room.code], size: 1 }, owner)
  expect(rows.map(row => row.inspectorName)).toEqual([successor.loginCode])
})

it('C13: each check keeps its presence, signature, times, problems and orders', async () => {
  const clerk = await t.addClerk([...viewerRights, 'room-inspection.sheet.inspect'])
  const inspector = clerk.as
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await judge(sheet, 2, inspector)
  const png = { ...t.upload('sign.png', Buffer.from('89504e470d0a1a0a', 'hex')), type: 'image/png' }
  const picture = await t.app.files.save(t.ownerId, await idOf(clerk.loginCode), png)
  const signed = { id: sheet, ownerPresent: true, ownerName: '张三', signature: picture }
  const begun = await t.call(finishInspection, signed, inspector)
  const checks = async () =>
    (await t.call(inspectionChecks.list, { inspectionId: [String(sheet)], size: 50 }, second)).rows
  await closeOrders(room.code)
  await t.call(recheckInspection, { id: sheet }, second)
  const [failed, passed] = (await findings(sheet)).filter(finding => finding.result === 'problem')
  const anew = { id: defined(failed).id, recheckResult: 'failed', problem: '裂缝仍在' } as const
  await t.call(recheckFinding, anew, second)
  await t.call(recheckFinding, { id: defined(passed).id, recheckResult: 'passed' }, second)
  expect(await finish(sheet, second)).toMatchObject({ ownerName: '张三', signature: picture, openCount: 1 })
  await closeOrders(room.code)
  await t.call(recheckInspection, { id: sheet }, first)
  await t.call(recheckFinding, { id: defined(failed).id, recheckResult: 'passed' }, first)
  await finish(sheet)
  const [zero, one, two, ...others] = await checks()
  expect(others).toEqual([])
  expect(zero).toMatchObject({ checkNo: 0, ownerPresent: true, ownerName: '张三', signature: picture })
  expect(zero).toMatchObject({ startTime: begun.startTime, endTime: begun.endTime })
  expect(zero?.problems?.map(each => [each.problem, each.recheckResult])).toEqual([
    ['墙面开裂', undefined],
    ['墙面开裂', undefined],
  ])
  expect(zero?.problems?.every(each => each.workOrderNo && each.fixTime)).toBe(true)
  expect(one).toMatchObject({ checkNo: 1, ownerPresent: false })
  expect(one?.signature).toBeUndefined()
  expect(one?.problems?.map(each => [each.problem, each.recheckResult])).toEqual([
    ['裂缝仍在', 'failed'],
    ['墙面开裂', 'passed'],
  ])
  expect(one?.problems?.[0]?.workOrderNo).not.toBe(zero?.problems?.[0]?.workOrderNo)
  expect(two?.problems?.map(each => [each.problem, each.recheckResult])).toEqual([['裂缝仍在', 'passed']])
})

it('C13: a recheck has the readings and the signature of that check alone', async () => {
  const clerk = await t.addClerk([...viewerRights, 'room-inspection.sheet.inspect'])
  const room = await addPendingRoom()
  const sheet = await addSheet(room.code)
  await judge(sheet, 1, clerk.as)
  const png = { ...t.upload('sign.png', Buffer.from('89504e470d0a1a0b', 'hex')), type: 'image/png' }
  const signature = await t.app.files.save(t.ownerId, await idOf(clerk.loginCode), png)
  const signed = { id: sheet, ownerPresent: true, ownerName: '张三', signature }
  const meters = [{ name: '水表', reading: '12.5' }]
  await t.call(finishInspection, { ...signed, meters }, clerk.as)
  await closeOrders(room.code)
  await t.call(recheckInspection, { id: sheet }, clerk.as)
  const [problem] = (await findings(sheet)).filter(finding => finding.result === 'problem')
  await t.call(recheckFinding, { id: defined(problem).id, recheckResult: 'passed' }, clerk.as)
  const again = t.call(finishInspection, signed, clerk.as)
  await expect(again).rejects.toThrow('该签名已用于其他验房，请业主重新签名')
  const read = { id: sheet, ownerPresent: false, meters: [{ name: '电表', reading: '1003' }] }
  const finished = await t.call(finishInspection, read, clerk.as)
  expect(finished).toMatchObject({ meters: [...meters, ...read.meters], openCount: 0 })
  const { rows } = await t.call(inspectionChecks.list, { inspectionId: [String(sheet)], size: 50 }, clerk.as)
  expect(rows.map(check => check.meters)).toEqual([meters, read.meters])
})
