import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Period } from '#kit/domain/period.ts'
import { FormulaFault, Incalculable } from './formula/fault.ts'
import { bounded, formula, type Formula } from './formula/formula.ts'
import { nought, parseFraction, plus, times, written, type Fraction } from './fraction.ts'
import type { Factor } from './prorate.ts'
import { roundLine } from './rounding.ts'
import { clamped, type Part, type Snapshot } from './snapshot.ts'
import { ownNames, type Facts, type Prepared, type Reading, type Relation, type Source } from './standard.ts'
import { tierFormula } from './tiers.ts'
import { numbers, valuesOf } from './values.ts'
import type { Version } from './version.ts'

export const factsOn = (s: Source, d: Day): Facts => s.facts.findLast(f => f.from <= d) ?? s.facts[0]!

const compiled = (p: Prepared, text: string): Formula => {
  const known = p.formulas.get(text)
  if (known) return known
  try {
    const made = formula(text, ownNames)
    p.formulas.set(text, made)
    return made
  } catch (e) {
    throw e instanceof FormulaFault ? new Incalculable('argument', `阶梯填写有误，${e.message}`) : e
  }
}

/**
 * The formula of a stretch: the type's own, with 系数 where the relation carries one, or the tiers of its
 * version.
 */
const formulaFor = (p: Prepared, r: Relation, v: Version, heads: number, period: Period): Formula => {
  if (p.standard.formulaType === 'tiers') {
    const f = compiled(p, tierFormula(v, heads, period, p.standard.tiersStretch ?? true))
    return r.ratio === undefined ? f : compiled(p, `(${f.text})×系数`)
  }
  if (!p.formula) throw new Incalculable('argument', '这种公式不按周期计算')
  return p.withRatio && r.ratio !== undefined ? p.withRatio : p.formula
}

export interface Piece extends Period {
  readonly version: Version
  readonly facts: Facts
  readonly factor?: Factor
  readonly extraFactor?: Factor
  readonly days?: number
  readonly monthDays?: number
  readonly reading?: Reading
  /** The time of use whose part it is (MTR-15). */ readonly register?: string
}

export interface Weighed {
  readonly part: Part
  readonly yuan: Fraction
}

const besides = ({ beside: b = {} }: Reading): Record<string, string> =>
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

/** One part with its exact yuan. Throws Incalculable. */
export function partOf(p: Prepared, r: Relation, s: Source, x: Piece): Weighed {
  const f = formulaFor(p, r, x.version, x.facts.people ?? 0, x)
  const multiplied = x.factor !== undefined && !p.timed
  const texts = valuesOf(f, {
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
  const one = bounded(f.run(numbers(f, texts, x.factor?.value)))
  const values: Record<string, string> = {}
  f.variables.forEach((n, i) => {
    values[n] = texts[i] ?? ''
  })
  if (x.reading) {
    Object.assign(values, {
      上期读数: x.reading.last ?? '',
      本期读数: x.reading.current,
      倍率: x.reading.multiplier,
      ...besides(x.reading),
      ...(x.register === undefined ? {} : { 时段: x.register }),
    })
  }
  let yuan = multiplied ? times(one, x.factor!.value) : one
  const part: { -readonly [K in keyof Part]: Part[K] } = {
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
    part.factor = x.factor!.text
  }
  if (x.version.extra !== undefined && /[1-9]/.test(x.version.extra)) {
    part.extra = x.version.extra
    if (x.extraFactor) {
      part.extraFactor = x.extraFactor.text
    }
    yuan = plus(
      yuan,
      x.extraFactor
        ? times(parseFraction(x.version.extra), x.extraFactor.value)
        : parseFraction(x.version.extra),
    )
  }
  return { part, yuan }
}

const unitOf = ({ standard }: Prepared): string | undefined =>
  standard.usageUnit ??
  (standard.formulaType === 'quantity'
    ? { household: '户', people: '人', cars: '辆', floor: '层', given: '' }[
        standard.quantityKind ?? 'household'
      ]
    : undefined)

/** A payer's part of the least and the most of a period that several pay. */
export interface Bounds {
  readonly least?: Fen | undefined
  readonly most?: Fen | undefined
}

/** One line from its parts: clamp, then the one rounding (FEE-2, FEE-4). */
export function lineOf(
  p: Prepared,
  pieces: readonly Weighed[],
  counts: boolean,
  part?: Bounds,
): { readonly amount: Fen; readonly snapshot: Snapshot } {
  const { rounding, formulaType: type, mode } = p.standard
  const { least, most } = part ?? p.standard
  const unit = unitOf(p)
  const sum = pieces.reduce((total, x) => plus(total, x.yuan), nought)
  const bound = counts && (least !== undefined || most !== undefined)
  const yuan = bounded(bound ? clamped(sum, least, most) : sum)
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
      exact: written(yuan),
      rounding,
      amount,
    },
  }
}
