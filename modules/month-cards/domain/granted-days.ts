import { addDays, daysBetween, earliest, type Day } from '#kit/domain/day.ts'

/** The days of a car. */
export interface CarDays {
  readonly beginDate?: Day | undefined
  readonly endDate?: Day | undefined
}

/** What an order gives a car, and what the car had before. */
export interface OrderDays {
  readonly oldBegin?: Day | undefined
  readonly oldEnd?: Day | undefined
  readonly newBegin: Day
  readonly newEnd: Day
}

/**
 * The days of an order as they are given when it is paid: those that were ordered, or as many after the days
 * that the car has got in between.
 */
export function daysToGrant(current: CarDays, order: OrderDays): OrderDays {
  const { newBegin, newEnd } = order
  const { beginDate: oldBegin, endDate: oldEnd } = current
  if (oldEnd === undefined || oldEnd < newBegin) return { oldBegin, oldEnd, newBegin, newEnd }
  const begin = addDays(oldEnd, 1)
  return { oldBegin, oldEnd, newBegin: begin, newEnd: addDays(begin, daysBetween(newBegin, newEnd)) }
}

/** A right without a gap goes on; after one it begins again. */
export const grantDays = ({ oldBegin, oldEnd, newBegin, newEnd }: OrderDays): CarDays => {
  const goesOn = oldEnd !== undefined && addDays(oldEnd, 1) === newBegin
  return { beginDate: goesOn ? oldBegin : newBegin, endDate: newEnd }
}

/**
 * Takes the days of an order from `from` on away again: days that were bought after it move up; what was cut
 * off in between stays cut off.
 */
export function takeBackDays(current: CarDays, order: OrderDays, from: Day): CarDays {
  const { beginDate, endDate } = current
  if (endDate === undefined || endDate < from) return current
  if (endDate > order.newEnd) {
    return { beginDate, endDate: addDays(endDate, -(daysBetween(from, order.newEnd) + 1)) }
  }
  if (from > order.newBegin) return { beginDate, endDate: addDays(from, -1) }
  return {
    beginDate: order.oldBegin,
    endDate: earliest(endDate, order.oldEnd ?? addDays(order.newBegin, -1)),
  }
}

/** The dates of an order whose days a car has: when a refund of them begins and until when they last, too. */
export interface GrantedOrder extends OrderDays {
  readonly grantedEnd?: Day | undefined
  readonly refundFrom?: Day | undefined
}

/**
 * The dates of an order after days of an earlier one, from `from` on, have gone back: as many days sooner.
 * The one that followed it directly follows what came before it, once nothing of it is left.
 */
export function moveUp(later: GrantedOrder, earlier: OrderDays, from: Day): GrantedOrder {
  const count = daysBetween(from, earlier.newEnd) + 1
  const sooner = (date: Day | undefined) => (date === undefined ? undefined : addDays(date, -count))
  const isReplaced = from <= earlier.newBegin && later.oldEnd === earlier.newEnd
  return {
    oldBegin: isReplaced ? earlier.oldBegin : later.oldBegin,
    oldEnd: isReplaced ? earlier.oldEnd : sooner(later.oldEnd),
    newBegin: addDays(later.newBegin, -count),
    newEnd: addDays(later.newEnd, -count),
    grantedEnd: sooner(later.grantedEnd),
    refundFrom: sooner(later.refundFrom),
  }
}
