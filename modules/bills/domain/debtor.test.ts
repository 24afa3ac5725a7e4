import { expect, it } from 'vitest'
import { ageBuckets, shortenNames } from './debtor.ts'

it('AGE-1: debts not due, then by thirty days, without a gap', () => {
  const { notDue, ...overdue } = ageBuckets
  expect(notDue).toEqual({ to: 0 })
  expect(Object.values(overdue)).toEqual([
    { from: 1, to: 30 },
    { from: 31, to: 60 },
    { from: 61, to: 90 },
    { from: 91 },
  ])
})

it('names three objects, and how many there are when there are more', () => {
  const names = ['2-1-101', '2-1-102', '2-1-103', '2-1-104']
  expect([
    shortenNames(names.slice(0, 2), 2),
    shortenNames(names.slice(0, 3), 3),
    shortenNames(names, 4),
  ]).toEqual(['2-1-101、2-1-102', '2-1-101、2-1-102、2-1-103', '2-1-101、2-1-102、2-1-103 等 4 个'])
})
