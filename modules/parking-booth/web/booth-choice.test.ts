import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { boothKeyOf, chooseBooth } from './booth-choice.ts'

const row = (park: number, boothName: string, shift?: number, isOwn = false) => ({
  parkId: asId(park),
  boothName,
  isOwn,
  ...(shift === undefined ? {} : { shiftId: asId(shift) }),
})

const north = row(1, '北亭', 11)
const south = row(1, '南亭')
const key = boothKeyOf(south)

it('shows the booth that was chosen, or all lanes of its car park', () => {
  expect(chooseBooth([north, south], { chosen: key, stored: '' })).toEqual({ parkId: 1, boothName: '南亭' })
  expect(chooseBooth([north, south], { chosen: '1/*', stored: key })).toEqual({ parkId: 1, boothName: '*' })
  expect(chooseBooth([north, south], { chosen: undefined, stored: key })).toMatchObject({ boothName: '南亭' })
})

it('another booth never takes the place of a chosen one that is missing (PRK-10)', () => {
  for (const choice of [
    { chosen: key, stored: '' },
    { chosen: key, stored: boothKeyOf(north) },
    { chosen: undefined, stored: key },
  ]) {
    expect(chooseBooth([north, row(2, '东亭')], choice)).toEqual({
      missing: expect.stringContaining('选择岗亭'),
    })
  }
})

it('opens at first where nobody else is on duty', () => {
  expect(chooseBooth([north, south], { chosen: undefined, stored: '' })).toMatchObject({ boothName: '南亭' })
  expect(chooseBooth([north], { chosen: undefined, stored: '' })).toEqual({
    missing: expect.stringContaining('有人当班'),
  })
  expect(chooseBooth([], { chosen: undefined, stored: '' })).toEqual({
    missing: expect.stringContaining('停车设置'),
  })
})
