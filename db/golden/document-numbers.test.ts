import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isDailyNumber } from '#kit/domain/document-number.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { addDeposit, refundDeposit } from '#modules/deposits/contract/deposit.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { addHandover, previewHandover } from '#modules/payments/contract/day-close.ts'
import { createOrder } from '#modules/payments/contract/order.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { topUp } from '#modules/prestore/contract/account.ts'
import { addRenewal } from '#modules/products/contract/order.ts'
import { openGoldenApp, type GoldenApp } from './golden-app.ts'
import { golden, password } from './golden-data.ts'
import { code } from '#kit/server/sql.ts'
import { edition } from '#modules/accounts/contract/company.ts'

let t: GoldenApp
let me: CallOptions
let ownerId = 0
let room = ''
let item = asId(0)
const project = { projectCode: 'GOLD0001' }
const cash = (amount: number) => [{ method: 'cash' as const, amount: asFen(amount) }]

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  room = defined(
    await t.database.reader('*').one<{ code: string }>(
      sql`
      select code
      from room
      where owner_id = ${ownerId} and project_code = 'GOLD0001' and delete_tag = 0
      order by sort_key
      limit 1
    `,
    ),
  ).code
  item = await t.addFeeItem('NUMBER', { name: '编号', feeType: 'temporary', multi: true })
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

afterAll(() => t?.close())

const billRoom = async (): Promise<string> =>
  defined(
    (
      await t.call(
        addTempFee,
        {
          ...project,
          feeItemId: item,
          amount: asFen(100),
          sources: [{ sourceType: 'room', sourceCode: room }],
          beginDate: '2026-11-01',
          endDate: '2026-11-30',
          dueDate: '2026-12-31',
        },
        me,
      )
    ).ids[0],
  )

/** A document of every kind that the counter and the office make on a day. */
async function makeDocuments(): Promise<void> {
  const paid = { ...project, billIds: [await billRoom()], expectAmount: asFen(100), methods: cash(100) }
  const record = await t.call(getRecord, { id: (await t.call(payBills, paid, me)).recordId }, me)
  const lines = [{ detailId: defined(record.details[0]).id, principal: asFen(40), late: 0 as const }]
  const refund = {
    recordId: record.id,
    lines,
    refundWay: 'cash',
    billAfter: 'owed',
    reason: '多收了',
  } as const
  await t.call(requestRefund, refund, me)
  await t.call(createOrder, { ...project, billIds: [await billRoom()], expectAmount: asFen(100) }, me)
  await t.call(topUp, { ...project, ownerKind: 'room', ownerCode: room, methods: cash(500) }, me)
  const deposit = { ...project, kind: 'card', roomCode: room, amount: asFen(300) } as const
  const { id } = await t.call(addDeposit, { ...deposit, methods: cash(300) }, me)
  await t.call(refundDeposit, { id, amount: asFen(300), method: 'cash', reason: '退卡' }, me)
  const sheet = await t.call(previewHandover, project, me)
  const amounts = { expectCash: sheet.cashAmount, handAmount: sheet.cashAmount }
  await t.call(addHandover, { ...project, endTime: sheet.endTime, ...amounts }, me)
}

const columns = [
  ['bill', 'bill_no'],
  ['bill_run', 'batch_no'],
  ['pay_record', 'record_no'],
  ['pay_order', 'order_no'],
  ['fee_refund', 'refund_no'],
  ['deposit', 'deposit_no'],
  ['cashier_handover', 'hand_no'],
  ['prestore_account', 'account_no'],
] as const

async function findNumbers(): Promise<string[]> {
  const lists = await Promise.all(
    columns.map(([table, column]) =>
      t.database.reader(ownerId).rows<{ no: string }>(
        sql`
          select ${sql.id(column)} as no
          from ${sql.table(table)}
          where owner_id = ${ownerId}
          order by id
        `,
      ),
    ),
  )
  return lists.flat().map(row => row.no)
}

it('every document of a day is numbered prefix, day, sequence, each kind from 1 (G-14)', async () => {
  await makeDocuments()
  const first = await findNumbers()
  expect(first.filter(no => !isDailyNumber(no))).toEqual([])
  const prefixes = ['ZD', 'PC', 'SK', 'TK', 'TKD', 'DD', 'YJ', 'JZ', 'YC']
  expect([...new Set(first.map(no => no.replace(/\d+$/, '')))].toSorted()).toEqual(prefixes.toSorted())
  for (const prefix of prefixes) {
    expect(first).toContain(`${prefix}20261121000001`)
  }
  t.advanceClock(24 * 3_600_000)
  const { token } = await t.call(login, { loginCode: golden.first.owner, password }, {})
  me = { token, projectCode: 'GOLD0001' }
  await makeDocuments()
  const second = (await findNumbers()).filter(no => !first.includes(no))
  // The account is there already.
  for (const prefix of prefixes.filter(p => p !== 'YC')) {
    expect(second).toContain(`${prefix}20261122000001`)
  }
})

it('an order for payment and one for a product are never of one number (G-14)', async () => {
  const { id: productId } = defined(
    await t.database.reader('*').one<{ id: Id }>(sql`
      select id
      from product
      where product_code = 'STANDARD'
    `),
  )
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        update property
        set edition = ${code(edition, 'standard')}, expire_date = '2027-03-31'
        where owner_id = ${ownerId}
      `,
    ),
  )
  const renewal = await t.call(addRenewal, { productId, months: 12 }, me)
  const order = await t.call(
    createOrder,
    { ...project, billIds: [await billRoom()], expectAmount: asFen(100) },
    me,
  )
  expect([renewal.orderNo, order.orderNo].map(isDailyNumber)).toEqual([true, true])
  expect(renewal.orderNo).not.toBe(order.orderNo)
})
