import { expect, it } from 'vitest'
import { formatAreaLabel, positionKeys } from './position-label.ts'

it('joins what a place has by hyphens (0§3)', () => {
  expect(formatAreaLabel({ estateName: '锦绣花园', buildName: '3 栋', unitName: '2', roomNo: '1502' })).toBe(
    '锦绣花园-3 栋-2-1502',
  )
  expect(formatAreaLabel({ estateName: '锦绣花园', roomNo: '中心广场' })).toBe('锦绣花园-中心广场')
})

it('names the branches that a place is in', () => {
  expect(positionKeys({ projectCode: 'P', buildCode: 'B', unitName: '1' })).toEqual(['P', 'P/B', 'P/B/1'])
  expect(positionKeys({ projectCode: 'P', unitName: '1' })).toEqual(['P'])
})
