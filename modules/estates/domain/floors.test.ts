import { expect, it } from 'vitest'
import { floorWord, floorsOf, unitsByName, unitWord } from './floors.ts'

it('takes units of one name as one, with the floors of all', () => {
  expect(
    unitsByName([
      { name: '1', floorCount: 18 },
      { name: '2', floorCount: 11, undergroundFloors: 2 },
      { name: '1', floorCount: 20, undergroundFloors: 1 },
    ]),
  ).toEqual([
    { name: '1', floorCount: 20, undergroundFloors: 1 },
    { name: '2', floorCount: 11, undergroundFloors: 2 },
  ])
})

it('knows no floor 0', () => {
  expect(floorsOf({ name: '1', floorCount: 3, undergroundFloors: 2 })).toEqual([-2, -1, 1, 2, 3])
  expect([floorWord(-2), floorWord(15), unitWord('2'), unitWord('东单元')]).toEqual([
    '地下 2 层',
    '15 层',
    '2 单元',
    '东单元',
  ])
})
