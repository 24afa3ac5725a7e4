import { defined } from '#kit/domain/defined.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { compare } from '#kit/domain/decimal.ts'
import { roomAreaKeys, type RoomAreas, type RoomChange } from '../contract/room-change.ts'

/** 计费面积 left empty is 建筑面积 (BASE-7). */
export const withChargeArea = <T extends RoomAreas>(a: T): T =>
  a.chargeArea === undefined && a.buildArea !== undefined ? { ...a, chargeArea: a.buildArea } : a

export type AreaChange = Pick<RoomChange, 'item' | 'effectiveDate' | 'oldValue' | 'newValue'> & {
  readonly id?: number
}

const compareByDay = (a: AreaChange, b: AreaChange): number =>
  a.effectiveDate < b.effectiveDate ? -1 : a.effectiveDate > b.effectiveDate ? 1 : (a.id ?? 0) - (b.id ?? 0)

/**
 * One figure on a day: the last change that holds by then; before the first change what was before it;
 * without any what stands in the room.
 */
function valueOn(
  steps: readonly AreaChange[],
  item: string,
  now: string | undefined,
  day: Day,
): string | undefined {
  const own = steps.filter(s => s.item === item).toSorted(compareByDay)
  if (!own.length) return now
  const held = own.filter(s => s.effectiveDate <= day).at(-1)
  return held ? held.newValue : defined(own[0]).oldValue
}

/** What a room is charged by on a day, past or coming (BASE-7). `steps` are its changes, in any order. */
export const areasOn = (now: RoomAreas, steps: readonly AreaChange[], day: Day): RoomAreas =>
  Object.fromEntries(
    roomAreaKeys.flatMap(k => {
      const v = valueOn(steps, k, now[k], day)
      return v === undefined ? [] : [[k, v]]
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
export function areaSpans(now: RoomAreas, steps: readonly AreaChange[], from: Day, to: Day): AreaSpan[] {
  const cuts = [
    ...new Set([
      from,
      ...steps
        .filter(s => (roomAreaKeys as readonly string[]).includes(s.item))
        .map(s => s.effectiveDate)
        .filter(d => d > from && d <= to),
    ]),
  ].toSorted()
  return cuts.map(d => ({ from: d, areas: areasOn(now, steps, d) }))
}

const isSameArea = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined ? a === b : compare(a, b) === 0

export interface PlannedAreaChange {
  readonly item: keyof RoomAreas
  readonly oldValue?: string
  readonly newValue?: string
}

/**
 * The changes that a save means from a day on: only figures that it mentions and that differ from what holds
 * on that day. Refuses a day before a change that is already said for the same figure: history stays in the
 * order in which it was said.
 */
export function planAreaChanges(
  now: RoomAreas,
  steps: readonly AreaChange[],
  said: Partial<RoomAreas>,
  from: Day,
  nameOf: (item: keyof RoomAreas) => string,
): PlannedAreaChange[] {
  const then = areasOn(now, steps, from)
  return roomAreaKeys
    .filter(k => k in said && !isSameArea(then[k], said[k]))
    .map(item => {
      const later = steps.filter(s => s.item === item && s.effectiveDate > from).toSorted(compareByDay)[0]
      if (later)
        throw invalidInput([
          {
            Field: 'EffectiveDate',
            Message: `「${nameOf(item)}」已有 ${later.effectiveDate} 起的变更，生效日期不能早于它；尚未生效的变更可以先撤销`,
          },
        ])
      return {
        item,
        ...(then[item] === undefined ? {} : { oldValue: then[item] }),
        ...(said[item] === undefined ? {} : { newValue: said[item] }),
      }
    })
}

/** A charge area that was the build area goes along with it, unless it is said itself (BASE-7). */
export const withFollowingChargeArea = (now: RoomAreas, said: Partial<RoomAreas>): Partial<RoomAreas> =>
  'buildArea' in said && !('chargeArea' in said) && isSameArea(now.chargeArea, now.buildArea)
    ? { ...said, chargeArea: defined(said.buildArea) }
    : said
