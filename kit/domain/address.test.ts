import { expect, it } from 'vitest'
import { buildingNamePattern, canNamePlaces, splitProjectAndPlace } from './address.ts'

const names = [
  '3栋',
  '13栋',
  '3号楼',
  'a座',
  'b',
  '商业街',
  '翠园3栋',
  '翠园31栋',
  '十二栋',
  '12栋',
  'plaza',
  '南楼',
]

it.each([
  ['商业街', ['商业街']],
  ['商业', ['商业街']],
  ['商 业街', ['商业街']],
  ['3栋', ['3栋', '3号楼', '翠园3栋']],
  ['3 号楼', ['3栋', '3号楼', '翠园3栋']],
  ['A座', ['a座']],
  ['Ａ座', ['a座']],
  ['b座', ['b']],
  ['翠园3', ['翠园3栋']],
  ['翠园 3栋', ['翠园3栋']],
  ['十二栋', ['十二栋', '12栋']],
  ['pla', ['plaza']],
  ['laz', []],
])('a building is named alone by %s', (typed, expected) => {
  const pattern = new RegExp(buildingNamePattern(typed) ?? 'never')
  expect(names.filter(name => pattern.test(name))).toEqual(expected)
})

it.each(['', '3', '1502', '3-2-1502', '栋', '号楼', '1单元', '1502室', '12栋1501', 'a', 'zs', '·'])(
  'no building is named by %s',
  typed => expect(buildingNamePattern(typed)).toBeUndefined(),
)

it.each([
  ['1502', true],
  ['商业街', true],
  ['十二栋', true],
  ['zs', false],
])('rooms may be named by %s: %s', (typed, expected) => expect(canNamePlaces(typed)).toBe(expected))

it.each([
  ['锦绣花园 商业街', '锦绣花园', '商业街'],
  ['锦绣花园-商业街-', '锦绣花园', '商业街'],
  ['锦绣花园3-1-1502', '锦绣花园', '3-1-1502'],
  ['锦绣花园 12 1501', '锦绣花园', '12 1501'],
])('%s is a place behind the name of its project', (typed, project, place) => {
  expect(splitProjectAndPlace(typed)).toEqual({ project, place })
})

it.each(['商业街', '商业街-', '3-1-1502', '3栋 1502'])('%s has no project in front', typed => {
  expect(splitProjectAndPlace(typed)).toBeUndefined()
})

it('the name of a building may be typed to its end', () => {
  expect(buildingNamePattern('商业街-')).toBe(buildingNamePattern('商业街'))
})
