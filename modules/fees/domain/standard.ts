import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { FreedPeriod } from './gaps.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Period } from '#kit/domain/period.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { areaKind, feeType, formulaType, quantityKind, relationState } from '../contract/choices.ts'
import type { DueRule, SourceDates, Timing, chargingStart } from './charging.ts'
import type { Cycle } from './cycle.ts'
import { FormulaError } from './formula/errors.ts'
import { compileFormula, type Formula } from './formula/formula.ts'
import { variables } from './formula/variables.ts'
import type { Factor, ProrateMode } from './prorate.ts'
import type { Rounding } from './rounding.ts'
import type { PriceVersion } from './version.ts'

export type FormulaType = ChoiceOf<typeof formulaType>

/** A fee standard with what its item decides: plain values, no rows. */
export interface Standard {
  readonly id: Id
  readonly feeType: ChoiceOf<typeof feeType>
  /** The item allows several bills of one period on one object (FEE-7, GEN-2). */
  readonly allowMulti: boolean
  readonly formulaType: FormulaType
  /** For type 60. */
  readonly expression?: string | undefined
  readonly parameters?: readonly string[] | undefined
  readonly areaKind?: ChoiceOf<typeof areaKind> | undefined
  readonly quantityKind?: ChoiceOf<typeof quantityKind> | undefined
  /** What one unit of usage is called: 吨, 度. */
  readonly usageUnit?: string | undefined
  readonly cycle: Cycle
  readonly timing: Timing
  readonly startRule: Parameters<typeof chargingStart>[0]
  readonly mode: ProrateMode
  readonly due: DueRule
  readonly rounding: Rounding
  /** For a whole line (FEE-2). */
  readonly min?: Fen | undefined
  readonly max?: Fen | undefined
  /** No charging after it (CYC-3). */
  readonly end?: Day | undefined
  /** By `from`, rising. */
  readonly versions: readonly PriceVersion[]
  /** MTR-14: bounds of monthly tiers grow with periods that are no month; absent means yes. */
  readonly tiersStretch?: boolean | undefined
}

/** Facts of an object from a day on; the first ones also hold before their day (BASE-7). */
export interface SourceFacts {
  readonly from: Day
  readonly buildArea?: Decimal | undefined
  readonly innerArea?: Decimal | undefined
  /** Absent: the build area (BASE-7). */
  readonly chargeArea?: Decimal | undefined
  readonly floor?: number | undefined
  readonly people?: number | undefined
  readonly cars?: number | undefined
  readonly unitArea?: Decimal | undefined
  readonly buildingArea?: Decimal | undefined
  readonly projectArea?: Decimal | undefined
  readonly households?: number | undefined
  /** 系数 where neither relation nor standard has one. */
  readonly ratio?: Decimal | undefined
  readonly attributes?: Readonly<Record<string, Decimal>> | undefined
}

/** LEA-3: monthly rent from a day on, raised every so many months by a rate or an amount. Yuan. */
export interface Rent {
  readonly from: Day
  readonly rent: Decimal
  readonly every?: number | undefined
  readonly rate?: Decimal | undefined
  readonly step?: Decimal | undefined
}

export interface Source {
  readonly enabled: boolean
  readonly dates: SourceDates
  /** By `from`, rising; at least one. */
  readonly facts: readonly SourceFacts[]
  readonly payers: readonly { readonly from: Day; readonly payer: number | undefined }[]
  readonly rent?: Rent | undefined
}

export interface Relation {
  readonly id: Id
  readonly state: ChoiceOf<typeof relationState>
  readonly begin?: Day | undefined
  readonly end?: Day | undefined
  readonly billedTo?: Day | undefined
  readonly price?: Decimal | undefined
  readonly ratio?: Decimal | undefined
  readonly quantity?: Decimal | undefined
  readonly free?: readonly Period[] | undefined
  /** Days of abolished and deleted bills, oldest first, no two the same (GEN-3). */
  readonly freed?: readonly FreedPeriod[] | undefined
  /** What the former system charged (CYC-4). */
  readonly floor?: Day | undefined
  /** Pays instead of the object's payer. */
  readonly payer?: number | undefined
  /** Excluded from this run by the user. */
  readonly excluded?: boolean | undefined
}

/**
 * A meter reading that waits for its bill (MTR-9); `last` absent: no base (MTR-4). Usage includes multiplier
 * and loss.
 */
export interface Reading {
  readonly id: Id
  /** The version of the reading that was read. */
  readonly version?: number | undefined
  readonly begin: Day
  readonly end: Day
  readonly last?: Decimal | undefined
  readonly current: Decimal
  readonly multiplier: Decimal
  readonly usage?: Decimal | undefined
  /** Usage of the tier year before this reading. */
  readonly usedBefore?: Decimal | undefined
  /** Flagged and not yet confirmed (MTR-8). */
  readonly doubtful?: boolean | undefined
  /** What made the usage besides the two numbers, so that a resident can check it. */
  readonly beside?: UsageBreakdown | undefined
  /** Usage and price by register; a price of 0 means the standard's (MTR-15). */
  readonly registers?: readonly Register[] | undefined
}

/**
 * `top`: the counter went through it (MTR-3). `replaced`: what the meter before counted (MTR-11). `credit`:
 * what an estimate had too much (MTR-13).
 */
export interface UsageBreakdown {
  readonly top?: Decimal | undefined
  readonly replaced?: Decimal | undefined
  readonly loss?: Decimal | undefined
  readonly credit?: Decimal | undefined
}

export interface Register {
  readonly name: string
  readonly last: Decimal
  readonly current: Decimal
  readonly usage: Decimal
  readonly price: Decimal
}

/**
 * Months of a part: prorated, and with every started month as a whole one, which an extra counts that is not
 * prorated (FEE-24).
 */
export interface MonthCount {
  readonly span: Period
  readonly days: number
  readonly of: number
  readonly factor: Factor
  readonly startedMonths: Factor
}

/** Names that formulas of built-in types use besides the common variables. */
export const builtInVariables = ['金额', '数量', '租金', '已用量'] as const
const areaVariables = { build: '建筑面积', inner: '套内面积', charge: '计费面积' } as const

const builtInExpressions: Readonly<Partial<Record<FormulaType, (s: Standard) => string>>> = {
  area: s => `${areaVariables[s.areaKind ?? 'charge']} × 单价`,
  fixed: () => '金额',
  quantity: () => '数量 × 单价',
  usage: () => '用量 × 单价',
  rent: () => '租金',
  risingRent: () => '租金',
  custom: s => s.expression ?? '',
}

/** A standard compiled for a run. The maps only cache results. */
export interface PreparedStandard {
  readonly standard: Standard
  /**
   * The formula per month (per reading when metered); nothing for tiers, shares, imported and per-use
   * amounts.
   */
  readonly formula?: Formula
  /** The same with 系数, for relations that carry one. */
  readonly withRatio?: Formula
  /** Why the formula cannot be used: every relation is skipped with it. */
  readonly fault?: string
  /** Bills readings instead of time; never prorated (PRO-5). */
  readonly metered: boolean
  /** The formula counts months or days itself (月数, 天数). */
  readonly timed: boolean
  /** The formula uses 当月天数: computed month by month. */
  readonly byMonth: boolean
  readonly formulas: Map<string, Formula>
  readonly factors: Map<string, MonthCount>
}

/** Compiles once for a run of any size. */
export function prepareStandard(standard: Standard): PreparedStandard {
  const text = builtInExpressions[standard.formulaType]?.(standard)
  const rest = { standard, formulas: new Map<string, Formula>(), factors: new Map() }
  const custom = standard.formulaType === 'custom'
  try {
    const made =
      text === undefined ? undefined : compileFormula(text, custom ? standard.parameters : builtInVariables)
    const uses = (origin: string): boolean =>
      made?.variables.some(n => variables.some(v => v.name === n && v.origin === origin)) ?? false
    return {
      ...rest,
      ...(made ? { formula: made } : {}),
      ...(made && !custom ? { withRatio: compileFormula(`${text} × 系数`, builtInVariables) } : {}),
      metered: standard.formulaType === 'tiers' || uses('meter'),
      timed: custom && defined(made).variables.some(n => n === '月数' || n === '天数'),
      byMonth: custom && defined(made).variables.includes('当月天数'),
    }
  } catch (e) {
    if (!(e instanceof FormulaError)) throw e
    return {
      ...rest,
      fault: e.message,
      metered: standard.formulaType === 'usage' || standard.formulaType === 'tiers',
      timed: false,
      byMonth: false,
    }
  }
}

/** The variables of a formula that neither object, meter nor period provide (FEE-22). */
export const listRequiredParameters = (prepared: PreparedStandard): string[] =>
  (prepared.formula?.variables ?? []).filter(
    n =>
      n === '金额' ||
      variables.find(v => v.name === n)?.origin === 'standard' ||
      (prepared.standard.parameters ?? []).includes(n),
  )
