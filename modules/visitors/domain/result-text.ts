import { usedUpText } from '#modules/devices/contract/code-reading.ts'
import type { ValidResult } from '../contract/choices.ts'

/** What a gate says of a code that opens nothing, and what to do. */
export const resultText: { readonly [R in Exclude<ValidResult, 'passed'>]: string } = {
  expired: '已过来访时间，请邀请人延长或重新邀请',
  usedUp: usedUpText,
  blocked: '访客在黑名单中，不予放行',
  early: '未到来访时间，请在有效时间内通行',
  invalid: '邀请码无效，请核对或联系邀请人',
  overused: '放行超过可进入次数，请到现场核对人员',
}
