import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { defined } from '#kit/domain/defined.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { addResidentBlock } from '#modules/residents/contract/block.ts'
import { visitorBlocks } from '../contract/block.ts'
import { saveCheckType } from '../contract/check-type.ts'
import { checkCode, checkIn, countPasses, getGatehouse, passCode } from '../contract/check.ts'
import { visitorLocations } from '../contract/location.ts'
import { saveSetting } from '../contract/setting.ts'
import {
  addWalkIn,
  getLastVisit,
  getVisit,
  getVisitor,
  leave,
  listValidations,
  listVisitors,
  listVisits,
} from '../contract/visit.ts'
import type { InviteVisitor } from '../contract/visitor.ts'
import { invite, inviteOne, projectCode } from './gatehouse.fixtures.ts'
import { initialSetting } from './setting.ts'

let t: GoldenApp
let me: CallOptions
const hour = 3600_000
const mobile = '13800138000'
const certNo = '11010519491231002X'

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

const asked = ({ inviteNo }: Pick<InviteVisitor, 'inviteNo'>, direction: 'in' | 'out' = 'in') => ({
  projectCode,
  inviteNo,
  direction,
})
const pass = (visitor: InviteVisitor, direction?: 'in' | 'out') =>
  t.call(passCode, asked(visitor, direction), me)
const stateOf = async ({ id }: InviteVisitor) => (await t.call(getVisitor, { id }, me)).state
const register = (visitor: InviteVisitor, details: object = {}) =>
  t.call(checkIn, { visitorId: visitor.id, personCount: 1, ...details }, me)
const recordsOf = async ({ id }: InviteVisitor) =>
  (await t.call(listVisits, { projectCode, visitorId: id }, me)).rows
const setGatehouse = (values: object) =>
  t.call(saveSetting, { projectCode, ...initialSetting, ...values }, me)

it('a one-time code at two gates in the same instant opens once (VIS-2)', async () => {
  const visitor = await inviteOne(t)
  const answers = await Promise.all([1, 2, 3, 4].map(() => pass(visitor)))
  expect(answers.map(({ result }) => result).toSorted()).toEqual(['passed', 'usedUp', 'usedUp', 'usedUp'])
  expect(await recordsOf(visitor)).toHaveLength(1)
  expect(await t.call(getVisitor, { id: visitor.id }, me)).toMatchObject({ usedTimes: 1, state: 'arrived' })
})

it('a code is worth something between its begin and its end, in its project (VIS-2)', async () => {
  const early = await inviteOne(t, { beginTime: '2026-11-21 15:00:00' })
  const over = await inviteOne(t, { endTime: '2026-11-21 08:30:00' })
  const cancelled = await inviteOne(t, { state: 'cancelled' })
  expect(await pass(early)).toMatchObject({
    result: 'early',
    reason: '来访时间自 2026-11-21 15:00 起，请届时再来或由被访人修改邀访',
  })
  expect((await pass(over)).result).toBe('expired')
  expect((await pass(cancelled)).result).toBe('invalid')
  expect((await t.call(passCode, { ...asked(early), projectCode: 'GOLD0002' }, me)).result).toBe('invalid')
  const { rows } = await t.call(listValidations, { projectCode, visitorId: [String(early.id)] }, me)
  expect(rows).toMatchObject([{ result: 'early', direction: 'in', visitorName: '李访客' }])
})

it('each way is counted for itself, and a look at a code uses nothing up (VIS-2, 1§7)', async () => {
  const visitor = await inviteOne(t, { maxTimes: 2 })
  expect((await t.call(checkCode, asked(visitor), me)).result).toBe('passed')
  expect((await pass(visitor)).result).toBe('passed')
  expect(await refusalMessageOf(pass(visitor))).toContain('请先登记离开')
  expect((await pass(visitor, 'out')).result).toBe('passed')
  expect(await stateOf(visitor)).toBe('left')
  expect((await pass(visitor)).result).toBe('passed')
  expect(await t.call(countPasses, asked(visitor), me)).toEqual({
    maxTimes: 2,
    usedTimes: 2,
    exitTimes: 1,
    entrancesLeft: 0,
    exitsLeft: 1,
  })
  expect((await t.call(checkCode, asked(visitor), me)).result).toBe('usedUp')
})

it('nobody leaves who has not come in, and each stay ends once (VIS-2)', async () => {
  const visitor = await inviteOne(t, { maxTimes: 2 })
  expect(await pass(visitor, 'out')).toMatchObject({
    result: 'invalid',
    reason: expect.stringContaining('没有进入'),
  })
  expect(await stateOf(visitor)).toBe('passed')
  await pass(visitor)
  const [record] = await recordsOf(visitor)
  const ids = [String(defined(record).id)]
  const left = await Promise.allSettled([
    t.call(leave, { ids }, me),
    t.call(leave, { ids }, me),
    pass(visitor, 'out'),
  ])
  expect(left).toHaveLength(3)
  expect(await t.call(getVisitor, { id: visitor.id }, me)).toMatchObject({ exitTimes: 1, state: 'left' })
  expect((await pass(visitor, 'out')).result).toBe('invalid')
  expect((await pass(visitor)).result).toBe('passed')
  expect((await pass(visitor, 'out')).result).toBe('passed')
})

it('a group is as many people as were invited, whatever its codes (VIS-1)', async () => {
  const [first, second, third] = await invite(t, { visitors: [{}, {}, {}], visit: { personCount: 4 } })
  expect(await pass(defined(first))).toMatchObject({ personCount: 4, codeCount: 1 })
  expect(await recordsOf(defined(first))).toMatchObject([{ personCount: 1 }])
  const tooMany = register(defined(second), { personCount: 3 })
  expect(await faultTextsOf(tooMany)).toEqual({
    PersonCount: '该邀请码还可进入 2 人，超出的请由被访人另行邀请',
  })
  await register(defined(second), { personCount: 2 })
  expect(await faultTextsOf(register(defined(third), { personCount: 2 }))).toMatchObject({
    PersonCount: expect.stringContaining('1 人'),
  })
  const [alone] = await invite(t, { visit: { personCount: 3 } })
  expect(await pass(defined(alone))).toMatchObject({ codeCount: 3 })
  expect(await recordsOf(defined(alone))).toMatchObject([{ personCount: 3 }])
})

it('no car and no visitor without a face pass where the rule forbids them (VIS-1)', async () => {
  const driver = await inviteOne(t, {}, { allowsCar: false })
  expect(await faultTextsOf(register(driver, { plateNo: '粤B12345' }))).toEqual({
    PlateNo: '该来访不允许车辆，请清除车牌',
  })
  const visitor = await inviteOne(t, {}, { needsFace: true })
  expect(await t.call(checkCode, asked(visitor), me)).toMatchObject({ result: 'passed', needsFace: true })
  expect(await faultTextsOf(register(visitor))).toEqual({
    CheckPhoto: '该来访须登记人脸，请拍摄核验照片',
  })
  expect(await refusalMessageOf(pass(visitor))).toContain('请到门岗核验登记后进入')
  const known = await inviteOne(t, { face: 'face' }, { needsFace: true })
  expect((await t.call(checkCode, asked(known), me)).needsFace).toBe(false)
  expect((await pass(known)).result).toBe('passed')
})

it('the guard checks a visitor in and out: 20, 30, 40, with an entry in the book (VIS-5, 1§1)', async () => {
  const location = await t.call(
    visitorLocations.save,
    { projectCode, locationName: '南门岗', state: 'on' },
    me,
  )
  const [visitor, other] = await invite(t, { visitors: [{ mobile }, {}], visit: { personCount: 3 } })
  const items = [{ itemName: '电脑', quantity: 2 }]
  const record = await register(defined(visitor), { locationId: location.id, certNo, personCount: 2, items })
  expect(record).toMatchObject({
    visitorName: '李访客',
    inLocationName: '南门岗',
    personCount: 2,
    certType: 'idCard',
    state: 'inside',
    endTime: '2026-11-21 18:00:00',
  })
  const { invitationId, ...seen } = await t.call(getVisitor, { id: defined(visitor).id }, me)
  expect(seen).toMatchObject({ state: 'arrived', items: '电脑×2' })
  expect((await t.call(checkCode, asked(defined(visitor), 'out'), me)).recordId).toBe(record.id)
  const ids = [String(record.id)]
  expect(await t.call(leave, { ids, locationId: location.id }, me)).toMatchObject({ success: 1 })
  expect(await stateOf(defined(visitor))).toBe('left')
  expect(await stateOf(defined(other))).toBe('passed')
  expect(await t.call(getVisit, { id: record.id }, me)).toMatchObject({ outLocationName: '南门岗' })
  const again = await t.call(leave, { ids }, me)
  expect(again.rows[0]?.reason).toContain('无需再登记')
  const validations = await t.call(listValidations, { projectCode, invitationId: [String(invitationId)] }, me)
  expect(validations.rows.map(row => row.direction)).toEqual(['out', 'in'])
})

it('what the project and the rule ask for must be entered at the gate (VIS-5, 1§7)', async () => {
  await setGatehouse({ asksPhoto: true, asksTemperature: true })
  const visitor = await inviteOne(t, {}, { needsCert: true })
  expect(await faultTextsOf(register(visitor))).toEqual({
    CertNo: '该来访须登记证件，请填写证件号',
    CheckPhoto: '请拍摄核验照片',
    Temperature: '请测量体温',
  })
  expect(await refusalMessageOf(pass(visitor))).toContain('请到门岗核验登记后进入')
  const hot = register(visitor, { certNo: '110105194912310021', temperature: '37.3', personCount: 2 })
  expect(await faultTextsOf(hot)).toMatchObject({
    Temperature: '体温 37.3 ℃，达到上限 37.3 ℃，不予放行',
    PersonCount: '该邀请码还可进入 1 人，超出的请由被访人另行邀请',
    CertNo: expect.stringContaining('身份证'),
  })
  expect(await stateOf(visitor)).toBe('passed')
  await setGatehouse({})
  const masked = await inviteOne(t, { certType: 'idCard', certNo }, { needsCert: true })
  const shown = await t.call(checkCode, asked(masked), me)
  expect(shown.certNo).toBe('110 *********** 002X')
  const record = await register(masked, { certNo: shown.certNo })
  expect(record.certNo).toBe('110 *********** 002X')
  const last = await t.call(getLastVisit, { projectCode, certNo }, me)
  expect(last.id).toBe(record.id)
})

it('nobody is entered in the black list twice while one row counts (VIS-4)', async () => {
  const block = (values: object) =>
    t.call(visitorBlocks.add, { projectCode, name: '重复', reason: '曾闹事', ...values }, me)
  const first = await block({ mobile: '13900139077', plateNo: '粤B77777', expireDate: '2026-11-21' })
  const fault = '已在黑名单中（重复，至 2026-11-21），请编辑该记录'
  expect(await faultTextsOf(block({ mobile: '13900139077' }))).toEqual({ Mobile: fault })
  expect(await faultTextsOf(block({ plateNo: '粤b77777' }))).toEqual({ PlateNo: fault })
  const races = await Promise.allSettled([block({ plateNo: '粤B78787' }), block({ plateNo: '粤B78787' })])
  expect(races.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  // A document beside the telephone is news; the row itself is edited.
  await block({ mobile: '13900139077', certNo: '110101199003070134' })
  expect((await t.call(visitorBlocks.edit, { ...first, expireDate: undefined }, me)).version).toBe(2)
})

it('the black list turns away by mobile, document and plate, until its day (VIS-4)', async () => {
  const block = (values: object) =>
    t.call(visitorBlocks.add, { projectCode, name: '闹事者', reason: '曾闹事', ...values }, me)
  expect(await faultTextsOf(block({}))).toEqual({ Mobile: '请填写手机、证件号或车牌，否则无法识别' })
  await block({ plateNo: '粤B12345' })
  await block({ mobile: '13900139001', expireDate: '2026-11-21' })
  await block({ certNo: '44010619900101001X' })
  const byPlate = await inviteOne(t, { plateNo: '粤B12345' })
  expect(await pass(byPlate)).toMatchObject({
    result: 'blocked',
    reason: '在访客黑名单中（曾闹事），不予放行',
  })
  const byMobile = await inviteOne(t, { mobile: '13900139001', endTime: '2026-11-23 18:00:00' })
  expect((await t.call(checkCode, asked(byMobile), me)).result).toBe('blocked')
  const byCert = await inviteOne(t)
  const refused = register(byCert, { certNo: '44010619900101001x' })
  expect(await refusalMessageOf(refused)).toContain('访客黑名单')
  const walkIn = { projectCode, visitorKind: 'friend', visitorName: '过客', personCount: 1 } as const
  expect(await refusalMessageOf(t.call(addWalkIn, { ...walkIn, plateNo: '粤b·12345' }, me))).toContain(
    '曾闹事',
  )
  await t.call(
    addResidentBlock,
    { projectCode, name: '旧客', mobile: '13900139002', scope: ['visit'], reason: '纠纷' },
    me,
  )
  const byResident = await inviteOne(t, { mobile: '13900139002' })
  expect((await pass(byResident)).result).toBe('blocked')
})

it('somebody without an invitation is entered until the day is over', async () => {
  const walkIn = { projectCode, visitorKind: 'delivery', visitorName: '张三', personCount: 1 } as const
  const record = await t.call(addWalkIn, { ...walkIn, mobile: '13700137000', hostName: '前台' }, me)
  expect(record).toMatchObject({ endTime: '2026-11-21 23:59:59', state: 'inside', inGuardName: '金一管理员' })
  const long = t.call(addWalkIn, { ...walkIn, endTime: '2028-01-03 08:00:00' }, me)
  expect(await faultTextsOf(long)).toEqual({ EndTime: '临时来访最长 24 小时，更长的请由被访人邀请' })
  const kind = { projectCode, visitorKind: 'delivery', checkType: 'exempt' } as const
  await t.call(saveCheckType, { ...kind, isEnabled: false }, me)
  expect(await faultTextsOf(t.call(addWalkIn, walkIn, me))).toEqual({
    VisitorKind: '本项目不接待「快递外卖」，请选择其他类别',
  })
  await t.call(saveCheckType, { ...kind, isEnabled: true }, me)
  const past = t.call(addWalkIn, { ...walkIn, endTime: '2026-11-21 08:00:00' }, me)
  expect(await faultTextsOf(past)).toEqual({ EndTime: '应离时间须晚于现在' })
  const { rows } = await t.call(listVisits, { projectCode, isWalkIn: true }, me)
  expect(rows.map(({ id }) => id)).toEqual([record.id])
})

it('who stays longer than allowed is an overstayer and can still leave (VIS-5)', async () => {
  const visitor = await inviteOne(t, { endTime: '2026-11-21 10:00:00' })
  const record = await register(visitor)
  const overdueIds = async () =>
    (await t.call(listVisits, { projectCode, isOverdue: true, size: 100 }, me)).rows.map(({ id }) => id)
  const before = (await t.call(getGatehouse, { projectCode }, me)).overdueCount
  t.advanceClock(1.5 * hour)
  expect(await overdueIds()).not.toContain(record.id)
  t.advanceClock(2000)
  expect(await overdueIds()).toContain(record.id)
  expect((await t.call(getGatehouse, { projectCode }, me)).overdueCount).toBeGreaterThan(before)
  expect((await pass(visitor, 'out')).result).toBe('passed')
  expect(await overdueIds()).not.toContain(record.id)
  expect(await stateOf(visitor)).toBe('left')
})

it('codes are in no list, and another company finds none (VIS-2)', async () => {
  const visitor = await inviteOne(t, { endTime: '2026-11-23 18:00:00' })
  const { rows } = await t.call(listVisitors, { projectCode, isExpected: true, size: 100 }, me)
  expect(rows.map(({ id }) => id)).toContain(visitor.id)
  expect(JSON.stringify(await t.callRaw(listVisitors, { projectCode, size: 100 }, me))).not.toContain(
    visitor.inviteNo,
  )
  const other = await t.signedInAs(golden.second.owner)
  expect((await t.call(checkCode, asked(visitor), other)).result).toBe('invalid')
  expect(await refusalMessageOf(t.call(getVisitor, { id: visitor.id }, other))).toContain('不存在')
})
