import { sub, type Decimal } from '#kit/domain/decimal.ts'
import type { Period } from '#kit/domain/period.ts'
import { type Day, addMonths, firstOfMonth, addDays } from '#kit/domain/day.ts'
import { computePeriodBills, computeReadingBill, type BillOutcome } from './bill-computation.ts'
import { isAttribute, variables, type Origin } from './formula/variables.ts'
import {
  listRequiredParameters,
  type PreparedStandard,
  type Reading,
  type Source,
  type SourceFacts,
} from './standard.ts'
import { versionOn, type PriceVersion } from './version.ts'

/** A value that a trial, or a standard, needs. */
export interface TrialParameter {
  readonly name: string
  readonly label?: string
  readonly unit?: string
  readonly origin: '对象' | '仪表' | '标准' | '账期'
  readonly required: boolean
  readonly value?: Decimal
}

const originLabels: Readonly<Record<Origin, TrialParameter['origin']>> = {
  source: '对象',
  meter: '仪表',
  standard: '标准',
  period: '账期',
}

/** What a trial begins with where nothing better is known. */
const sampleValues: Readonly<Record<string, Decimal>> = {
  建筑面积: '98.65',
  套内面积: '80.5',
  计费面积: '98.65',
  楼层: '8',
  户人数: '3',
  车辆数: '1',
  单元总面积: '2367.6',
  楼栋总面积: '9470.4',
  项目总面积: '86000',
  总户数: '96',
  系数: '1',
  单价: '2.85',
  金额: '30',
  数量: '1',
  租金: '3000',
  用量: '32',
  已用量: '0',
  上期读数: '100',
  本期读数: '132',
  倍率: '1',
}

const quantityVariables = {
  household: undefined,
  people: '户人数',
  cars: '车辆数',
  floor: '楼层',
  manual: '数量',
} as const

const builtInParameters: Readonly<Record<string, Pick<TrialParameter, 'origin' | 'unit'>>> = {
  金额: { origin: '标准', unit: '元' },
  数量: { origin: '对象' },
  车辆数: { origin: '对象', unit: '辆' },
  租金: { origin: '对象', unit: '元' },
  已用量: { origin: '仪表' },
}

/**
 * All that a trial asks for, in the order the formula mentions it. Values of the period come of its dates.
 */
export function listTrialParameters(
  prepared: PreparedStandard,
  version?: PriceVersion,
  labels: ReadonlyMap<
    string,
    { readonly label?: string | undefined; readonly required: boolean }
  > = new Map(),
): TrialParameter[] {
  const { standard } = prepared
  const names =
    standard.formulaType === 'tiers'
      ? [
          '用量',
          ...(version?.tierBase === 'year' ? ['已用量'] : []),
          ...(version?.perHeadAdd === undefined ? [] : ['户人数']),
        ]
      : standard.formulaType === 'times'
        ? ['单价', '数量']
        : (prepared.formula?.variables ?? []).flatMap(n =>
            n === '数量' ? (quantityVariables[standard.quantityKind ?? 'household'] ?? []) : n,
          )
  return [...new Set(names)].flatMap((name): TrialParameter[] => {
    const known = labels.has(name) ? undefined : variables.find(v => v.name === name)
    if (known?.origin === 'period') return []
    const of = builtInParameters[name]
    const value =
      (name === '单价' || name === '金额' ? version?.price : undefined) ??
      version?.params?.[name] ??
      sampleValues[name] ??
      (isAttribute(name) ? '1' : undefined)
    const label = labels.get(name)?.label
    const unit = known?.unit || of?.unit
    return [
      {
        name,
        ...(label ? { label } : {}),
        ...(unit ? { unit } : {}),
        origin: known ? originLabels[known.origin] : (of?.origin ?? (isAttribute(name) ? '对象' : '标准')),
        required: labels.get(name)?.required ?? true,
        ...(value === undefined ? {} : { value }),
      },
    ]
  })
}

/** What the standard itself still lacks before it can charge (FEE-22). */
export const findMissingParameters = (
  prepared: PreparedStandard,
  version: PriceVersion | undefined,
  parameters: readonly TrialParameter[],
): TrialParameter[] => {
  const wants = new Set([
    ...listRequiredParameters(prepared),
    ...(prepared.standard.formulaType === 'times' ? ['单价'] : []),
  ])
  return parameters.filter(
    a =>
      wants.has(a.name) &&
      ((a.name === '单价' || a.name === '金额' ? version?.price : undefined) ?? version?.params?.[a.name]) ===
        undefined,
  )
}

const toNumber = (text: Decimal | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)

type TrialValues = Readonly<Record<string, Decimal>>

const firstDay: Day = '0001-01-01'

/** The standard with the one price version that a trial charges by, and the entered parameters. */
function withTrialPrices(prepared: PreparedStandard, params: TrialValues, day: Day): PreparedStandard {
  const { standard } = prepared
  const version = versionOn(standard.versions, day)
  const trialVersion: PriceVersion = {
    ...(version ?? { id: 0 }),
    from: firstDay,
    to: undefined,
    params: { ...version?.params, ...params },
  }
  return { ...prepared, standard: { ...standard, versions: [trialVersion] }, factors: new Map() }
}

/** An object with the entered values. */
const toTrialSource = (values: TrialValues): Source => {
  const facts: SourceFacts = {
    from: firstDay,
    buildArea: values.建筑面积,
    innerArea: values.套内面积,
    chargeArea: values.计费面积,
    floor: toNumber(values.楼层),
    people: toNumber(values.户人数),
    cars: toNumber(values.车辆数),
    unitArea: values.单元总面积,
    buildingArea: values.楼栋总面积,
    projectArea: values.项目总面积,
    households: toNumber(values.总户数),
    attributes: Object.fromEntries(
      Object.entries(values)
        .filter(([name]) => isAttribute(name))
        .map(([name, value]) => [name.slice(2, -1), value]),
    ),
  }
  return {
    enabled: true,
    dates: {},
    facts: [facts],
    payers: [],
    ...(values.租金 === undefined ? {} : { rent: { from: firstDay, rent: values.租金 } }),
  }
}

/** A reading of the period with the entered numbers, or with the entered usage. */
function toTrialReading(values: TrialValues, { begin, end }: Period): Reading {
  const last = values.上期读数 ?? '0'
  const usage = values.用量 ?? (values.本期读数 === undefined ? undefined : sub(values.本期读数, last))
  return {
    id: 0,
    begin,
    end,
    last,
    current: values.本期读数 ?? usage ?? '0',
    multiplier: values.倍率 ?? '1',
    usage,
    usedBefore: values.已用量,
  }
}

/**
 * Computes once, by the evaluator of bills, with entered values: `months` whole months from the first of the
 * day's month, or one reading.
 */
export function runTrial(prepared: PreparedStandard, values: TrialValues, day: Day, months = 1): BillOutcome {
  const { 单价, 金额, 系数, 数量, ...params } = values
  const price = 单价 ?? 金额
  const trialStandard = withTrialPrices(prepared, params, day)
  const relation = {
    id: 0 as const,
    state: 'charging' as const,
    ...(price === undefined ? {} : { price }),
    ...(系数 === undefined ? {} : { ratio: 系数 }),
    ...(数量 === undefined ? {} : { quantity: 数量 }),
  }
  const source = toTrialSource(values)
  const begin = firstOfMonth(day)
  const period = { begin, end: addDays(addMonths(begin, months), -1) }
  return prepared.metered
    ? computeReadingBill(trialStandard, relation, source, toTrialReading(values, period))
    : computePeriodBills(trialStandard, relation, source, period, begin)
}
