import { addDays, type Day } from '#kit/domain/day.ts'
import { compare, type Decimal } from '#kit/domain/decimal.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import type { Month } from '#kit/domain/month.ts'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { readingState } from '../contract/choices.ts'

export type ReadingState = ChoiceOf<typeof readingState>

/** MTR-9: billing links a reading to its bill; abolishing the bill releases it. */
export const readingStates = defineStateMachine<ReadingState>(
  { open: ['billed', 'abolished'], billed: ['open'], abolished: [] },
  { state: s => labelOf(readingState, s) },
)

/** A stored reading by its id, one that is not written yet by a number below zero. */
export type ReadingKey = number

/** A live reading of one meter. */
export interface ReadingRow {
  readonly id: ReadingKey
  readonly month: Month
  readonly day: Day
  readonly last?: Decimal | undefined
  readonly lastDay?: Day | undefined
  readonly current: Decimal
  readonly rollover: boolean
  readonly estimate: boolean
  readonly state: ReadingState
  /** The bill's number, for messages. */
  readonly bill?: string | undefined
}

export interface MeterBase {
  readonly initial?: Decimal | undefined
  readonly installed?: Day | undefined
}

export interface ReadingInput {
  readonly id?: ReadingKey
  readonly month: Month
  readonly day: Day
  readonly current: Decimal
  readonly rollover: boolean
  readonly estimate?: boolean
}

/** Where a reading goes: what it counts from, and the next reading that now counts from it. */
export type Placement =
  | { readonly kind: 'same'; readonly id: ReadingKey }
  | {
      readonly kind: 'placed'
      readonly last?: Decimal
      readonly lastDay?: Day
      readonly afterEstimate: boolean
      readonly next?: { readonly id: ReadingKey; readonly last: Decimal; readonly lastDay: Day }
    }
  | { readonly kind: 'refused'; readonly why: string; readonly field: 'curNum' | 'readDate' | 'month' }

const listLiveRows = (rows: readonly ReadingRow[]): ReadingRow[] =>
  rows.filter(r => r.state !== 'abolished').toSorted((a, b) => (a.day < b.day ? -1 : 1))

const refusePlacement = (why: string, field: 'curNum' | 'readDate' | 'month' = 'curNum'): Placement => ({
  kind: 'refused',
  why,
  field,
})

/**
 * Places a new or changed reading among the valid ones (MTR-5 to MTR-7): the same day and value is the
 * existing reading; one a month in monthly plans; last ≤ current ≤ next; nothing before a billed reading
 * changes. Without a base `last` is absent (MTR-4).
 */
export function placeReading(
  rows: readonly ReadingRow[],
  meter: MeterBase,
  input: ReadingInput,
  { monthly }: { readonly monthly: boolean },
): Placement {
  const liveRows = listLiveRows(rows)
  const existing = input.id === undefined ? undefined : liveRows.find(r => r.id === input.id)
  if (existing?.state === 'billed')
    return refusePlacement(
      `该读数已出账${existing.bill ? `（账单 ${existing.bill}）` : ''}，请先作废账单再修改`,
    )
  const others = liveRows.filter(r => r.id !== input.id)
  const sameDay = others.find(r => r.day === input.day)
  if (sameDay)
    return input.id === undefined && compare(sameDay.current, input.current) === 0
      ? { kind: 'same', id: sameDay.id }
      : refusePlacement(`${input.day} 已有读数 ${sameDay.current}，同一天只能有一次读数`, 'readDate')
  if (monthly) {
    const sameMonth = others.find(r => r.month === input.month)
    if (sameMonth)
      return refusePlacement(
        `${input.month} 已有 ${sameMonth.day} 的读数 ${sameMonth.current}，每月只能抄一次，请修改原读数`,
        'month',
      )
  }
  if (meter.installed !== undefined && input.day < meter.installed)
    return refusePlacement(`抄表日期不能早于安装日期 ${meter.installed}`, 'readDate')
  const before = others.filter(r => r.day < input.day).at(-1)
  const next = others.find(r => r.day > input.day)
  // A changed reading moved past its neighbours would leave the gap it came from to be counted twice.
  if (existing && others.filter(r => r.day < existing.day).at(-1)?.id !== before?.id)
    return refusePlacement('修改后的日期越过了前后读数，请删除后重新录入', 'readDate')
  if (next?.state === 'billed')
    return refusePlacement(
      `后一次读数（${next.day}）已出账${next.bill ? `（账单 ${next.bill}）` : ''}，不能在它之前插入或修改读数；请先作废该账单`,
    )
  const last = before?.current ?? meter.initial
  if (last !== undefined && compare(input.current, last) < 0 && !input.rollover && !before?.estimate)
    return refusePlacement('本期读数小于上期读数，如为翻表请勾选')
  if (next && compare(input.current, next.current) > 0 && !next.rollover && !input.estimate)
    return refusePlacement(`本期读数大于后一次读数 ${next.current}（${next.day}），请核对`)
  const lastDay = before?.day ?? meter.installed
  return {
    kind: 'placed',
    afterEstimate: before?.estimate ?? false,
    ...(last === undefined ? {} : { last }),
    ...(lastDay === undefined ? {} : { lastDay }),
    ...(next ? { next: { id: next.id, last: input.current, lastDay: input.day } } : {}),
  }
}

/** A removed reading: what the next one then counts from, or why it must stay (MTR-7, MTR-9). */
export function planRemoval(
  rows: readonly ReadingRow[],
  meter: MeterBase,
  id: ReadingKey,
): { readonly next?: { readonly id: ReadingKey; readonly last?: Decimal; readonly lastDay?: Day } } | string {
  const liveRows = listLiveRows(rows)
  const index = liveRows.findIndex(r => r.id === id)
  const reading = liveRows[index]
  if (!reading) return '读数不存在或已作废'
  const billNote = (r: ReadingRow): string => (r.bill ? `（账单 ${r.bill}）` : '')
  if (reading.state === 'billed') return `读数已出账${billNote(reading)}，不能删除；请先作废账单`
  const next = liveRows[index + 1]
  const before = liveRows[index - 1]
  const last = before?.current ?? meter.initial
  const lastDay = before?.day ?? meter.installed
  if (next?.state === 'billed')
    return `后一次读数（${next.day}）已出账${billNote(next)}，不能删除；请先作废该账单`
  return next
    ? {
        next: {
          id: next.id,
          ...(last === undefined ? {} : { last }),
          ...(lastDay === undefined ? {} : { lastDay }),
        },
      }
    : {}
}

/**
 * MTR-10: which readings clearing a month removes, and how many stay because they, or the reading after them,
 * are billed.
 */
export function planMonthClear(
  rows: readonly ReadingRow[],
  month: Month,
): { readonly remove: readonly ReadingKey[]; readonly kept: number } {
  const liveRows = listLiveRows(rows)
  const ofMonth = liveRows.filter(r => r.month === month)
  const remove = ofMonth
    .filter(r => r.state === 'open' && liveRows[liveRows.indexOf(r) + 1]?.state !== 'billed')
    .map(r => r.id)
  return { remove, kept: ofMonth.length - remove.length }
}

/** MTR-12: the newest live reading, or the initial one; with `month`, the newest before it. */
export const findLastEndNumber = (
  rows: readonly ReadingRow[],
  meter: MeterBase,
  month?: Month,
): Decimal | undefined =>
  listLiveRows(rows)
    .filter(r => month === undefined || r.month < month)
    .at(-1)?.current ?? meter.initial

/**
 * The days that a reading bills: from the day after the reading before, both ends included (G-5); a first
 * reading bills only its own day.
 */
export const periodOf = (
  readingRow: Pick<ReadingRow, 'day' | 'lastDay'>,
): { readonly begin: Day; readonly end: Day } => ({
  begin:
    readingRow.lastDay === undefined || readingRow.lastDay >= readingRow.day
      ? readingRow.day
      : addDays(readingRow.lastDay, 1),
  end: readingRow.day,
})

/** MTR-11: why a meter cannot be replaced so; nothing when it can. `last`: its newest reading. */
export function replaceRefusal(
  last: { readonly day?: Day | undefined; readonly current?: Decimal | undefined },
  oldEnd: Decimal,
  newInitial: Decimal,
  newMultiplier: Decimal,
  on: Day,
): string | undefined {
  if (last.day !== undefined && on < last.day) return `换表日期不能早于最近一次抄表 ${last.day}`
  if (last.current !== undefined && compare(oldEnd, last.current) < 0)
    return `旧表止数不能小于最近一次读数 ${last.current}`
  if (compare(newInitial, '0') < 0) return '新表起数不能为负'
  return compare(newMultiplier, '0') > 0 ? undefined : '新表倍率应大于零'
}
