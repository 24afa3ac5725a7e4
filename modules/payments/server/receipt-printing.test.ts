import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { deletePrintSetting, savePrintSetting } from '#modules/accounts/contract/print-settings.ts'
import { getDefaultPrintSetting, type DocType } from '#modules/accounts/domain/print-settings.ts'
import { addDeposit, receiveDeposit, refundDeposit } from '#modules/deposits/contract/deposit.ts'
import { listAccounts, refundAccount, topUp } from '#modules/prestore/contract/account.ts'
import { listEntries } from '#modules/prestore/contract/entry.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { payBills } from '../contract/payment.ts'
import { markReceiptsPrinted, getReceipts } from '../contract/receipt.ts'

let t: GoldenApp
let me: CallOptions
let ownerId = 0
let item: Id = 0
let room = ''
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  item = await t.addFeeItem('RCP', { name: '收据测试', multi: true })
  room = defined(
    await t.database.reader(ownerId).one<{ code: string }>(
      sql`
        select code
        from room
        where project_code = 'GOLD0001' and delete_tag = 0 and payer_id is not null
        order by sort_key
        limit 1
      `,
    ),
  ).code
})

afterAll(() => t?.close())

const addBill = async (fen: Fen): Promise<Id> =>
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
          ${ownerId}, 'GOLD0001', gen_random_uuid()::text, 10, ${room}, '1-1-101', ${item}, '收据测试', 10,
          '2026-10-01', '2026-10-31', '2026-10', ${formatYuan(fen)}, '2026-11-01', 20, 10, true, null
        )
        returning id
      `),
      ).id,
  )

const pay = async (bill: Id, expectAmount: Fen, paid: Fen): Promise<Id> =>
  (
    await t.call(
      payBills,
      { ...project, billIds: [String(bill)], expectAmount, methods: [{ method: 'cash', amount: paid }] },
      me,
    )
  ).recordId

const payNewBill = async (fen: Fen): Promise<Id> => pay(await addBill(fen), fen, fen)

const getReceipt = async (id: Id) => defined((await t.call(getReceipts, { ids: [String(id)] }, me))[0])
const printReceipts = (...ids: Id[]) => t.call(markReceiptsPrinted, { ids: ids.map(String) }, me)
const saveTemplate = (kind: DocType, overrides: object) =>
  t.call(savePrintSetting, { ...getDefaultPrintSetting(kind), ...overrides }, me)

it('PAY-20: an old receipt is printed again as it was, whatever became of the template; a new one follows the new', async () => {
  const old = await payNewBill(asFen(10000))
  const later = await payNewBill(asFen(20000))
  expect((await getReceipt(old)).paper).toMatchObject({ title: '收款收据', estateName: expect.any(String) })
  expect((await printReceipts(old)).rows).toMatchObject([{ id: old, nth: 1, paper: { title: '收款收据' } }])
  await saveTemplate('receipt', {
    estateCode: 'GOLD0001',
    title: '{项目}专用收据',
    paperSize: 'roll',
    copies: 1,
    copyNames: [],
    landscape: false,
    marginLeft: 3,
    marginRight: 3,
  })
  expect((await getReceipt(old)).paper).toMatchObject({ title: '收款收据', paperSize: 'third', copies: 3 })
  expect((await getReceipt(later)).paper).toMatchObject({ title: '{项目}专用收据', paperSize: 'roll' })
  expect((await printReceipts(old, later)).rows.map(r => [r.nth, r.paper.title])).toEqual([
    [2, '收款收据'],
    [1, '{项目}专用收据'],
  ])
  await t.call(deletePrintSetting, { docType: 'receipt', estateCode: 'GOLD0001' }, me)
  expect((await printReceipts(old, later)).rows.map(r => [r.nth, r.paper.title])).toEqual([
    [3, '收款收据'],
    [2, '{项目}专用收据'],
  ])
  expect(await getReceipt(old)).toMatchObject({ printCount: 3 })
})

it('PAY-20: two cashiers print one receipt at once: one is the first, the other a reprint, by one version', async () => {
  const id = await payNewBill(asFen(3000))
  const all = await Promise.all(Array.from({ length: 6 }, () => printReceipts(id)))
  expect(all.map(p => defined(p.rows[0]).nth).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
  expect(
    (
      await t.database
        .reader(ownerId)
        .rows(sql`select distinct print_edition_id as id from pay_record where id = ${id}`)
    ).length,
  ).toBe(1)
})

it('PAY-20: the receipt of a part payment says what remained, also when it is printed again later', async () => {
  const bill = await addBill(asFen(100_000))
  const first = await pay(bill, asFen(100_000), asFen(60_000))
  const unpaidOn = async (record: Id) => (await getReceipt(record)).details.map(d => d.unpaid)
  expect(await unpaidOn(first)).toEqual([40_000])
  const second = await pay(bill, asFen(40_000), asFen(40_000))
  expect([await unpaidOn(first), await unpaidOn(second)]).toEqual([[40_000], [0]])
})

it('ACC-10: a top-up ends with its receipt: which account, how much on top, its balance', async () => {
  const done = await t.call(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: room,
      feeItemId: item,
      methods: [
        { method: 'cash', amount: asFen(50000) },
        { method: 'transfer', amount: asFen(10000) },
      ],
      gift: asFen(5000),
    },
    me,
  )
  expect(await getReceipt(done.recordId)).toMatchObject({
    recordType: 'prestore',
    receiptNo: done.receiptNo,
    about: [{ item: '预存充值（收据测试专用）', amount: 60000, gift: 5000, after: 65000 }],
    paper: { docType: 'prestore', title: '预存收据' },
  })
  const a = defined(
    (await t.call(listAccounts, { ownerCode: room }, me)).rows.find(x => x.feeItemId === item),
  )
  await t.call(refundAccount, { id: a.id, amount: 20000, method: 'cash', reason: '不续租了' }, me)
  const out = defined(
    (await t.call(listEntries, { accountId: [String(a.id)], entryType: ['refund'] }, me)).rows[0],
  )
  expect(await getReceipt(defined(out.recordId))).toMatchObject({
    receivedAmount: -20000,
    about: [{ item: '预存退款（收据测试专用）', amount: -20000 }],
    paper: { docType: 'refund', title: '退款单' },
  })
})

it("C6.3: a deposit's receipt says which and how it stands, its return a refund sheet", async () => {
  const d = await t.call(
    addDeposit,
    { ...project, kind: 'fitting', roomCode: room, amount: asFen(200000) },
    me,
  )
  const got = await t.call(
    receiveDeposit,
    { id: d.id, methods: [{ method: 'cash', amount: asFen(200000) }] },
    me,
  )
  expect(await getReceipt(defined(got.recordId))).toMatchObject({
    about: [{ item: `装修押金 ${d.depositNo}`, amount: 200000, after: 200000 }],
    paper: { docType: 'deposit' },
  })
  await t.call(refundDeposit, { id: d.id, amount: 150000, method: 'cash', reason: '验收合格' }, me)
  expect((await getReceipt(defined(got.recordId))).about).toMatchObject([{ back: 150000, after: 50000 }])
  const back = defined(
    await t.database
      .reader(ownerId)
      .one<{ id: Id }>(
        sql`select record_id as id from deposit_entry where deposit_id = ${d.id} and entry_type = 30`,
      ),
  )
  expect(await getReceipt(back.id)).toMatchObject({ receivedAmount: -150000, paper: { docType: 'refund' } })
})
