import { faultsOf, refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { defined } from '#kit/domain/defined.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { findBillsBySource } from '#modules/bills/contract/list.ts'
import { companies } from '#modules/companies/contract/company.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { findRooms } from '#modules/rooms/contract/room.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listRecordHistory } from '#modules/accounts/contract/operation-log.ts'
import { discountCashierBills, findPayers, getCashierView, revealPayerMobile } from '../contract/cashier.ts'
import { closeOrder, createOrder } from '../contract/order.ts'
import { payBills } from '../contract/payment.ts'

type DiscountInput = NonNullable<typeof discountCashierBills.input.T>

let t: GoldenApp
let me: CallOptions
let ownerId = 0
let item = 0
let room: { code: string; path: string; payer: string; mobile: string }
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  room = defined(
    await t.database.reader(ownerId).one(
      sql`
        select r.code, r.path, p.name as payer, p.mobile
        from room r
        join resident p on p.owner_id = r.owner_id and p.id = r.payer_id
        join user_room l on l.owner_id = r.owner_id
          and l.room_id = r.id
          and l.user_id = p.id
          and l.status = 20
          and l.delete_tag = 0
        where r.project_code = 'GOLD0001'
          and r.delete_tag = 0
          and r.payer_kind <> 30
          and p.mobile is not null
        order by r.sort_key
        limit 1
      `,
    ),
  )
  await t.call(
    companies.add,
    { ...project, companyNo: 'QY77', name: '云杉科技有限公司', contactPhone: '13900001234' },
    me,
  )
  item = await t.addFeeItem('DSK', { name: '收银测试', multi: true })
  await t.database.tx(ownerId, async tx => {
    await tx.execute(
      sql`
        insert into public_area (owner_id, project_code, code, name, area_type, rent_state)
        values (${ownerId}, 'GOLD0001', 'GQ-77', '北门广场摊位', 10, 10)
      `,
    )
    // A port that belongs to the room, and one that is alone.
    await tx.execute(
      sql`
        with p as (
          insert into park (owner_id, project_code, code, name, park_type, state)
          values (${ownerId}, 'GOLD0001', 'PK77', '测试车场', 10, 10)
          returning id
        )
        insert into park_place (
          owner_id, project_code, code, place_no, park_id, place_type, place_state, sort_key, room_code
        )
        select ${ownerId}, 'GOLD0001', 'CW' || n, 'ZZ-77' || n, p.id, 10, 10, 'ZZ' || n,
          case when n = 1 then ${room.code} end
        from p, generate_series(1, 2) n
      `,
    )
  })
})

afterAll(() => t?.close())

const createBill = (
  type: number,
  sourceCode: string,
  name: string,
  fen: Fen,
  begin = '2026-10-01',
): Promise<{ id: Id; no: string }> =>
  t.database.tx(ownerId, async tx =>
    defined(
      await tx.one<{
        id: Id
        no: string
      }>(sql`
        insert into bill (
          owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id,
          fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
          run_free, run_split_root
        )
        values (
          ${ownerId}, 'GOLD0001', 'ZDT' || floor(random() * 1e9)::bigint, ${type}, ${sourceCode}, ${name}, ${item},
          '收银测试', 10, ${begin}, (${begin}::date + interval '1 month' - interval '1 day')::date,
          substr(${begin}, 1, 7), ${formatYuan(fen)}, '2026-11-01', 20, 10, true, null
        )
        returning id, bill_no as no
      `),
    ),
  )

const searchPayers = async (keyword: string) =>
  (await t.call(findPayers, { ...project, keyword }, me)).map(f => `${f.sourceType}/${f.sourceCode}`)

const openCashier = (sourceType: string, sourceCode: string) =>
  t.call(getCashierView, { ...project, sourceType, sourceCode }, me)

it('BILL-11: one box finds a room by its path, its residents and their phones, its parking place, a bill, a receipt', async () => {
  const here = `room/${room.code}`
  const bill = await createBill(10, room.code, room.path, asFen(10000))
  for (const word of [
    room.path,
    room.payer,
    room.mobile,
    room.mobile.slice(-4),
    'zz-771',
    bill.no.toLowerCase(),
  ]) {
    expect(await searchPayers(word), word).toContain(here)
  }
  const paid = await t.call(
    payBills,
    {
      ...project,
      billIds: [String(bill.id)],
      expectAmount: asFen(10000),
      methods: [{ method: 'cash', amount: asFen(10000) }],
    },
    me,
  )
  for (const word of [paid.receiptNo, paid.recordNo]) {
    expect(await searchPayers(word), word).toContain(here)
  }
  // The old call returns what the object of the receipt still owes.
  const open = await createBill(10, room.code, room.path, asFen(4000), '2026-11-01')
  for (const keyword of [paid.receiptNo, paid.receiptNo?.toLowerCase(), paid.recordNo]) {
    const owed = await t.call(findBillsBySource, { keyword: defined(keyword) }, me)
    expect(owed.sources.map(s => s.sourceCode)).toEqual([room.code])
    expect(owed.unpaid).toBeGreaterThanOrEqual(4000)
  }
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update bill set delete_tag = 1 where owner_id = ${ownerId} and id = ${open.id}`),
  )
  expect(await searchPayers('绝对没有该人')).toEqual([])
})

const range = (length: number): number[] => Array.from({ length }, (_, i) => i)

/** Rooms beside the golden ones, by their paths. */
const createRooms = (paths: readonly string[]): Promise<number> =>
  t.database.tx(ownerId, tx =>
    tx.execute(sql`
      insert into room (
        owner_id, project_code, code, path, build_code, unit_name, floor_num, room_no, room_type, room_state,
        state, sort_key
      )
      select ${ownerId}, 'GOLD0001', 'X' || p, p, 'X' || split_part(p, '-', 1), split_part(p, '-', 2), 1,
        split_part(p, '-', 3), 10, 10, 10, k
      from unnest(${[...paths]}::text[], ${paths.map(naturalSortKey)}::text[]) as r(p, k)
    `),
  )

it('BILL-11: the number itself comes first, of every building; parts of an address find it in their order', async () => {
  // 1-502 in many a building is 1502 when its dashes are left out, and all of them sort before.
  await createRooms([
    ...Array.from({ length: 230 }, (_, i) => `${i + 100}1-1-502`),
    ...Array.from({ length: 40 }, (_, i) => `${(i % 10) + 8001}-${Math.floor(i / 10) + 1}-1502`),
  ])
  const find = async (keyword: string) =>
    (await t.call(findPayers, { ...project, keyword }, me)).map(f => f.sourceName)
  const best = await find('1502')
  expect(best.map(path => path.endsWith('-1502'))).toEqual(Array.from({ length: 20 }, () => true))
  expect(new Set(best.map(path => path.split('-')[0])).size).toBe(10)
  for (const keyword of ['8003 1502', '8003栋1502', '8003-1502']) {
    expect(await find(keyword), keyword).toEqual(['8003-1-1502', '8003-2-1502', '8003-3-1502', '8003-4-1502'])
  }
  expect(await find('8003栋2单元1502室')).toEqual(['8003-2-1502'])
  expect(await find('1502 8003')).toEqual([])
  const picked = await t.call(findRooms, { ...project, keyword: '1502', size: 10 }, me)
  expect(new Set(picked.map(r => r.path?.split('-')[0])).size).toBe(10)
  expect(picked.every(r => r.roomNo === '1502')).toBe(true)
})

it('BILL-11: the building that was typed comes first at the cashier, in pickers and among debts, with or without arrears', async () => {
  const created = ['901-1-4504', '902-1-4504', '905-1-4504', '909-1-4504', '901-902-4504', '902-901-4504']
  await createRooms(created)
  // All but the first two owe.
  for (const path of created.slice(1)) {
    await createBill(10, `X${path}`, path, asFen(3900))
  }
  const found = async (keyword: string) => {
    const atCounter = (await t.call(findPayers, { ...project, keyword }, me)).map(f => f.sourceName)
    const picked = (await t.call(findRooms, { ...project, keyword, size: 10 }, me)).map(r => r.path)
    const owing = (await t.call(findBillsBySource, { ...project, keyword }, me)).sources.map(
      s => s.sourceName,
    )
    expect(picked, keyword).toEqual(atCounter)
    expect(owing, keyword).toEqual(atCounter.filter(path => path !== created[0]))
    return atCounter
  }
  expect(await found('901栋 4504')).toEqual(['901-1-4504', '901-902-4504'])
  expect(await found('901栋4504室')).toEqual(['901-1-4504', '901-902-4504'])
  for (const keyword of ['902 4504', '902-4504', '９０２　４５０４']) {
    expect(await found(keyword), keyword).toEqual(['902-1-4504', '902-901-4504', '901-902-4504'])
  }
  expect(await found('902单元4504')).toEqual(['901-902-4504'])
  expect((await found('4504'))[0]).toBe('901-1-4504')
})

it('BILL-11: shops by their building, with or without a number, at the counter as in the palette', async () => {
  const shops = ['步行街-商业-101', '步行街-商业-102', '步行街-商业-110']
  await createRooms(shops.toReversed())
  const found = async (keyword: string) => {
    const atCounter = (await t.call(findPayers, { ...project, keyword }, me)).map(f => f.sourceName)
    const inPalette = (await t.call(findRooms, { ...project, keyword, size: 31 }, me)).map(r => r.path)
    expect(inPalette, keyword).toEqual(atCounter)
    return atCounter
  }
  expect(await found('步行街')).toEqual(shops)
  expect(await found('步行')).toEqual(shops)
  for (const keyword of ['步行街101', '步行街-101', '步行街 101']) {
    expect(await found(keyword), keyword).toEqual(shops.slice(0, 1))
  }
  expect(await found('步行街10')).toEqual(shops.slice(0, 2))
})

it('BILL-11: the sign of a shop finds it at the counter', async () => {
  await createRooms(['步行街-商业-205'])
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update room set brand = '山茶书店' where owner_id = ${ownerId} and code = 'X步行街-商业-205'`,
    ),
  )
  const [hit] = await t.call(findPayers, { ...project, keyword: '山茶' }, me)
  expect([hit?.sourceName, hit?.matchedLabel, hit?.matchedText]).toEqual([
    '步行街-商业-205',
    '招牌',
    '山茶书店',
  ])
})

it('BILL-11: a room together with the name of somebody there', async () => {
  const find = async (keyword: string) =>
    (await t.call(findPayers, { ...project, keyword }, me)).map(f => f.sourceName)
  expect(await find(`${room.path} ${room.payer}`)).toEqual([room.path])
  expect(await find(`${room.payer.slice(0, 1)} ${room.path}`)).toEqual([room.path])
  expect(await find(`${room.path} 绝无此人`)).toEqual([])
})

it('BILL-11: a room ranks before people whose phone contains its number; full-width digits are digits', async () => {
  await createRooms([
    ...range(300).map(i => `${i + 7001}-2-101`),
    ...range(30).map(i => `79${i + 10}-1-${9361 + i}`),
  ])
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      with r as (
        select id, build_code, row_number() over (order by id) as n
        from room
        where owner_id = ${ownerId} and code like 'X7___-2-101'
      ), p as (
        insert into resident (owner_id, home_project, name, mobile, user_type, source, state, search_text)
        select ${ownerId}, 'GOLD0001', '陈一', (13993600000 + n)::text, 10, 10, 10, (13993600000 + n)::text
        from r
        returning id, mobile
      )
      insert into user_room (owner_id, project_code, user_id, room_id, build_code, relation, status, apply_source)
      select ${ownerId}, 'GOLD0001', p.id, r.id, r.build_code, 10, 20, 10
      from p
      join r on p.mobile = (13993600000 + r.n)::text
      returning id
    `),
  )
  for (const keyword of ['936', '９３６']) {
    const found = await t.call(findPayers, { ...project, keyword }, me)
    expect(found.slice(0, 9).map(f => f.sourceName)).toEqual(range(9).map(i => `79${i + 10}-1-${9361 + i}`))
    expect([found.length, found.at(-1)?.matchedLabel]).toEqual([20, '手机号'])
  }
  // As many answer as are shown: no phone at all.
  const found = await t.call(findPayers, { ...project, keyword: '93' }, me)
  expect(found.map(f => f.matchedLabel)).toEqual(range(20).map(() => '房号'))
})

it('BILL-11: it says which text was found, a phone masked for everybody', async () => {
  const find = async (keyword: string, caller: CallOptions) => {
    const found = await t.call(findPayers, { ...project, keyword }, caller)
    const hit = found.find(f => f.sourceCode === room.code)
    return [hit?.matchedLabel, hit?.matchedText]
  }
  expect(await find(room.path, me)).toEqual(['房号', room.path])
  expect(await find(room.payer, me)).toEqual(['姓名', room.payer])
  expect(await find('zz-771', me)).toEqual(['车位', 'ZZ-771'])
  const masked = `${room.mobile.slice(0, 3)} **** ${room.mobile.slice(-4)}`
  for (const caller of [me, await t.signedInAs(golden.first.estateOnly)]) {
    expect(await find(room.mobile.slice(-4), caller)).toEqual(['手机号', masked])
  }
})

it('the last payment says that it was mixed', async () => {
  const source = { ...project, sourceType: 'room', sourceCode: room.code } as const
  const bill = await createBill(10, room.code, room.path, asFen(5000), '2026-11-02')
  await t.call(
    payBills,
    {
      ...project,
      billIds: [String(bill.id)],
      expectAmount: asFen(5000),
      methods: [
        { method: 'cash', amount: asFen(2000) },
        { method: 'transfer', amount: asFen(3000) },
      ],
    },
    me,
  )
  expect((await t.call(getCashierView, source, me)).lastPayMixed).toBe(true)
})

it("PERM-7: the cashier screen shows the payer's phone masked; who may see it asks for it, and that is logged", async () => {
  const source = { ...project, sourceType: 'room', sourceCode: room.code } as const
  const view = await t.call(getCashierView, source, me)
  expect(view.payerMobile).toBe(`${room.mobile.slice(0, 3)} **** ${room.mobile.slice(-4)}`)
  expect(await t.call(revealPayerMobile, source, me)).toBe(room.mobile)
  expect(
    (await t.call(listRecordHistory, { entity: 'resident', entityId: defined(view.payerId) }, me))[0],
  ).toMatchObject({ action: '查看完整信息', reason: '电话' })
  const { as: clerk } = await t.addClerk(['payments.cashier.pay'])
  expect((await refusalOf(t.call(revealPayerMobile, source, clerk))).message).toContain(
    '查看完整手机号、证件号',
  )
})

it('BILL-11: companies, areas and ports that are charged themselves are found too, by name, phone, bill and receipt; each opens', async () => {
  expect([await searchPayers('云杉'), await searchPayers('13900001234')]).toEqual([
    ['company/QY77'],
    ['company/QY77'],
  ])
  expect([await searchPayers('北门广场'), await searchPayers('ZZ-772')]).toEqual([
    ['publicArea/GQ-77'],
    ['parkPlace/CW2'],
  ])
  const bill = await createBill(50, 'QY77', '云杉科技有限公司', asFen(50000))
  expect(await searchPayers(bill.no)).toEqual(['company/QY77'])
  expect(await openCashier('company', 'QY77')).toMatchObject({
    payerKind: 'company',
    payerName: '云杉科技有限公司',
    relation: '企业',
    groups: [{ bills: [{ billNo: bill.no, total: 50000 }] }],
  })
  expect([
    (await openCashier('publicArea', 'GQ-77')).groups,
    (await openCashier('parkPlace', 'CW2')).groups,
  ]).toEqual([[], []])
  const paid = await t.call(
    payBills,
    {
      ...project,
      billIds: [String(bill.id)],
      expectAmount: asFen(50000),
      methods: [{ method: 'transfer', amount: asFen(50000) }],
    },
    me,
  )
  expect(await searchPayers(paid.receiptNo)).toEqual(['company/QY77'])
})

it("a room shows its parking places' bills with its own; selected is what begins this month or earlier, not what is billed ahead", async () => {
  await createBill(10, room.code, room.path, asFen(100), '2026-11-01')
  await createBill(30, 'CW1', 'ZZ-771', asFen(200), '2026-10-01')
  await createBill(10, room.code, room.path, asFen(300), '2026-12-01')
  const d = await openCashier('room', room.code)
  const testBills = d.groups.flatMap(g =>
    g.bills.filter(b => b.feeItemName === '收银测试').map(b => [g.sourceType, b.total, b.selectedByDefault]),
  )
  expect(testBills).toEqual([
    ['room', 100, true],
    ['room', 300, false],
    ['parkPlace', 200, true],
  ])
})

it('C27-8: a deposit is selected where nothing else is due, and left apart beside fees', async () => {
  const deposit = await createBill(50, 'QY77', '云杉科技有限公司', asFen(90_000))
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update bill set fee_type = ${code(feeType, 'deposit')} where owner_id = ${ownerId} and id = ${deposit.id}`,
    ),
  )
  const selection = async () =>
    (await openCashier('company', 'QY77')).groups.flatMap(g =>
      g.bills.map(b => [b.feeType, b.selectedByDefault]),
    )
  expect(await selection()).toEqual([['deposit', true]])
  await createBill(50, 'QY77', '云杉科技有限公司', asFen(100), '2026-12-01')
  expect((await selection()).find(([type]) => type === 'deposit')).toEqual(['deposit', true])
  await createBill(50, 'QY77', '云杉科技有限公司', asFen(100))
  expect((await selection()).find(([type]) => type === 'deposit')).toEqual(['deposit', false])
})

it('a discount at the counter is the whole discount of each bill, with its reason, for those who may', async () => {
  const a = await createBill(10, room.code, room.path, asFen(32645))
  const small = await createBill(10, room.code, room.path, asFen(5000))
  const engineer = await t.signedInAs(golden.first.ofRole('engineer'))
  const give = (overrides: Omit<DiscountInput, 'ids' | 'reason'>, as = me, ids = [a.id]) =>
    t.call(discountCashierBills, { ids: ids.map(String), reason: '服务补偿', ...overrides }, as)
  // T-BILL-01
  expect(await give({ kind: 'rate', percent: '15' })).toMatchObject({ success: 1 })
  expect(
    await t.database
      .reader(ownerId)
      .one(sql`select discount_amount::text as d, receivable::text as r from bill where id = ${a.id}`),
  ).toEqual({ d: '48.97', r: '277.48' })
  const tooMuch = await refusalOf(give({ kind: 'amount', amount: asFen(40000) }))
  expect(faultsOf(tooMuch)).toEqual([
    {
      Field: 'DiscountAmount',
      Message: expect.stringMatching(/^账单 \S+：减免金额应在 0 到 326.45 元之间$/),
    },
  ])
  // One that is too small keeps the others as they were.
  const forBoth = await refusalOf(give({ kind: 'amount', amount: asFen(6000) }, me, [a.id, small.id]))
  expect(faultsOf(forBoth)).toMatchObject([{ Field: 'DiscountAmount' }])
  expect(
    await t.database.reader(ownerId).one(sql`select discount_amount::text as d from bill where id = ${a.id}`),
  ).toEqual({ d: '48.97' })
  const view = await openCashier('room', room.code)
  expect(view.groups.flatMap(g => g.bills).find(b => b.billId === a.id)).toMatchObject({ discount: 4897 })
  const refusal = await refusalOf(give({ kind: 'amount', amount: 0 }, engineer))
  expect(refusal.code).toBe(resultCode.forbidden)
})

it('PAY-1: the cashier screen names the order that holds bills of the object, until it is closed', async () => {
  const bill = await createBill(10, room.code, room.path, asFen(7_000))
  const order = await t.call(
    createOrder,
    { ...project, billIds: [String(bill.id)], expectAmount: asFen(7_000) },
    me,
  )
  expect((await openCashier('room', room.code)).openOrders).toEqual([
    { orderNo: order.orderNo, amount: 7_000 },
  ])
  await t.call(closeOrder, { orderNo: order.orderNo }, me)
  expect((await openCashier('room', room.code)).openOrders).toEqual([])
})
