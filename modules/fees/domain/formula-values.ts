import type { Day } from '#kit/domain/day.ts'
import { CalculationError } from './formula/errors.ts'
import type { Formula } from './formula/formula.ts'
import { isAttribute, variables } from './formula/variables.ts'
import { readFraction, type Fraction } from './fraction.ts'
import { rentOn } from './rent.ts'
import type { SourceFacts, PreparedStandard, Reading, Relation, Source } from './standard.ts'
import type { PriceVersion } from './version.ts'
import type { skipReason } from '../contract/choices.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'

export type SkipReason = ChoiceOf<typeof skipReason>

/** Where the values of a formula come from. */
export interface EvaluationContext {
  readonly prepared: PreparedStandard
  readonly relation: Relation
  readonly source: Source
  readonly facts: SourceFacts
  readonly version: PriceVersion
  readonly day: Day
  readonly reading?: Reading | undefined
  readonly months?: string | undefined
  readonly days?: number | undefined
  readonly monthDays?: number | undefined
}

type ValueGetter = (s: EvaluationContext) => string | undefined

const countText = (n: number | undefined): string | undefined => (n === undefined ? undefined : String(n))

/** An area of 0 counts as not filled in: no household is charged for 0 ㎡ (GEN-6 AREA_MISSING). */
const areaText = (dec: string | undefined): string | undefined =>
  dec === undefined || !/[1-9]/.test(dec) ? undefined : dec

const quantityGetters: Readonly<
  Record<NonNullable<PreparedStandard['standard']['quantityKind']>, ValueGetter>
> = {
  household: () => '1',
  people: s => countText(s.facts.people),
  cars: s => countText(s.facts.cars),
  floor: s => countText(s.facts.floor),
  given: s => s.relation.quantity ?? s.version.params?.数量,
}

const valueGetters: ReadonlyMap<string, ValueGetter> = new Map<string, ValueGetter>([
  ['建筑面积', s => areaText(s.facts.buildArea)],
  ['套内面积', s => areaText(s.facts.innerArea)],
  ['计费面积', s => areaText(s.facts.chargeArea) ?? areaText(s.facts.buildArea)],
  ['楼层', s => countText(s.facts.floor)],
  ['户人数', s => countText(s.facts.people)],
  ['单元总面积', s => areaText(s.facts.unitArea)],
  ['楼栋总面积', s => areaText(s.facts.buildingArea)],
  ['项目总面积', s => areaText(s.facts.projectArea)],
  ['总户数', s => countText(s.facts.households)],
  // The nearest value first; the room's own 收费系数 where neither relation nor standard has one.
  ['系数', s => s.relation.ratio ?? s.version.params?.系数 ?? s.facts.ratio],
  ['单价', s => s.relation.price ?? s.version.price],
  ['金额', s => s.relation.price ?? s.version.price],
  ['租金', s => s.source.rent && rentOn(s.source.rent, s.day)],
  ['数量', s => quantityGetters[s.prepared.standard.quantityKind ?? 'household'](s)],
  ['用量', s => s.reading?.usage],
  ['已用量', s => s.reading && (s.reading.usedBefore ?? '0')],
  ['本期读数', s => s.reading?.current],
  ['上期读数', s => s.reading?.last],
  ['倍率', s => s.reading?.multiplier],
  ['月数', s => s.months],
  ['天数', s => countText(s.days)],
  ['当月天数', s => countText(s.monthDays)],
])

const knownVariableNames = new Set(variables.map(v => v.name))

/**
 * The texts of a formula's values, in its order; nothing where one is missing. A formula's own parameters
 * come before all.
 */
export function resolveValues(f: Formula, s: EvaluationContext): (string | undefined)[] {
  const parameters = s.prepared.standard.parameters
  return f.variables.map(name => {
    if (isAttribute(name)) return s.facts.attributes?.[name.slice(2, -1)]
    if (parameters?.includes(name) && !knownVariableNames.has(name)) return s.version.params?.[name]
    return valueGetters.get(name)?.(s) ?? s.version.params?.[name]
  })
}

/** Values a price lacks, and how that is called (GEN-6). */
const missingReasons: ReadonlyMap<string, SkipReason> = new Map<string, SkipReason>([
  ...['建筑面积', '套内面积', '计费面积', '单元总面积', '楼栋总面积', '项目总面积'].map(
    n => [n, 'areaMissing'] as const,
  ),
  ...['单价', '金额', '租金'].map(n => [n, 'priceMissing'] as const),
  ...['用量', '本期读数', '倍率'].map(n => [n, 'meterReadingMissing'] as const),
  ['上期读数', 'meterBaseMissing'],
])

/** Why no amount came out, as GEN-6 counts it. */
export const skipReasonOf = (e: CalculationError): SkipReason =>
  (e.variable === undefined ? undefined : missingReasons.get(e.variable)) ?? 'formulaInvalid'

/** Text → number once; `3+14/31` are months. Throws CalculationError on a value that is no number. */
export function parseValues(
  f: Formula,
  texts: readonly (string | undefined)[],
  months: Fraction | undefined,
): (Fraction | undefined)[] {
  return texts.map((t, i) => {
    if (t === undefined) return undefined
    if (f.variables[i] === '月数') return months
    const x = readFraction(t)
    if (!x) throw new CalculationError('argument', `“${f.variables[i]}”的值“${t.slice(0, 20)}”不是数字`)
    return x
  })
}
