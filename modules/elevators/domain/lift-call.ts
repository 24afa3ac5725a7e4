import { labelOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { isInWindows, type WeekDayName, type WeekWindow } from '#kit/domain/week-window.ts'
import {
  elevatorState,
  floorSource,
  type BusyLimit,
  type ElevatorState,
  type FloorSource,
} from '../contract/choices.ts'

export interface BusyWindow {
  readonly weekDays?: readonly WeekDayName[] | undefined
  readonly begin: string
  readonly end: string
  readonly limit: BusyLimit
}

export interface LiftSetting {
  readonly state: ElevatorState
  readonly floorList: readonly string[]
  readonly publicFloors?: readonly string[] | undefined
  readonly closedFloors?: readonly string[] | undefined
  readonly busyTimes?: readonly BusyWindow[] | undefined
}

export interface FloorRight {
  readonly source: FloorSource
  readonly place?: string | undefined
  readonly floors: readonly string[]
  readonly fromDate?: Day | undefined
  readonly untilDate?: Day | undefined
  readonly windows?: readonly WeekWindow[] | undefined
}

export type FloorDecision =
  | {
      readonly isAllowed: true
      readonly reason: string
      readonly untilDate?: Day | undefined
      readonly hint?: string | undefined
    }
  | { readonly isAllowed: false; readonly reason: string }

const strictest: readonly BusyLimit[] = ['noCall', 'ownFloor', 'hint']

/** ELV-2: what is limited at a moment; the strictest where busy times meet. */
export const busyLimitAt = (
  busyTimes: readonly BusyWindow[] | undefined,
  at: Moment,
): BusyLimit | undefined =>
  strictest.find(limit => busyTimes?.some(window => window.limit === limit && isInWindows([window], at)))

/** `住处楼层（1栋-1-101）` */
export const floorRightText = ({ source, place }: Pick<FloorRight, 'source' | 'place'>): string =>
  `${labelOf(floorSource, source)}${place === undefined ? '' : `（${place}）`}`

/** Why nobody goes to a floor; nothing where somebody may. */
export function floorFault(lift: LiftSetting, floor: string): string | undefined {
  if (lift.state !== 'running') return `电梯${labelOf(elevatorState, lift.state)}`
  if (!lift.floorList.includes(floor)) return '电梯不停靠此楼层'
  return lift.closedFloors?.includes(floor) ? '楼层已停用' : undefined
}

const isBegun = ({ fromDate }: FloorRight, today: Day): boolean => fromDate === undefined || fromDate <= today
const isOver = ({ untilDate }: FloorRight, today: Day): boolean =>
  untilDate !== undefined && untilDate < today

/** Those of the place, of who lives there and of a guest. */
const ofPlace: readonly FloorSource[] = ['home', 'visit']

const refused = (reason: string): FloorDecision => ({ isAllowed: false, reason })

/** Why none of the rights counts now. */
function refusalOf(rights: readonly FloorRight[], reaching: readonly FloorRight[], today: Day): string {
  if (!rights.length) return '无此电梯的权限'
  if (!reaching.length) return '无此楼层的权限'
  if (reaching.every(right => isOver(right, today))) return '权限已过期'
  return reaching.some(right => isBegun(right, today)) ? '不在可乘梯的时间段' : '权限尚未生效'
}

/**
 * ELV-2: whether somebody with these rights goes to a floor at a moment. All who may use the lift go to its
 * public floors; in a busy time that says so, to those and the own floor alone.
 */
export function judgeLiftCall(
  lift: LiftSetting,
  rights: readonly FloorRight[],
  floor: string,
  at: Moment,
): FloorDecision {
  const today = dayOfMoment(at)
  const fault = floorFault(lift, floor)
  if (fault !== undefined) return refused(fault)
  const isPublic = lift.publicFloors?.includes(floor) ?? false
  const reaching = rights.filter(right => isPublic || right.floors.includes(floor))
  const counting = reaching.filter(
    right => isBegun(right, today) && !isOver(right, today) && isInWindows(right.windows, at),
  )
  if (!counting.length) return refused(refusalOf(rights, reaching, today))
  const limit = busyLimitAt(lift.busyTimes, at)
  if (limit === 'noCall') return refused('繁忙时段，暂停呼梯')
  const right = counting.find(each => limit !== 'ownFloor' || isPublic || ofPlace.includes(each.source))
  if (!right) return refused('繁忙时段，仅可到本层与公共楼层')
  const reason = isPublic && !right.floors.includes(floor) ? '公共楼层' : floorRightText(right)
  return {
    isAllowed: true,
    reason,
    untilDate: right.untilDate,
    ...(limit === 'hint' ? { hint: '繁忙时段，请耐心等候' } : {}),
  }
}
