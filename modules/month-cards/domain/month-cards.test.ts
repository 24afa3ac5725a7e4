import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, daysBetween, partsOf, type Day } from '#kit/domain/day.ts'
import { addFen, asFen } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
import {
  daysToGrant,
  grantDays,
  moveUp,
  takeBackDays,
  type CarDays,
  type GrantedOrder,
} from './granted-days.ts'
import { renewalRefusal, stateOfBills } from './order-state.ts'
import { anchorDayOf, priceOfMonths, renewalBegin, renewalEnd, type RenewalRules } from './renewal.ts'
import { countUnused } from './unused-days.ts'

const rules: RenewalRules = { graceDays: 0, start: 'today', monthEnd: 'anniversary' }
const days = fc.integer({ min: 0, max: 4000 }).map(n => addDays('2024-01-01', n))
const months = fc.integer({ min: 1, max: 24 })
const whole = (count: number) => ({ numerator: BigInt(count), denominator: 1n })

it.each([
  ['2026-04-20', '2026-04-10', rules, '2026-04-21'],
  ['2026-04-10', '2026-04-10', rules, '2026-04-11'],
  ['2026-04-09', '2026-04-10', rules, '2026-04-10'],
  ['2026-04-05', '2026-04-10', { ...rules, graceDays: 5 }, '2026-04-06'],
  ['2026-04-04', '2026-04-10', { ...rules, graceDays: 5 }, '2026-04-10'],
  ['2026-01-31', '2026-04-10', { ...rules, start: 'continuous' as const }, '2026-02-01'],
  [undefined, '2026-04-10', rules, '2026-04-10'],
] as const)('a right to %s renewed on %s begins by the rules (PRK-4)', (end, today, by, begin) => {
  expect(renewalBegin(end, today, by)).toBe(begin)
})

it.each([
  ['2026-04-10', 1, 'anniversary', '2026-05-09'],
  ['2026-01-31', 1, 'anniversary', '2026-02-27'],
  ['2026-01-31', 2, 'anniversary', '2026-03-30'],
  ['2026-01-01', 12, 'anniversary', '2026-12-31'],
  ['2026-04-10', 1, 'natural', '2026-04-30'],
  ['2026-04-10', 3, 'natural', '2026-06-30'],
] as const)('from %s, %i months end (%s) on %s (PRK-4)', (begin, count, monthEnd, end) => {
  expect(renewalEnd(begin, count, monthEnd, partsOf(begin)[2])).toBe(end)
})

it('the amount is the price times the months, rounded once', () => {
  expect(priceOfMonths('300', whole(3))).toBe(90_000)
  expect(priceOfMonths('300', { numerator: 51n, denominator: 30n })).toBe(51_000)
  expect(priceOfMonths('133.335', whole(1))).toBe(13_334)
})

const sold = {
  begin: '2026-05-01',
  end: '2026-05-31',
  price: '300',
  amount: asFen(30_000),
  paid: asFen(30_000),
} as const

it('T-PRK-07: 17 unused days of a card of 300 give back 170.00 by 30 days, 164.52 by the month', () => {
  expect(countUnused(sold, '2026-05-14', 'thirty')).toEqual({ from: '2026-05-15', days: 17, amount: 17_000 })
  expect(countUnused(sold, '2026-05-14', 'actual')).toEqual({ from: '2026-05-15', days: 17, amount: 16_452 })
})

it('a card that has not begun gives back all of it, one that has ended nothing (PRK-5)', () => {
  expect(countUnused(sold, '2026-04-20', 'thirty')).toEqual({ from: '2026-05-01', days: 31, amount: 30_000 })
  expect(countUnused(sold, '2026-05-31', 'thirty')).toBeUndefined()
})

it('half of a price that was paid gives back half of it (PRK-5)', () => {
  expect(countUnused({ ...sold, paid: asFen(15_000) }, '2026-05-14', 'thirty')?.amount).toBe(8_500)
})

const renew = (begin: Day, count: number, monthEnd: RenewalRules['monthEnd'], anchors: readonly number[]) => {
  const anchor = anchorDayOf(begin, anchors)
  return { anchor, end: renewalEnd(begin, count, monthEnd, anchor) }
}

it('renewing twice is renewing for the sum (PRK-4)', () => {
  fc.assert(
    fc.property(days, months, months, fc.constantFrom('anniversary', 'natural'), (begin, a, b, monthEnd) => {
      const first = renew(begin, a, monthEnd, [])
      const second = renew(addDays(first.end, 1), b, monthEnd, [first.anchor])
      expect(second.end).toBe(renew(begin, a + b, monthEnd, []).end)
      expect(addFen(priceOfMonths('260.5', whole(a)), priceOfMonths('260.5', whole(b)))).toBe(
        priceOfMonths('260.5', whole(a + b)),
      )
    }),
  )
})

it('a renewal ends in its last month, not before it begins', () => {
  fc.assert(
    fc.property(days, months, fc.constantFrom('anniversary', 'natural'), (begin, count, monthEnd) => {
      const { end } = renew(begin, count, monthEnd, [])
      expect(end >= begin).toBe(true)
      expect(monthOf(addDays(end, 1)) > monthOf(begin)).toBe(true)
    }),
  )
})

it('a refund is never more than what was paid, and less from day to day (PRK-5)', () => {
  fc.assert(
    fc.property(
      days,
      fc.integer({ min: 0, max: 800 }),
      fc.integer({ min: -40, max: 800 }),
      fc.integer({ min: 0, max: 500_000 }),
      fc.integer({ min: 1, max: 99_999 }),
      fc.constantFrom('thirty', 'actual'),
      (begin, length, after, paid, price, basis) => {
        const card = {
          begin,
          end: addDays(begin, length),
          price: String(price),
          amount: asFen(Math.max(paid, 1)),
          paid: asFen(paid),
        }
        const today = addDays(begin, after)
        const unused = countUnused(card, today, basis)
        expect(unused?.amount ?? 0).toBeLessThanOrEqual(paid)
        expect(unused?.amount ?? 0).toBeGreaterThanOrEqual(0)
        expect(countUnused(card, addDays(today, 1), basis)?.amount ?? 0).toBeLessThanOrEqual(
          unused?.amount ?? 0,
        )
      },
    ),
  )
})

const order = {
  oldBegin: '2026-01-01',
  oldEnd: '2026-04-30',
  newBegin: '2026-05-01',
  newEnd: '2026-06-30',
} as const

it('days are given after those that the car has got since they were ordered', () => {
  expect(daysToGrant({ beginDate: '2026-01-01', endDate: '2026-05-10' }, order)).toEqual({
    oldBegin: '2026-01-01',
    oldEnd: '2026-05-10',
    newBegin: '2026-05-11',
    newEnd: '2026-07-10',
  })
})

it('a right without a gap goes on, after one it begins again', () => {
  expect(grantDays(order)).toEqual({ beginDate: '2026-01-01', endDate: '2026-06-30' })
  expect(grantDays({ ...order, oldEnd: '2026-03-31' })).toEqual({
    beginDate: '2026-05-01',
    endDate: '2026-06-30',
  })
})

it('days that were cut off in between stay cut off; days that were bought later move up', () => {
  const cut = { beginDate: '2026-01-01', endDate: '2026-05-20' } as const
  expect(takeBackDays(cut, order, '2026-06-10')).toEqual(cut)
  expect(takeBackDays({ ...cut, endDate: '2026-07-31' }, order, '2026-05-01').endDate).toBe('2026-05-31')
  expect(takeBackDays({ ...cut, endDate: '2026-06-30' }, order, '2026-06-11').endDate).toBe('2026-06-10')
})

it('what is granted and taken back leaves the car as it was', () => {
  fc.assert(
    fc.property(
      days,
      fc.integer({ min: -60, max: 60 }),
      fc.integer({ min: 0, max: 400 }),
      (oldEnd, gap, length) => {
        const before = { beginDate: addDays(oldEnd, -30), endDate: oldEnd }
        const newBegin = addDays(oldEnd, 1 + gap)
        const granted = daysToGrant(before, { newBegin, newEnd: addDays(newBegin, length) })
        expect(daysBetween(granted.newBegin, granted.newEnd)).toBe(length)
        expect(takeBackDays(grantDays(granted), granted, granted.newBegin)).toEqual(before)
      },
    ),
  )
})

it('a later order moves up by the days that went back; in the place of one of which nothing is left', () => {
  const later = {
    oldBegin: '2026-01-01',
    oldEnd: '2026-06-30',
    newBegin: '2026-07-01',
    newEnd: '2026-07-31',
    grantedEnd: '2026-07-31',
    refundFrom: '2026-07-11',
  } as const
  expect(moveUp(later, order, '2026-06-21')).toEqual({
    oldBegin: '2026-01-01',
    oldEnd: '2026-06-20',
    newBegin: '2026-06-21',
    newEnd: '2026-07-21',
    grantedEnd: '2026-07-21',
    refundFrom: '2026-07-01',
  })
  const began = { ...order, oldBegin: '2025-01-01', oldEnd: '2026-04-10' } as const
  expect(moveUp(later, began, order.newBegin)).toMatchObject({
    oldBegin: '2025-01-01',
    oldEnd: '2026-04-10',
    newBegin: '2026-05-01',
    newEnd: '2026-05-31',
  })
})

/** Cards of one car as the server keeps them: paid, taken back in part, or wholly. */
class CardsOfCar {
  car: CarDays = { beginDate: '2026-01-01', endDate: '2026-04-30' }
  readonly cards: GrantedOrder[] = []

  renew(length: number): void {
    const newBegin = addDays(this.car.endDate ?? '2026-04-30', 1)
    const granted = daysToGrant(this.car, { newBegin, newEnd: addDays(newBegin, length - 1) })
    this.car = grantDays(granted)
    this.cards.push({ ...granted, grantedEnd: granted.newEnd })
  }

  /** Keeps the first `kept` days of a card. */
  takeBack(index: number, kept: number): void {
    const card = this.cards[index]
    if (!card?.grantedEnd || daysBetween(card.newBegin, card.grantedEnd) + 1 <= kept) return
    const { grantedEnd } = card
    const from = addDays(card.newBegin, kept)
    const earlier = { ...card, newEnd: grantedEnd }
    this.car = takeBackDays(this.car, earlier, from)
    for (const [i, later] of this.cards.entries()) {
      if (later.grantedEnd && later.newBegin > grantedEnd) {
        this.cards[i] = moveUp(later, earlier, from)
      }
    }
    this.cards[index] = { ...card, grantedEnd: kept === 0 ? undefined : addDays(from, -1) }
  }
}

it('the right of a car is always what is left of its cards, one after the other (PRK-5, REF-8)', () => {
  const step = fc.oneof(
    fc.record({ length: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ index: fc.nat(8), kept: fc.constantFrom(0, 0, 1, 10, 30) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), steps => {
      const model = new CardsOfCar()
      for (const each of steps) {
        if ('length' in each) {
          model.renew(each.length)
        } else {
          model.takeBack(each.index, each.kept)
        }
        let end: Day = '2026-04-30'
        for (const { newBegin, grantedEnd } of model.cards) {
          if (!grantedEnd) continue
          expect(newBegin).toBe(addDays(end, 1))
          end = grantedEnd
        }
        expect(model.car).toEqual({ beginDate: '2026-01-01', endDate: end })
      }
    }),
  )
})

it('an order follows its bills', () => {
  expect(stateOfBills({ count: 1, isPaid: true }, 'pending')).toBe('paid')
  expect(stateOfBills({ count: 1, isPaid: false }, 'paid')).toBe('pending')
  expect(stateOfBills({ count: 0, isPaid: false }, 'pending')).toBe('cancelled')
  expect(stateOfBills({ count: 0, isPaid: false }, 'paid')).toBe('refunded')
})

it('says what to do where a car cannot be renewed', () => {
  const car = {
    plateNo: '粤B12345',
    carKind: 'month',
    carState: 'normal',
    endDate: '2026-05-01',
    feeStandardId: 1,
  } as const
  expect(renewalRefusal(car)).toBeUndefined()
  expect(renewalRefusal({ ...car, carState: 'blocked' })).toBe('车辆「粤B12345」为“黑名单”，请先移出黑名单')
  expect(renewalRefusal({ ...car, carKind: 'temp' })).toContain('请先修改车辆类别')
  expect(renewalRefusal({ ...car, endDate: undefined })).toContain('长期有效')
  expect(renewalRefusal({ ...car, feeStandardId: undefined })).toContain('请先编辑车辆')
})
