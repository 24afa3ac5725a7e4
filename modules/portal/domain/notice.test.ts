import { expect, it } from 'vitest'
import { keysOf } from '#kit/contract/field.ts'
import { noticeState } from '../contract/choices.ts'
import { secureUrlRule } from '../contract/secure-url.ts'
import {
  audienceFault,
  editFault,
  finalReceipt,
  isWaiting,
  publishFault,
  remindFault,
  storedAudience,
  withdrawFault,
} from './notice.ts'

it('a notice goes from draft to published to withdrawn, and never back', () => {
  const allowed = (fault: (state: 'draft' | 'published' | 'withdrawn') => string | undefined) =>
    keysOf(noticeState).filter(state => fault(state) === undefined)
  expect(allowed(editFault)).toEqual(['draft'])
  expect(allowed(publishFault)).toEqual(['draft'])
  expect(allowed(withdrawFault)).toEqual(['published'])
  expect(allowed(remindFault)).toEqual(['published'])
})

it('an audience names somebody, and keeps only what it is made of', () => {
  expect(audienceFault({ audience: 'all' })).toBeUndefined()
  expect(audienceFault({ audience: 'departments', tags: ['骨干'] })?.[0]).toBe('departmentIds')
  expect(audienceFault({ audience: 'tags', tags: [] })?.[0]).toBe('tags')
  expect(audienceFault({ audience: 'people' })?.[0]).toBe('staffIds')
  expect(audienceFault({ audience: 'people', staffIds: ['1'] })).toBeUndefined()
  expect(storedAudience({ audience: 'tags', tags: ['骨干'], staffIds: ['1'], departmentIds: ['2'] })).toEqual(
    {
      tags: ['骨干'],
    },
  )
})

it('an important notice waits until it is confirmed, another until it is read', () => {
  expect(isWaiting(false, 'unread')).toBe(true)
  expect(isWaiting(false, 'read')).toBe(false)
  expect(isWaiting(true, 'read')).toBe(true)
  expect(isWaiting(true, 'confirmed')).toBe(false)
  expect([finalReceipt(true), finalReceipt(false)]).toEqual(['confirmed', 'read'])
})

it.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://example.com',
  '//example.com',
  'https://',
  'https://exa mple.com',
  'vbscript:x',
  ' https://example.com',
])('no address but https is kept: %s', address => {
  expect(secureUrlRule.test(address)).toBeTypeOf('string')
})

it('an https address is kept', () => {
  expect(secureUrlRule.test('https://example.com/path?x=1#y')).toBeUndefined()
  expect(secureUrlRule.test('HTTPS://EXAMPLE.COM')).toBeUndefined()
})
