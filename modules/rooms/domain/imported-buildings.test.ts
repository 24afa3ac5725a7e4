import { expect, it } from 'vitest'
import { planBuildings } from './imported-buildings.ts'

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
