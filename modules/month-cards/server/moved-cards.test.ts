import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, daysBetween, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import type { Car } from '#modules/parking/contract/car.ts'
import { getRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { auditRefund, listRefunds, requestRefund } from '#modules/payments/contract/refund.ts'
import { listMonthOrders, type MonthOrder } from '../contract/month-order.ts'
import { quoteRefund, refundMonthOrder } from '../contract/renewal.ts'
import { openMonthCardFixture, projectCode, today, type MonthCardFixture } from './month-card.fixtures.ts'

let f: MonthCardFixture

beforeAll(async () => {
  f = await openMonthCardFixture()
})

afterAll(() => f?.t.close())

const cash = { refundWay: 'cash', reason: '搬走' } as const

/** The first card begins today: one day of it is used. */
const addCar = () => f.addCar({ beginDate: '2026-10-21', endDate: '2026-11-20' })

const addCard = async (row: Car, months = 1) => {
  const order = await f.renew(await f.readCar(row), months)
  const { recordId } = await f.pay(order)
  return { order, recordId }
}

const voidPayment = (recordId: Id) => f.t.call(voidRecord, { id: recordId, reason: '收错了' }, f.me)

it('a later card takes the place of one whose payment was voided (PAY-21)', async () => {
  const row = await addCar()
  const first = await addCard(row)
  const { order: second } = await addCard(row)
  const { order: third } = await addCard(row, 2)
  expect(second).toMatchObject({ newBegin: '2026-12-21', newEnd: '2027-01-20' })
  await voidPayment(first.recordId)
  expect(await f.readOrder(second)).toMatchObject({
    oldBegin: '2026-10-21',
    oldEnd: '2026-11-20',
    newBegin: '2026-11-21',
    newEnd: '2026-12-21',
    grantedEnd: '2026-12-21',
  })
  expect(await f.readOrder(third)).toMatchObject({ oldEnd: '2026-12-21', newBegin: '2026-12-22' })
  expect((await f.readCar(row)).endDate).toBe((await f.readOrder(third)).newEnd)
  // It is being used now: the day of today stays.
  expect(await f.t.call(quoteRefund, { id: second.id }, f.me)).toMatchObject({
    refundFrom: '2026-11-22',
    isWhole: false,
  })
  await f.t.call(refundMonthOrder, { id: second.id, ...cash }, f.me)
  expect((await f.readCar(row)).endDate).toBe(today)
})

it('a card bought while an earlier one waits for its refund moves up with it (REF-8)', async () => {
  const row = await addCar()
  const { order: first } = await addCard(row)
  const audit = (value: string) =>
    f.t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value }, f.me)
  await audit('200')
  await f.t.call(refundMonthOrder, { id: first.id, ...cash }, f.me)
  await audit('99999999')
  const { order: second } = await addCard(row)
  const { rows } = await f.t.call(listRefunds, { projectCode, keyword: row.plateNo }, f.me)
  const { as: auditor } = await f.t.addClerk(['payments.refund.view', 'payments.refund.audit'])
  await f.t.call(auditRefund, { id: defined(rows[0]).id, pass: true, note: '核对' }, auditor)
  expect(await f.readOrder(first)).toMatchObject({ state: 'refunded', grantedEnd: today })
  expect(await f.readOrder(second)).toMatchObject({ newBegin: '2026-11-22', newEnd: '2026-12-22' })
  const { rows: listed } = await f.t.call(listMonthOrders, { carId: [String(row.id)] }, f.me)
  expect(listed.map(each => each.newEnd)).toContain((await f.readCar(row)).endDate)
  await f.t.call(refundMonthOrder, { id: second.id, ...cash }, f.me)
  expect(await f.readCar(row)).toMatchObject({ beginDate: '2026-10-21', endDate: today })
})

it('of a refunded card only what it kept goes back, and a renewal after it moves up by that', async () => {
  const row = await addCar()
  const first = await addCard(row)
  await f.t.call(refundMonthOrder, { id: first.order.id, ...cash }, f.me)
  const { order: second } = await addCard(row)
  expect(second).toMatchObject({ newBegin: '2026-11-22', newEnd: '2026-12-21' })
  const { details } = await f.t.call(getRecord, { id: first.recordId }, f.me)
  const lines = details.map(({ id }) => ({ detailId: id, principal: asFen(1_000), late: asFen(0) }))
  const rest = { refundWay: 'cash', billAfter: 'owed', reason: '重新收款' } as const
  await f.t.call(requestRefund, { recordId: first.recordId, lines, ...rest }, f.me)
  expect(await f.readOrder(first.order)).toMatchObject({ state: 'pending', paidAmount: 0 })
  expect(await f.readOrder(second)).toMatchObject({ newBegin: '2026-11-21', newEnd: '2026-12-20' })
  expect((await f.readCar(row)).endDate).toBe('2026-12-20')
})

const lengthOf = ({ newBegin, newEnd }: MonthOrder) => daysBetween(newBegin, newEnd) + 1

/** What a car may enter by: the cards that are still paid, one after the other, none of them cut. */
async function expectTiled(row: Car, lengths: ReadonlyMap<Id, number>): Promise<void> {
  const { rows } = await f.t.call(listMonthOrders, { carId: [String(row.id)], size: 50 }, f.me)
  const granted = rows
    .filter(each => each.grantedEnd !== undefined)
    .toSorted((x, y) => x.newBegin.localeCompare(y.newBegin))
  let end: Day = '2026-11-20'
  for (const { id, state, newBegin, newEnd, grantedEnd, oldEnd } of granted) {
    expect([newBegin, oldEnd]).toEqual([addDays(end, 1), end])
    end = defined(grantedEnd)
    if (state !== 'paid') {
      expect([state, end <= today]).toEqual(['refunded', true])
    } else {
      expect([end, daysBetween(newBegin, end) + 1]).toEqual([newEnd, lengths.get(id)])
    }
  }
  const without = rows.filter(each => each.grantedEnd === undefined)
  expect(without.filter(each => each.paidAmount > 0 || each.state === 'paid')).toEqual([])
  expect((await f.readCar(row)).endDate).toBe(end)
  for (const { id } of granted.filter(each => each.state === 'paid')) {
    expect((await f.t.call(quoteRefund, { id }, f.me)).newEnd).toBe(end)
  }
}

it('whatever is renewed, voided and refunded, a car has the days that are still paid (PRK-5)', async () => {
  const step = fc.record({
    kind: fc.constantFrom('renew', 'renew', 'void', 'refund'),
    at: fc.nat(5),
    months: fc.integer({ min: 1, max: 3 }),
  })
  const run = async (steps: readonly { kind: string; at: number; months: number }[]) => {
    const row = await addCar()
    const lengths = new Map<Id, number>()
    const records = new Map<Id, Id>()
    const keep = async (order: MonthOrder) => {
      records.set(order.id, (await f.pay(order)).recordId)
      lengths.set(order.id, lengthOf(await f.readOrder(order)))
    }
    for (const { kind, at, months } of steps) {
      const { rows } = await f.t.call(listMonthOrders, { carId: [String(row.id)], size: 50 }, f.me)
      const pending = rows.find(each => each.state === 'pending')
      const paid = rows.filter(each => each.state === 'paid')
      const chosen = paid[at % Math.max(paid.length, 1)]
      if (kind === 'renew') {
        await keep(pending ?? (await f.renew(await f.readCar(row), months)))
      } else if (chosen && kind === 'refund') {
        await f.t.call(refundMonthOrder, { id: chosen.id, ...cash }, f.me)
      } else if (chosen && !pending) {
        await voidPayment(defined(records.get(chosen.id)))
      }
      await expectTiled(row, lengths)
    }
  }
  const steps = fc.array(step, { minLength: 4, maxLength: 9, size: 'max' })
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: 8, seed: 20_261_130 })
})
