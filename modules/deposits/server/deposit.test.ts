import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { previewHandover } from '#modules/payments/contract/day-close.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { listAccounts } from '#modules/prestore/contract/account.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  addDeposit,
  convertDeposit,
  deductDeposit,
  deleteDeposit,
  depositEntries,
  receiveDeposit,
  refundDeposit,
} from '../contract/deposit.ts'

let t: GoldenApp
let me: CallOptions
let ownerId = 0
let roomCode = ''
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  roomCode = defined(
    await t.database.reader(ownerId).one<{ code: string }>(
      sql`
        select code
        from room
        where project_code = 'GOLD0001'
          and delete_tag = 0
        order by sort_key
        limit 1
      `,
    ),
  ).code
})

afterAll(() => t?.close())

const createDeposit = () =>
  t.call(addDeposit, { ...project, kind: 'fitting', roomCode, amount: asFen(200_000) }, me)

const createReceivedDeposit = async () => {
  const d = await createDeposit()
  return t.call(
    receiveDeposit,
    {
      id: d.id,
      methods: [
        { method: 'cash', amount: asFen(150_000) },
        { method: 'transfer', amount: asFen(50_000) },
      ],
    },
    me,
  )
}

it('C6.3: received whole as a record of type 押金, deducted with evidence, refunded up to the rest', async () => {
  const w = await createDeposit()
  expect(
    await refusalTextOf(t.call(refundDeposit, { id: w.id, amount: 1, method: 'cash', reason: '退还' }, me)),
  ).toBe('押金尚未收取')
  expect(
    await refusalTextOf(
      t.call(receiveDeposit, { id: w.id, methods: [{ method: 'cash', amount: asFen(199_999) }] }, me),
    ),
  ).toBe('押金应收 2,000.00 元，填写的合计是 1,999.99 元')
  const before = await t.call(previewHandover, project, me)
  const d = await createReceivedDeposit()
  expect(d).toMatchObject({ state: 'received', balance: 200_000 })
  expect(await t.call(getRecord, { id: defined(d.recordId) }, me)).toMatchObject({
    recordType: 'deposit',
    receivedAmount: 200_000,
    toPrestore: 0,
    principalAmount: 0,
    details: [],
  })
  expect((await t.call(previewHandover, project, me)).cashAmount - before.cashAmount).toBe(150_000)
  expect(
    await refusalTextOf(
      t.call(deductDeposit, { id: d.id, amount: asFen(30_000), reason: '墙面损坏', evidence: [] }, me),
    ),
  ).toContain('凭证')
  await t.call(deductDeposit, { id: d.id, amount: asFen(30_000), reason: '墙面损坏', evidence: ['k1'] }, me)
  expect(
    await refusalTextOf(
      t.call(refundDeposit, { id: d.id, amount: 170_001, method: 'cash', reason: '验收合格' }, me),
    ),
  ).toBe('不能超过押金结余 1,700.00 元')
  expect(
    await t.call(refundDeposit, { id: d.id, amount: 100_000, method: 'cash', reason: '验收合格' }, me),
  ).toMatchObject({ state: 'partRefunded', balance: 70_000 })
  expect(
    await t.call(convertDeposit, { id: d.id, amount: 70_000, to: 'prestore', reason: '业主要求' }, me),
  ).toMatchObject({ state: 'toIncome', balance: 0, deducted: 30_000, refunded: 100_000, converted: 70_000 })
  expect((await t.call(previewHandover, project, me)).cashAmount - before.cashAmount).toBe(50_000)
  expect((await t.call(listAccounts, { ...project, ownerCode: roomCode }, me)).rows).toMatchObject([
    { balance: 70_000 },
  ])
  expect(
    (await t.call(depositEntries.list, { depositId: [String(d.id)] }, me)).rows.map(e => [
      e.entryType,
      e.amount,
      e.balanceAfter,
    ]),
  ).toEqual([
    ['prestore', -70_000, 0],
    ['refund', -100_000, 70_000],
    ['deduct', -30_000, 170_000],
    ['receive', 200_000, 200_000],
  ])
  expect(await refusalTextOf(t.call(deleteDeposit, { id: d.id, reason: '登记有误' }, me))).toBe(
    '押金已收取，不能删除；请办理退还',
  )
})

it('two clerks refund one deposit at once: exactly one succeeds, the other gets a conflict', async () => {
  const d = await createReceivedDeposit()
  const all = await Promise.allSettled(
    [1, 2, 3].map(() =>
      t.call(refundDeposit, { id: d.id, amount: 150_000, method: 'cash', reason: '验收合格' }, me),
    ),
  )
  expect(all.filter(r => r.status === 'fulfilled')).toHaveLength(1)
  expect(
    await t.database
      .reader(ownerId)
      .one(sql`select balance::text, refunded::text from deposit where id = ${d.id}`),
  ).toEqual({ balance: '500.00', refunded: '1500.00' })
})

it('C6.3: written down and taken in one go at the cashier; nothing is written when the sums do not agree', async () => {
  const count = async () =>
    defined(
      await t.database.reader(ownerId).one<{ n: number }>(sql`
        select count(*)::int as n
        from deposit
      `),
    ).n
  const before = await count()
  expect(
    await refusalTextOf(
      t.call(
        addDeposit,
        {
          ...project,
          kind: 'card',
          roomCode,
          amount: asFen(10_000),
          methods: [{ method: 'cash', amount: asFen(9_000) }],
        },
        me,
      ),
    ),
  ).toBe('押金应收 100.00 元，填写的合计是 90.00 元')
  expect(await count()).toBe(before)
  const d = await t.call(
    addDeposit,
    {
      ...project,
      kind: 'card',
      roomCode,
      amount: asFen(10_000),
      methods: [
        { method: 'cash', amount: asFen(4_000) },
        { method: 'transfer', amount: asFen(6_000) },
      ],
    },
    me,
  )
  expect(d).toMatchObject({ state: 'received', balance: 10_000 })
  expect(await t.call(getRecord, { id: defined(d.recordId) }, me)).toMatchObject({
    recordType: 'deposit',
    receivedAmount: 10_000,
  })
})
