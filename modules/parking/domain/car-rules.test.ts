import { expect, it } from 'vitest'
import { carDaysFault, carOwnerFault, stateAfterBlackList, stateByDays } from './car-state.ts'
import { joinGroupRight, judgeMonthRight, kindInGroup, type RightFacts } from './month-right.ts'

const monthCar: RightFacts = {
  carKind: 'month',
  carState: 'normal',
  beginDate: '2026-01-01',
  endDate: '2026-03-31',
}

it('is normal through its last day and expired after it (C10.1)', () => {
  expect([stateByDays('2026-03-31', '2026-03-31'), stateByDays('2026-03-31', '2026-04-01')]).toEqual([
    'normal',
    'expired',
  ])
  expect(stateByDays(undefined, '2026-04-01')).toBe('normal')
})

it('comes back from the black list to the state before, by the days of now', () => {
  expect(stateAfterBlackList({ prevState: 'suspended' }, '2026-04-01')).toBe('suspended')
  expect(stateAfterBlackList({ prevState: 'normal', endDate: '2026-03-31' }, '2026-04-01')).toBe('expired')
  expect(stateAfterBlackList({ prevState: 'expired', endDate: '2026-04-30' }, '2026-04-01')).toBe('normal')
  expect(stateAfterBlackList({ prevState: undefined }, '2026-04-01')).toBe('cancelled')
})

it('gives the month right from the first day to the last, and through the days of grace (PRK-3)', () => {
  const on = (day: `${number}-${number}-${number}`, graceDays = 0) =>
    judgeMonthRight(monthCar, 7, day, graceDays)
  expect([on('2025-12-31'), on('2026-01-01'), on('2026-03-31'), on('2026-04-01')]).toEqual([
    'early',
    'valid',
    'valid',
    'expired',
  ])
  expect([on('2026-04-03', 3), on('2026-04-04', 3)]).toEqual(['grace', 'expired'])
})

it('gives none to a kind, a state or in a car park without it', () => {
  const on = (facts: Partial<RightFacts>) => judgeMonthRight({ ...monthCar, ...facts }, 7, '2026-02-01', 0)
  expect(on({ carKind: 'temp' })).toBe('none')
  expect(on({ carKind: 'stored' })).toBe('none')
  expect(on({ carState: 'suspended' })).toBe('none')
  expect(on({ carState: 'pending' })).toBe('none')
  expect(on({ parkIds: ['8'] })).toBe('none')
  expect(on({ parkIds: ['8', '7'] })).toBe('valid')
  expect(on({ parkIds: [] })).toBe('valid')
})

it('says what is wrong with the days and the owner', () => {
  expect(carDaysFault({ carKind: 'month' })).toBe('月租车、访客车请填写有效期止')
  expect(carDaysFault({ carKind: 'vip' })).toBeUndefined()
  expect(carDaysFault({ carKind: 'vip', beginDate: '2026-02-02', endDate: '2026-02-01' })).toBe(
    '有效期止不能早于有效期起',
  )
  expect(carOwnerFault({ userId: 1, companyId: 2 })).toBe('住户和企业只能选一个')
  expect(carOwnerFault({ workerId: 1 })).toBe('请先选择企业员工所在的企业')
  expect(carOwnerFault({ ownerName: '赵一' })).toBeUndefined()
})

it('shares the days of the group while they last, whatever its own are (PRK-6)', () => {
  const group = { beginDate: '2026-02-01', endDate: '2026-03-31' } as const
  const own = { status: 'expired', beginDate: '2026-01-01', endDate: '2026-02-10' } as const
  expect(joinGroupRight(own, group, '2026-03-01')).toEqual({ status: 'valid', ...group, isOfGroup: true })
  expect(joinGroupRight(own, group, '2026-04-01')).toEqual({ status: 'expired', ...group, isOfGroup: false })
  const longer = { ...own, endDate: '2026-04-10' } as const
  expect(joinGroupRight(longer, group, '2026-04-20')).toEqual({ ...longer, isOfGroup: false })
  expect(joinGroupRight({ status: 'none' }, group, '2026-01-15')).toMatchObject({ status: 'early' })
  expect(joinGroupRight({ ...own, status: 'valid' }, group, '2026-04-01').status).toBe('valid')
})

it('drives in as a month car by the right of a group, unless it never pays by time', () => {
  const kinds = [undefined, 'temp', 'stored', 'visitor', 'fixed', 'vip'] as const
  expect(kinds.map(kindInGroup)).toEqual(['month', 'month', 'month', 'month', 'fixed', 'vip'])
})
