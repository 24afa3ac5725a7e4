import { labelOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { carState, type CarKind, type CarState } from '#modules/parking/contract/car-labels.ts'
import type { MonthOrderState } from '../contract/choices.ts'

/** What the bills of an order say; none is there any more, or all of them are paid, or one is owed. */
export interface BillFacts {
  readonly count: number
  readonly isPaid: boolean
}

/** An order follows its bills: once paid, an order whose bills are gone was refunded. */
export function stateOfBills({ count, isPaid }: BillFacts, before: MonthOrderState): MonthOrderState {
  if (count === 0) return before === 'pending' || before === 'cancelled' ? 'cancelled' : 'refunded'
  return isPaid ? 'paid' : 'pending'
}

/** Kinds of cars that months are sold to: the others pay each time, or come for a visit. */
const renewableKinds: ReadonlySet<CarKind> = new Set(['month', 'fixed', 'inner', 'vip'])

const stateRefusals: Readonly<Partial<Record<CarState, string>>> = {
  pending: '请先审核车辆',
  suspended: '请先恢复车辆',
  blocked: '请先移出黑名单',
  cancelled: '请重新登记车辆',
}

interface RenewedCar {
  readonly plateNo: string
  readonly carKind: CarKind
  readonly carState: CarState
  readonly endDate?: Day | undefined
  readonly feeStandardId?: number | undefined
}

/** Why a car cannot be renewed; nothing when it can. */
export function renewalRefusal(row: RenewedCar): string | undefined {
  const advice = stateRefusals[row.carState]
  if (advice) return `车辆「${row.plateNo}」为“${labelOf(carState, row.carState)}”，${advice}`
  if (!renewableKinds.has(row.carKind)) return `车辆「${row.plateNo}」的类别不办月卡，请先修改车辆类别`
  if (!row.endDate) return `车辆「${row.plateNo}」长期有效，无需续费`
  return row.feeStandardId ? undefined : `车辆「${row.plateNo}」未选月租标准，请先编辑车辆`
}
