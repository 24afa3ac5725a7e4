import { expect, it } from 'vitest'
import { priceRefusal } from './price-change.ts'

it('FEE-6: refuses to change a price that comes from elsewhere', () => {
  expect([priceRefusal('rent'), priceRefusal('risingRent')]).toEqual(
    Array(2).fill('租金由合同约定，没有单价可调'),
  )
  expect(priceRefusal('share')).toContain('公摊')
  expect(priceRefusal('imported')).toContain('导入')
  expect([priceRefusal('area'), priceRefusal('tiers'), priceRefusal(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
