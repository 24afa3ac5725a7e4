import { expect, it } from 'vitest'
import { exportCharges, exportChargeLines } from './charge.ts'
import { exportOrders } from './order-list.ts'

it.each(Object.entries({ exportCharges, exportChargeLines, exportOrders }))(
  'no two columns of %s have one heading',
  (_, { columns }) => {
    const headings = columns.map(column => column.heading)
    expect(headings.filter((heading, i) => headings.indexOf(heading) !== i)).toEqual([])
  },
)
