import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import {
  abolishBills,
  recoverBills,
  reverseWriteOff,
  writeOffBills,
} from '#modules/bills/contract/actions.ts'
import { mergeBill, reissueBill, setDiscount, splitBill } from '#modules/bills/contract/adjustments.ts'
import { undoRun } from '#modules/bills/contract/run.ts'
import { voidRecord } from '#modules/payments/contract/record.ts'
import { listResidentBills } from '#modules/resident-bills/contract/bills.ts'
import { activities, cancelActivity } from '../contract/activity.ts'
import { activityState } from '../contract/choices.ts'
import { activitySigns, cancelSign } from '../contract/sign.ts'
import { openFeeFixture, type FeeFixture } from './activity-fees.fixtures.ts'

let f: FeeFixture

beforeAll(async () => {
  f = await openFeeFixture()
})

afterAll(() => f?.close())

const onlyBillOf = async (id: Id) => {
  const [bill, ...others] = await f.effectiveOf(id)
  expect(others).toEqual([])
  return defined(bill)
}

const split = async (id: Id, amount: number) =>
  f.t.call(splitBill, { id: (await onlyBillOf(id)).id, amount: asFen(amount), reason: '分两次缴' }, f.me)

const reissue = (billId: Id, amount = 1500) =>
  f.t.call(reissueBill, { id: billId, amount: asFen(amount), reason: '金额有误' }, f.me)

const expectNothingOwed = async (i: number): Promise<void> => {
  const { bills } = await f.t.call(listResidentBills, { token: f.person(i).token })
  expect(bills.filter(({ feeItemName }) => feeItemName === '活动费')).toEqual([])
}

const skippedReason = (result: { rows: readonly { reason: string }[] }) => result.rows.map(row => row.reason)

it('a reissued bill takes the place of the old one (BILL-9, PAY-4)', async () => {
  const { id } = await f.publish()
  await f.join(0, id)
  await reissue((await onlyBillOf(id)).id)
  expect(await f.signOf(0, id)).toMatchObject({ payState: 'unpaid', feeAmount: 1500 })
  await f.leave(0, id)
  expect(await f.effectiveOf(id)).toEqual([])
  await expectNothingOwed(0)
  // Paid, the new one is to go back.
  await f.join(0, id)
  const again = await reissue((await onlyBillOf(id)).id)
  const recordId = await f.payBill(again.id, 1500)
  await f.leave(0, id)
  expect(await f.signOf(0, id)).toMatchObject({ payState: 'refundDue', refundDue: 1500, recordId })
  expect(await f.violations()).toEqual([])
})

it('an activity with a reissued bill that is owed is not deleted (BILL-9)', async () => {
  const { id } = await f.publish()
  await f.join(14, id)
  await reissue((await onlyBillOf(id)).id)
  await f.t.database.tx(f.t.ownerId, tx =>
    tx.execute(sql`
      update activity
      set state = ${code(activityState, 'ended')}
      where owner_id = ${f.t.ownerId} and id = ${id}
    `),
  )
  const removing = f.t.call(activities.delete, { ids: [String(id)], reason: '不再需要' }, f.me)
  expect(await refusalMessageOf(removing)).toContain('1 个报名未缴费')
})

it('an abolished bill is reissued for the sign-up, until that is cancelled (BILL-9)', async () => {
  const { id } = await f.publish()
  await f.join(1, id)
  const { id: billId } = await onlyBillOf(id)
  await f.t.call(abolishBills, { ids: [String(billId)], reason: '录错' }, f.me)
  const again = await reissue(billId, 1800)
  expect(await f.signOf(1, id)).toMatchObject({ payState: 'unpaid', feeAmount: 1800 })
  await f.leave(1, id)
  expect(await refusalMessageOf(reissue(again.id))).toContain('报名已取消')
  expect(await f.effectiveOf(id)).toEqual([])
})

it('a split bill is owed by its parts at once, and merged again as one (BILL-12, PAY-4)', async () => {
  const { id } = await f.publish()
  await f.join(2, id)
  const { id: billId } = await onlyBillOf(id)
  await split(id, 500)
  expect(await f.signOf(2, id)).toMatchObject({ payState: 'unpaid', feeAmount: 2000, paidAmount: 0 })
  await f.t.call(mergeBill, { id: billId, reason: '一次缴' }, f.me)
  expect(await f.signOf(2, id)).toMatchObject({ payState: 'unpaid', feeAmount: 2000 })
  const [first] = await split(id, 500)
  const recordId = await f.payBill(defined(first).id, 500)
  expect(await f.signOf(2, id)).toMatchObject({ payState: 'unpaid', paidAmount: 500 })
  // The part that is paid goes back, the other is not owed any more.
  await f.leave(2, id)
  expect(await f.signOf(2, id)).toMatchObject({ payState: 'refundDue', refundDue: 500, recordId })
  await expectNothingOwed(2)
  await f.refund(recordId)
  expect(await f.signOf(2, id)).toMatchObject({ payState: 'refunded', paidAmount: 0, refundDue: 0 })
  expect(await f.violations()).toEqual([])
})

it('parts paid by two payments go back one after the other (REF-2)', async () => {
  const { id } = await f.publish()
  await f.join(3, id)
  const [first, second] = await split(id, 500)
  const records = [await f.payBill(defined(first).id, 500), await f.payBill(defined(second).id, 1500)]
  expect(await f.signOf(3, id)).toMatchObject({ payState: 'paid', paidAmount: 2000 })
  await f.leave(3, id)
  expect(await f.signOf(3, id)).toMatchObject({ refundDue: 2000, recordId: records[1] })
  await f.refund(defined(records[1]))
  expect(await f.signOf(3, id)).toMatchObject({ payState: 'refundDue', refundDue: 500, recordId: records[0] })
  await f.refund(defined(records[0]))
  expect(await f.signOf(3, id)).toMatchObject({ payState: 'refunded', refundDue: 0 })
})

it('refunded in part so that it would be owed again, who cancelled owes nothing (REF-2)', async () => {
  const { id } = await f.publish()
  await f.join(4, id)
  const recordId = await f.pay(id, 4)
  await f.leave(4, id)
  await f.refund(recordId, 'owed', asFen(501))
  expect(await f.signOf(4, id)).toMatchObject({
    payState: 'refundDue',
    paidAmount: 1499,
    refundDue: 1499,
    recordId,
  })
  await expectNothingOwed(4)
  expect(await onlyBillOf(id)).toMatchObject({ fen: 2000, discount: 501, paid: 1499 })
  const reasons = await f.t.database.reader(f.t.ownerId).rows<{ reason: string }>(sql`
    select reason
    from bill_adjust
    where owner_id = ${f.t.ownerId} and bill_id = ${(await onlyBillOf(id)).id}
  `)
  expect(reasons).toEqual([{ reason: '报名已取消，不再收费' }])
  await f.refund(recordId, 'owed', asFen(1499))
  expect(await f.signOf(4, id)).toMatchObject({ payState: 'refunded', paidAmount: 0, refundDue: 0 })
  await expectNothingOwed(4)
  expect(await f.violations()).toEqual([])
})

it('a bill of a sign-up that ended is not brought back (C3.2)', async () => {
  const { id } = await f.publish()
  await f.join(5, id)
  const ids = [String((await onlyBillOf(id)).id)]
  await f.leave(5, id)
  expect(skippedReason(await f.t.call(recoverBills, { ids }, f.me))).toEqual([
    expect.stringContaining('报名已取消'),
  ])
  await f.join(6, id)
  await f.join(7, id)
  const [written, open] = await f.effectiveOf(id)
  const writtenIds = [String(defined(written).id)]
  await f.t.call(writeOffBills, { ids: writtenIds, reason: '无法收取' }, f.me)
  await f.t.call(cancelActivity, { id, reason: '天气原因' }, f.me)
  const reversed = await f.t.call(reverseWriteOff, { ids: writtenIds, reason: '录错' }, f.me)
  expect(skippedReason(reversed)).toEqual([expect.stringContaining('活动已取消')])
  const recovered = await f.t.call(recoverBills, { ids: [String(defined(open).id)] }, f.me)
  expect(skippedReason(recovered)).toEqual([expect.stringContaining('活动已取消')])
  expect(await f.effectiveOf(id)).toEqual([])
  for (const i of [5, 6, 7]) {
    await expectNothingOwed(i)
  }
})

it('refunded is only what money went back for (REF-2)', async () => {
  const { id } = await f.publish()
  await f.join(8, id)
  const ids = [String((await onlyBillOf(id)).id)]
  await f.t.call(setDiscount, { ids, kind: 'rate', percent: '100', reason: '免费邀请' }, f.me)
  expect(await f.signOf(8, id)).toMatchObject({ payState: 'paid', feeAmount: 0 })
  await f.leave(8, id)
  expect((await f.signOf(8, id)).payState).toBeUndefined()
  expect((await f.see(8, id)).payState).toBeUndefined()
  await f.join(9, id)
  const recordId = await f.pay(id, 9)
  await f.leave(9, id)
  await f.t.call(voidRecord, { id: recordId, reason: '录错' }, f.me)
  const sign = await f.signOf(9, id)
  expect([sign.payState, sign.paidAmount, sign.refundDue, sign.recordId]).toEqual([
    undefined,
    0,
    0,
    undefined,
  ])
  await expectNothingOwed(9)
  expect(await f.violations()).toEqual([])
})

it('a batch that is undone takes the debt of its sign-up (GEN-7, PAY-4)', async () => {
  const { id } = await f.publish()
  await f.join(10, id)
  const run = await f.t.database.reader(f.t.ownerId).one<{ id: Id }>(sql`
    select r.id
    from bill_run r
    join bill b on b.owner_id = ${f.t.ownerId} and b.batch_no = r.batch_no
    where r.owner_id = ${f.t.ownerId} and b.id = ${(await onlyBillOf(id)).id}
  `)
  await f.t.call(undoRun, { id: defined(run).id, reason: '重新出账' }, f.me)
  expect((await f.signOf(10, id)).payState).toBeUndefined()
  expect(await f.signOf(10, id)).toMatchObject({ state: 'signed', feeAmount: 0 })
})

it('the whole activity is not cancelled while some paid in part, who are named and found (PAY-12)', async () => {
  const { id } = await f.publish()
  for (const i of [11, 12, 13]) {
    await f.join(i, id)
  }
  for (const bill of (await f.effectiveOf(id)).slice(0, 2)) {
    await f.payBill(bill.id, 2000, 500)
  }
  const masked = (i: number): string =>
    [...f.person(i).name].map((character, at) => (at === 0 ? character : '*')).join('')
  expect(await refusalMessageOf(f.t.call(cancelActivity, { id, reason: '下雨' }, f.me))).toBe(
    `2 人的费用只缴了一部分：${masked(11)}、${masked(12)}，请在报名名单收齐或退款后再取消活动`,
  )
  const found = await f.t.call(
    activitySigns.list,
    { activityId: [String(id)], payState: ['unpaid'], paidAmountFrom: asFen(1) },
    f.me,
  )
  expect(found.rows.map(({ userId }) => userId)).toEqual([f.person(11).id, f.person(12).id])
  expect(await refusalMessageOf(f.leave(11, id))).toContain('请联系物业')
  const staff = f.t.call(cancelSign, { id: (await f.signOf(11, id)).id, reason: '重复' }, f.me)
  expect(await refusalMessageOf(staff)).toContain('收银台')
})
