import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { openPaymentHarness } from '#db/golden/payment-harness.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import type { Activity } from '../contract/activity.ts'
import { cancelOwnSign, openHomeActivity, signUp } from '../contract/home.ts'
import { activitySigns, type ActivitySign } from '../contract/sign.ts'
import { findPeople, projectCode, publishOne, type Person } from './activities.fixtures.ts'

export const fee = asFen(2000)

export interface StoredBill {
  readonly id: Id
  readonly state: number
  readonly fen: number
  readonly discount: number
  readonly paid: number
  readonly payerId: Id
}

type BillAfter = NonNullable<typeof requestRefund.input.T>['billAfter']

/** Residents who sign up for activities of 20 yuan a person, and a cashier; `late`: with late fees. */
export async function openFeeFixture(count = 40, { late = false } = {}) {
  const harness = await openPaymentHarness()
  const { t } = harness
  const me = await t.owner
  const people = await findPeople(t, count)
  await t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value: '99999999' }, me)
  const feeItemId = await t.addFeeItem('HDF', { name: '活动费', feeType: 'temporary', multi: true, late })
  const person = (i: number): Person => defined(people[i])
  const signsOf = async (id: Id) => t.call(activitySigns.list, { activityId: [String(id)], size: 200 }, me)

  const billsOf = (id: Id) =>
    t.database.reader(t.ownerId).rows<StoredBill>(sql`
      select b.id, b.state, (b.amount * 100)::integer as fen, (b.discount_amount * 100)::integer as discount,
        (b.paid_principal * 100)::integer as paid, b.payer_id
      from bill b
      join activity_sign s on s.owner_id = ${t.ownerId} and s.id = b.ref_id and s.activity_id = ${id}
      where b.owner_id = ${t.ownerId} and b.ref_type = 'activitySign' and b.delete_tag = 0
      order by b.id
    `)
  const effectiveOf = async (id: Id) => (await billsOf(id)).filter(({ state }) => state === 20)

  /** A bill paid at the counter, whole or in part. Returns the payment. */
  async function payBill(billId: Id, owed: number, amount = owed): Promise<Id> {
    const methods = [{ method: 'cash' as const, amount: asFen(amount) }]
    const paying = { projectCode, billIds: [String(billId)], expectAmount: asFen(owed), methods }
    return (await t.call(payBills, paying, me)).recordId
  }

  async function refund(recordId: Id, billAfter: BillAfter = 'abolished', amount?: Fen): Promise<void> {
    const { details } = await t.call(getRecord, { id: recordId }, me)
    const lines = details.map(({ id, principal }) => ({
      detailId: id,
      principal: amount ?? principal,
      late: asFen(0),
    }))
    const rest = { refundWay: 'cash', billAfter, periodAfter: 'waived', reason: '活动退费' } as const
    await t.call(requestRefund, { recordId, lines, ...rest }, me)
  }

  return {
    t,
    me,
    feeItemId,
    person,
    signsOf,
    billsOf,
    effectiveOf,
    payBill,
    refund,
    close: () => harness.close(),
    publish: (values: Partial<Activity> = {}) =>
      publishOne(t, me, { quota: 10, maxPersons: 3, fee, feeItemId, ...values }),
    join: (i: number, id: Id, personCount = 1) => t.call(signUp, { token: person(i).token, id, personCount }),
    leave: (i: number, id: Id) => t.call(cancelOwnSign, { token: person(i).token, id }),
    see: (i: number, id: Id) => t.call(openHomeActivity, { token: person(i).token, id }),
    signOf: async (i: number, id: Id): Promise<ActivitySign> =>
      defined((await signsOf(id)).rows.findLast(row => row.userId === person(i).id)),
    pay: async (id: Id, i: number): Promise<Id> => {
      const bill = defined((await effectiveOf(id)).find(({ payerId }) => payerId === person(i).id))
      return payBill(bill.id, bill.fen - bill.discount)
    },
    violations: () => findViolations(t.database.reader(t.ownerId), t.ownerId),
  }
}

export type FeeFixture = Awaited<ReturnType<typeof openFeeFixture>>
