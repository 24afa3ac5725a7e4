import { expect, it } from 'vitest'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { shownAfterFault } from './shown-after-fault.ts'

it('a code stays on the screen while there is no network, and goes when it is refused', () => {
  expect(shownAfterFault('9127', new TypeError('Failed to fetch'))).toBe('9127')
  expect(shownAfterFault('9127', new Refused(resultCode.refused, '通行码已被物业停用'))).toBeUndefined()
})
