import { expect, it } from 'vitest'
import { measureText } from '../cell-renderers.tsx'
import { reservedWidth, withTotals, type Reserve } from './list-reserve.ts'

it('sums have the room that they needed before; a narrow filter takes none of it away', () => {
  const none: Reserve = { total: 9999, views: {}, sums: {} }
  expect(reservedWidth(none, 'amount', '425.00')).toBe(measureText('425,000.00', true))
  expect(reservedWidth(none, 'amount', '0.00')).toBe(0)
  const wide = withTotals(none, 5_000_000, { amount: 128 })
  expect(reservedWidth(wide, 'amount', '425.00')).toBe(128)
  expect(withTotals(wide, 3, { amount: 40, paid: 50 })).toMatchObject({
    total: 3,
    sums: { amount: 128, paid: 50 },
  })
})
