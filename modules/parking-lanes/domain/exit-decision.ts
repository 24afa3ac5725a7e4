import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import { carKind as carKindChoice, type CarKind } from '#modules/parking/contract/car-labels.ts'
import { isInForce, type MonthRight } from '#modules/parking/contract/month-right.ts'

export interface ExitFacts {
  readonly right: MonthRight
  /** The stay that ends: inside, or closed as abnormal because its exit was reported late. */
  readonly stay?: { readonly id: Id; readonly carKind: CarKind } | undefined
  /** What is still to be paid, with the rule's minutes for leaving in it. */
  readonly due: Fen
  readonly hasRule: boolean
  /** The same exit, seen again a moment later. */
  readonly repeatedId?: Id | undefined
  /** Reported afterwards: the car is out. */
  readonly hasPassed: boolean
}

export type ExitAction =
  | { readonly kind: 'none' }
  | { readonly kind: 'repeat'; readonly stayId: Id }
  | { readonly kind: 'close'; readonly stayId: Id }
  | { readonly kind: 'insert' }

export interface ExitDecision {
  readonly isOpen: boolean
  readonly carKind: CarKind
  readonly reason: string
  readonly warnings: readonly string[]
  readonly action: ExitAction
}

const noEntryText = '没有入场记录，请核对车牌，或由岗亭查找入场记录、放行'

/** What a car that is out leaves open. */
export const exitWarnings = (due: Fen, hasRule: boolean): readonly string[] => [
  ...(due > 0 ? [`尚有 ${displayYuan(due)} 未收`] : []),
  ...(hasRule ? [] : ['停车场未设置收费规则，未计费']),
]

function decideWithoutEntry({ right, hasPassed }: ExitFacts): ExitDecision {
  const carKind = right.carKind ?? 'temp'
  const isOpen = isInForce(right) || hasPassed
  return {
    isOpen,
    carKind,
    reason: isOpen ? '没有入场记录，已补记出场' : noEntryText,
    warnings: [],
    action: isOpen ? { kind: 'insert' } : { kind: 'none' },
  }
}

/** Whether a car goes out, and why: a right, a fee that is paid, or nothing to pay. */
export function decideExit(facts: ExitFacts): ExitDecision {
  const { right, stay, due, hasRule, repeatedId, hasPassed } = facts
  if (repeatedId !== undefined)
    return {
      isOpen: true,
      carKind: right.carKind ?? 'temp',
      reason: '同一次出场',
      warnings: [],
      action: { kind: 'repeat', stayId: repeatedId },
    }
  if (!stay) return decideWithoutEntry(facts)
  const { carKind } = stay
  if (due > 0 && !hasPassed)
    return {
      isOpen: false,
      carKind,
      reason: `待收 ${displayYuan(due)}，请先缴费`,
      warnings: [],
      action: { kind: 'none' },
    }
  return {
    isOpen: true,
    carKind,
    reason: due > 0 ? '车辆已通过' : `${labelOf(carKindChoice, carKind)}，费用已结清`,
    warnings: exitWarnings(due, hasRule),
    action: { kind: 'close', stayId: stay.id },
  }
}
