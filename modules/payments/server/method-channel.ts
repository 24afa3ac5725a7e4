import type { ChoiceOf } from '#kit/contract/field.ts'
import type { channel } from '../contract/choices.ts'
import type { PayMethod } from './tenders.ts'

/**
 * Through which channel the money of a method came, and so how it goes back; nothing for what was taken by
 * hand.
 */
const channelByMethod: Partial<Record<PayMethod, ChoiceOf<typeof channel>>> = {
  wechat: 'wechat',
  alipay: 'alipay',
  posDebit: 'pos',
  posCredit: 'pos',
}

export const channelOfMethod = (m: PayMethod): ChoiceOf<typeof channel> | undefined => channelByMethod[m]
