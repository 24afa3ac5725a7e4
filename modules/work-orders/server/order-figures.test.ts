import { expect, it } from 'vitest'
import { figuresOf } from './order-figures.ts'

const sums = {
  created: 8,
  accepted: 8,
  respondedInTime: 3,
  finished: 6,
  finishedInTime: 6,
  rework: 1,
  completed: 2,
  closed: 0,
  late: 5,
  expedited: 0,
}

const valuesOf = (part: Partial<typeof sums>, rated = 2) => {
  const ratings = { orders: rated, count: rated, scoreSum: 8, query: '' }
  return Object.fromEntries(
    figuresOf({ ...sums, ...part }, ratings, '').map(({ key, value }) => [key, value]),
  )
}

it('STAT-13: shares and averages have two decimals, half up; counts are whole', () => {
  expect(valuesOf({})).toMatchObject({
    created: '8',
    responseRate: '37.50',
    finishRate: '100.00',
    reworkRate: '16.67',
    satisfaction: '4.00',
    closeRate: '25.00',
    late: '5',
  })
})

it('STAT-13: nothing where there is nothing to divide by', () => {
  const { responseRate, satisfaction, closed } = valuesOf({ accepted: 0, respondedInTime: 0 }, 0)
  expect([responseRate, satisfaction, closed]).toEqual([undefined, undefined, '0'])
})
