import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Statement, Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { MonthRight } from '#modules/parking/contract/month-right.ts'
import { findMonthRight } from '#modules/parking/server/public.ts'
import { loadDayKinds } from '#modules/system/server/public.ts'
import { groupIdOf } from '../domain/entry-decision.ts'
import { exitWarnings } from '../domain/exit-decision.ts'
import { findFeeRules } from './fee-rules.ts'
import type { StayRow } from './passage/lane-facts.ts'
import { completeStay, type Passage } from './passage/write-passage.ts'
import { dueOfStay, type PricedStay, type StayDue } from './passage/stay-fee.ts'

type CompletedStay = PricedStay & { readonly projectCode: string }

/**
 * What a stay owes of which both ends are known once the car is out: by the rules and the right at its
 * times, as if it had been seen in order. Coupons are the driver's to use, and the driver has left.
 */
export async function owedOfCompleted(
  tx: Tx,
  scope: Scope,
  stay: CompletedStay,
  outTime: Moment,
): Promise<StayDue> {
  const { projectCode, parkId, plateNo } = stay
  const [rights, rules, kindOfDay] = await Promise.all([
    findMonthRight(tx, scope.ownerId, projectCode, parkId, [plateNo], outTime),
    findFeeRules(tx, scope, [parkId]),
    loadDayKinds(tx, scope.ownerId),
  ])
  const isHoliday = (day: Day): boolean => kindOfDay(day) === 'rest'
  return dueOfStay(stay, defined(rights.get(plateNo)), outTime, { rules, isHoliday })
}

/** What is left open by a car that is out, in words. */
export const openTextOf = ({ due, lacksRule }: StayDue): string | undefined =>
  exitWarnings(due, !lacksRule).join('；') || undefined

interface Completed {
  readonly statement: Statement
  readonly openText: string | undefined
}

/** The entry of a car that has left, reported late. */
export async function completeLeft(
  tx: Tx,
  scope: Scope,
  left: StayRow,
  passage: Passage,
  right: MonthRight,
): Promise<Completed> {
  const { carKind, at } = passage
  const outTime = defined(left.outTime)
  const owed = await owedOfCompleted(tx, scope, { ...left, carKind, inTime: at }, outTime)
  const openText = openTextOf(owed)
  const statement = completeStay(scope, passage, {
    stayId: left.id,
    outTime,
    groupId: groupIdOf(right),
    shouldPay: owed.shouldPay,
    isUnpaid: owed.due > 0,
    openText,
  })
  return { statement, openText }
}
