import { displayYuan } from '#kit/domain/money.ts'
import type { FeeTerms } from './fee-terms.ts'

const capTexts = { hours: '24 小时封顶', day: '每日封顶', stay: '单次封顶' } as const

const freeText = ({ freeMinutes, isFreeIncluded }: FeeTerms): string | undefined =>
  freeMinutes > 0 ? `免费 ${freeMinutes} 分钟${isFreeIncluded ? '（超时后也不计费）' : ''}` : undefined

/** A stay of one cap has one first price anyhow. */
const onceText = ({ firstMinutes, isFirstEachBlock, capType }: FeeTerms): string | undefined =>
  firstMinutes > 0 && !isFirstEachBlock && capType !== 'stay' ? '次日不重计首段' : undefined

/** `免费 30 分钟，首 60 分钟 5.00，之后每 60 分钟 2.00，24 小时封顶 20.00` */
export function ruleText(terms: FeeTerms): string {
  const { nightBegin, nightEnd, nightFee } = terms
  const parts = [
    freeText(terms),
    terms.firstMinutes > 0 ? `首 ${terms.firstMinutes} 分钟 ${displayYuan(terms.firstFee)}` : undefined,
    `${terms.firstMinutes > 0 ? '之后每' : '每'} ${terms.stepMinutes} 分钟 ${displayYuan(terms.stepFee)}`,
    nightBegin && nightEnd ? `${nightBegin}–${nightEnd} 每晚 ${displayYuan(nightFee ?? 0)}` : undefined,
    terms.capFee === undefined ? undefined : `${capTexts[terms.capType]} ${displayYuan(terms.capFee)}`,
    onceText(terms),
  ]
  return parts.filter(part => part !== undefined).join('，')
}
