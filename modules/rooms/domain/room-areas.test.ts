import { asId } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { expect, it } from 'vitest'
import { areaSpans, areasOn, withFollowingChargeArea, planAreaChanges, withChargeArea } from './room-areas.ts'

const current = { buildArea: '100', chargeArea: '100', feeRatio: '1' }

const createChange = (
  item: 'buildArea' | 'chargeArea' | 'feeRatio',
  effectiveDate: Day,
  oldValue: string,
  newValue: string,
) => ({ item, effectiveDate, oldValue, newValue })

const nameOf = (k: string): string => k

it('takes 建筑面积 where 计费面积 is empty (BASE-7)', () => {
  expect(withChargeArea({ buildArea: '88.5' })).toEqual({ buildArea: '88.5', chargeArea: '88.5' })
  expect(withChargeArea({ buildArea: '88.5', chargeArea: '80' }).chargeArea).toBe('80')
})

it('a planned change follows those that are written for its day', () => {
  const written = { ...createChange('chargeArea', '2026-06-01', '90', '100'), id: asId(9) }
  const planned = createChange('chargeArea', '2026-06-01', '100', '110')
  expect(areasOn({ chargeArea: '100' }, [planned, written], '2026-06-01').chargeArea).toBe('110')
})

it('knows the areas of any day, past and coming (BASE-7)', () => {
  const steps = [
    createChange('chargeArea', '2026-06-01', '90', '100'),
    createChange('chargeArea', '2027-01-01', '100', '114.5'),
    createChange('buildArea', '2027-03-01', '100', '101'),
  ]
  expect(areasOn(current, steps, '2026-05-31').chargeArea).toBe('90')
  expect(areasOn(current, steps, '2026-06-01').chargeArea).toBe('100')
  expect(areasOn(current, steps, '2027-01-01')).toEqual({
    buildArea: '100',
    chargeArea: '114.5',
    feeRatio: '1',
  })
  expect(
    areaSpans(current, steps, '2026-12-01', '2027-03-31').map(s => [
      s.from,
      s.areas.chargeArea,
      s.areas.buildArea,
    ]),
  ).toEqual([
    ['2026-12-01', '100', '100'],
    ['2027-01-01', '114.5', '100'],
    ['2027-03-01', '114.5', '101'],
  ])
})

it('plans only what differs, by value, and keeps history in order', () => {
  expect(
    planAreaChanges(current, [], { buildArea: '100.00', chargeArea: '99' }, '2026-11-21', nameOf),
  ).toEqual([{ item: 'chargeArea', oldValue: '100', newValue: '99' }])
  const steps = [createChange('chargeArea', '2027-01-01', '100', '114.5')]
  expect(() => planAreaChanges(current, steps, { chargeArea: '99' }, '2026-12-01', nameOf)).toThrow(
    '已有 2027-01-01 起的变更',
  )
  expect(planAreaChanges(current, steps, { chargeArea: '100' }, '2027-01-01', nameOf)).toEqual([
    { item: 'chargeArea', oldValue: '114.5', newValue: '100' },
  ])
})

it('lets a charge area that was the build area go along with it', () => {
  expect(withFollowingChargeArea(current, { buildArea: '120' })).toEqual({
    buildArea: '120',
    chargeArea: '120',
  })
  expect(withFollowingChargeArea({ ...current, chargeArea: '90' }, { buildArea: '120' })).toEqual({
    buildArea: '120',
  })
})
