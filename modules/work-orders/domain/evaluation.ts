import type { ChoiceOf } from '#kit/contract/field.ts'
import { addDaysToMoment, type Moment } from '#kit/domain/moment.ts'
import type { actorKind } from '../contract/choices.ts'

export interface Scores {
  readonly speedScore: number
  readonly attitudeScore: number
  readonly qualityScore: number
}

/** Where no total is given: the average, half up. */
export const totalScore = ({ speedScore, attitudeScore, qualityScore }: Scores): number =>
  Math.floor((2 * (speedScore + attitudeScore + qualityScore) + 3) / 6)

/** A return visit is due, and the order may be reopened (WO-10). */
export const isLowScore = (score: number): boolean => score <= 2

/** Why a rating may not be given or changed: by the requester alone, once, and within 24 hours (WO-10). */
export function evaluationRefusal(
  by: ChoiceOf<typeof actorKind>,
  previous:
    | { readonly evaluateTime: Moment; readonly changeTime?: Moment | undefined; readonly isDefault: boolean }
    | undefined,
  now: Moment,
): string | undefined {
  if (!previous || previous.isDefault) return undefined
  if (by === 'staff') return '工单已评价，员工不能修改；报事人可以在 24 小时内修改一次'
  if (previous.changeTime !== undefined) return '评价已修改过一次，不能再修改'
  if (now > addDaysToMoment(previous.evaluateTime, 1)) return '评价超过 24 小时，不能再修改'
  return undefined
}

const reopenDays = 7

/** C12.1: within 7 days, after a low score that somebody gave, or a complaint. */
export function reopenRefusal(
  order: {
    readonly endTime?: Moment | undefined
    readonly score?: number | undefined
    readonly isDefaultScore: boolean
    readonly category: string
  },
  now: Moment,
): string | undefined {
  if (order.endTime === undefined || now > addDaysToMoment(order.endTime, reopenDays))
    return `工单完成已超过 ${reopenDays} 天，不能重新处理；请登记新工单并关联原工单`
  const isUnhappy = order.score !== undefined && isLowScore(order.score) && !order.isDefaultScore
  if (isUnhappy || order.category === 'complaint') return undefined
  return '只有评分不高于 2 分的工单或投诉可以重新处理；请登记新工单并关联原工单'
}
