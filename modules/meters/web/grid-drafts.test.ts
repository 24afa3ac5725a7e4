import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { draftKeyOf, filterByMonth } from './grid-drafts.ts'

it('drafts belong to their month', () => {
  const all = new Map([
    [draftKeyOf('2026-11', asId(7)), 'a'],
    [draftKeyOf('2026-10', asId(7)), 'b'],
    [draftKeyOf('2026-11', asId(71)), 'c'],
  ])
  expect([
    filterByMonth(all, '2026-11'),
    filterByMonth(all, '2026-10'),
    filterByMonth(all, '2026-09'),
  ]).toEqual([
    new Map([
      [7, 'a'],
      [71, 'c'],
    ]),
    new Map([[7, 'b']]),
    new Map(),
  ])
})
