import { wrong } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { compare } from '#kit/domain/decimal.ts'
import { areaKeys, type Areas, type RoomChange } from '../contract/change.ts'

/** 计费面积 left empty is 建筑面积 (BASE-7). */
export const withChargeArea = <T extends Areas>(a: T): T =>
  a.chargeArea === undefined && a.buildArea !== undefined ? { ...a, chargeArea: a.buildArea } : a

export type AreaStep = Pick<RoomChange, 'item' | 'effectiveDate' | 'oldValue' | 'newValue'> & {
  readonly id?: number
}

const byDay = (a: AreaStep, b: AreaStep): number =>
  a.effectiveDate < b.effectiveDate ? -1 : a.effectiveDate > b.effectiveDate ? 1 : (a.id ?? 0) - (b.id ?? 0)

/**
 * One figure on a day: the last change that holds by then; before the first change what was before it;
 * without any what stands in the room.
 */
function figureOn(
  steps: readonly AreaStep[],
  item: string,
  now: string | undefined,
  day: Day,
): string | undefined {
  const own = steps.filter(s => s.item === item).sort(byDay)
  if (!own.length) return now
  const held = own.filter(s => s.effectiveDate <= day).at(-1)
  return held ? held.newValue : own[0]!.oldValue
}

/** What a room is charged by on a day, past or coming (BASE-7). `steps` are its changes, in any order. */
export const areasOn = (now: Areas, steps: readonly AreaStep[], day: Day): Areas =>
  Object.fromEntries(
    areaKeys.flatMap(k => {
      const v = figureOn(steps, k, now[k], day)
      return v === undefined ? [] : [[k, v]]
    }),
  )

export interface AreaSpan {
  readonly from: Day
  readonly areas: Areas
}

/**
 * The same over a closed period, cut where a change begins to hold (PRO-7); the first span starts with the
 * period.
 */
export function areaSpans(now: Areas, steps: readonly AreaStep[], from: Day, to: Day): AreaSpan[] {
  const cuts = [
    ...new Set([
      from,
      ...steps
        .filter(s => (areaKeys as readonly string[]).includes(s.item))
        .map(s => s.effectiveDate)
        .filter(d => d > from && d <= to),
    ]),
  ].sort()
  return cuts.map(d => ({ from: d, areas: areasOn(now, steps, d) }))
}

const same = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined ? a === b : compare(a, b) === 0

export interface PlannedChange {
  readonly item: keyof Areas
  readonly oldValue?: string
  readonly newValue?: string
}

/**
 * The changes that a save means from a day on: only figures that it mentions and that differ from what holds
 * on that day. Refuses a day before a change that is already said for the same figure: history stays in the
 * order in which it was said.
 */
export function planAreas(
  now: Areas,
  steps: readonly AreaStep[],
  said: Partial<Areas>,
  from: Day,
  nameOf: (item: keyof Areas) => string,
): PlannedChange[] {
  const then = areasOn(now, steps, from)
  return areaKeys
    .filter(k => k in said && !same(then[k], said[k]))
    .map(item => {
      const later = steps.filter(s => s.item === item && s.effectiveDate > from).sort(byDay)[0]
      if (later)
        throw wrong([
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
export const followed = (now: Areas, said: Partial<Areas>): Partial<Areas> =>
  'buildArea' in said && !('chargeArea' in said) && same(now.chargeArea, now.buildArea)
    ? { ...said, chargeArea: said.buildArea! }
    : said
