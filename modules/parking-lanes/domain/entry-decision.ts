import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import {
  carKind as carKindChoice,
  type CarKind,
  type CarState,
} from '#modules/parking/contract/car-labels.ts'
import { isInForce, type MonthRight } from '#modules/parking/contract/month-right.ts'
import { isNotBefore, isSamePassage } from './event-time.ts'

export interface OpenStay {
  readonly id: Id
  readonly inTime: Moment
  readonly inLaneId?: Id | undefined
}

export interface EntryFacts {
  readonly at: Moment
  readonly laneId: Id
  /** The kinds that the lane is for; all where none is named. */
  readonly laneKinds: readonly CarKind[]
  readonly right: MonthRight
  /** Other cars of the group that are inside on the month right. */
  readonly groupInside: number
  readonly isExpected: boolean
  readonly isFull: boolean
  /** Temporary cars are let in all the same (FullPolicy). */
  readonly allowsWhenFull: boolean
  readonly openStay?: OpenStay | undefined
  /** Left after this time with no entry: this is the entry of it, reported late. */
  readonly exitOnlyId?: Id | undefined
  /** Reported afterwards: the car is in. */
  readonly hasPassed: boolean
}

export type EntryAction =
  | { readonly kind: 'none'; readonly ghostId?: Id | undefined }
  | { readonly kind: 'repeat'; readonly stayId: Id }
  | { readonly kind: 'complete'; readonly stayId: Id }
  | { readonly kind: 'insert'; readonly ghostId?: Id | undefined; readonly isLost: boolean }

export interface EntryDecision {
  readonly isOpen: boolean
  readonly carKind: CarKind
  readonly reason: string
  readonly warnings: readonly string[]
  readonly action: EntryAction
}

interface Admission {
  readonly carKind: CarKind
  readonly reason: string
  readonly refusal?: string
  readonly warning?: string
}

/** As what a car is inside by its right; nothing without one, or while it waits for a place (PRK-6). */
export function kindByRight(right: MonthRight, groupInside: number): CarKind | undefined {
  const isWaiting = right.group !== undefined && groupInside >= right.group.placeCount
  return isInForce(right) && !isWaiting ? (right.carKind ?? 'month') : undefined
}

/** Whose places a car shares while it is inside: on the right, or as the next that waits. */
export const groupIdOf = (right: MonthRight): Id | undefined =>
  isInForce(right) ? right.group?.id : undefined

function admitWithRight({ right, groupInside }: EntryFacts): Admission | undefined {
  const kind = right.carKind ?? 'month'
  if (isInForce(right)) {
    if (kindByRight(right, groupInside) === undefined) return undefined
    const reason = `${labelOf(carKindChoice, kind)}，${right.endDate ? `有效期至 ${right.endDate}` : '长期有效'}`
    return right.status === 'grace'
      ? { carKind: kind, reason, warning: `已于 ${right.endDate} 到期，宽限期内` }
      : { carKind: kind, reason }
  }
  return right.status === 'expired' && right.expiredEntry === 'refused'
    ? {
        carKind: kind,
        reason: '',
        refusal: `${labelOf(carKindChoice, kind)}已于 ${right.endDate} 到期，请续费后入场`,
      }
    : undefined
}

const statesWithoutRight: Partial<Record<CarState, string>> = {
  pending: '车辆待审核，按临停计费',
  suspended: '车辆已欠费停用，按临停计费',
}

/** Why a car that is known comes in as a temporary one all the same. */
function lostRightText({ right }: EntryFacts): string | undefined {
  if (isInForce(right) && right.group) return `车辆分组的 ${right.group.placeCount} 个车位已停满，按临停计费`
  if (right.status === 'expired') return `月卡已于 ${right.endDate} 到期，按临停计费`
  if (right.status === 'early') return `月卡自 ${right.beginDate} 生效，按临停计费`
  return right.carState && statesWithoutRight[right.carState]
}

function admitTemporary(facts: EntryFacts): Admission {
  const warning = lostRightText(facts)
  const more = warning === undefined ? {} : { warning }
  if (facts.isFull && !facts.allowsWhenFull)
    return { carKind: 'temp', reason: '', refusal: '车场已满，临时车请稍后再来', ...more }
  return { carKind: 'temp', reason: '临时车', ...more }
}

/** PRK-2, in its order: right, then reservation, then a temporary car while there is room. */
function admit(facts: EntryFacts): Admission {
  const admitted =
    admitWithRight(facts) ??
    (facts.isExpected ? { carKind: 'visitor' as const, reason: '访客预约' } : admitTemporary(facts))
  if (admitted.refusal !== undefined || !facts.laneKinds.length || facts.laneKinds.includes(admitted.carKind))
    return admitted
  return { ...admitted, refusal: `本车道不允许${labelOf(carKindChoice, admitted.carKind)}通行，请走其他车道` }
}

function actionOf(facts: EntryFacts, isIn: boolean): EntryAction {
  const { openStay, exitOnlyId, at } = facts
  if (exitOnlyId !== undefined && isIn) return { kind: 'complete', stayId: exitOnlyId }
  const isLaterInside = openStay !== undefined && !isNotBefore(at, openStay.inTime)
  if (isLaterInside) return isIn ? { kind: 'insert', isLost: true } : { kind: 'none' }
  const ghost = openStay ? { ghostId: openStay.id } : {}
  return isIn ? { kind: 'insert', isLost: false, ...ghost } : { kind: 'none', ...ghost }
}

/** Whether a car comes in, as what, and why (PRK-2). */
export function decideEntry(facts: EntryFacts): EntryDecision {
  const { openStay, right, at, laneId, hasPassed } = facts
  const kind = right.carKind ?? 'temp'
  if (openStay && openStay.inLaneId === laneId && isSamePassage(openStay.inTime, at)) {
    const action = { kind: 'repeat', stayId: openStay.id } as const
    return { isOpen: true, carKind: kind, reason: '同一次入场', warnings: [], action }
  }
  if (right.blackReason !== undefined && !hasPassed) {
    const reason = `黑名单车辆：${right.blackReason || '未填写原因'}，禁止入场`
    return { isOpen: false, carKind: kind, reason, warnings: [], action: { kind: 'none' } }
  }
  const { carKind, reason, refusal, warning } = admit(facts)
  const isIn = refusal === undefined || hasPassed
  const action = actionOf(facts, isIn)
  const ghostText =
    'ghostId' in action && action.ghostId !== undefined ? '上次入场没有出场记录，已按异常出场处理' : undefined
  const blackText = right.blackReason === undefined ? undefined : `黑名单车辆：${right.blackReason}`
  const passedText = hasPassed ? refusal : undefined
  return {
    isOpen: isIn,
    carKind,
    reason: refusal !== undefined && !hasPassed ? refusal : reason || '车辆已通过',
    warnings: [blackText, warning, ghostText, passedText].filter(text => text !== undefined),
    action,
  }
}
