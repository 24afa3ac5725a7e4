import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { Month } from '#kit/domain/month.ts'
import { padDigits, type Day } from '#kit/domain/day.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { computeReadingBill, prepareStandard, type Standard } from '#modules/fees/server/public.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { replaceMeter, listMeters, undoReplacement } from '../contract/meter-calls.ts'
import {
  addReading,
  addReadings,
  clearMonthReadings,
  confirmReadings,
  deleteReadings,
  deleteReadingsBySearch,
  editReading,
  getLastEndNumberBeforeMonth,
  getLastEndNumber,
  listReadings,
} from '../contract/reading.ts'
import { getMonthProgress, listMonthGrid, getEntryContext } from '../contract/month-grid.ts'
import { addPlan } from '../contract/plan.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { expectFaults, createMeterFixtures } from './fixtures.ts'
import { billReadings, releaseReadings, findUnbilledReadings } from './public.ts'

type PlanInput = NonNullable<typeof addPlan.input.T>

type ReplaceInput = NonNullable<typeof replaceMeter.input.T>

let t: GoldenApp
let me: CallOptions
let fixtures: ReturnType<typeof createMeterFixtures>

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
  fixtures = createMeterFixtures(t, me)
})

afterAll(() => t?.close())

const billTestReadings = async (...readings: readonly (readonly [id: Id, bill: number])[]): Promise<void> => {
  const s = await fixtures.scope()
  await t.database.tx(s.ownerId, tx =>
    billReadings(
      tx,
      s,
      readings.map(([readingId, billId]) => ({ readingId, billId: asId(billId), billNo: `ZD${billId}` })),
    ),
  )
}

const releaseTestReadings = async (...bills: Id[]): Promise<number> => {
  const s = await fixtures.scope()
  return t.database.tx(s.ownerId, tx => releaseReadings(tx, s, bills))
}

const findTestUnbilled = async (id: Id, until: Day = '2026-12-31', reset?: string) => {
  const s = await fixtures.scope()
  return (
    (
      await findUnbilledReadings(t.database.reader(s.ownerId), s, {
        meterIds: [id],
        until,
        reset: () => reset,
      })
    ).get(id) ?? []
  )
}

it('T-MTR-01 through the top of the counter at the server; the flag is asked, and not taken where it does not fit', async () => {
  const m = await fixtures.meter({
    digits: 5,
    multiple: '40',
    initNum: '99980',
    installDate: '2026-09-01',
    decimals: 0,
  })
  expect(await expectFaults(fixtures.read(m, '2026-09-30', '15'))).toEqual({
    CurNum: '本期读数小于上期读数，如为翻表请勾选',
  })
  expect(await fixtures.read(m, '2026-09-30', '15', { isRollover: true })).toMatchObject({
    usage: '1400',
    lastNum: '99980',
    lastDate: '2026-09-01',
    month: '2026-09',
    isRollover: true,
    source: 'office',
    state: 'open',
  })
  expect(await expectFaults(fixtures.read(m, '2026-10-30', '20', { isRollover: true }))).toEqual({
    IsRollover: expect.stringContaining('取消勾选'),
  })
  expect(await expectFaults(fixtures.read(m, '2026-10-30', '100000'))).toEqual({
    CurNum: expect.stringContaining('最大值'),
  })
  expect(await expectFaults(fixtures.read(m, '2026-10-30', '20.5'))).toEqual({ CurNum: '该表读数应为整数' })
})

it('T-MTR-02, T-MTR-03 replaced meters count in parts, twice in one period too; the old one is closed', async () => {
  const a = await fixtures.meter({
    multiple: '20',
    initNum: '5188',
    installDate: '2026-08-31',
    meterKind: 'power',
  })
  const put = (
    m: { id: Id },
    overrides: Pick<ReplaceInput, 'oldEndNum' | 'newMeterNo' | 'newInitNum'> & Partial<ReplaceInput>,
  ) =>
    t.call(
      replaceMeter,
      {
        meterId: m.id,
        replaceDate: '2026-09-15',
        reason: '到期更换',
        newMultiple: '30',
        isRollover: false,
        ...overrides,
      },
      me,
    )
  const r = await put(a, { oldEndNum: '5320', newMeterNo: 'TN001', newInitNum: '3' })
  expect(r).toMatchObject({ oldUsage: '2640', since: '2026-08-31', newMeterNo: 'TN001' })
  expect(await fixtures.read(r.newMeterId, '2026-09-30', '96')).toMatchObject({
    usage: '5430',
    replacedUsage: '2640',
    lastDate: '2026-08-31',
    multiple: '30',
  })
  expect((await refusalOf(fixtures.read(a, '2026-09-30', '5400'))).message).toContain('已更换')
  expect(
    (await refusalOf(put(a, { oldEndNum: '5400', newMeterNo: 'TN009', newInitNum: '0' }))).message,
  ).toContain('已更换过')
  const b = await fixtures.meter({ initNum: '1180.2', installDate: '2026-08-31' })
  const one = await put(b, { oldEndNum: '1250.5', newMeterNo: 'TN002', newInitNum: '0', newMultiple: '1' })
  expect(
    await expectFaults(
      put(
        { id: one.newMeterId },
        {
          oldEndNum: '10',
          newMeterNo: 'TN003',
          newInitNum: '0',
          newMultiple: '0',
          replaceDate: '2026-09-20',
        },
      ),
    ),
  ).toEqual({ NewMultiple: expect.stringContaining('大于零') })
  const two = await put(
    { id: one.newMeterId },
    { oldEndNum: '10', newMeterNo: 'TN003', newInitNum: '5', newMultiple: '1', replaceDate: '2026-09-20' },
  )
  expect(await fixtures.read(two.newMeterId, '2026-09-30', '31.4')).toMatchObject({
    usage: '106.7',
    replacedUsage: '80.3',
  })
  expect(
    await expectFaults(
      put(
        { id: two.newMeterId },
        { oldEndNum: '30', newMeterNo: 'TN004', newInitNum: '0', replaceDate: '2026-10-02' },
      ),
    ),
  ).toEqual({ OldEndNum: expect.stringContaining('31.4') })
  // An earlier reading of the new meter takes the old part over from the one that had it.
  await fixtures.read(two.newMeterId, '2026-09-25', '11.4', { month: '2026-08' })
  expect((await fixtures.all(two.newMeterId)).map(x => [x.curNum, x.usage, x.replacedUsage])).toEqual([
    ['11.4', '86.7', '80.3'],
    ['31.4', '20', '0'],
  ])
  expect((await findTestUnbilled(two.newMeterId)).map(w => [w.begin, w.usage, w.meterNo])).toEqual([
    ['2026-09-01', '86.7', 'TN003'],
    ['2026-09-26', '20', 'TN003'],
  ])
  expect(
    (await t.call(listMeters, { projectCode: 'GOLD0001', keyword: b.meterNo }, me)).rows[0],
  ).toMatchObject({ state: 'replaced' })
})

it('MTR-11 a replacement written down wrongly is taken back while nothing was read off the new meter', async () => {
  const a = await fixtures.meter({ initNum: '100', installDate: '2026-08-31' })
  const sub = await fixtures.meter({ parentMeterId: a.id })
  const undo = (meterId: Id) => t.call(undoReplacement, { meterId, reason: '止数录错' }, me)
  const put = (oldEndNum: string) =>
    t.call(
      replaceMeter,
      {
        meterId: a.id,
        oldEndNum,
        newMeterNo: 'TU001',
        newInitNum: '0',
        newMultiple: '1',
        replaceDate: '2026-09-15',
        reason: '到期',
        isRollover: false,
      },
      me,
    )
  expect((await refusalOf(undo(a.id))).message).toContain('没有换过表')
  const wrong = await put('910')
  const read = await fixtures.read(wrong.newMeterId, '2026-09-30', '5')
  expect(read.usage).toBe('815')
  expect((await refusalOf(undo(a.id))).message).toContain('已有读数，请先删除')
  await t.call(deleteReadings, { ids: [String(read.id)], reason: '止数录错' }, me)
  expect(await undo(a.id)).toMatchObject({ state: 'active', meterNo: a.meterNo })
  expect(
    (await t.call(listMeters, { projectCode: 'GOLD0001', keyword: sub.meterNo }, me)).rows[0],
  ).toMatchObject({ parentMeterId: a.id })
  // The number is free again, and the right one counts.
  const right = await put('190')
  expect(await fixtures.read(right.newMeterId, '2026-09-30', '5')).toMatchObject({
    usage: '95',
    replacedUsage: '90',
  })
})

it('T-MTR-07, MTR-4 without any base nothing is counted; a base bills nothing', async () => {
  const m = await fixtures.meter()
  expect((await fixtures.read(m, '2026-09-30', '1234')).usage).toBeUndefined()
  expect((await findTestUnbilled(m.id)).map(w => [w.last, w.usage, w.begin, w.end])).toEqual([
    [undefined, undefined, '2026-09-30', '2026-09-30'],
  ])
  const b = await fixtures.meter({ initNum: '0' })
  expect(await fixtures.read(b, '2026-09-30', '1234', { isBase: true })).toMatchObject({ isBase: true })
  expect(await fixtures.read(b, '2026-10-31', '1240')).toMatchObject({ usage: '6' })
  expect((await findTestUnbilled(b.id)).map(w => w.usage)).toEqual(['6'])
  expect(await expectFaults(fixtures.read(b, '2026-11-20', '1250', { isBase: true }))).toEqual({
    IsBase: expect.stringContaining('第一次'),
  })
})

it('MTR-5, MTR-6 the same again is the row there; once a month; one deleted may come again', async () => {
  const m = await fixtures.meter({ initNum: '0' })
  const first = await fixtures.read(m, '2026-09-30', '10')
  expect((await fixtures.read(m, '2026-09-30', '10.00')).id).toBe(first.id)
  expect(await expectFaults(fixtures.read(m, '2026-09-30', '11'))).toEqual({
    ReadDate: expect.stringContaining('同一天'),
  })
  expect(await expectFaults(fixtures.read(m, '2026-09-20', '5'))).toEqual({
    Month: expect.stringContaining('每月只能抄一次'),
  })
  expect(await expectFaults(fixtures.read(m, '2026-11-22', '30'))).toEqual({
    ReadDate: '抄表日期不能晚于今天',
  })
  expect(await t.call(deleteReadings, { ids: [String(first.id)], reason: '录入有误' }, me)).toMatchObject({
    success: 1,
    fail: 0,
  })
  expect((await fixtures.read(m, '2026-09-30', '11')).usage).toBe('11')
})

it('MTR-7, MTR-9 a reading in between moves the next one; nothing before a billed one moves, and the bill is named', async () => {
  const m = await fixtures.meter({ initNum: '0', installDate: '2026-06-30' })
  const a = await fixtures.read(m, '2026-07-31', '100')
  const c = await fixtures.read(m, '2026-09-30', '300')
  expect([a.usage, c.usage]).toEqual(['100', '200'])
  expect(await expectFaults(fixtures.read(m, '2026-08-31', '301'))).toEqual({
    CurNum: expect.stringContaining('大于后一次读数 300'),
  })
  const b = await fixtures.read(m, '2026-08-31', '180')
  expect((await fixtures.all(m)).map(r => [r.lastNum, r.curNum, r.usage, r.lastDate])).toEqual([
    ['0', '100', '100', '2026-06-30'],
    ['100', '180', '80', '2026-07-31'],
    ['180', '300', '120', '2026-08-31'],
  ])
  expect(
    await t.call(editReading, { id: b.id, version: b.version, readDate: '2026-08-31', curNum: '190' }, me),
  ).toMatchObject({ usage: '90' })
  expect(
    (
      await refusalOf(
        t.call(editReading, { id: b.id, version: b.version, readDate: '2026-08-31', curNum: '195' }, me),
      )
    ).code,
  ).toBe(10005)
  await billTestReadings([c.id, asId(901)])
  expect((await fixtures.all(m))[2]).toMatchObject({ state: 'billed', billId: 901, billNo: 'ZD901' })
  const now = defined((await fixtures.all(m))[1])
  expect(
    await expectFaults(
      t.call(editReading, { id: b.id, version: now.version, readDate: '2026-08-31', curNum: '195' }, me),
    ),
  ).toEqual({ CurNum: expect.stringContaining('账单 ZD901') })
  const tried = await t.call(deleteReadings, { ids: [b.id, c.id].map(String), reason: '录入有误' }, me)
  expect([tried.success, tried.rows.map(r => r.reason)]).toEqual([
    0,
    [expect.stringContaining('ZD901'), expect.stringContaining('ZD901')],
  ])
  expect((await refusalOf(billTestReadings([c.id, asId(902)]))).message).toContain('已由账单 ZD901 出账')
  expect(await releaseTestReadings(asId(901), asId(999))).toBe(1)
  expect(await t.call(deleteReadings, { ids: [String(b.id)], reason: '录入有误' }, me)).toMatchObject({
    success: 1,
  })
  expect((await fixtures.all(m)).map(r => r.usage)).toEqual(['100', '200'])
})

it('MTR-8 what is odd is marked, asked about and confirmed; a changed number is asked about again', async () => {
  const m = await fixtures.meter({ initNum: '0', installDate: '2026-05-31' })
  for (const [i, n] of ['10', '20', '30'].entries()) {
    await fixtures.read(m, `2026-${padDigits(6 + i)}-28`, n)
  }
  const r = await fixtures.read(m, '2026-09-28', '60.1')
  expect(r).toMatchObject({ usage: '30.1', anomalies: ['high'], confirmed: false })
  expect((await findTestUnbilled(m.id)).map(w => w.doubtful)).toEqual([undefined, undefined, undefined, true])
  const q = { projectCode: 'GOLD0001', doubtful: true, meterId: m.id }
  expect((await t.call(listReadings, q, me)).total).toBe(1)
  expect(await t.call(confirmReadings, { ids: [String(r.id)], reason: '现场复核无误' }, me)).toMatchObject({
    success: 1,
  })
  expect([
    (await t.call(listReadings, q, me)).total,
    defined((await findTestUnbilled(m.id)).at(-1)).doubtful,
  ]).toEqual([0, undefined])
  const again = defined((await fixtures.all(m)).at(-1))
  expect(
    await t.call(editReading, { id: r.id, version: again.version, readDate: '2026-09-28', curNum: '90' }, me),
  ).toMatchObject({ anomalies: ['high'], confirmed: false })
  expect(await fixtures.read(m, '2026-10-28', '90')).toMatchObject({ usage: '0', anomalies: ['zero'] })
})

it('MTR-10, MTR-12 a month is cleared but for what is billed; last numbers by meter and month', async () => {
  const a = await fixtures.meter({ initNum: '5', meterKind: 'gas' })
  const b = await fixtures.meter({ initNum: '0', meterKind: 'gas' })
  const last = (meterId: Id) => t.call(getLastEndNumber, { meterId }, me)
  expect([await last(a.id), await last((await fixtures.meter()).id)]).toEqual(['5', undefined])
  const x = await fixtures.read(a, '2026-09-30', '15')
  const y = await fixtures.read(b, '2026-09-30', '7')
  await fixtures.read(b, '2026-10-31', '9')
  await billTestReadings([x.id, asId(910)])
  expect([
    await last(b.id),
    await t.call(getLastEndNumberBeforeMonth, { meterNo: b.meterNo, month: '2026-10' }, me),
    await t.call(getLastEndNumberBeforeMonth, { meterNo: b.meterNo, month: '2026-09' }, me),
  ]).toEqual(['9', '7', '0'])
  const clear = () =>
    t.call(
      clearMonthReadings,
      { projectCode: 'GOLD0001', month: '2026-09', meterKind: ['gas'], reason: '整月重抄' },
      me,
    )
  expect(await clear()).toEqual({ removed: 1, kept: 1 })
  expect((await fixtures.all(b)).map(r => [r.lastNum, r.usage, r.id === y.id])).toEqual([['0', '9', false]])
  expect(await clear()).toEqual({ removed: 0, kept: 1 })
  expect(
    (
      await refusalOf(
        t.call(clearMonthReadings, { projectCode: 'GOLD0001', month: '2020-01', reason: '整月重抄' }, me),
      )
    ).message,
  ).toContain('无符合条件')
})

it('MTR-13 an estimate, the real reading that puts it right, and what is carried to the bill after', async () => {
  const m = await fixtures.meter({ initNum: '0', installDate: '2026-05-31', decimals: 0 })
  expect(await expectFaults(fixtures.read(m, '2026-06-30', undefined, { isEstimate: true }))).toEqual({
    CurNum: expect.stringContaining('不能估抄'),
  })
  await fixtures.read(m, '2026-06-30', '30')
  await fixtures.read(m, '2026-07-31', '61')
  const e = await fixtures.read(m, '2026-08-30', undefined, { isEstimate: true })
  expect(e).toMatchObject({ curNum: '91', usage: '30', isEstimate: true })
  expect(
    (await t.call(getEntryContext, { meterId: m.id, month: '2026-09', readDate: '2026-09-29' }, me)).estimate,
  ).toBe('121')
  const real = await fixtures.read(m, '2026-09-30', '77')
  expect(real).toMatchObject({ usage: '-14', anomalies: ['negative'] })
  const next = await fixtures.read(m, '2026-10-31', '87')
  const after = await fixtures.read(m, '2026-11-20', '107')
  expect((await findTestUnbilled(m.id)).slice(3).map(w => [w.usage, w.doubtful, w.absorbs])).toEqual([
    ['0', true, undefined],
    ['0', true, undefined],
    ['16', true, [real.id, next.id]],
  ])
  await t.call(confirmReadings, { ids: [String(real.id)], reason: '估抄偏大' }, me)
  expect((await findTestUnbilled(m.id)).slice(3).map(w => w.doubtful)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  await billTestReadings([after.id, asId(920)])
  expect((await fixtures.all(m)).map(r => r.billNo)).toEqual([
    undefined,
    undefined,
    undefined,
    'ZD920',
    'ZD920',
    'ZD920',
  ])
  expect(await releaseTestReadings(asId(920))).toBe(3)
})

it('MTR-14 usage of the tier year before a reading', async () => {
  const m = await fixtures.meter({ initNum: '0', installDate: '2025-11-30' })
  for (const [d, n] of [
    ['2025-12-31', '10'],
    ['2026-01-31', '30'],
    ['2026-06-30', '60'],
    ['2026-07-31', '100'],
  ] as const) {
    await fixtures.read(m, d, n)
  }
  expect((await findTestUnbilled(m.id)).map(w => w.usedBefore)).toEqual(['0', '0', '20', '50'])
  expect((await findTestUnbilled(m.id, '2026-07-31', '07-01')).map(w => w.usedBefore)).toEqual([
    '0',
    '10',
    '30',
    '0',
  ])
  expect((await findTestUnbilled(m.id, '2026-06-30')).map(w => w.end)).toEqual([
    '2025-12-31',
    '2026-01-31',
    '2026-06-30',
  ])
})

it('MTR-13, MTR-14 tiers of a year end where its usage stands: what is taken off for an estimate was in them before', async () => {
  const m = await fixtures.meter({ initNum: '0', installDate: '2026-05-31', decimals: 0 })
  for (const [d, n, overrides] of [
    ['2026-06-30', '31', {}],
    ['2026-07-31', '62', { isEstimate: true }],
    ['2026-08-31', '50', {}],
    ['2026-09-30', '90', { loss: '2' }],
    ['2026-10-31', '100', {}],
  ] as const) {
    await fixtures.read(m, d, n, overrides)
  }
  // 62 were billed of the 92 that September is at: 62 to 92, though 40 and 2 less 12 were counted.
  expect((await findTestUnbilled(m.id)).slice(2).map(w => [w.usedBefore, w.usage, w.beside])).toEqual([
    ['50', '0', undefined],
    ['62', '30', { loss: '2', credit: '12' }],
    ['92', '10', undefined],
  ])
})

it('T-MTR-04, T-MTR-07 what waits is what the engine bills: tiers marginal, the year’s usage before it, nothing without a base', async () => {
  const m = await fixtures.meter({ initNum: '1218', installDate: '2026-08-31' })
  const bare = await fixtures.meter()
  const tiers = [{ to: '15', price: '2.80' }, { to: '25', price: '4.20' }, { price: '8.40' }] as const
  await fixtures.read(m, '2026-09-30', '1250')
  await fixtures.read(m, '2026-10-31', '1260')
  await fixtures.read(bare, '2026-09-30', '1234')
  const of = (overrides: object): Standard => ({
    id: asId(1),
    feeType: 'metered',
    allowMulti: false,
    formulaType: 'tiers',
    cycle: { type: 'natural', months: 1, alignYear: false },
    timing: { mode: 'behind', advanceDays: 0, delayDays: 0 },
    startRule: 'fixedDate',
    mode: 'actual',
    due: { base: 'begin', days: 0 },
    rounding: { type: 'halfUp', unit: 'fen' },
    versions: [{ id: asId(11), from: '2020-01-01', tiers, ...overrides }],
  })
  const drawn = async (id: Id, overrides = {}) =>
    (await findTestUnbilled(id)).map(r => {
      const got = computeReadingBill(
        prepareStandard(of(overrides)),
        { id: asId(3), state: 'charging', begin: '2025-01-01' },
        { enabled: true, dates: {}, facts: [{ from: '2020-01-01' }], payers: [] },
        r,
      )
      return got.drawn ? defined(got.drawn[0]).amount : got.skipped.reason
    })
  expect(await drawn(m.id)).toEqual([14280, 2800])
  expect(await drawn(m.id, { tierBase: 'year' })).toEqual([14280, 8400])
  expect(await drawn(bare.id)).toEqual(['meterBaseMissing'])
})

it('MTR-15 registers by time of use go on from the reading before', async () => {
  const m = await fixtures.meter({ initNum: '0', multiple: '2', meterKind: 'power' })
  const regs = (a: string, b: string) => [
    { name: '峰', last: '0', current: a, price: '1' },
    { name: '谷', last: '0', current: b, price: '0.3' },
  ]
  expect(await fixtures.read(m, '2026-09-30', undefined, { registers: regs('10', '20') })).toMatchObject({
    curNum: '30',
    usage: '60',
  })
  expect(await fixtures.read(m, '2026-10-31', undefined, { registers: regs('15', '22') })).toMatchObject({
    usage: '14',
    registers: [
      { name: '峰', last: '10' },
      { name: '谷', last: '20' },
    ],
  })
  // What waits says what each counted, and is billed by each one's price: 20 × 1 + 40 × 0.3, then 10 × 1 + 4
  // × 0.3.
  const standard: Standard = {
    id: asId(1),
    feeType: 'metered',
    allowMulti: false,
    formulaType: 'usage',
    cycle: { type: 'natural', months: 1, alignYear: false },
    timing: { mode: 'behind', advanceDays: 0, delayDays: 0 },
    startRule: 'fixedDate',
    mode: 'actual',
    due: { base: 'begin', days: 0 },
    rounding: { type: 'halfUp', unit: 'fen' },
    versions: [{ id: asId(11), from: '2020-01-01', price: '0.6' }],
  }
  expect(
    (await findTestUnbilled(m.id)).map(r => [
      defined(r.registers).map(x => x.usage),
      computeReadingBill(
        prepareStandard(standard),
        { id: asId(3), state: 'charging', begin: '2025-01-01' },
        { enabled: true, dates: {}, facts: [{ from: '2020-01-01' }], payers: [] },
        r,
      ).drawn?.[0]?.amount,
    ]),
  ).toEqual([
    [['20', '40'], 3200],
    [['10', '4'], 1120],
  ])
  expect(await expectFaults(fixtures.read(m, '2026-11-20', '50', { registers: regs('14', '36') }))).toEqual({
    CurNum: expect.stringContaining('小于上期'),
  })
  // The total alone cannot be changed; a changed one is what the next goes on from.
  const [one, two] = await fixtures.all(m)
  expect(
    await expectFaults(
      t.call(
        editReading,
        { id: defined(two).id, version: defined(two).version, readDate: '2026-10-31', curNum: '40' },
        me,
      ),
    ),
  ).toEqual({ RegistersJson: expect.stringContaining('分时') })
  expect(
    await t.call(
      editReading,
      { id: defined(two).id, version: defined(two).version, readDate: '2026-10-30', curNum: '37' },
      me,
    ),
  ).toMatchObject({
    usage: '14',
    registers: [
      { last: '10', current: '15' },
      { last: '20', current: '22' },
    ],
  })
  await t.call(
    editReading,
    {
      id: defined(one).id,
      version: defined(one).version,
      readDate: '2026-09-30',
      curNum: '32',
      registers: regs('11', '21'),
    },
    me,
  )
  expect((await fixtures.all(m)).map(r => [r.usage, defined(r.registers).map(x => x.last)])).toEqual([
    ['64', ['0', '0']],
    ['10', ['11', '21']],
  ])
  // The month's row says what they go on from, and what was read.
  const grid = async (month: Month) =>
    (await t.call(listMonthGrid, { projectCode: 'GOLD0001', month, keyword: m.meterNo, size: 5 }, me)).rows[0]
  expect([await grid('2026-11'), await grid('2026-10')]).toMatchObject([
    {
      registersGoOn: true,
      registers: [
        { name: '峰', last: '15', price: '1' },
        { name: '谷', last: '22' },
      ],
    },
    {
      registersGoOn: true,
      registers: [
        { name: '峰', last: '11', current: '15' },
        { last: '21', current: '22' },
      ],
    },
  ])
  // After an estimate a register may show less: what waits says so and does not fall over.
  const e = await fixtures.meter({ initNum: '0', multiple: '1', meterKind: 'power' })
  await fixtures.read(e, '2026-09-30', undefined, { registers: regs('10', '10'), isEstimate: true })
  await fixtures.read(e, '2026-10-31', undefined, { registers: regs('8', '15') })
  expect((await findTestUnbilled(e.id)).map(r => [r.usage, defined(r.registers).map(x => x.usage)])).toEqual([
    ['20', ['10', '10']],
    ['3', ['-2', '5']],
  ])
})

it('MTR-16 strict plans close, others mark what is late; the month shows who is read', async () => {
  const m = await fixtures.meter({ initNum: '0', meterKind: 'heat' })
  const plan = (overrides: Omit<PlanInput, 'projectCode' | 'meterKind' | 'windowDays' | 'state'>) =>
    t.call(
      addPlan,
      { projectCode: 'GOLD0001', meterKind: 'heat', windowDays: 5, state: 'on', ...overrides },
      me,
    )
  await plan({ name: '热表九月', readDay: 25, strict: true, beginMonth: '2026-09', endMonth: '2026-09' })
  const loose = await plan({ name: '热表十月起', readDay: 1, strict: false, beginMonth: '2026-10' })
  expect(await expectFaults(fixtures.read(m, '2026-09-30', '10'))).toEqual({
    ReadDate: expect.stringContaining('2026-09-25 至 2026-09-29'),
  })
  expect(await expectFaults(fixtures.read(m, '2026-09-26', '10'))).toEqual({
    ReadDate: expect.stringContaining('超期不能录入'),
  })
  expect(await fixtures.read(m, '2026-10-06', '20')).toMatchObject({ anomalies: ['late'] })
  await fixtures.meter({ initNum: '0', meterKind: 'heat' })
  const of = (month: Month) =>
    t.call(getMonthProgress, { projectCode: 'GOLD0001', month, planId: loose.id, meterKind: 'heat' }, me)
  expect([await of('2026-10'), await of('2026-11')]).toEqual([
    { total: 2, read: 1, doubtful: 1, billed: 0, begin: '2026-10-01', end: '2026-10-05', strict: false },
    expect.objectContaining({ total: 2, read: 0 }),
  ])
  expect(
    await t.call(getMonthProgress, { projectCode: 'GOLD0001', month: '2026-11', planId: loose.id }, me),
  ).toMatchObject({ begin: '2026-11-01', end: '2026-11-05' })
  const grid = await t.call(
    listMonthGrid,
    { projectCode: 'GOLD0001', month: '2026-11', planId: loose.id, show: 'unread', size: 50 },
    me,
  )
  expect([grid.total, grid.rows[0]]).toEqual([
    2,
    expect.objectContaining({
      meterNo: m.meterNo,
      before: '20',
      beforeDay: '2026-10-06',
      recent: ['20'],
      carried: '0',
    }),
  ])
})

it('a batch keeps each line apart, and tells what is wrong with which', async () => {
  const [a, b, c] = [
    await fixtures.meter({ initNum: '0' }),
    await fixtures.meter({ initNum: '50' }),
    await fixtures.meter({ initNum: '0', state: 'stopped' }),
  ]
  const got = await t.call(
    addReadings,
    {
      readings: [
        { meterNo: a.meterNo, readDate: '2026-10-31', curNum: '20' },
        { meterNo: a.meterNo, readDate: '2026-09-30', curNum: '8' },
        { meterId: b.id, readDate: '2026-09-30', curNum: '40' },
        { meterNo: 'NOPE', readDate: '2026-09-30', curNum: '1' },
        { meterId: c.id, readDate: '2026-09-30', curNum: '1' },
      ],
    },
    me,
  )
  expect([got.success, got.fail, got.rows.map(r => [r.line, r.reason])]).toEqual([
    2,
    3,
    [
      [3, expect.stringContaining('小于上期')],
      [4, expect.stringContaining('NOPE')],
      [5, expect.stringContaining('已停用')],
    ],
  ])
  expect((await fixtures.all(a)).map(r => [r.lastNum, r.usage])).toEqual([
    ['0', '8'],
    ['8', '12'],
  ])
})

it('two readers enter one meter at once: one row; clerks see only their buildings', async () => {
  const m = await fixtures.meter({ initNum: '0' })
  const two = await Promise.allSettled([
    fixtures.read(m, '2026-09-30', '10'),
    fixtures.read(m, '2026-09-30', '10'),
    fixtures.read(m, '2026-09-29', '11'),
    fixtures.read(m, '2026-09-30', '12'),
  ])
  const rows = await fixtures.all(m)
  expect([
    rows.length,
    two
      .filter(x => x.status === 'fulfilled')
      .every(x => (x as PromiseFulfilledResult<{ id: Id }>).value.id === defined(rows[0]).id),
  ]).toEqual([1, true])
  const clerk = await t.signedInAs(golden.first.buildingOnly)
  const own = await fixtures.meter({
    initNum: '0',
    meterUse: 'household',
    sourceType: 'room',
    sourceCode: (await fixtures.home(0)).code,
  })
  expect(
    (await refusalOf(t.call(addReading, { meterId: m.id, readDate: '2026-10-31', curNum: '20' }, clerk)))
      .code,
  ).toBe(10003)
  expect(
    await t.call(addReading, { meterId: own.id, readDate: '2026-10-31', curNum: '20' }, clerk),
  ).toMatchObject({ usage: '20', buildCode: 'B1' })
})

it('billing and changing one reading concurrently: the second gets a conflict', async () => {
  for (let i = 0; i < 4; i++) {
    const m = await fixtures.meter({ initNum: '0' })
    const r = await fixtures.read(m, '2026-10-31', '10')
    const change = t.call(
      editReading,
      { id: r.id, version: r.version, readDate: '2026-10-31', curNum: '12' },
      me,
    )
    const [billed, changed] = await Promise.allSettled([billTestReadings([r.id, asId(950 + i)]), change])
    const now = defined((await fixtures.all(m))[0])
    expect(now).toMatchObject({
      state: 'billed',
      billNo: `ZD${950 + i}`,
      usage: changed.status === 'fulfilled' ? '12' : '10',
    })
    expect(billed.status).toBe('fulfilled')
  }
  const m = await fixtures.meter({ initNum: '0' })
  const r = await fixtures.read(m, '2026-10-31', '10')
  const two = await Promise.allSettled([
    billTestReadings([r.id, asId(960)]),
    billTestReadings([r.id, asId(961)]),
  ])
  expect(two.map(x => x.status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

it('BILL-1 deleting by search asks for a filter and for what the screen counted', async () => {
  const m = await fixtures.meter({ initNum: '0' })
  const q = { projectCode: 'GOLD0001', meterId: m.id, expected: 2, reason: '整批录错' }
  await fixtures.read(m, '2026-09-30', '1')
  expect(
    (
      await refusalOf(
        t.call(deleteReadingsBySearch, { projectCode: 'GOLD0001', expected: 1, reason: '整批录错' }, me),
      )
    ).message,
  ).toContain('筛选条件')
  expect((await refusalOf(t.call(deleteReadingsBySearch, q, me))).message).toContain('数据已变化')
  await fixtures.read(m, '2026-10-31', '2')
  expect(await t.call(deleteReadingsBySearch, q, me)).toMatchObject({ success: 2, fail: 0 })
  expect(
    defined(
      await t.database.reader('*').one<{ n: number }>(
        sql`
          select count(*)::int as n
          from meter_reading
          where meter_id = ${m.id} and state = 30 and delete_tag = 1
        `,
      ),
    ).n,
  ).toBe(2)
})
