import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Period } from '#kit/domain/period.ts'
import { FormulaError, CalculationError } from './formula/errors.ts'
import { requireInRange, compileFormula, type Formula } from './formula/formula.ts'
import { zero, parseFraction, add, multiply, formatFraction, type Fraction } from './fraction.ts'
import type { Factor } from './prorate.ts'
import { roundLine } from './rounding.ts'
import { clampAmount, type SnapshotPart, type Snapshot } from './snapshot.ts'
import {
  builtInVariables,
  type SourceFacts,
  type PreparedStandard,
  type Reading,
  type Relation,
  type Source,
} from './standard.ts'
import { buildTierFormula } from './tiers.ts'
import { parseValues, resolveValues } from './formula-values.ts'
import type { PriceVersion } from './version.ts'

export const findFactsOn = (s: Source, d: Day): SourceFacts =>
  s.facts.findLast(f => f.from <= d) ?? defined(s.facts[0])

const compileCached = (prepared: PreparedStandard, text: string): Formula => {
  const known = prepared.formulas.get(text)
  if (known) return known
  try {
    const made = compileFormula(text, builtInVariables)
    prepared.formulas.set(text, made)
    return made
  } catch (e) {
    throw e instanceof FormulaError ? new CalculationError('argument', `阶梯填写有误，${e.message}`) : e
  }
}

/**
 * The formula of a stretch: the type's own, with 系数 where the relation carries one, or the tiers of its
 * version.
 */
const selectFormula = (
  prepared: PreparedStandard,
  relation: Relation,
  version: PriceVersion,
  residentCount: number,
  period: Period,
): Formula => {
  if (prepared.standard.formulaType === 'tiers') {
    const tiers = compileCached(
      prepared,
      buildTierFormula(version, residentCount, period, prepared.standard.tiersStretch ?? true),
    )
    return relation.ratio === undefined ? tiers : compileCached(prepared, `(${tiers.text})×系数`)
  }
  if (!prepared.formula) throw new CalculationError('argument', '这种公式不按周期计算')
  return prepared.withRatio && relation.ratio !== undefined ? prepared.withRatio : prepared.formula
}

export interface PartInput extends Period {
  readonly version: PriceVersion
  readonly facts: SourceFacts
  readonly factor?: Factor
  readonly extraFactor?: Factor
  readonly days?: number
  readonly monthDays?: number
  readonly reading?: Reading
  /** The register that the part belongs to (MTR-15). */
  readonly register?: string
}

export interface PricedPart {
  readonly part: SnapshotPart
  readonly yuan: Fraction
}

const breakdownValues = ({ beside = {} }: Reading): Record<string, string> =>
  Object.fromEntries(
    (
      [
        ['翻表', beside.top],
        ['换表前', beside.replaced],
        ['损耗', beside.loss],
        ['抵扣', beside.credit],
      ] as const
    ).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
  )

/** The values of the reading that the snapshot keeps beside those of the formula. */
const readingValues = ({ reading, register }: PartInput) =>
  reading
    ? {
        上期读数: reading.last ?? '',
        本期读数: reading.current,
        倍率: reading.multiplier,
        ...breakdownValues(reading),
        ...(register === undefined ? {} : { 时段: register }),
      }
    : {}

/** One part with its exact yuan. Throws CalculationError. */
export function computePart(
  prepared: PreparedStandard,
  relation: Relation,
  source: Source,
  input: PartInput,
): PricedPart {
  const formula = selectFormula(prepared, relation, input.version, input.facts.people ?? 0, input)
  const multiplied = input.factor !== undefined && !prepared.timed
  const texts = resolveValues(formula, {
    prepared,
    relation,
    source,
    facts: input.facts,
    version: input.version,
    day: input.begin,
    reading: input.reading,
    months: input.factor?.text,
    days: input.days,
    monthDays: input.monthDays,
  })
  const base = requireInRange(formula.run(parseValues(formula, texts, input.factor?.value)))
  const values: Record<string, string> = {}
  formula.variables.forEach((n, i) => {
    values[n] = texts[i] ?? ''
  })
  Object.assign(values, readingValues(input))
  let yuan = multiplied ? multiply(base, input.factor.value) : base
  const part: { -readonly [K in keyof SnapshotPart]: SnapshotPart[K] } = {
    begin: input.begin,
    end: input.end,
    version: input.version.id,
    formula: formula.text,
    values,
  }
  if (input.days !== undefined) {
    part.days = input.days
  }
  if (multiplied) {
    part.factor = input.factor.text
  }
  if (input.version.extra !== undefined && /[1-9]/.test(input.version.extra)) {
    part.extra = input.version.extra
    if (input.extraFactor) {
      part.extraFactor = input.extraFactor.text
    }
    yuan = add(
      yuan,
      input.extraFactor
        ? multiply(parseFraction(input.version.extra), input.extraFactor.value)
        : parseFraction(input.version.extra),
    )
  }
  return { part, yuan }
}

const unitOf = ({ standard }: PreparedStandard): string | undefined =>
  standard.usageUnit ??
  (standard.formulaType === 'quantity'
    ? { household: '户', people: '人', cars: '辆', floor: '层', manual: '' }[
        standard.quantityKind ?? 'household'
      ]
    : undefined)

/** A payer's part of the minimum and the maximum of a period that several pay. */
export interface AmountBounds {
  readonly min?: Fen | undefined
  readonly max?: Fen | undefined
}

/** One line from its parts: clamp, then the one rounding (FEE-2, FEE-4). */
export function composeLine(
  prepared: PreparedStandard,
  pieces: readonly PricedPart[],
  { isBounded, bounds }: { readonly isBounded: boolean; readonly bounds?: AmountBounds | undefined },
): { readonly amount: Fen; readonly snapshot: Snapshot } {
  const { rounding, formulaType: type, mode } = prepared.standard
  const { min, max } = bounds ?? prepared.standard
  const unit = unitOf(prepared)
  const sum = pieces.reduce((total, x) => add(total, x.yuan), zero)
  const hasBounds = isBounded && (min !== undefined || max !== undefined)
  const yuan = requireInRange(hasBounds ? clampAmount(sum, min, max) : sum)
  const amount = roundLine(yuan, rounding)
  return {
    amount,
    snapshot: {
      type,
      ...(pieces.some(x => x.part.factor !== undefined) ? { mode } : {}),
      ...(unit ? { unit } : {}),
      parts: pieces.map(x => x.part),
      ...(hasBounds && min !== undefined ? { least: min } : {}),
      ...(hasBounds && max !== undefined ? { most: max } : {}),
      ...(hasBounds && bounds ? { parted: true } : {}),
      exact: formatFraction(yuan),
      rounding,
      amount,
    },
  }
}
