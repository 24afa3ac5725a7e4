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

/** The sources of a formula's values. */
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

type ValueGetter = (context: EvaluationContext) => string | undefined

const countText = (count: number | undefined): string | undefined =>
  count === undefined ? undefined : String(count)

/** An area of 0 counts as not filled in: no household is charged for 0 ㎡ (GEN-6 AREA_MISSING). */
const areaText = (area: string | undefined): string | undefined =>
  area === undefined || !/[1-9]/.test(area) ? undefined : area

const quantityGetters: Readonly<
  Record<NonNullable<PreparedStandard['standard']['quantityKind']>, ValueGetter>
> = {
  household: () => '1',
  people: context => countText(context.facts.people),
  cars: context => countText(context.facts.cars),
  floor: context => countText(context.facts.floor),
  manual: context => context.relation.quantity ?? context.version.params?.数量,
}

const valueGetters: ReadonlyMap<string, ValueGetter> = new Map<string, ValueGetter>([
  ['建筑面积', context => areaText(context.facts.buildArea)],
  ['套内面积', context => areaText(context.facts.innerArea)],
  ['计费面积', context => areaText(context.facts.chargeArea) ?? areaText(context.facts.buildArea)],
  ['楼层', context => countText(context.facts.floor)],
  ['户人数', context => countText(context.facts.people)],
  ['单元总面积', context => areaText(context.facts.unitArea)],
  ['楼栋总面积', context => areaText(context.facts.buildingArea)],
  ['项目总面积', context => areaText(context.facts.projectArea)],
  ['总户数', context => countText(context.facts.households)],
  // The nearest value first; the room's own 收费系数 where neither relation nor standard has one.
  ['系数', context => context.relation.ratio ?? context.version.params?.系数 ?? context.facts.ratio],
  ['单价', context => context.relation.price ?? context.version.price],
  ['金额', context => context.relation.price ?? context.version.price],
  ['租金', context => context.source.rent && rentOn(context.source.rent, context.day)],
  ['数量', context => quantityGetters[context.prepared.standard.quantityKind ?? 'household'](context)],
  ['用量', context => context.reading?.usage],
  ['已用量', context => context.reading && (context.reading.usedBefore ?? '0')],
  ['本期读数', context => context.reading?.current],
  ['上期读数', context => context.reading?.last],
  ['倍率', context => context.reading?.multiplier],
  ['月数', context => context.months],
  ['天数', context => countText(context.days)],
  ['当月天数', context => countText(context.monthDays)],
])

const knownVariableNames = new Set(variables.map(variable => variable.name))

/**
 * The texts of a formula's values, in its order; nothing where one is missing. A formula's own parameters
 * come before all.
 */
export function resolveValues(formula: Formula, context: EvaluationContext): (string | undefined)[] {
  const parameters = context.prepared.standard.parameters
  return formula.variables.map(name => {
    if (isAttribute(name)) return context.facts.attributes?.[name.slice(2, -1)]
    if (parameters?.includes(name) && !knownVariableNames.has(name)) return context.version.params?.[name]
    return valueGetters.get(name)?.(context) ?? context.version.params?.[name]
  })
}

/** Values a price lacks, and how that is called (GEN-6). */
const missingReasons: ReadonlyMap<string, SkipReason> = new Map<string, SkipReason>([
  ...['建筑面积', '套内面积', '计费面积', '单元总面积', '楼栋总面积', '项目总面积'].map(
    name => [name, 'areaMissing'] as const,
  ),
  ...['单价', '金额', '租金'].map(name => [name, 'priceMissing'] as const),
  ...['用量', '本期读数', '倍率'].map(name => [name, 'meterReadingMissing'] as const),
  ['上期读数', 'meterBaseMissing'],
])

/** Why no amount came out, as GEN-6 counts it. */
export const skipReasonOf = (error: CalculationError): SkipReason =>
  (error.variable === undefined ? undefined : missingReasons.get(error.variable)) ?? 'formulaInvalid'

/** Text → number once; `3+14/31` are months. Throws CalculationError on a value that is no number. */
export function parseValues(
  formula: Formula,
  texts: readonly (string | undefined)[],
  months: Fraction | undefined,
): (Fraction | undefined)[] {
  return texts.map((text, i) => {
    if (text === undefined) return undefined
    if (formula.variables[i] === '月数') return months
    const value = readFraction(text)
    if (!value)
      throw new CalculationError('argument', `“${formula.variables[i]}”的值“${text.slice(0, 20)}”不是数字`)
    return value
  })
}
