import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { addMinutes, asMoment, dayOfInstant, dayOfMoment, fromInstant, momentAt } from '#kit/domain/moment.ts'
import { faultTextsOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { editPark } from '#modules/parking/contract/park.ts'
import { addHolidays } from '#modules/system/contract/holiday.ts'
import { addFeeRuleVersion, parkFeeRules, type ParkFeeRule } from '../contract/fee-rule.ts'
import { testParkFee } from '../contract/price-test.ts'
import { ParkSite, yuan } from './park-site.fixtures.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

type TestInput = NonNullable<typeof testParkFee.input.T>

const priceOf = (site: ParkSite, minutes: number, more: Partial<TestInput> = {}) => {
  const [hours, rest] = [String(8 + Math.floor(minutes / 60)).padStart(2, '0'), minutes % 60]
  return t.call(
    testParkFee,
    {
      parkId: site.id,
      carKind: 'temp',
      inTime: '2026-06-02 08:00:00',
      outTime: asMoment(`2026-06-02 ${hours}:${String(rest).padStart(2, '0')}:00`),
      ...more,
    },
    me,
  )
}

it('a rule says what it costs, and the test shows the blocks, the sentence and the coupons (PRK-25)', async () => {
  const site = await ParkSite.open(t, me)
  expect(await refusalTextOf(priceOf(site, 61))).toContain('没有适用于临时车的收费规则')
  const rule = await site.addRule({ maxCoupons: 2 })
  expect(rule.summary).toBe('免费 30 分钟，首 60 分钟 5.00，之后每 60 分钟 2.00，24 小时封顶 20.00')
  const plain = await priceOf(site, 121)
  expect(plain).toMatchObject({ ruleName: '临停收费', minutes: 121, fullFee: yuan(9), due: yuan(9) })
  expect(plain.sentence).toBe('停留 2 小时 1 分钟，应收 9.00 元：首 60 分钟 5.00，每 60 分钟 2.00×2')
  const reduced = await priceOf(site, 121, { ticketAmount: yuan(3), ticketMinutes: 60, ticketPercent: 50 })
  expect(reduced).toMatchObject({ discount: yuan(5), due: yuan(4) })
  expect(reduced.coupons).toEqual([
    { kind: 'minutes', discount: yuan(2) },
    { kind: 'amount', discount: yuan(3) },
    { kind: 'discount', discount: 0, reason: '一次最多使用 2 张' },
  ])
  const covered = await priceOf(site, 121, { ticketAmount: yuan(9), ticketPercent: 50 })
  expect(covered.coupons).toEqual([
    { kind: 'amount', discount: yuan(9) },
    { kind: 'discount', discount: 0, reason: '没有可抵扣的金额' },
  ])
})

it('a later version counts for cars that come in from its day on; one in force keeps its prices', async () => {
  const site = await ParkSite.open(t, me)
  const rule = await site.addRule()
  const dearer = { ...rule, firstFee: yuan(8) }
  expect((await faultTextsOf(t.call(parkFeeRules.edit, dearer, me))).EffectiveDate).toContain(
    '请用「新增版本」',
  )
  const renamed = await t.call(parkFeeRules.edit, { ...rule, ruleName: '临时车' }, me)
  expect(renamed.ruleName).toBe('临时车')
  const tomorrow = addDays(dayOfInstant(t.app.clock()), 1)
  const tooEarly = t.call(addFeeRuleVersion, { id: rule.id, effectiveDate: addDays(tomorrow, -1) }, me)
  expect(await refusalTextOf(tooEarly)).toContain('及以后的日期')
  const version = await t.call(addFeeRuleVersion, { id: rule.id, effectiveDate: tomorrow }, me)
  await t.call(parkFeeRules.edit, { ...version, firstFee: yuan(8) }, me)
  const times = (day: Day) => ({ inTime: momentAt(day, '08:00'), outTime: momentAt(day, '09:00') })
  expect((await priceOf(site, 60, times(tomorrow))).due).toBe(yuan(8))
  expect((await priceOf(site, 60, times(addDays(tomorrow, -1)))).due).toBe(yuan(5))
})

it('a rule for a kind of car goes before that for all; two for the same from one day are refused', async () => {
  const site = await ParkSite.open(t, me)
  await site.addRule()
  await site.addRule({ ruleName: '访客', carKinds: ['visitor'], freeMinutes: 120 })
  expect((await priceOf(site, 119, { carKind: 'visitor' })).due).toBe(0)
  expect((await priceOf(site, 119)).due).toBe(yuan(7))
  const again = site.addRule({ ruleName: '访客二', carKinds: ['visitor', 'vip'] })
  expect((await faultTextsOf(again)).EffectiveDate).toContain('「访客」自同一天起适用同样的车类')
})

it('holidays of the calendar have the prices of the holiday rule, and kinds of cars their factor', async () => {
  const site = await ParkSite.open(t, me)
  await site.addRule({ factors: [{ carKind: 'stored', percent: 80 }] })
  await site.addRule({ ruleName: '节假日', appliesOn: 'holiday', firstFee: yuan(10) })
  await t.call(addHolidays, { holidayDate: '2026-06-19', holidayName: '端午节', dayType: 'rest' }, me)
  const onHoliday = { inTime: '2026-06-19 08:00:00', outTime: '2026-06-19 09:00:00' } as const
  expect((await priceOf(site, 60, onHoliday)).blocks).toMatchObject([{ isHoliday: true, fee: yuan(10) }])
  expect((await priceOf(site, 60)).due).toBe(yuan(5))
  expect((await priceOf(site, 60, { carKind: 'stored' })).due).toBe(yuan(4))
})

it('a night needs its beginning, end and price; a first price needs its minutes', async () => {
  const site = await ParkSite.open(t, me)
  const faults = await faultTextsOf(site.addRule({ nightBegin: '22:00', firstMinutes: 0 }))
  expect(Object.keys(faults).toSorted()).toEqual(['FirstFee', 'NightBegin'])
})

it('a rule in force stays while no other is for the cars inside or those that come (C10.2)', async () => {
  const site = await ParkSite.open(t, me)
  const rule = await site.addRule()
  const remove = (...rules: readonly ParkFeeRule[]) =>
    t.call(parkFeeRules.delete, { ids: rules.map(each => String(each.id)), reason: '录入有误' }, me)
  const now = fromInstant(t.app.clock())
  const today = dayOfInstant(t.app.clock())
  expect(await refusalTextOf(remove(rule))).toBe(
    `「${site.park.name}」此后入场的临时车、访客车、储值车将没有收费规则，不计费；` +
      `请先新增自 ${today} 起生效的规则，不再收费的新增金额为 0 的规则`,
  )
  expect((await faultTextsOf(t.call(parkFeeRules.edit, { ...rule, state: 'off' }, me))).State).toContain(
    '请先新增',
  )
  const version = await t.call(addFeeRuleVersion, { id: rule.id, effectiveDate: addDays(today, 9) }, me)
  expect(await refusalTextOf(remove(rule))).toContain(`${addDays(today, 9)} 之前入场的临时车`)
  const current = await site.addRule({ effectiveDate: today })
  await site.report('in', '粤F77001', addMinutes(now, -3 * 1440))
  expect(await refusalTextOf(remove(rule))).toBe(
    `在场的 1 辆车（粤F77001）将没有收费规则，出场不计费；` +
      `请先新增 ${dayOfMoment(addMinutes(now, -3 * 1440))} 或更早生效的规则，或待车辆离场`,
  )
  await site.report('out', '粤F77001', now, { hasPassed: true })
  expect(await refusalTextOf(remove(rule, current))).toContain('之前入场的临时车')
  expect(await remove(rule)).toMatchObject({ success: 1 })
  expect(await remove(version)).toMatchObject({ success: 1 })
})

it('a rule for one kind may go while that for all remains, and any of a car park out of use', async () => {
  const site = await ParkSite.open(t, me)
  const all = await site.addRule()
  const visitors = await site.addRule({ ruleName: '访客', carKinds: ['visitor'] })
  const remove = ({ id }: ParkFeeRule) =>
    t.call(parkFeeRules.delete, { ids: [String(id)], reason: '不再使用' }, me)
  expect(await refusalTextOf(remove(all))).toContain('此后入场的临时车、储值车将没有收费规则')
  expect(await remove(visitors)).toMatchObject({ success: 1 })
  await t.call(editPark, { ...site.park, state: 'off' }, me)
  expect(await remove(all)).toMatchObject({ success: 1 })
})
