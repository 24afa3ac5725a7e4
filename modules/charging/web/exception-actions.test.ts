import { expect, it } from 'vitest'
import { castForTest } from '#kit/domain/fixtures.ts'
import type { HubException } from '../contract/exception.ts'
import { exceptionActions } from './exception-actions.ts'

const offeredTo = (row: Partial<HubException>): string[][] =>
  exceptionActions
    .filter(({ isOffered }) => isOffered(castForTest<HubException>(row)))
    .map(({ keys }) => keys.map(({ key }) => key))

it('an anomaly offers to settle an order only where it has one', () => {
  expect(offeredTo({ state: 'open', orderNo: 'CD1' })).toEqual([['handleNote', 'settlesOrder']])
  expect(offeredTo({ state: 'open' })).toEqual([['handleNote']])
  expect(offeredTo({ state: 'handled', orderNo: 'CD1' })).toEqual([])
})
