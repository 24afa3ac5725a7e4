import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { asFen } from '#kit/domain/money.ts'
import { abolishBills, auditBills } from '#modules/bills/contract/actions.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { listResidentBills, payResidentBills } from '#modules/resident-bills/contract/bills.ts'
import { openHomeActivity } from '../contract/home.ts'
import { cancelSign } from '../contract/sign.ts'
import { projectCode } from './activities.fixtures.ts'
import { openFeeFixture, type FeeFixture } from './activity-fees.fixtures.ts'

let f: FeeFixture

beforeAll(async () => {
  f = await openFeeFixture(4)
  await f.t.call(updateEstateSetting, { projectCode, key: 'bills.auditSwitch', value: '1' }, f.me)
})

afterAll(() => f?.close())

const findPending = async () => {
  const filter = { projectCode, state: ['pending'], feeItemId: [String(f.feeItemId)] } as const
  return (await f.t.call(listBills, { ...filter, size: 200 }, f.me)).rows
}

const pendingOf = async (i: number) =>
  defined((await findPending()).find(({ payerId }) => payerId === f.person(i).id))

it('where new bills are audited first, those of sign-ups are as temporary fees are (GEN-8)', async () => {
  const { id } = await f.publish()
  await f.join(0, id)
  const { id: billId, sourceCode, sourceType } = await pendingOf(0)
  const like = await f.t.call(
    addTempFee,
    {
      projectCode,
      feeItemId: f.feeItemId,
      amount: asFen(2000),
      sources: [{ sourceType, sourceCode }],
    },
    f.me,
  )
  expect((await findPending()).map(bill => String(bill.id))).toContain(like.ids[0])
  expect(await f.signOf(0, id)).toMatchObject({ payState: 'unpaid', feeAmount: 2000 })
  const { token } = f.person(0)
  const owed = async () => (await f.t.call(listResidentBills, { token })).bills.map(line => line.billId)
  const shown = async () => (await f.t.call(openHomeActivity, { token, id })).owedAmount
  expect([await owed(), await shown()]).toEqual([expect.not.arrayContaining([billId]), 0])
  const paying = f.t.call(payResidentBills, { token, billIds: [String(billId)], amount: asFen(2000) })
  expect(await refusalMessageOf(paying)).toBeTruthy()
  await f.t.call(auditBills, { ids: [String(billId)] }, f.me)
  expect([await owed(), await shown()]).toEqual([expect.arrayContaining([billId]), 2000])
  const recordId = await f.pay(id, 0)
  expect(await f.signOf(0, id)).toMatchObject({ payState: 'paid', recordId })
  expect(await f.violations()).toEqual([])
})

it('rejected, a sign-up owes nothing and stands; staff cancel it, and one that waits too (GEN-8)', async () => {
  const { id } = await f.publish()
  await f.join(1, id)
  const rejected = await pendingOf(1)
  await f.t.call(abolishBills, { ids: [String(rejected.id)], reason: '审核未通过' }, f.me)
  const sign = await f.signOf(1, id)
  expect([sign.state, sign.payState, sign.feeAmount]).toEqual(['signed', undefined, 0])
  await f.t.call(cancelSign, { id: sign.id, reason: '本人要求' }, f.me)
  expect(await f.signOf(1, id)).toMatchObject({ state: 'cancelled' })
  await f.join(2, id)
  const waiting = await pendingOf(2)
  await f.leave(2, id)
  expect((await f.signOf(2, id)).payState).toBeUndefined()
  expect((await f.billsOf(id)).map(bill => bill.state)).toEqual([30, 30])
  const audited = await f.t.call(auditBills, { ids: [String(waiting.id)] }, f.me)
  expect(audited.success).toBe(0)
})
