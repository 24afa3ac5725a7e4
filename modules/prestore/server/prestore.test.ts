import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord, listRecords, voidRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  deductRooms,
  freezeAccount,
  listAccounts,
  getPayInfo,
  refundAccount,
  topUp,
} from '../contract/account.ts'
import { listEntries, getPrestoreReceipt } from '../contract/entry.ts'
import { getPrestoreSetting, savePrestoreSetting } from '../contract/setting.ts'
import { auditTransfer, cancelTransfer, listTransfers, transferAccount } from '../contract/transfer.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { runNightly } from './nightly-job.ts'
import { exportSummary, listSummary, getSummaryTotal } from '../contract/summary.ts'
import { deductProject } from './deduction.ts'

type RefundInput = NonNullable<typeof requestRefund.input.T>

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let items: Id[] = []
let rooms: { code: string; path: string }[] = []
let n = 0
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  items = [
    await t.addFeeItem('PRE1', { name: '预存测试1', multi: true }),
    await t.addFeeItem('PRE2', { name: '预存测试2', multi: true }),
  ]
  rooms = await t.database.reader(ownerId).rows(
    sql`
        select code, path
        from room
        where project_code = 'GOLD0001' and delete_tag = 0 and payer_id is not null
        order by sort_key
        limit 24
      `,
  )
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

afterAll(() => t?.close())
const nextRoom = () => defined(rooms[n++ % rooms.length])

const createBill = (
  code: string,
  amount: Fen,
  item = defined(items[0]),
  due = '2026-11-01',
): Promise<number> =>
  t.database.tx(
    ownerId,
    async tx =>
      defined(
        await tx.one<{
          id: Id
        }>(sql`
        insert into bill (
          owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id,
          fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
          run_free, run_split_root
        )
        values (
          ${ownerId}, 'GOLD0001', gen_random_uuid()::text, 10, ${code}, '1-1-101', ${item}, '预存测试', 10,
          '2026-10-01', '2026-10-31', '2026-10', ${formatYuan(amount)}, ${due}, 20, 10, true, null
        )
        returning id
      `),
      ).id,
  )

const topUpRoom = (code: string, amount: Fen, feeItemId: Id = 0, overrides: object = {}) =>
  t.call(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: code,
      feeItemId,
      methods: [{ method: 'cash', amount }],
      ...overrides,
    },
    me,
  )

const findBalances = async (code: string) =>
  (
    await t.database.reader(ownerId).rows<{ item: number; balance: string; gift: string }>(
      sql`
          select fee_item_id as item, balance::text, gift_balance::text as gift
          from prestore_account
          where owner_code = ${code} and owner_kind = 10
          order by fee_item_id
        `,
    )
  ).map(a => [a.item, a.balance, a.gift])

const payByPrestore = (billIds: readonly number[], amount: Fen) =>
  t.call(
    payBills,
    {
      ...project,
      billIds: billIds.map(String),
      expectAmount: amount,
      methods: [{ method: 'prestore', amount }],
    },
    me,
  )

const generalAccountOf = async (code: string) =>
  defined((await t.call(listAccounts, { ownerCode: code }, me)).rows.find(a => !a.feeItemId))

const deductRoomNow = (code: string) => t.call(deductRooms, { ...project, roomCodes: [code] }, me)

/** ACC-2: every account is the sum of its entries. */
const expectBalanced = async (): Promise<void> =>
  expect(
    await t.database.reader(ownerId).rows(sql`
        select a.id
        from prestore_account a
        left join prestore_entry e on e.owner_id = a.owner_id and e.account_id = a.id
        group by a.id, a.balance, a.gift_balance
        having a.balance <> coalesce(sum(e.amount) filter (where not e.gift), 0)
          or a.gift_balance <> coalesce(sum(e.amount) filter (where e.gift), 0)
      `),
  ).toEqual([])

it("T-ACC-01, ACC-1, ACC-4, ACC-6: the item's account first, then the general one; a record 冲抵 without money at the cashier (ACC-7)", async () => {
  const { code } = nextRoom()
  const [a, b] = [await createBill(code, asFen(26000)), await createBill(code, asFen(8000), items[1])]
  await topUpRoom(code, asFen(20000), items[0])
  // No room named is not every room.
  for (const none of [{}, { roomCodes: [] }]) {
    await expect(t.call(deductRooms, { ...project, ...none }, me)).rejects.toThrow('请指定要冲抵的房间')
  }
  expect(await findBalances(code)).toEqual([[items[0], '200.00', '0.00']])
  expect(await topUpRoom(code, asFen(15000))).toMatchObject({
    balance: 15000,
    giftBalance: 0,
    receiptNo: expect.stringMatching(/^2026-/),
  })
  expect(await deductRoomNow(code)).toMatchObject({ rooms: 1, bills: 2, amount: 34000 })
  expect(await findBalances(code)).toEqual([
    [0, '10.00', '0.00'],
    [items[0], '0.00', '0.00'],
  ])
  expect(
    (
      await t.database
        .reader(ownerId)
        .rows<{ s: number }>(sql`select pay_state as s from bill where id in (${a}, ${b})`)
    ).map(x => x.s),
  ).toEqual([1, 1])
  expect(
    await t.database.reader(ownerId).one(
      sql`
          select record_type::int as type, received_amount::text as sum, prestore_amount::text as pre
          from pay_record
          where record_type = 50
          order by id desc
          limit 1
        `,
    ),
  ).toEqual({ type: 50, sum: '0.00', pre: '340.00' })
  await expectBalanced()
})

it('money in and out of an account belongs to the building of its room (PERM-6)', async () => {
  const room = defined(rooms.at(-1))
  const { recordId } = await topUpRoom(room.code, asFen(5_000))
  const built = await t.database
    .reader(ownerId)
    .one<{ code: string }>(
      sql`select build_code as code from room where owner_id = ${ownerId} and code = ${room.code} limit 1`,
    )
  const shown = await t.call(listRecords, { ...project, buildCode: [defined(built).code], size: 500 }, me)
  expect(shown.rows.map(r => r.id)).toContain(recordId)
})

it('a setting that another user has saved since is not overwritten (G-8)', async () => {
  const { version } = await t.call(getPrestoreSetting, project, me)
  const rules = {
    ...project,
    autoDeduct: true,
    onlyDue: true,
    deductLate: true,
    wholeBillOnly: false,
    giftFirst: false,
  }
  const saved = await t.call(savePrestoreSetting, { ...rules, version }, me)
  await expect(t.call(savePrestoreSetting, { ...rules, version }, me)).rejects.toMatchObject({ code: 10005 })
  expect((await t.call(savePrestoreSetting, { ...rules, version: saved.version }, me)).version).toBe(
    (saved.version ?? 0) + 1,
  )
})

it('T-ACC-03, ACC-9: two jobs at once, balance 100, two bills 80: exactly one settles', async () => {
  const { code } = nextRoom()
  await topUpRoom(code, asFen(10000))
  await t.call(
    savePrestoreSetting,
    {
      ...project,
      autoDeduct: true,
      onlyDue: true,
      deductLate: true,
      wholeBillOnly: true,
      giftFirst: false,
    },
    me,
  )
  const bills = [await createBill(code, asFen(8000)), await createBill(code, asFen(8000))]
  await Promise.all(Array.from({ length: 8 }, () => deductRoomNow(code)))
  expect(
    await t.database
      .reader(ownerId)
      .one(sql`select count(*) filter (where pay_state = 1) as n from bill where id = any(${bills})`),
  ).toEqual({ n: 1 })
  expect(await findBalances(code)).toEqual([[0, '20.00', '0.00']])
  await t.call(
    savePrestoreSetting,
    {
      ...project,
      autoDeduct: true,
      onlyDue: true,
      deductLate: true,
      wholeBillOnly: false,
      giftFirst: false,
    },
    me,
  )
  await expectBalanced()
})

it('ACC-5: only what is due, unless the project says otherwise', async () => {
  const { code } = nextRoom()
  await topUpRoom(code, asFen(10000))
  const late = await t.database.tx(
    ownerId,
    async tx =>
      defined(
        await tx.one<{
          id: Id
        }>(sql`
        insert into bill (
          owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id,
          fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
          run_free, run_split_root
        )
        values (
          ${ownerId}, 'GOLD0001', gen_random_uuid()::text, 10, ${code}, 'x', ${defined(items[0])}, 'x', 10,
          '2027-01-01', '2027-01-31', '2027-01', 50, '2027-01-31', 20, 10, true, null
        )
        returning id
      `),
      ).id,
  )
  expect(await deductRoomNow(code)).toMatchObject({
    rooms: 0,
    rows: [{ deducted: 0, unpaid: 5000, reason: '余额不足，或暂无到期账单' }],
  })
  await t.call(
    savePrestoreSetting,
    {
      ...project,
      autoDeduct: true,
      onlyDue: false,
      deductLate: true,
      wholeBillOnly: false,
      giftFirst: false,
    },
    me,
  )
  expect(await deductRoomNow(code)).toMatchObject({ rooms: 1, amount: 5000 })
  expect(late).toBeGreaterThan(0)
})

it('PAY-15, PAY-21, ACC-2: prestore at the cashier, change kept, and all of it undone', async () => {
  const { code } = nextRoom()
  const before = await topUpRoom(code, asFen(10000), 0, { gift: 2000 })
  const a = await createBill(code, asFen(30000))
  expect(before).toMatchObject({ giftBalance: 2000 })
  expect(
    await refusalTextOf(
      t.call(
        payBills,
        {
          ...project,
          billIds: [String(a)],
          expectAmount: asFen(30000),
          methods: [
            { method: 'prestore', amount: asFen(12001) },
            { method: 'cash', amount: asFen(17999) },
          ],
        },
        me,
      ),
    ),
  ).toBe('预存余额不足：还差 0.01 元，请减少预存抵扣的金额')
  const done = await t.call(
    payBills,
    {
      ...project,
      billIds: [String(a)],
      expectAmount: asFen(30000),
      excessToPrestore: true,
      methods: [
        { method: 'cash', amount: asFen(20000) },
        { method: 'prestore', amount: asFen(11000) },
      ],
    },
    me,
  )
  expect(done).toMatchObject({ toPrestore: 1000, change: 0 })
  expect(await findBalances(code)).toEqual([[0, '10.00', '10.00']])
  expect(
    (await t.call(listEntries, { ownerCode: code, size: 20 }, me)).rows.map(e => [
      e.entryType,
      e.amount,
      e.gift,
    ]),
  ).toEqual([
    ['change', 1000, false],
    ['deduct', -1000, true],
    ['deduct', -10000, false],
    ['gift', 2000, true],
    ['topUp', 10000, false],
  ])
  // GetPreStoreDetailById: what a receipt did to prestore, account by account; one that did nothing says so.
  expect(await t.call(getPrestoreReceipt, { id: done.recordId }, me)).toMatchObject({
    receivedAmount: 20000,
    rows: [
      { entryType: 'deduct', amount: -10000, balanceBefore: 10000, balanceAfter: 0 },
      { entryType: 'deduct', amount: -1000, gift: true },
      { entryType: 'change', amount: 1000, feeItemName: '通用' },
    ],
  })
  const bare = await t.call(
    payBills,
    {
      ...project,
      billIds: [String(await createBill(code, asFen(500)))],
      expectAmount: asFen(500),
      methods: [{ method: 'cash', amount: asFen(500) }],
    },
    me,
  )
  expect(await refusalTextOf(t.call(getPrestoreReceipt, { id: bare.recordId }, me))).toContain('未使用预存')
  await t.call(voidRecord, { id: done.recordId, reason: '录错了' }, me)
  expect(await findBalances(code)).toEqual([[0, '100.00', '20.00']])
  await expectBalanced()
})

it('REF-9: a refund gives prestore back first, or all of it becomes prestore', async () => {
  const { code } = nextRoom()
  await topUpRoom(code, asFen(10000))
  const a = await createBill(code, asFen(30000))
  const done = await t.call(
    payBills,
    {
      ...project,
      billIds: [String(a)],
      expectAmount: asFen(30000),
      methods: [
        { method: 'prestore', amount: asFen(10000) },
        { method: 'cash', amount: asFen(20000) },
      ],
    },
    me,
  )
  const r = await t.call(getRecord, { id: done.recordId }, me)
  const back = (principal: Fen, refundWay: RefundInput['refundWay']) =>
    t.call(
      requestRefund,
      {
        recordId: r.id,
        lines: [{ detailId: defined(r.details[0]).id, principal, late: 0 }],
        refundWay,
        billAfter: 'owed',
        reason: '多收了',
      },
      me,
    )
  const f = await back(asFen(15000), 'cash')
  expect((await t.call(getRecord, { id: defined(f.negRecordId) }, me)).methods).toEqual([
    { method: 'prestore', amount: -10000 },
    { method: 'cash', amount: -5000 },
  ])
  expect(await findBalances(code)).toEqual([[0, '100.00', '0.00']])
  await back(asFen(15000), 'prestore')
  expect(await findBalances(code)).toEqual([[0, '250.00', '0.00']])
  await expectBalanced()
})

it('REF-9: a second partial refund of a mixed payment returns only what prestore has not got back yet', async () => {
  const { code } = nextRoom()
  await topUpRoom(code, asFen(10000))
  const bill = await createBill(code, asFen(30000))
  const { recordId } = await t.call(
    payBills,
    {
      ...project,
      billIds: [String(bill)],
      expectAmount: asFen(30000),
      methods: [
        { method: 'prestore', amount: asFen(10000) },
        { method: 'wechatTransfer', amount: asFen(20000) },
      ],
    },
    me,
  )
  const record = await t.call(getRecord, { id: recordId }, me)
  const refundAndReadMethods = async (principal: Fen) => {
    const refund = await t.call(
      requestRefund,
      {
        recordId,
        lines: [{ detailId: defined(record.details[0]).id, principal, late: 0 }],
        refundWay: 'original',
        billAfter: 'owed',
        reason: '多收了',
      },
      me,
    )
    return (await t.call(getRecord, { id: defined(refund.negRecordId) }, me)).methods
  }
  expect(await refundAndReadMethods(asFen(6000))).toEqual([{ method: 'prestore', amount: -6000 }])
  expect(await refundAndReadMethods(asFen(9000))).toEqual([
    { method: 'prestore', amount: -4000 },
    { method: 'wechatTransfer', amount: -5000 },
  ])
  expect(await refundAndReadMethods(asFen(5000))).toEqual([{ method: 'wechatTransfer', amount: -5000 }])
  expect(await findBalances(code)).toEqual([[0, '100.00', '0.00']])
  await expectBalanced()
})

it('ACC-3, ACC-10, ACC-11: what may leave an account, and whereto', async () => {
  const { code, path } = nextRoom()
  const other = nextRoom()
  await topUpRoom(code, asFen(10000), 0, { gift: 5000 })
  await topUpRoom(code, asFen(100), items[0])
  await topUpRoom(other.code, asFen(100))
  const ownAccounts = (await t.call(listAccounts, { ownerCode: code }, me)).rows
  const general = defined(ownAccounts.find(a => !a.feeItemId))
  const scoped = defined(ownAccounts.find(a => a.feeItemId))
  const foreign = defined((await t.call(listAccounts, { ownerCode: other.code }, me)).rows[0])
  expect(await t.call(getPayInfo, { ...project, ownerKind: 'room', ownerCode: code }, me)).toMatchObject({
    ownerName: path,
    balance: 10100,
    giftBalance: 5000,
  })
  expect(
    await refusalTextOf(
      t.call(refundAccount, { id: general.id, amount: 10001, method: 'cash', reason: '退房' }, me),
    ),
  ).toBe('最多可退 100.00 元，赠送余额不退')
  expect(
    await t.call(refundAccount, { id: general.id, amount: 4000, method: 'cash', reason: '退房' }, me),
  ).toMatchObject({ balance: 6000, giftBalance: 5000 })
  expect(
    await t.call(transferAccount, { id: general.id, toId: scoped.id, amount: 1000, reason: '专款专用' }, me),
  ).toMatchObject({ balance: 5000 })
  // Another payer's: nothing moves before somebody else agrees.
  expect(
    await t.call(transferAccount, { id: general.id, toId: foreign.id, amount: 1000, reason: '转给他人' }, me),
  ).toMatchObject({ balance: 5000, requestNo: expect.stringMatching(/^YCZ20261121\d{6}$/) })
  await t.call(freezeAccount, { id: general.id, frozen: true, reason: '有争议' }, me)
  expect(
    await refusalTextOf(
      t.call(refundAccount, { id: general.id, amount: 1, method: 'cash', reason: '退房' }, me),
    ),
  ).toContain('已冻结')
  await expectBalanced()
})

it('ACC-8: a frozen account pays nothing at the cashier', async () => {
  const { code } = nextRoom()
  const { id } = await topUpRoom(code, asFen(10000)).then(() => generalAccountOf(code))
  await t.call(freezeAccount, { id, frozen: true, reason: '有争议' }, me)
  const before = await findBalances(code)
  const bill = await createBill(code, asFen(5000))
  const paid = payByPrestore([bill], asFen(5000))
  expect(await refusalTextOf(paid)).toBe('预存余额不足：还差 50.00 元，请减少预存抵扣的金额')
  expect(await deductRoomNow(code)).toMatchObject({ rooms: 0 })
  expect(await findBalances(code)).toEqual(before)
  await t.call(freezeAccount, { id, frozen: false, reason: '已解决' }, me)
})

it('REF-9: prestore comes back into the account that gave last', async () => {
  const { code } = nextRoom()
  await topUpRoom(code, asFen(10000), items[0])
  await topUpRoom(code, asFen(10000))
  const balances = async () => new Map((await findBalances(code)).map(([item, own]) => [item, Number(own)]))
  const before = await balances()
  const itemBalance = defined(before.get(defined(items[0])))
  const amount = asFen(Math.round(itemBalance * 100) + 4000)
  const bill = await createBill(code, amount)
  const { recordId } = await payByPrestore([bill], amount)
  const { details } = await t.call(getRecord, { id: recordId }, me)
  await t.call(
    requestRefund,
    {
      recordId,
      lines: [{ detailId: defined(details[0]).id, principal: asFen(3000), late: 0 }],
      refundWay: 'original',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )
  const after = await balances()
  expect(after.get(defined(items[0]))).toBe(0)
  expect(after.get(0)).toBeCloseTo(defined(before.get(0)) - 10, 2)
  await expectBalanced()
})

it('ACC-11: money of rooms without a payer moves between them only when another person agrees', async () => {
  const [a, b] = [nextRoom(), nextRoom()]
  await topUpRoom(a.code, asFen(500))
  await topUpRoom(b.code, asFen(500))
  const from = await generalAccountOf(a.code)
  const to = await generalAccountOf(b.code)
  const payers = await t.database.tx(ownerId, tx =>
    tx.rows<{ code: string; payerId: Id; payerKind: number }>(sql`
      update room r
      set payer_id = null, company_id = null
      from (select code, payer_id, payer_kind from room where owner_id = ${ownerId}) old
      where r.owner_id = ${ownerId} and r.code in (${a.code}, ${b.code}) and old.code = r.code
      returning r.code, old.payer_id, old.payer_kind
    `),
  )
  expect(
    await t.call(transferAccount, { id: from.id, toId: to.id, amount: 100, reason: '同一人' }, me),
  ).toMatchObject({ balance: from.balance, requestNo: expect.stringMatching(/^YCZ/) })
  expect((await generalAccountOf(b.code)).balance).toBe(to.balance)
  for (const { code, payerId } of payers) {
    await t.database.tx(ownerId, tx =>
      tx.execute(sql`update room set payer_id = ${payerId} where owner_id = ${ownerId} and code = ${code}`),
    )
  }
})

it('months open with what the last one closed and balance to the fen; projects beside each other (CLO-4)', async () => {
  const all = await t.call(listSummary, { ...project, size: 100 }, me)
  const storedBalance = defined(
    await t.database.reader(ownerId).one<{ sum: string }>(
      sql`
        select coalesce(sum(balance + gift_balance), 0)::text as sum
        from prestore_account
        where project_code = 'GOLD0001'
      `,
    ),
  ).sum
  expect(all.rows.length).toBeGreaterThan(0)
  for (const r of all.rows) {
    expect(r.open + r.came - r.offset - r.refund + r.other).toBe(r.close)
  }
  expect(formatYuan(defined(all.rows[0]).close)).toBe(storedBalance)
  const before = await t.database.tx(ownerId, async tx => {
    await tx.execute(
      sql`
        update prestore_entry
        set entry_time = entry_time - interval '2 months'
        where id in (select min(id) from prestore_entry where project_code = 'GOLD0001' and entry_type = 10)
      `,
    )
    return defined(
      await tx.one<{ sum: string }>(
        sql`
        select sum(amount)::text as sum
        from prestore_entry
        where project_code = 'GOLD0001' and entry_time < '2026-10-01'
      `,
      ),
    ).sum
  })
  const [now, between, first] = (await t.call(listSummary, { ...project, size: 100 }, me)).rows
  expect([
    defined(first).month,
    formatYuan(defined(first).came),
    defined(between).month,
    defined(between).came,
    defined(between).open,
    formatYuan(defined(now).close),
  ]).toEqual(['2026-09', before, '2026-10', 0, defined(first).close, storedBalance])
  expect(
    await t.call(getSummaryTotal, { ...project, monthFrom: '2026-10', monthTo: '2026-11' }, me),
  ).toMatchObject({ open: defined(first).close, close: defined(now).close, came: defined(now).came })
  const file = await t.call(exportSummary, project, me)
  expect(file.name).toBe('预存汇总_20261121.xlsx')
})

it('CLO-4, REF-5: what is refunded into prestore moves on the day of the refund, not on that of the payment', async () => {
  const { code } = nextRoom()
  const a = await createBill(code, asFen(10000))
  const paid = await t.call(
    payBills,
    {
      ...project,
      billIds: [String(a)],
      expectAmount: asFen(10000),
      methods: [{ method: 'cash', amount: asFen(10000) }],
      payTime: '2026-11-19 10:00:00',
    },
    me,
  )
  const r = await t.call(getRecord, { id: paid.recordId }, me)
  await t.call(
    requestRefund,
    {
      recordId: r.id,
      lines: [{ detailId: defined(r.details[0]).id, principal: asFen(10000), late: 0 }],
      refundWay: 'prestore',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )
  expect(
    await t.database.reader(ownerId).rows(
      sql`
        select entry_time::date::text as day, amount::text
        from prestore_entry
        where record_id = ${r.id}
      `,
    ),
  ).toEqual([{ day: '2026-11-21', amount: '100.00' }])
})

it('ACC-5: at night a room that cannot be deducted, here for its closed day, does not stop the others', async () => {
  const otherAccount = defined(
    await t.database.reader(ownerId).one<{ code: string }>(
      sql`
        select code
        from room
        where project_code = 'GOLD0002'
          and delete_tag = 0
        order by sort_key
        limit 1
      `,
    ),
  ).code
  const here = nextRoom().code
  const two = { projectCode: 'GOLD0002' }
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      insert into bill (
        owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id, fee_item_name,
        fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source, run_free,
        run_split_root
      )
      select ${ownerId}, p, gen_random_uuid()::text, 10, c, 'x', ${defined(items[0])}, 'x', 10, date '2026-10-01',
        date '2026-10-31', '2026-10', 50, date '2026-11-01', 20, 10, true, null
      from (values ('GOLD0001', ${here}), ('GOLD0002', ${otherAccount})) v(p, c)
    `),
  )
  for (const [p, ownerCode] of [
    [project, here],
    [two, otherAccount],
  ] as const) {
    await t.call(
      topUp,
      { ...p, ownerKind: 'room', ownerCode, methods: [{ method: 'cash', amount: asFen(5000) }] },
      me,
    )
    await t.call(
      savePrestoreSetting,
      {
        ...p,
        autoDeduct: true,
        onlyDue: true,
        deductLate: true,
        wholeBillOnly: false,
        giftFirst: false,
      },
      me,
    )
  }
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into day_close (owner_id, project_code, day, closed)
        values (${ownerId}, 'GOLD0001', '2026-11-21', true)
      `,
    ),
  )
  expect(await deductProject(t.database, ownerId, 'GOLD0001', '2026-11-21 03:00:00')).toBe(0)
  expect(await deductProject(t.database, ownerId, 'GOLD0002', '2026-11-21 03:00:00')).toBe(1)
  expect(
    await t.database.reader(ownerId).rows(
      sql`
          select project_code as p, pay_state as s
          from bill
          where source_name = 'x'
            and source_code in (${here}, ${otherAccount})
            and begin_date = '2026-10-01'
            and project_code in ('GOLD0001', 'GOLD0002')
            and amount = 50
          order by 1
        `,
    ),
  ).toEqual([
    { p: 'GOLD0001', s: 0 },
    { p: 'GOLD0002', s: 1 },
  ])
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`delete from day_close where project_code = 'GOLD0001' and day = '2026-11-21'`),
  )
})

it('ACC-11: a transfer between payers moves when another person agrees, once, and only what is still there', async () => {
  const a = nextRoom()
  const b = nextRoom()
  const chief = await t.signedInAs(golden.first.ofRole('manager'))
  await topUpRoom(a.code, asFen(20000))
  await topUpRoom(b.code, asFen(100))
  const from = await generalAccountOf(a.code)
  const to = await generalAccountOf(b.code)
  const had = [from.balance, to.balance]
  const requestTransfer = async (amount: number) => {
    const { requestNo } = await t.call(
      transferAccount,
      { id: from.id, toId: to.id, amount, reason: '家人之间' },
      me,
    )
    return defined((await t.call(listTransfers, { keyword: defined(requestNo) }, me)).rows[0])
  }
  const r = await requestTransfer(15000)
  expect(r).toMatchObject({
    state: 'pending',
    amount: 15000,
    fromName: `${a.path}（通用）`,
    toName: `${b.path}（通用）`,
  })
  expect(await refusalTextOf(t.call(auditTransfer, { id: r.id, pass: true }, me))).toBe(
    '申请人不能审核自己的转账，请由其他人审核',
  )
  const all = await Promise.allSettled(
    [1, 2, 3].map(() => t.call(auditTransfer, { id: r.id, pass: true }, chief)),
  )
  expect(all.filter(x => x.status === 'fulfilled')).toHaveLength(1)
  expect([(await generalAccountOf(a.code)).balance, (await generalAccountOf(b.code)).balance]).toEqual([
    defined(had[0]) - 15000,
    defined(had[1]) + 15000,
  ])
  // Spent in the meantime: refused with a message, the request still waits and can be cancelled.
  const second = await requestTransfer((await generalAccountOf(a.code)).balance)
  const balance = (await generalAccountOf(a.code)).balance
  await t.call(refundAccount, { id: from.id, amount: 1, method: 'cash', reason: '退房' }, me)
  expect(await refusalTextOf(t.call(auditTransfer, { id: second.id, pass: true }, chief))).toBe(
    `最多可转 ${formatYuan(asFen(balance - 1))} 元，赠送余额不能转`,
  )
  expect(await refusalTextOf(t.call(auditTransfer, { id: second.id, pass: false }, chief))).toBe(
    '请填写驳回的原因',
  )
  expect(await t.call(cancelTransfer, { id: second.id, reason: '不转了' }, me)).toMatchObject({
    state: 'cancelled',
  })
  expect(await refusalTextOf(t.call(auditTransfer, { id: second.id, pass: true }, chief))).toContain('已取消')
  await expectBalanced()
})

it('ACC-3: gifts are spent oldest first; what is left of those past their days leaves the account, once', async () => {
  const { code } = nextRoom()
  await topUpRoom(code, asFen(100), 0, { gift: 8000 })
  const old = await generalAccountOf(code)
  const before = old.giftBalance - 8000
  // The day's gifts become a hundred days old; then come 60 new, then 40 are spent: 100 left, of them 60
  // young.
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update prestore_entry
        set entry_time = entry_time - interval '100 days'
        where account_id = ${old.id} and entry_type = 70
      `,
    ),
  )
  await topUpRoom(code, asFen(100), 0, { gift: 6000 })
  await t.call(
    savePrestoreSetting,
    {
      ...project,
      autoDeduct: false,
      onlyDue: true,
      deductLate: true,
      wholeBillOnly: false,
      giftFirst: false,
      giftDays: 90,
    },
    me,
  )
  const night = () => runNightly(t.app, { ownerId, project: 'GOLD0001', auto: false, days: 90 })
  await night()
  await night()
  expect((await generalAccountOf(code)).giftBalance).toBe(6000)
  expect(
    (await t.call(listEntries, { accountId: [String(old.id)], entryType: ['giftExpired'] }, me)).rows.map(
      e => [e.amount, e.gift, e.balanceAfter],
    ),
  ).toEqual([[-(8000 + before), true, 6000]])
  await expectBalanced()
})

it('ACC-8: a deduction is undone by entries of the other way, and the bill is open again', async () => {
  const { code } = nextRoom()
  const bill = await createBill(code, asFen(3000))
  await topUpRoom(code, asFen(5000))
  const was = await findBalances(code)
  const done = await t.call(
    payBills,
    {
      ...project,
      billIds: [String(bill)],
      expectAmount: asFen(3000),
      methods: [{ method: 'prestore', amount: asFen(3000) }],
    },
    me,
  )
  await t.call(voidRecord, { id: done.recordId, reason: '录错了' }, me)
  expect(await findBalances(code)).toEqual(was)
  expect(
    (await t.call(listEntries, { ownerCode: code, entryType: ['undone'], size: 50 }, me)).rows.reduce(
      (sum, e) => sum + e.amount,
      0,
    ),
  ).toBeGreaterThanOrEqual(3000)
  expect(
    await t.database.reader(ownerId).one(sql`select pay_state::int as s from bill where id = ${bill}`),
  ).toEqual({ s: 0 })
})

it('ACC-12: an account below its threshold, its own or else its kind’s, is notified once, and again after it was above', async () => {
  const a = nextRoom()
  const b = nextRoom()
  await topUpRoom(a.code, asFen(100))
  await topUpRoom(b.code, asFen(100))
  await t.database.tx(ownerId, async tx => {
    await tx.execute(
      sql`
        update prestore_account
        set state = 30
        where project_code = 'GOLD0001' and owner_code not in (${a.code}, ${b.code})
      `,
    )
    await tx.execute(
      sql`
        update prestore_account
        set warn_balance = null, run_warned = false
        where project_code = 'GOLD0001'
      `,
    )
    await tx.execute(sql`update prestore_account set state = 30 where fee_item_id <> 0`)
  })
  const sum = async (code: string): Promise<number> => {
    const x = await generalAccountOf(code)
    return x.balance + x.giftBalance
  }
  const highest = Math.max(await sum(a.code), await sum(b.code))
  const set = (warnBalance: Fen | undefined) =>
    t.call(
      savePrestoreSetting,
      {
        ...project,
        autoDeduct: false,
        onlyDue: true,
        deductLate: true,
        wholeBillOnly: false,
        giftFirst: false,
        warnBalance,
      },
      me,
    )
  const findWarnings = async () =>
    (await t.call(listNotifications, { page: 1, size: 50 }, me)).rows
      .filter(m => m.title.includes('预存账户余额不足'))
      .map(m => m.title)
  const night = () => runNightly(t.app, { ownerId, project: 'GOLD0001', auto: false })
  await set(undefined)
  await night()
  const none = (await findWarnings()).length
  await set(asFen(highest + 1))
  expect(
    (await t.call(listAccounts, { ...project, low: true, size: 50 }, me)).rows
      .map(x => x.ownerCode)
      .toSorted(),
  ).toEqual([...new Set([a.code, b.code])].toSorted())
  // Its own threshold is the nearer one.
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update prestore_account set warn_balance = 0 where owner_code = ${b.code}`),
  )
  await night()
  await night()
  expect((await findWarnings()).length).toBe(none + 1)
  await topUpRoom(a.code, asFen(highest + 10000))
  await night()
  expect((await findWarnings()).length).toBe(none + 1)
  await set(asFen(highest * 3 + 50000))
  await night()
  expect((await findWarnings()).length).toBe(none + 2)
})
