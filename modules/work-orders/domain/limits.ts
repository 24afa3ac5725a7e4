import type { ChoiceOf } from '#kit/contract/field.ts'
import type { orderCategory, orderLevel } from '../contract/choices.ts'
import type { OrderType } from '../contract/order-type.ts'
import type { WorkOrder } from '../contract/work-order.ts'

export type OrderLimits = WorkOrder['limits']

type LimitedType = Pick<
  OrderType,
  | 'is24h'
  | 'workdaysOnly'
  | 'serviceBegin'
  | 'serviceEnd'
  | 'responseMinutes'
  | 'arriveMinutes'
  | 'finishMinutes'
  | 'urgentResponseMinutes'
  | 'urgentArriveMinutes'
  | 'urgentFinishMinutes'
  | 'photoCount'
  | 'needAccept'
  | 'needVisit'
  | 'evaluateDays'
>

/** A complaint is always followed by a return visit (WO-14). */
export const needsVisit = (type: Pick<LimitedType, 'needVisit'>, category: ChoiceOf<typeof orderCategory>) =>
  type.needVisit || category === 'complaint'

/** What an order of this type and level must keep to: written down when it is registered. */
export function limitsOf(
  type: LimitedType,
  category: ChoiceOf<typeof orderCategory>,
  level: ChoiceOf<typeof orderLevel>,
): OrderLimits {
  const isUrgent = level !== 'normal'
  const either = (urgent: number | undefined, usual: number | undefined): number | undefined =>
    isUrgent ? (urgent ?? usual) : usual
  return {
    is24h: type.is24h,
    workdaysOnly: type.workdaysOnly,
    serviceBegin: type.serviceBegin,
    serviceEnd: type.serviceEnd,
    responseMinutes: either(type.urgentResponseMinutes, type.responseMinutes),
    arriveMinutes: either(type.urgentArriveMinutes, type.arriveMinutes),
    finishMinutes: either(type.urgentFinishMinutes, type.finishMinutes),
    photoCount: type.photoCount,
    needAccept: type.needAccept,
    needVisit: needsVisit(type, category),
    evaluateDays: type.evaluateDays,
  }
}
