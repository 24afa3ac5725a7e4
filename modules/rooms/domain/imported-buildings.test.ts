import { expect, it } from 'vitest'
import { planBuildings, planUnitsOf } from './imported-buildings.ts'

it('plans the buildings of a sheet: a name once, each unit as high as its highest room (BASE-2)', () => {
  expect(
    planBuildings([
      { building: '9栋', unitName: '1单元', floorNum: 3 },
      { building: '9', unitName: '1', floorNum: 18 },
      { building: '9栋', unitName: '2', floorNum: 6 },
      { building: '10栋', unitName: '1', floorNum: -1 },
    ]),
  ).toEqual([
    {
      name: '9栋',
      units: [
        { name: '1', floors: 18 },
        { name: '2', floors: 6 },
      ],
      underground: 0,
    },
    { name: '10栋', units: [{ name: '1', floors: 1 }], underground: 1 },
  ])
  expect(planBuildings([])).toEqual([])
})

it('plans a building of lines that say no floor or no unit: other faults do not take the offer away', () => {
  expect(
    planBuildings([
      { building: '11栋', unitName: undefined, floorNum: undefined },
      { building: '12栋', unitName: '2', floorNum: undefined },
      { building: '12栋', unitName: undefined, floorNum: 9 },
    ]),
  ).toEqual([
    { name: '11栋', units: [{ name: '1', floors: 1 }], underground: 0 },
    { name: '12栋', units: [{ name: '2', floors: 1 }], underground: 0 },
  ])
})

it('plans the units that a building lacks, each as high as its highest room', () => {
  expect(
    planUnitsOf([
      { unitName: '3单元', floorNum: 2 },
      { unitName: '3', floorNum: 11 },
      { unitName: '4', floorNum: -2 },
    ]),
  ).toEqual({
    units: [
      { name: '3', floors: 11 },
      { name: '4', floors: 1 },
    ],
    underground: 2,
  })
})
