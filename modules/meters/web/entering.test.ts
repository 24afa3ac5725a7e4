import { expect, it } from 'vitest'
import { ofMonth, slot } from './entering.ts'

it('what is typed belongs to its month', () => {
  const all = new Map([
    [slot('2026-11', 7), 'a'],
    [slot('2026-10', 7), 'b'],
    [slot('2026-11', 71), 'c'],
  ])
  expect([ofMonth(all, '2026-11'), ofMonth(all, '2026-10'), ofMonth(all, '2026-09')]).toEqual([
    new Map([
      [7, 'a'],
      [71, 'c'],
    ]),
    new Map([[7, 'b']]),
    new Map(),
  ])
})
