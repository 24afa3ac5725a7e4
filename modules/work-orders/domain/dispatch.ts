import { addDays, weekday, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, timeOf, type Moment } from '#kit/domain/moment.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { dispatchMode } from '../contract/choices.ts'

/** A configuration as the choice of people reads it; the type and the project fit already. */
export interface ReceiverConfig {
  readonly managerIds: readonly Id[]
  /** None: every place of the project. */
  readonly buildCodes: readonly string[]
  /** 1 Monday to 7 Sunday; none: every day. */
  readonly weekdays: readonly number[]
  readonly shiftBegin?: string | undefined
  readonly shiftEnd?: string | undefined
  readonly maxOpen?: number | undefined
  readonly onlyOnDuty: boolean
}

/** Somebody who may handle orders at the place. */
export interface Receiver {
  readonly managerId: Id
  readonly name: string
  readonly openCount: number
  readonly isPaused: boolean
  /** What the attendance says, where it says anything. */
  readonly isPresent?: boolean | undefined
  /** Grows with every order that somebody is given; 0 before the first. */
  readonly lastTurn: number
}

export interface RankedReceiver extends Receiver {
  readonly isConfigured: boolean
  readonly isOnDuty: boolean
  readonly maxOpen?: number | undefined
  /** A configuration names the building of the order. */
  readonly isAreaOwner: boolean
  /** Why this person may not be given it by the rules of the configuration. */
  readonly refusal?: string | undefined
}

/**
 * Whether the shift of a configuration covers a moment; one over midnight belongs to the day it begins on.
 */
export function isInShift(
  { weekdays, shiftBegin, shiftEnd }: Pick<ReceiverConfig, 'weekdays' | 'shiftBegin' | 'shiftEnd'>,
  now: Moment,
): boolean {
  const worksOn = (day: Day): boolean => !weekdays.length || weekdays.includes(weekday(day))
  const today = dayOfMoment(now)
  if (!shiftBegin || !shiftEnd) return worksOn(today)
  const time = timeOf(now).slice(0, 5)
  if (shiftEnd > shiftBegin) return worksOn(today) && time >= shiftBegin && time < shiftEnd
  return (worksOn(today) && time >= shiftBegin) || (worksOn(addDays(today, -1)) && time < shiftEnd)
}

const coversPlace = (config: ReceiverConfig, buildCode: string | undefined): boolean =>
  !config.buildCodes.length || (buildCode !== undefined && config.buildCodes.includes(buildCode))

/** The largest of the limits that apply to somebody; one without a limit lifts them. */
const limitOf = (configs: readonly ReceiverConfig[]): number | undefined => {
  const limits = configs.map(config => config.maxOpen)
  return limits.length && limits.every(limit => limit !== undefined) ? Math.max(...limits) : undefined
}

function refusalOf(person: Receiver, own: readonly ReceiverConfig[], now: Moment): string | undefined {
  if (person.isPaused) return '已暂停接单'
  if (!own.length) return undefined
  const usable = own.filter(config => !config.onlyOnDuty || isOnDuty(person, config, now))
  if (!usable.length) return '当前不在岗'
  const limit = limitOf(usable)
  if (limit !== undefined && person.openCount >= limit)
    return `在办 ${person.openCount} 单，已达上限 ${limit} 单`
  return undefined
}

const isOnDuty = (person: Receiver, config: ReceiverConfig, now: Moment): boolean =>
  !person.isPaused && person.isPresent !== false && isInShift(config, now)

/**
 * WO-13: who may be given an order at a place. Where configurations cover the place, only those whom they
 * name; without any, everybody with the right. The first are those who may, in the order of their
 * suitability.
 */
export function rankReceivers(
  people: readonly Receiver[],
  configs: readonly ReceiverConfig[],
  buildCode: string | undefined,
  now: Moment,
): RankedReceiver[] {
  const configsOfPlace = configs.filter(config => coversPlace(config, buildCode))
  const named = new Set(configsOfPlace.flatMap(config => config.managerIds))
  const rank = (person: Receiver): RankedReceiver => {
    const own = configsOfPlace.filter(config => config.managerIds.includes(person.managerId))
    const isOutside = named.size > 0 && !own.length
    return {
      ...person,
      isConfigured: own.length > 0,
      isOnDuty: own.length
        ? own.some(config => isOnDuty(person, config, now))
        : !person.isPaused && person.isPresent !== false,
      maxOpen: limitOf(own),
      isAreaOwner: own.some(config => config.buildCodes.length > 0),
      refusal: isOutside ? '不在接单人配置内' : refusalOf(person, own, now),
    }
  }
  return people
    .map(rank)
    .toSorted(
      (a, b) => Number(a.refusal !== undefined) - Number(b.refusal !== undefined) || byFewestOpen(a, b),
    )
}

type Order = (a: RankedReceiver, b: RankedReceiver) => number

/** Longest without a new order first; the id breaks ties, so that two servers choose alike. */
const byTurn: Order = (a, b) => a.lastTurn - b.lastTurn || a.managerId - b.managerId

const byFewestOpen: Order = (a, b) => a.openCount - b.openCount || byTurn(a, b)

const byArea: Order = (a, b) => Number(b.isAreaOwner) - Number(a.isAreaOwner) || byFewestOpen(a, b)

const orderByMode: { readonly [M in ChoiceOf<typeof dispatchMode>]?: Order } = {
  turn: byTurn,
  areaOwner: byArea,
  fewestOpen: byFewestOpen,
}

/** Whom the mode of the type chooses; nobody by hand, when orders are grabbed, or when nobody may. */
export function chooseReceiver(
  mode: ChoiceOf<typeof dispatchMode>,
  ranked: readonly RankedReceiver[],
): RankedReceiver | undefined {
  const order = orderByMode[mode]
  const usable = ranked.filter(person => person.refusal === undefined)
  const eligible = mode === 'areaOwner' ? usable.filter(person => person.isAreaOwner) : usable
  return order && eligible.toSorted(order)[0]
}
