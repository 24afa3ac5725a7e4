import { expect, it } from 'vitest'
import { floorLabel, floorsOf, mergeUnitsByName, unitLabel } from './floors.ts'

it('merges units of the same name, with the floors of all', () => {
  expect(
    mergeUnitsByName([
      { name: '1', floorCount: 18 },
      { name: '2', floorCount: 11, undergroundFloors: 2 },
      { name: '1', floorCount: 20, undergroundFloors: 1 },
    ]),
  ).toEqual([
    { name: '1', floorCount: 20, undergroundFloors: 1 },
    { name: '2', floorCount: 11, undergroundFloors: 2 },
  ])
})

it('has no floor 0', () => {
  expect(floorsOf({ name: '1', floorCount: 3, undergroundFloors: 2 })).toEqual([-2, -1, 1, 2, 3])
  expect([floorLabel(-2), floorLabel(15), unitLabel('2'), unitLabel('东单元')]).toEqual([
    '地下 2 层',
    '15 层',
    '2 单元',
    '东单元',
  ])
})
