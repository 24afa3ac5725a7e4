import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import type { MonthRight } from '#modules/parking/contract/month-right.ts'
import { kindByRight } from './entry-decision.ts'
import { chargedSpan, holdsPlace, type ChargedStay } from './stay-charge.ts'

const stay = (values: Partial<ChargedStay> = {}): ChargedStay => ({
  carKind: 'month',
  inTime: '2026-11-02 08:00:00',
  paid: 0,
  discount: 0,
  ...values,
})

const right = (values: Partial<MonthRight> = {}): MonthRight => ({
  plateNo: '粤B12345',
  carKind: 'month',
  status: 'valid',
  beginDate: '2026-11-01',
  endDate: '2026-11-02',
  expiredEntry: 'temporary',
  ...values,
})

const group = { id: asId(7), name: '车组', placeCount: 2, plateNos: ['粤B12345'], switchesOnLeave: true }
const exit = '2026-11-03 02:00:00'
const midnight = '2026-11-03 00:00:00'

it('a car that came on its days pays from the day after the last (PRK-3)', () => {
  const expired = right({ status: 'expired' })
  expect(chargedSpan(stay(), expired, exit)).toEqual({ from: midnight, to: exit, carKind: 'temp' })
  expect(chargedSpan(stay(), right({ status: 'grace' }), exit)).toBeUndefined()
  const visitor = stay({ carKind: 'visitor' })
  const ofVisitor = right({ status: 'expired', carKind: 'visitor' })
  expect(chargedSpan(visitor, ofVisitor, exit)).toEqual({ from: midnight, to: exit, carKind: 'visitor' })
  expect(chargedSpan(visitor, { ...ofVisitor, endDate: '2026-11-01' }, exit)?.from).toBe(visitor.inTime)
  expect(chargedSpan(visitor, expired, exit)?.from).toBe(visitor.inTime)
})

it('a car that waits for a place of its group pays until it has one (PRK-6)', () => {
  const waiting = stay({ carKind: 'temp', chargedTo: midnight })
  expect(chargedSpan(waiting, right({ group, endDate: '2026-12-31' }), exit)?.to).toBe(midnight)
  expect(chargedSpan(stay({ carKind: 'temp' }), right({ group, endDate: '2026-12-31' }), exit)?.to).toBe(exit)
})

it('a group has as many cars on its right as places; one that waits has none', () => {
  expect([kindByRight(right({ group }), 1), kindByRight(right({ group }), 2)]).toEqual(['month', undefined])
  expect(kindByRight(right({ status: 'expired' }), 0)).toBeUndefined()
  const ofGroup = { carKind: 'temp', groupId: group.id } as const
  expect([holdsPlace(ofGroup, group), holdsPlace({ ...ofGroup, chargedTo: midnight }, group)]).toEqual([
    false,
    true,
  ])
  expect(holdsPlace({ carKind: 'month', groupId: asId(8) }, group)).toBe(false)
})
