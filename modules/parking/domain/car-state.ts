import { labelOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import type { Car } from '../contract/car.ts'
import { carState, type CarKind, type CarState } from '../contract/car-labels.ts'

/** Which state may follow which (C10.1); the black list is left by a removal from it alone. */
const carStateMachine = defineStateMachine<CarState>(
  {
    pending: ['normal', 'cancelled', 'blocked'],
    normal: ['expired', 'suspended', 'cancelled', 'blocked'],
    expired: ['normal', 'suspended', 'cancelled', 'blocked'],
    suspended: ['normal', 'expired', 'cancelled', 'blocked'],
    blocked: [],
    cancelled: [],
  },
  { state: state => labelOf(carState, state) },
)

/** Why a car may not come to a state by any call but those of the black list; nothing when it may. */
export const stateFault = (from: CarState, to: CarState): string | undefined =>
  from === 'blocked' ? '请先移出黑名单' : carStateMachine.checkTransition(from, to)

/** Normal until its last day, expired after it (PRK-3). */
export const stateByDays = (endDate: Day | undefined, today: Day): CarState =>
  endDate !== undefined && endDate < today ? 'expired' : 'normal'

/**
 * The state after a removal from the black list: the one before; where that was one of days, by the days as
 * they are now. A plate that was put there without a car is nobody's.
 */
export function stateAfterBlackList(
  { prevState, endDate }: Pick<Car, 'prevState' | 'endDate'>,
  today: Day,
): CarState {
  if (prevState === undefined) return 'cancelled'
  return prevState === 'normal' || prevState === 'expired' ? stateByDays(endDate, today) : prevState
}

/** Kinds that enter by their days; the others pay each time, or from their balance. */
const kindsWithRight: ReadonlySet<CarKind> = new Set(['month', 'fixed', 'inner', 'visitor', 'vip'])
export const hasMonthRight = (kind: CarKind): boolean => kindsWithRight.has(kind)

const kindsWithEnd: ReadonlySet<CarKind> = new Set(['month', 'visitor'])

interface CarDays {
  readonly carKind?: CarKind | undefined
  readonly beginDate?: Day | undefined
  readonly endDate?: Day | undefined
}

/** What is wrong with the days of a car; nothing when they may be so. */
export function carDaysFault({ carKind, beginDate, endDate }: CarDays): string | undefined {
  if (beginDate && endDate && endDate < beginDate) return '有效期止不能早于有效期起'
  return carKind && kindsWithEnd.has(carKind) && !endDate ? '月租车、访客车请填写有效期止' : undefined
}

interface CarOwner {
  readonly userId?: number | undefined
  readonly companyId?: number | undefined
  readonly workerId?: number | undefined
  readonly ownerName?: string | undefined
}

/** A car is a resident's, a company's or somebody's who is known by name alone. */
export function carOwnerFault(owner: CarOwner): string | undefined {
  if (owner.userId && (owner.companyId || owner.workerId)) return '住户和企业只能选一个'
  if (owner.workerId && !owner.companyId) return '请先选择企业员工所在的企业'
  return owner.userId || owner.companyId || owner.ownerName ? undefined : '请选择住户、企业，或填写车主姓名'
}
