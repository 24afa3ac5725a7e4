import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { keepOrder, nextOrder } from './board-order.ts'
import type { Candidate } from './candidate-line.tsx'

const person = (id: number, openCount = 0): Candidate => ({
  managerId: asId(id),
  name: `工程${id}`,
  openCount,
  lateCount: 0,
  isConfigured: true,
  isOnDuty: true,
  isPaused: false,
  canReceive: true,
})

it('WO-13: nobody moves while an order is dragged, though the list for it is another one', () => {
  const shown = [person(1), person(2), person(3)]
  expect(keepOrder(shown, undefined)).toEqual(shown)
  const kept = keepOrder(shown, [person(3, 4), person(5), person(1)])
  expect(kept.map(({ managerId }) => managerId)).toEqual([1, 2, 3, 5])
  expect(kept[1]).toMatchObject({ canReceive: false, reason: '不在所选工单的接单范围内' })
  expect(kept[2]).toMatchObject({ openCount: 4, canReceive: true })
})

it('after an assignment the keyboard goes on with the order below, else with the one above', () => {
  const shown = [1, 2, 3, 4].map(asId)
  const next = (...assigned: number[]) => nextOrder(shown, new Set(assigned.map(asId)))
  expect([next(1), next(2), next(2, 3), next(4), next(3, 4)]).toEqual([2, 3, 4, 3, 2])
  expect(next(1, 2, 3, 4)).toBeUndefined()
})
