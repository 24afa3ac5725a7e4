import { expect, it } from 'vitest'
import { CompanyLocked } from '#kit/server/company-scope.ts'
import { Refused } from '#kit/contract/wire.ts'
import { isRetryable } from './message-failure.ts'

it('what devices send while a company is taken for an erasure comes again, and is not kept as failed', () => {
  expect(isRetryable(new CompanyLocked())).toBe(true)
  expect(isRetryable(new Refused(400, '设备未绑定到门'))).toBe(false)
})
