import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { abolishBills, recoverBills } from '#modules/bills/contract/actions.ts'
import { mergeBill, reissueBill, splitBill } from '#modules/bills/contract/adjustments.ts'
import { undoRun } from '#modules/bills/contract/run.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { openMonthCardFixture, projectCode, type MonthCardFixture } from './month-card.fixtures.ts'

let f: MonthCardFixture

beforeAll(async () => {
  f = await openMonthCardFixture()
})

afterAll(() => f?.t.close())

const payHalf = (id: Id, amount: number) => {
  const methods = [{ method: 'cash' as const, amount: asFen(amount) }]
  return f.t.call(
    payBills,
    { projectCode, billIds: [String(id)], expectAmount: asFen(amount), methods },
    f.me,
  )
}

it('an order whose bill is split still waits, and gives its days with the last part (BILL-12, PAY-4)', async () => {
  const row = await f.addCar()
  const order = await f.renew(row)
  const id = defined(order.billId)
  const split = () => f.t.call(splitBill, { id, amount: asFen(10_000), reason: '分两次缴' }, f.me)
  await split()
  expect(await f.readOrder(order)).toMatchObject({ state: 'pending' })
  await f.t.call(mergeBill, { id, reason: '一次缴' }, f.me)
  expect(await f.readOrder(order)).toMatchObject({ state: 'pending' })
  const [first, second] = await split()
  await payHalf(defined(first).id, 10_000)
  expect(await f.readOrder(order)).toMatchObject({ state: 'pending', paidAmount: 10_000 })
  await payHalf(defined(second).id, 20_000)
  expect(await f.readOrder(order)).toMatchObject({ state: 'paid', paidAmount: 30_000 })
  expect((await f.readCar(row)).endDate).toBe('2026-12-31')
})

it('the bill of an order is not reissued; abolished or undone with its batch, the order ends', async () => {
  const order = await f.renew(await f.addCar())
  const id = defined(order.billId)
  const reissuing = f.t.call(reissueBill, { id, amount: asFen(20_000), reason: '金额有误' }, f.me)
  expect(await refusalMessageOf(reissuing)).toContain('不能直接重开')
  await f.t.call(abolishBills, { ids: [String(id)], reason: '录错' }, f.me)
  expect(await f.readOrder(order)).toMatchObject({ state: 'cancelled' })
  await f.t.call(recoverBills, { ids: [String(id)] }, f.me)
  expect(await f.readOrder(order)).toMatchObject({ state: 'pending' })
  const run = await f.t.database.reader(f.t.ownerId).one<{ id: Id }>(sql`
    select r.id
    from bill_run r
    join bill b on b.owner_id = ${f.t.ownerId} and b.batch_no = r.batch_no
    where r.owner_id = ${f.t.ownerId} and b.id = ${id}
  `)
  await f.t.call(undoRun, { id: defined(run).id, reason: '整批撤销' }, f.me)
  expect(await f.readOrder(order)).toMatchObject({ state: 'cancelled' })
})
