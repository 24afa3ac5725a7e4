import { expect, it } from 'vitest'
import { keysOf } from '#kit/contract/field.ts'
import { instanceAction } from '../contract/instance.ts'
import { faultOfText, isPhoneAction } from './phone-actions.ts'

it('the phone offers all that an approver and an applicant may do; the rest is for an administrator', () => {
  expect(keysOf(instanceAction).filter(key => !isPhoneAction(key))).toEqual(['terminate', 'reassign'])
})

it('asks for the words that the server requires', () => {
  expect(faultOfText('giveUp', ' 退 ')).toContain('放弃原因')
  expect(faultOfText('giveUp', '改期')).toBeUndefined()
  expect(faultOfText('comment', ' ')).toContain('评论')
  expect([faultOfText('withdraw', ''), faultOfText('resubmit', '')]).toEqual([undefined, undefined])
})
