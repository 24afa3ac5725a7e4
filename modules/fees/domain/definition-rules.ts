import { compare } from '#kit/domain/decimal.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { scene, sourceType } from '../contract/choices.ts'
import type { FeeFormula } from '../contract/formula.ts'
import type { FeeItem } from '../contract/item.ts'
import type { FeeStandard, PriceInput } from '../contract/standard.ts'
import { FormulaError, CalculationError } from './formula/errors.ts'
import { evaluate, compileFormula, findParameterFault } from './formula/formula.ts'
import { parseFraction, formatFraction } from './fraction.ts'
import { findVariable } from './formula/variables.ts'
import { builtInVariables, prepareStandard, type Standard } from './standard.ts'
import { buildTierFormula } from './tiers.ts'
import { toPriceVersion } from './stored-standard.ts'

/** What is wrong with a draft, at which of its fields. */
export interface DefinitionFault {
  readonly key: string
  readonly message: string
  /** Position in the text, and the text put right. */ readonly place?: {
    readonly at: number
    readonly length: number
    readonly fix?: string
  }
}

type Scene = ChoiceOf<typeof scene>

const sceneCoverage: Readonly<Partial<Record<Scene, readonly Scene[]>>> = {
  roomShop: ['room', 'shop', 'roomShop'],
  roomShopArea: ['room', 'shop', 'roomShop', 'area', 'roomShopArea'],
}

/** FEE-9: an item for 房屋/商铺 fits rooms and shops alike, one for 含公区 public areas too. */
export const compatibleScenes = (asked: Scene): Scene[] =>
  (
    ['room', 'shop', 'roomShop', 'roomShopArea', 'area', 'car', 'parkPlace', 'company', 'lease'] as const
  ).filter(s => s === asked || sceneCoverage[s]?.includes(asked))

type SourceType = ChoiceOf<typeof sourceType>

const scenesBySourceType: Readonly<Record<SourceType, readonly Scene[]>> = {
  room: ['room', 'shop', 'roomShop', 'roomShopArea'],
  car: ['car'],
  parkPlace: ['parkPlace'],
  publicArea: ['area', 'roomShopArea'],
  company: ['company'],
  lease: ['lease'],
  resident: ['room', 'shop', 'roomShop', 'roomShopArea'],
  merchant: ['shop', 'roomShop', 'roomShopArea'],
}

/** The scenes of items that an object of this type may be charged by. */
export const scenesOfSource = (type: SourceType): readonly Scene[] => scenesBySourceType[type]

/** Whether an item may be charged to an object of this type. A shop is a room whose type says so. */
export const isSceneAllowed = (item: Scene, type: SourceType): boolean =>
  scenesBySourceType[type].includes(item)

/** The words of a formula that its own definition adds. */
const parameterNames = (f: Pick<FeeFormula, 'parameters'>): string[] => f.parameters?.map(p => p.name) ?? []

export const toValuesByName = (
  values: readonly { name: string; value: string }[] | undefined,
): Record<string, string> =>
  Object.fromEntries((values ?? []).map(v => [findVariable(v.name)?.name ?? v.name, v.value]))

/**
 * Why a formula may not be saved (FEE-22): unreadable, its parameters no words, or no amount from its sample
 * values.
 */
export function validateFormula(
  f: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters' | 'tests'>,
): DefinitionFault[] {
  if (f.formulaType !== 'custom')
    return f.expression ? [{ key: 'expression', message: '只有自定义公式才填写表达式' }] : []
  const names = parameterNames(f)
  const bad = names.flatMap((n, i) => {
    const message = findParameterFault(n, names.slice(0, i))
    return message ? [{ key: `parameters[${i}].name`, message }] : []
  })
  if (bad.length) return bad
  try {
    const made = compileFormula(f.expression ?? '', names)
    const values = toValuesByName(f.tests)
    const missing = made.variables.filter(n => values[n] === undefined)
    if (missing.length)
      return [
        {
          key: 'tests',
          message: `请先填写${missing.map(n => `“${n}”`).join('、')}的试算值，试算成功后才能保存`,
        },
      ]
    evaluate(made, values)
    return []
  } catch (e) {
    if (e instanceof FormulaError) {
      const { at, length, message, fix } = e.fault
      return [
        {
          key: 'expression',
          message: fix ? `${message}；改为：${fix}` : message,
          place: { at, length, ...(fix ? { fix } : {}) },
        },
      ]
    }
    if (e instanceof CalculationError) return [{ key: 'tests', message: `试算没有通过：${e.message}` }]
    throw e
  }
}

/** The variables a formula of type 60 uses, canonically. */
export const listVariables = (
  f: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters'>,
): readonly string[] =>
  f.formulaType === 'custom' ? compileFormula(f.expression ?? '', parameterNames(f)).variables : []

/**
 * What of a standard decides its amounts beside the price: bills that were made by it would come out
 * otherwise (FEE-6).
 */
export const amountFields = [
  'areaKind',
  'quantityKind',
  'tiersStretch',
  'cycleType',
  'cycleMonths',
  'alignYear',
  'startRule',
  'prorateMode',
  'roundType',
  'roundUnit',
  'minAmount',
  'maxAmount',
] as const

export const usedByBillsMessage = '已有账单按它出过，要改请另建标准替换它'

/**
 * A standard that bills use is replaced, never edited; when bills fall due and what is late may still change.
 */
export const validateStandardEdit = (
  before: Pick<FeeStandard, (typeof amountFields)[number]>,
  after: Partial<Pick<FeeStandard, (typeof amountFields)[number]>>,
): DefinitionFault[] =>
  amountFields
    .filter(k => (after[k] ?? undefined) !== before[k])
    .map(key => ({ key, message: usedByBillsMessage }))

const allowedCycleMonths = new Set([1, 2, 3, 4, 6, 12])

type StandardDraft = Pick<
  FeeStandard,
  'cycleMonths' | 'minAmount' | 'maxAmount' | 'dueBase' | 'dueDays' | 'quantityKind' | 'lateRates'
>

/** What of a standard does not fit itself, its item or its formula. */
export function validateStandard(
  d: StandardDraft,
  item: Pick<FeeItem, 'feeType' | 'name'>,
  f: Pick<FeeFormula, 'formulaType' | 'name'>,
  p: { readonly metered: boolean; readonly fault?: string },
): DefinitionFault[] {
  const out: DefinitionFault[] = []
  const wrong = (key: string, message: string): void => {
    out.push({ key, message })
  }
  if (!allowedCycleMonths.has(d.cycleMonths)) wrong('cycleMonths', '周期月数只能是 1、2、3、4、6 或 12')
  if (d.minAmount !== undefined && d.maxAmount !== undefined && d.minAmount > d.maxAmount)
    wrong('maxAmount', '最高不能低于最低')
  if (d.dueBase === 'fixed' && (d.dueDays < 1 || d.dueDays > 31))
    wrong('dueDays', '每月固定日时，请填 1 到 31')
  if (f.formulaType === 'quantity' && !d.quantityKind) wrong('quantityKind', '按数量计费，请选择数量口径')
  // Nothing counts an object's cars yet: every relation would be skipped.
  if (d.quantityKind === 'cars') wrong('quantityKind', '还不能按车辆数计费，请选“手工”，在收费关联上填写数量')
  if (p.fault) wrong('formulaId', `公式「${f.name}」不能使用：${p.fault}`)
  if (p.metered && item.feeType !== 'metered')
    wrong('formulaId', `公式「${f.name}」按读数计费，收费项目「${item.name}」不是抄表类，请换公式或换项目`)
  if ((f.formulaType === 'share') !== (item.feeType === 'shared'))
    wrong(
      'formulaId',
      item.feeType === 'shared'
        ? '公摊类项目请选用“公摊”公式'
        : `公式「${f.name}」用于公摊，收费项目「${item.name}」不是公摊类`,
    )
  out.push(...validateLateRates(d.lateRates))
  return out
}

/** Daily rates: one for each day from which it holds, the one for all before at most once (LATE-14). */
export function validateLateRates(rates: FeeItem['lateRates']): DefinitionFault[] {
  const seen = new Set<string>()
  return (rates ?? []).flatMap((r, i) => {
    const day = r.from ?? ''
    if (seen.has(day))
      return [
        {
          key: `lateRates[${i}].from`,
          message: day ? `${day} 已有一个日费率` : '不写起始日的日费率只能有一个',
        },
      ]
    seen.add(day)
    return []
  })
}

const normalizeDecimal = (d: string | undefined): string =>
  d === undefined ? '' : formatFraction(parseFraction(d))

/**
 * Whether two prices charge the same: a change from one to the other would only cut periods in two (PRO-7).
 */
export const isSamePrice = (a: PriceInput, b: PriceInput): boolean => {
  const [x, y] = [a, b].map(p =>
    JSON.stringify([
      normalizeDecimal(p.price),
      p.extra || 0,
      p.extra ? (p.extraProrate ?? false) : false,
      (p.params ?? []).map(v => `${v.name}=${normalizeDecimal(v.value)}`).sort(),
      (p.tiers ?? []).map(t => [normalizeDecimal(t.to), normalizeDecimal(t.price)]),
      p.tiers?.length ? p.tierBase : '',
      normalizeDecimal(p.perHeadAdd),
      p.headsFrom ?? '',
    ]),
  )
  return x === y
}

const formulaTypesWithPrice = new Set<Standard['formulaType']>([
  'area',
  'fixed',
  'quantity',
  'usage',
  'times',
])

/** What a price lacks for its formula. */
export function validatePrice(
  d: PriceInput,
  f: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters'>,
): DefinitionFault[] {
  const out: DefinitionFault[] = []
  const wrong = (key: string, message: string): void => {
    out.push({ key, message })
  }
  const uses = new Set(listVariables(f))
  const given = new Set(d.params?.map(p => p.name))
  if ((formulaTypesWithPrice.has(f.formulaType) || uses.has('单价')) && d.price === undefined)
    wrong('price', '单价不能为空')
  for (const p of f.parameters ?? []) {
    if (p.required && uses.has(p.name) && !given.has(p.name)) wrong('params', `公式的参数“${p.name}”不能为空`)
  }
  const known = new Set<string>([...parameterNames(f), '系数', '数量', ...uses])
  d.params?.forEach((p, i) => {
    if (!known.has(p.name)) wrong(`params[${i}].name`, `公式没有参数“${p.name}”`)
  })
  if (f.formulaType === 'tiers') {
    validateTiers(d, wrong)
  } else if (d.tiers?.length) {
    wrong('tiers', '只有仪表阶梯才填写各档单价')
  }
  if ((d.perHeadAdd === undefined) !== (d.headsFrom === undefined))
    wrong(d.perHeadAdd === undefined ? 'perHeadAdd' : 'headsFrom', '每人增量与起增人数要一起填写')
  return out
}

function validateTiers(d: PriceInput, wrong: (key: string, message: string) => void): void {
  const tiers = d.tiers ?? []
  let fine = true
  if (!tiers.length) return wrong('tiers', '请填写各档单价')
  if (!d.tierBase) wrong('tierBase', '请选择阶梯按月还是按年')
  tiers.forEach((t, i) => {
    const last = i === tiers.length - 1
    const before = i > 0 ? tiers[i - 1]!.to : '0'
    const bad = (message: string): void => {
      fine = false
      wrong(`tiers[${i}].to`, message)
    }
    if (last ? t.to !== undefined : t.to === undefined) {
      bad(last ? '最后一档不填“至”，表示以上全部' : '请填写这一档到多少为止')
    } else if (t.to !== undefined && before !== undefined && compare(t.to, before) <= 0) {
      bad('各档的“至”要从小到大')
    }
  })
  if (fine) {
    try {
      compileFormula(
        buildTierFormula(toPriceVersion({ id: 0, effectiveDate: '2000-01-01', ...d }), 0, {
          begin: '2026-01-01',
          end: '2026-01-31',
        }),
        builtInVariables,
      )
    } catch (e) {
      if (e instanceof FormulaError) {
        wrong('tiers', `阶梯填写有误：${e.message}`)
      } else if (!(e instanceof CalculationError)) {
        throw e
      }
    }
  }
}

/** A formula alone made ready, as a standard of one month would use it: for trials and for judging. */
export const prepareFormula = (
  f: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters'>,
  more: Partial<Standard> = {},
): ReturnType<typeof prepareStandard> =>
  prepareStandard({
    id: 0,
    feeType: 'cyclic',
    allowMulti: true,
    formulaType: f.formulaType,
    expression: f.expression,
    parameters: parameterNames(f),
    quantityKind: 'given',
    cycle: { type: 'natural', months: 1, alignYear: true },
    timing: { mode: 'ahead', advanceDays: 0, delayDays: 0 },
    startRule: 'given',
    mode: 'actual',
    due: { base: 'begin', days: 0 },
    rounding: { type: 'halfUp', unit: 'fen' },
    versions: [],
    ...more,
  })
