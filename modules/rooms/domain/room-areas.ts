import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { invalidField } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { compare } from '#kit/domain/decimal.ts'
import { roomAreaKeys, type RoomAreas, type RoomChange } from '../contract/room-change.ts'

/** 计费面积 left empty is 建筑面积 (BASE-7). */
export const withChargeArea = <T extends RoomAreas>(areas: T): T =>
  areas.chargeArea === undefined && areas.buildArea !== undefined
    ? { ...areas, chargeArea: areas.buildArea }
    : areas

export type AreaChange = Pick<RoomChange, 'item' | 'effectiveDate' | 'oldValue' | 'newValue'> & {
  /** Absent while it is only planned: it comes after those of its day that are written. */
  readonly id?: Id
}

const compareByDay = (a: AreaChange, b: AreaChange): number =>
  a.effectiveDate < b.effectiveDate
    ? -1
    : a.effectiveDate > b.effectiveDate
      ? 1
      : (a.id ?? Number.MAX_SAFE_INTEGER) - (b.id ?? Number.MAX_SAFE_INTEGER)

/**
 * One figure on a day: the last change that holds by then; before the first change what was before it;
 * without any what is in the room.
 */
function valueOn(
  changes: readonly AreaChange[],
  item: string,
  now: string | undefined,
  day: Day,
): string | undefined {
  const itemChanges = changes.filter(change => change.item === item).toSorted(compareByDay)
  if (!itemChanges.length) return now
  const inForce = itemChanges.filter(change => change.effectiveDate <= day).at(-1)
  return inForce ? inForce.newValue : defined(itemChanges[0]).oldValue
}

/** What a room is charged by on a day, past or coming (BASE-7). `steps` are its changes, in any order. */
export const areasOn = (now: RoomAreas, changes: readonly AreaChange[], day: Day): RoomAreas =>
  Object.fromEntries(
    roomAreaKeys.flatMap(key => {
      const value = valueOn(changes, key, now[key], day)
      return value === undefined ? [] : [[key, value]]
    }),
  )

export interface AreaSpan {
  readonly from: Day
  readonly areas: RoomAreas
}

/**
 * The same over a closed period, cut where a change begins to hold (PRO-7); the first span starts with the
 * period.
 */
export function areaSpans(
  now: RoomAreas,
  changes: readonly AreaChange[],
  effectiveFrom: Day,
  to: Day,
): AreaSpan[] {
  const cuts = [
    ...new Set([
      effectiveFrom,
      ...changes
        .filter(change => (roomAreaKeys as readonly string[]).includes(change.item))
        .map(change => change.effectiveDate)
        .filter(d => d > effectiveFrom && d <= to),
    ]),
  ].toSorted()
  return cuts.map(d => ({ from: d, areas: areasOn(now, changes, d) }))
}

const isSameArea = (areas: string | undefined, b: string | undefined): boolean =>
  areas === undefined || b === undefined ? areas === b : compare(areas, b) === 0

export interface PlannedAreaChange {
  readonly item: keyof RoomAreas
  readonly oldValue?: string
  readonly newValue?: string
}

/**
 * The changes that a save means from a day on: only figures that it mentions and that differ from what holds
 * on that day. Refuses a day before a change that is already recorded for the same figure: history stays in
 * the order in which it was recorded.
 */
export function planAreaChanges(
  now: RoomAreas,
  changes: readonly AreaChange[],
  requested: Partial<RoomAreas>,
  effectiveFrom: Day,
  nameOf: (item: keyof RoomAreas) => string,
): PlannedAreaChange[] {
  const current = areasOn(now, changes, effectiveFrom)
  return roomAreaKeys
    .filter(key => key in requested && !isSameArea(current[key], requested[key]))
    .map(item => {
      const later = changes
        .filter(change => change.item === item && change.effectiveDate > effectiveFrom)
        .toSorted(compareByDay)[0]
      if (later)
        throw invalidField(
          'EffectiveDate',
          `「${nameOf(item)}」已有 ${later.effectiveDate} 起的变更，生效日期不能早于该日；尚未生效的变更可以先撤销`,
        )
      return {
        item,
        ...(current[item] === undefined ? {} : { oldValue: current[item] }),
        ...(requested[item] === undefined ? {} : { newValue: requested[item] }),
      }
    })
}

/** A charge area that was the build area goes along with it, unless it is given too (BASE-7). */
export const withFollowingChargeArea = (now: RoomAreas, requested: Partial<RoomAreas>): Partial<RoomAreas> =>
  'buildArea' in requested && !('chargeArea' in requested) && isSameArea(now.chargeArea, now.buildArea)
    ? { ...requested, chargeArea: defined(requested.buildArea) }
    : requested
