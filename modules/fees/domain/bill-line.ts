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

const compileCached = (p: PreparedStandard, text: string): Formula => {
  const known = p.formulas.get(text)
  if (known) return known
  try {
    const made = compileFormula(text, builtInVariables)
    p.formulas.set(text, made)
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
  p: PreparedStandard,
  r: Relation,
  v: PriceVersion,
  heads: number,
  period: Period,
): Formula => {
  if (p.standard.formulaType === 'tiers') {
    const f = compileCached(p, buildTierFormula(v, heads, period, p.standard.tiersStretch ?? true))
    return r.ratio === undefined ? f : compileCached(p, `(${f.text})×系数`)
  }
  if (!p.formula) throw new CalculationError('argument', '这种公式不按周期计算')
  return p.withRatio && r.ratio !== undefined ? p.withRatio : p.formula
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

const breakdownValues = ({ beside: b = {} }: Reading): Record<string, string> =>
  Object.fromEntries(
    (
      [
        ['翻表', b.top],
        ['换表前', b.replaced],
        ['损耗', b.loss],
        ['抵扣', b.credit],
      ] as const
    ).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
  )

/** One part with its exact yuan. Throws CalculationError. */
export function computePart(p: PreparedStandard, r: Relation, s: Source, x: PartInput): PricedPart {
  const f = selectFormula(p, r, x.version, x.facts.people ?? 0, x)
  const multiplied = x.factor !== undefined && !p.timed
  const texts = resolveValues(f, {
    prepared: p,
    relation: r,
    source: s,
    facts: x.facts,
    version: x.version,
    day: x.begin,
    reading: x.reading,
    months: x.factor?.text,
    days: x.days,
    monthDays: x.monthDays,
  })
  const one = requireInRange(f.run(parseValues(f, texts, x.factor?.value)))
  const values: Record<string, string> = {}
  f.variables.forEach((n, i) => {
    values[n] = texts[i] ?? ''
  })
  if (x.reading) {
    Object.assign(values, {
      上期读数: x.reading.last ?? '',
      本期读数: x.reading.current,
      倍率: x.reading.multiplier,
      ...breakdownValues(x.reading),
      ...(x.register === undefined ? {} : { 时段: x.register }),
    })
  }
  let yuan = multiplied ? multiply(one, x.factor.value) : one
  const part: { -readonly [K in keyof SnapshotPart]: SnapshotPart[K] } = {
    begin: x.begin,
    end: x.end,
    version: x.version.id,
    formula: f.text,
    values,
  }
  if (x.days !== undefined) {
    part.days = x.days
  }
  if (multiplied) {
    part.factor = x.factor.text
  }
  if (x.version.extra !== undefined && /[1-9]/.test(x.version.extra)) {
    part.extra = x.version.extra
    if (x.extraFactor) {
      part.extraFactor = x.extraFactor.text
    }
    yuan = add(
      yuan,
      x.extraFactor
        ? multiply(parseFraction(x.version.extra), x.extraFactor.value)
        : parseFraction(x.version.extra),
    )
  }
  return { part, yuan }
}

const unitOf = ({ standard }: PreparedStandard): string | undefined =>
  standard.usageUnit ??
  (standard.formulaType === 'quantity'
    ? { household: '户', people: '人', cars: '辆', floor: '层', given: '' }[
        standard.quantityKind ?? 'household'
      ]
    : undefined)

/** A payer's part of the least and the most of a period that several pay. */
export interface AmountBounds {
  readonly least?: Fen | undefined
  readonly most?: Fen | undefined
}

/** One line from its parts: clamp, then the one rounding (FEE-2, FEE-4). */
export function composeLine(
  p: PreparedStandard,
  pieces: readonly PricedPart[],
  counts: boolean,
  part?: AmountBounds,
): { readonly amount: Fen; readonly snapshot: Snapshot } {
  const { rounding, formulaType: type, mode } = p.standard
  const { least, most } = part ?? p.standard
  const unit = unitOf(p)
  const sum = pieces.reduce((total, x) => add(total, x.yuan), zero)
  const bound = counts && (least !== undefined || most !== undefined)
  const yuan = requireInRange(bound ? clampAmount(sum, least, most) : sum)
  const amount = roundLine(yuan, rounding)
  return {
    amount,
    snapshot: {
      type,
      ...(pieces.some(x => x.part.factor !== undefined) ? { mode } : {}),
      ...(unit ? { unit } : {}),
      parts: pieces.map(x => x.part),
      ...(bound && least !== undefined ? { least } : {}),
      ...(bound && most !== undefined ? { most } : {}),
      ...(bound && part ? { parted: true } : {}),
      exact: formatFraction(yuan),
      rounding,
      amount,
    },
  }
}
