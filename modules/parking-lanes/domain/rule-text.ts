import { displayYuan } from '#kit/domain/money.ts'
import type { FeeTerms } from './fee-terms.ts'

const capTexts = { hours: '24 小时封顶', day: '每日封顶', stay: '单次封顶' } as const

/** `免费 30 分钟，首 60 分钟 5.00，之后每 60 分钟 2.00，24 小时封顶 20.00` */
export function ruleText(terms: FeeTerms): string {
  const { nightBegin, nightEnd, nightFee } = terms
  const parts = [
    terms.freeMinutes > 0 ? `免费 ${terms.freeMinutes} 分钟` : undefined,
    terms.firstMinutes > 0 ? `首 ${terms.firstMinutes} 分钟 ${displayYuan(terms.firstFee)}` : undefined,
    `${terms.firstMinutes > 0 ? '之后每' : '每'} ${terms.stepMinutes} 分钟 ${displayYuan(terms.stepFee)}`,
    nightBegin && nightEnd ? `${nightBegin}–${nightEnd} 每晚 ${displayYuan(nightFee ?? 0)}` : undefined,
    terms.capFee === undefined ? undefined : `${capTexts[terms.capType]} ${displayYuan(terms.capFee)}`,
  ]
  return parts.filter(part => part !== undefined).join('，')
}
