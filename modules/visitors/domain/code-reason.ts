import { labelOf } from '#kit/contract/field.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { visitState, type PassDirection, type ValidResult, type VisitState } from '../contract/choices.ts'
import { canPass, passResult, type PassingVisitor } from './pass.ts'
import { resultText } from './result-text.ts'

const minuteOf = (at: Moment): string => at.slice(0, 16)

/** Why a code that is known is none to pass by: of a visit that is not allowed, or nobody came in by it. */
const invalidReasonOf = (state: VisitState): string =>
  canPass(state)
    ? '没有进入后未离开的登记，请核对方向；已在项目内的请先登记进入'
    : `邀请为「${labelOf(visitState, state)}」，不能通行，请联系被访人`

/** The result of one that is not passed, in the short words of a door. */
export const doorwayReasonOf = (result: Exclude<ValidResult, 'passed'>, state: VisitState): string =>
  result === 'invalid' ? invalidReasonOf(state) : resultText[result]

/** Why a code is worth nothing at a gate, and what is to be done. */
function refusalOf(result: ValidResult, visitor: PassingVisitor, direction: PassDirection): string {
  const { state, maxTimes, beginTime, endTime } = visitor
  if (result === 'early') return `来访时间自 ${minuteOf(beginTime)} 起，请届时再来或由被访人修改邀访`
  if (result === 'expired') return `邀请已于 ${minuteOf(endTime)} 到期，请由被访人延长或重新邀请`
  if (result === 'usedUp') {
    const way = direction === 'in' ? '进入' : '离开'
    return `可${way} ${maxTimes} 次，已用完，请由被访人重新邀请`
  }
  return invalidReasonOf(state)
}

export interface CodeJudgement {
  readonly result: ValidResult
  readonly reason: string
}

/** VIS-2 in words: what a code is worth now, and because of what. */
export function judgeCode(visitor: PassingVisitor, direction: PassDirection, now: Moment): CodeJudgement {
  const result = passResult(visitor, direction, now)
  if (result !== 'passed') return { result, reason: refusalOf(result, visitor, direction) }
  return { result, reason: direction === 'in' ? '可以进入' : '可以离开' }
}
