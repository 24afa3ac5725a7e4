import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { plantingOf, repeatedLines } from './planting.ts'

const [camphor, osmanthus, nothing] = [asId(1), asId(2), asId(3)]

it('a plant is summed over the areas that it is in', () => {
  const areas = [
    {
      id: asId(7),
      areaName: '中心花园',
      plants: [
        { plantId: camphor, qty: '12' },
        { plantId: osmanthus, qty: '3' },
      ],
    },
    { id: asId(8), areaName: '南门', plants: [{ plantId: camphor, qty: '0.5' }] },
    { id: asId(9), areaName: '北门' },
  ]
  expect(plantingOf(camphor, areas)).toEqual({
    qty: '12.5',
    areaIds: ['7', '8'],
    areaNames: '中心花园、南门',
  })
  expect(plantingOf(osmanthus, areas)).toEqual({ qty: '3', areaIds: ['7'], areaNames: '中心花园' })
  expect(plantingOf(nothing, areas)).toEqual({ qty: '0', areaIds: [], areaNames: '' })
})

it('areas of several projects are named with theirs', () => {
  const area = { id: asId(7), areaName: '南门', plants: [{ plantId: camphor, qty: '1' }], estateName: '云栖' }
  expect(plantingOf(camphor, [area], { withEstates: true }).areaNames).toBe('云栖 南门')
  expect(plantingOf(camphor, [area]).areaNames).toBe('南门')
})

it('a plant stands once in an area', () => {
  expect(repeatedLines([{ plantId: camphor }, { plantId: osmanthus }, { plantId: camphor }])).toEqual([2])
  expect(repeatedLines([{ plantId: camphor }])).toEqual([])
})
