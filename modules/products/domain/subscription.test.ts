import { asId } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { describe, expect, it } from 'vitest'
import { asFen, parseYuan } from '#kit/domain/money.ts'
import {
  calculateAmount,
  resolveAppState,
  countChargedEstates,
  findClosedModules,
  hasExpired,
  canChooseEdition,
  orderStateMachine,
  calculateNewExpiry,
  findSeatsFault,
  termMonths,
} from './subscription.ts'

describe('RENEW-1: unit price × projects × months', () => {
  it.each([
    ['58.00', 3, 12, '2088.00'],
    ['128.00', 1, 1, '128.00'],
    ['128.00', 12, 36, '55296.00'],
    ['0.05', 20_000, 1, '1000.00'],
    ['0.05', 1000, undefined, '50.00'],
  ] as const)('%s × %s × %s = %s', (price, quantity, months, amount) =>
    expect(calculateAmount(parseYuan(price), quantity, months)).toBe(parseYuan(amount)),
  )
  it('a company without projects pays for one', () =>
    expect([0, 1, 7].map(countChargedEstates)).toEqual([1, 1, 7]))
  it('throws for an amount out of range', () =>
    expect(() => calculateAmount(asFen(99_999_999), 1_000_000, 36)).toThrow(RangeError))
})

describe('RENEW-2: new end date', () => {
  const today = '2026-11-21'
  it.each([
    ['2027-03-31', 12, '2028-03-31'],
    ['2027-01-31', 1, '2027-02-28'],
    ['2027-11-30', 3, '2028-02-29'],
    // The last day is still covered; the day after it is not.
    ['2026-11-21', 1, '2026-12-21'],
    ['2026-11-20', 1, '2026-12-21'],
    ['2020-01-31', 12, '2027-11-21'],
    [undefined, 6, '2027-05-21'],
  ] as const)('%s + %s months = %s', (oldEnd, months, newEnd) =>
    expect(calculateNewExpiry(oldEnd, today, months)).toBe(newEnd),
  )
  it('has expired after its last day', () =>
    expect([
      hasExpired('2026-11-21', today),
      hasExpired('2026-11-20', today),
      hasExpired(undefined, today),
    ]).toEqual([false, true, false]))
  it('sells whole terms', () => expect(termMonths).toEqual([1, 3, 6, 12, 24, 36]))
})

it('RENEW-3: paid, cancelled and closed are final', () => {
  expect(orderStateMachine.nextStates('pending')).toEqual(['paid', 'cancelled', 'closed'])
  for (const s of ['paid', 'cancelled', 'closed'] as const) {
    expect(orderStateMachine.nextStates(s)).toEqual([])
  }
  expect(orderStateMachine.checkTransition('paid', 'cancelled')).toBe(
    '“已支付”是最终状态，不能再改为“已取消”',
  )
})

it('RENEW-4: the current edition can be renewed; after its end, and from a trial, any edition', () => {
  const today = '2026-11-21'
  const choices = (now: 'trial' | 'standard' | 'professional', until: Day | undefined): string[] =>
    (['trial', 'standard', 'professional'] as const).filter(e => canChooseEdition(e, now, until, today))
  expect(choices('standard', '2027-01-01')).toEqual(['standard'])
  expect(choices('professional', '2026-11-21')).toEqual(['professional'])
  expect(choices('professional', '2026-11-20')).toEqual(['standard', 'professional'])
  expect(choices('trial', '2027-01-01')).toEqual(['standard', 'professional'])
})

it('SEAT-1: no more seats in use than are open', () => {
  expect([findSeatsFault(2, 2), findSeatsFault(0, 0)]).toEqual([undefined, undefined])
  expect(findSeatsFault(3, 2)).toContain('已开通 2 席')
  expect(findSeatsFault(1, 0)).toContain('尚未开通')
})

describe('PERM-2: modules of the subscription', () => {
  const today = '2026-11-21'
  const apps = [
    { id: asId(1), modules: ['parking', 'charging'] },
    { id: asId(2), modules: ['companies', 'merchants'] },
    { id: asId(3), modules: ['charging'] },
  ]
  const closed = (
    edition: 'trial' | 'standard' | 'professional',
    taken: Parameters<typeof findClosedModules>[2] = [],
  ): string[] => findClosedModules(edition, apps, taken, today)
  it('trial and professional include every application, standard those it subscribed to', () => {
    expect(closed('trial')).toEqual([])
    expect(closed('professional')).toEqual([])
    expect(closed('standard')).toEqual(['charging', 'companies', 'merchants', 'parking'])
    expect(closed('standard', [{ productId: asId(1), enabled: true, expireDate: today }])).toEqual([
      'companies',
      'merchants',
    ])
  })
  it('an expired application is closed again; one switched off too, even where the edition includes it', () => {
    expect(closed('standard', [{ productId: asId(1), enabled: true, expireDate: '2026-11-20' }])).toEqual([
      'charging',
      'companies',
      'merchants',
      'parking',
    ])
    expect(closed('professional', [{ productId: asId(2), enabled: false }])).toEqual([
      'companies',
      'merchants',
    ])
  })
  it('a module of two applications stays open as long as one of them is', () =>
    expect(closed('professional', [{ productId: asId(1), enabled: false }])).toEqual(['parking']))
  it('resolves the state of an application', () => {
    expect(resolveAppState('standard', undefined, today)).toBe('none')
    expect(
      resolveAppState('standard', { productId: asId(1), enabled: true, expireDate: '2026-11-20' }, today),
    ).toBe('expired')
    expect(
      resolveAppState('standard', { productId: asId(1), enabled: false, expireDate: '2027-01-01' }, today),
    ).toBe('off')
    expect(resolveAppState('professional', undefined, today)).toBe('open')
    expect(resolveAppState('standard', { productId: asId(1), enabled: false }, today)).toBe('none')
  })
})
