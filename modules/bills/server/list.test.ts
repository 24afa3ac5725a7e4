import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { abolishBills } from '../contract/actions.ts'
import { setDiscount } from '../contract/adjustments.ts'
import {
  findBillsBySource,
  exportUnpaid,
  getFeeTarget,
  listBills,
  getBillLogStatistics,
  listBillSources,
  getBillSummary,
  type BillFilter,
} from '../contract/list.ts'
import { getBill } from '../contract/bill-detail.ts'
import { listDebtors } from '../contract/debtor.ts'
import { seedBillRows, seedFeeItem } from './fixtures.ts'

type BillSourceQuery = NonNullable<typeof findBillsBySource.input.T>

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let other: Id = 0
let ids: Id[] = []

interface Home {
  code: string
  path: string
  buildCode: string
  userId: Id
  name: string
  mobile: string
}

let home: Home

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
  home = defined(
    await t.database.reader(ownerId).one<Home>(
      sql`
        select r.code, r.path, r.build_code, u.id as user_id, u.name, u.mobile
        from room r
        join user_room l on l.owner_id = r.owner_id
          and l.room_id = r.id
          and l.status = 20
          and l.delete_tag = 0
        join resident u on u.owner_id = l.owner_id and u.id = l.user_id
        where r.owner_id = ${ownerId}
          and r.project_code = 'GOLD0001'
          and u.mobile is not null
          and r.build_code = 'B1'
        order by l.is_payer desc, r.id
        limit 1
      `,
    ),
  )
  await t.database.tx(ownerId, async tx => {
    item = await seedFeeItem(tx, ownerId, 'HOUSE', { late: 'capped' })
    other = await seedFeeItem(tx, ownerId, 'WATER')
    const ownBills = {
      source: home.code,
      name: home.path,
      build: home.buildCode,
      payer: home.userId,
      payerName: home.name,
      mobile: home.mobile,
    }
    ids = await seedBillRows(tx, ownerId, item, [
      { ...ownBills },
      { ...ownBills, begin: '2026-10-01', end: '2026-12-31', due: '2026-10-31', amount: asFen(10_000) },
      {
        ...ownBills,
        begin: '2027-01-01',
        end: '2027-01-31',
        due: '2027-01-31',
        item: other,
        amount: asFen(4567),
      },
      { ...ownBills, begin: '2026-01-01', end: '2026-03-31', due: '2026-01-31', paid: asFen(30_000) },
      { ...ownBills, begin: '2025-01-01', end: '2025-12-31', due: '2023-10-01', paid: asFen(10_000) },
      { type: 20, source: '粤B12345', name: '粤B12345', build: 'B2', amount: asFen(800) },
      { source: 'B2R', name: '2-1-101', build: 'B2', state: 30 },
      { source: 'B2R', name: '2-1-101', build: 'B2', state: 10, mobile: '13900001111', payerName: '生客' },
      { source: 'O2', name: 'A-101', project: 'GOLD0002', build: 'B1' },
    ])
  })
})

afterAll(() => t?.close())

const found = async (q: BillFilter, as = me): Promise<number[]> =>
  (await t.call(listBills, q, as)).rows.map(b => ids.indexOf(b.id))

it('BILL-14: bills in force by due day; totals over the whole filter, whatever the page', async () => {
  expect(await found({})).toEqual([4, 3, 0, 5, 1, 2])
  const p = await t.call(listBills, { projectCode: 'GOLD0001', size: 2, payState: ['unpaid'] }, me)
  expect(p).toMatchObject({
    total: 5,
    sum: { receivable: 75_367, paidPrincipal: 10_000, unpaid: 65_367, discountAmount: 0 },
  })
  expect(p.rows.map(r => r.overdueDays)).toEqual([1147, 113])
})

it('the rows of a page and the totals are given one by one as together', async () => {
  const query = { projectCode: 'GOLD0001', page: 2, size: 2 }
  const whole = await t.call(listBills, query, me)
  const rows = await t.call(listBills, { ...query, part: 'rows' }, me)
  const totals = await t.call(listBills, { ...query, part: 'totals' }, me)
  expect(whole.total).toBeGreaterThan(4)
  expect(rows).toEqual({ rows: whole.rows, total: 4 })
  expect(totals).toEqual({ rows: [], total: whole.total, sum: whole.sum })
  expect(await t.call(listBills, { ...query, page: 1000, part: 'rows' }, me)).toEqual({ rows: [], total: 0 })
})

it('C27-9: an abolished bill is listed and counted in no sum, nor in the summary, nor for its object', async () => {
  const q = { anyState: true, projectCode: 'GOLD0001', buildCode: ['B2'] }
  const whole = await t.call(listBills, q, me)
  expect([whole.total, whole.sum]).toEqual([
    3,
    { receivable: 30_800, discountAmount: 0, paidPrincipal: 0, lateFeeUnpaid: 0, unpaid: 30_800 },
  ])
  expect(await t.call(getBillSummary, q, me)).toMatchObject({ count: 3, receivable: 30_800, unpaid: 30_800 })
  expect((await t.call(listBillSources, q, me)).map(s => [s.sourceName, s.unpaid])).toEqual([
    ['2-1-101', 30_000],
    ['粤B12345', 800],
  ])
  const dead = await t.call(listBills, { ...q, state: ['abolished'] }, me)
  expect([dead.total, dead.sum?.unpaid]).toEqual([1, 0])
})

it('narrows by what clerks use', async () => {
  const cases: [BillFilter, number[]][] = [
    [{ buildCode: ['B2'] }, [5]],
    [{ feeItemId: [String(other)] }, [2]],
    [{ belongMonthFrom: '2026-10', belongMonthTo: '2027-12' }, [1, 2]],
    [{ dueDateFrom: '2026-10-01', dueDateTo: '2026-10-31' }, [1]],
    [{ overdue: true, projectCode: 'GOLD0001' }, [4, 0, 5, 1]],
    [{ overdueDaysFrom: 90, overdueDaysTo: 365, projectCode: 'GOLD0001' }, [0, 5]],
    [{ isPartlyPaid: true }, [4]],
    [{ payState: ['paid'] }, [3]],
    [{ state: ['abolished'] }, [6]],
    [{ state: ['pending'] }, [7]],
    [{ anyState: true, buildCode: ['B2'] }, [5, 6, 7]],
    [{ receivableFrom: asFen(4567), receivableTo: asFen(10_000) }, [1, 2]],
    [{ payerKind: 'resident', payerId: home.userId }, [4, 3, 0, 1, 2]],
    [{ sourceCode: home.code, sourceType: ['room'] }, [4, 3, 0, 1, 2]],
    [{ disputed: true }, []],
  ]
  for (const [q, list] of cases) {
    expect([q, await found(q)]).toEqual([q, list])
  }
})

it('the keyword is a room, a person, a phone, a plate, a number', async () => {
  const no = (await t.call(getBill, { id: defined(ids[2]) }, me)).billNo
  const ownBills = [4, 3, 0, 1, 2]
  for (const [keyword, list] of [
    [home.path, ownBills],
    [home.mobile, ownBills],
    [home.mobile.slice(-4), ownBills],
    [home.name, ownBills],
    [no, [2]],
    [no.toLowerCase(), [2]],
    ['12345', [5]],
    ['没有该人', []],
  ] as const) {
    const foundIndexes = (await t.call(listBills, { keyword, projectCode: 'GOLD0001' }, me)).rows.map(b =>
      ids.indexOf(b.id),
    )
    expect([keyword, list.filter(i => !foundIndexes.includes(i))]).toEqual([keyword, []])
  }
  // A room's path is no part of a phone: nobody else's bills come with it.
  const digits = home.path.replace(/\D/g, '')
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update resident
        set search_text = search_text || ' ' || ${`139${digits}`}
        where owner_id = ${ownerId} and id = (select payer_id from bill where id = ${defined(ids[0])})
      `,
    ),
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update bill
        set payer_kind = 1, payer_id = ${home.userId}
        where owner_id = ${ownerId} and id = ${defined(ids[5])}
      `,
    ),
  )
  expect([
    (await found({ keyword: home.path })).includes(5),
    (await found({ keyword: digits })).includes(5),
  ]).toEqual([false, true])
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update bill
        set payer_kind = null, payer_id = null
        where owner_id = ${ownerId}
          and id = ${defined(ids[5])}
      `,
    ),
  )
  expect(await found({ keyword: '13900001111', anyState: true })).toEqual([7])
  expect(await found({ keyword: "%'\\_" })).toEqual([])
})

it('the keyword is the name of a building alone, whatever the paths of its rooms', async () => {
  const rename = (name: string, to: string) =>
    t.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          update building
          set name = ${to}
          where owner_id = ${ownerId} and project_code = 'GOLD0001' and name = ${name}
        `,
      ),
    )
  const { name } = defined(
    await t.database.reader(ownerId).one<{ name: string }>(
      sql`
        select name
        from building
        where owner_id = ${ownerId} and project_code = 'GOLD0001' and code = ${home.buildCode}
      `,
    ),
  )
  await rename(name, '紫荆阁')
  try {
    expect(await found({ keyword: '紫荆阁' })).toEqual(expect.arrayContaining([4, 3, 0, 1, 2]))
    expect(await found({ keyword: '紫荆' })).toEqual(await found({ keyword: '紫荆阁' }))
    expect(await found({ keyword: '紫荆园' })).toEqual([])
    const debtors = await t.call(listDebtors, { keyword: '紫荆阁', projectCode: 'GOLD0001' }, me)
    expect(debtors.rows.map(row => row.payerName)).toContain(home.name)
    const people = await t.call(listResidents, { keyword: '紫荆阁', projectCode: 'GOLD0001', size: 100 }, me)
    expect(people.rows.map(row => row.id)).toContain(home.userId)
  } finally {
    await rename('紫荆阁', name)
  }
})

it('summary: figures and ages of the same filter (AGE-1)', async () => {
  const s = await t.call(getBillSummary, { projectCode: 'GOLD0001' }, me)
  expect(s).toMatchObject({
    count: 6,
    households: 2,
    receivable: 105_367,
    paid: 40_000,
    unpaid: 65_367,
    overdue: { count: 4, sum: 60_800 },
  })
  expect(s.ages).toEqual([
    { age: 'open', count: 1, sum: 4567 },
    { age: 'month', count: 1, sum: 10_000 },
    { age: 'days180', count: 2, sum: 30_800 },
    { age: 'timeBarred', count: 1, sum: 20_000 },
  ])
})

it('BILL-11: at the cashier, grouped by object with totals; late fees computed on the spot (LATE-12)', async () => {
  const result = await t.call(findBillsBySource, { keyword: home.mobile }, me)
  // 300.00 × 113 + 100.00 × 21 days at 0.05 % a day, and 200.00 × 1147 days, capped at the principal of
  // 300.00: 16.95 + 1.05 + 114.70
  expect(result).toMatchObject({
    total: 1,
    sources: [
      {
        sourceType: 'room',
        sourceCode: home.code,
        sourceName: home.path,
        count: 4,
        overdue: 3,
        earliest: '2023-10-01',
        principal: 64_567,
      },
    ],
  })
  const late = defined(result.sources[0]).lateFee
  expect([result.unpaid, defined(result.sources[0]).unpaid]).toEqual([64_567 + late, 64_567 + late])
  expect(late).toBe(
    (await Promise.all([0, 1, 4].map(i => t.call(getBill, { id: defined(ids[i]) }, me)))).reduce(
      (n, b) => n + (b.explanation.find(x => x.label === '违约金')?.amount ?? 0),
      0,
    ),
  )
  expect(
    (await t.call(findBillsBySource, { keyword: home.path.replaceAll('-', ' ') }, me)).sources[0]?.sourceName,
  ).toBe(home.path)
  expect(
    (await t.call(findBillsBySource, { keyword: '粤B12345' }, me)).sources.map(s => [s.sourceType, s.unpaid]),
  ).toEqual([['car', 845]])
  expect(await t.call(findBillsBySource, { keyword: '无此人' }, me)).toMatchObject({
    total: 0,
    unpaid: 0,
    sources: [],
  })
})

it('BILL-11: an object is found by its whole code, under each name of the keyword', async () => {
  const byCode = async (query: BillSourceQuery, call = findBillsBySource) =>
    (await t.call(call, query, me)).sources.map(s => s.sourceCode)
  for (const name of ['KeyWord', 'Phone', 'SourceCode']) {
    const input = { ...findBillsBySource.input, wireNames: { keyword: name } }
    expect(await byCode({ keyword: home.code }, { ...findBillsBySource, input })).toEqual([home.code])
  }
  expect(await byCode({ keyword: home.code, projectCode: 'GOLD0001' })).toEqual([home.code])
  expect(await byCode({ keyword: home.code, projectCode: 'GOLD0002' })).toEqual([])
  expect(await byCode({ keyword: home.code.slice(0, -1) })).not.toContain(home.code)
})

it('BILL-13 objects of a filter, whom to ask, what was changed', async () => {
  expect(
    (await t.call(listBillSources, { projectCode: 'GOLD0001', payState: ['unpaid'] }, me)).map(s => [
      s.sourceName,
      s.count,
    ]),
  ).toEqual(
    [
      [home.path, 4],
      ['粤B12345', 1],
    ].toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  )
  const target = await t.call(
    getFeeTarget,
    { sourceType: 'room', sourceCode: home.code, projectCode: 'GOLD0001' },
    me,
  )
  expect(target).toMatchObject({ sourceName: home.path, buildCode: home.buildCode })
  expect(target.payers.map(p => p.id)).toContain(home.userId)
  expect((await t.call(getFeeTarget, { sourceType: 'car', sourceCode: '粤B12345' }, me)).sourceName).toBe(
    '粤B12345',
  )
  await t.call(
    setDiscount,
    { ids: [String(ids[5])], kind: 'amount', amount: asFen(100), reason: '车位优惠' },
    me,
  )
  expect(await t.call(getBillLogStatistics, { projectCode: 'GOLD0001' }, me)).toEqual([
    { adjustType: 'discount', count: 1, bills: 1, sum: 100 },
  ])
})

it('the data domain narrows lists, totals and exports', async () => {
  const b1 = await t.signedInAs(golden.first.buildingOnly)
  const two = await t.signedInAs(golden.second.owner)
  expect(await found({}, b1)).toEqual([4, 3, 0, 1, 2])
  expect((await t.call(getBillSummary, {}, two)).count).toBe(0)
  expect((await t.call(findBillsBySource, { keyword: '粤B12345' }, b1)).total).toBe(0)
  await expect(t.call(getBill, { id: defined(ids[8]) }, b1)).rejects.toThrow('无权访问')
  const refused = await t.call(getBill, { id: defined(ids[0]) }, two).catch((e: Refused) => e.code)
  expect(refused).toBe(10004)
})

it('BILL-13, EXP-1: list, figures and export of unpaid bills ask the same filter', async () => {
  for (const q of [
    { projectCode: 'GOLD0001' },
    { overdue: true },
    { keyword: home.mobile },
    { isPartlyPaid: true },
    { dueDateFrom: '2026-01-01' },
  ] as const) {
    const one = await t.call(listBills, { ...q, payState: ['unpaid'], size: 100 }, me)
    const two = await t.call(getBillSummary, { ...q, payState: ['unpaid'] }, me)
    const three = await t.call(listBillSources, { ...q, payState: ['unpaid'] }, me)
    expect([q, two.count, two.unpaid, three.reduce((n, s) => n + s.count, 0)]).toEqual([
      q,
      one.total,
      defined(one.sum).unpaid,
      one.total,
    ])
  }
  const blob = await t.callRaw(exportUnpaid.get, { projectCode: 'GOLD0001' }, me)
  expect('body' in blob && decodeURIComponent(blob.name)).toContain('未缴账单')
  await t.call(abolishBills, { ids: [String(ids[5])], reason: '录入有误' }, me)
  expect(await found({ state: ['abolished'], keyword: '12345' })).toContain(5)
})
