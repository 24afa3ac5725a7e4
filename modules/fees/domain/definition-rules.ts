import type { FeeFormula } from '../contract/formula.ts'
import type { FeeItem } from '../contract/item.ts'
import type { FeeStandard } from '../contract/standard.ts'
import { FormulaError, CalculationError } from './formula/errors.ts'
import { evaluate, compileFormula, findParameterFault } from './formula/formula.ts'
import { findVariable } from './formula/variables.ts'
import { prepareStandard, type Standard } from './standard.ts'

/** What is wrong with a draft, at which of its fields. */
export interface DefinitionFault {
  readonly key: string
  readonly message: string
  /** Position in the text, and the text put right. */
  readonly place?: {
    readonly at: number
    readonly length: number
    readonly fix?: string
  }
}

/** The names that a formula's own parameters add. */
export const parameterNames = (f: Pick<FeeFormula, 'parameters'>): string[] =>
  f.parameters?.map(p => p.name) ?? []

export const toValuesByName = (
  values: readonly { name: string; value: string }[] | undefined,
): Record<string, string> =>
  Object.fromEntries((values ?? []).map(v => [findVariable(v.name)?.name ?? v.name, v.value]))

/**
 * Why a formula cannot be saved (FEE-22): it cannot be parsed, a parameter name is not allowed, or its sample
 * values give no amount.
 */
export function validateFormula(
  formula: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters' | 'tests'>,
): DefinitionFault[] {
  if (formula.formulaType !== 'custom')
    return formula.expression ? [{ key: 'expression', message: '只有自定义公式才填写表达式' }] : []
  const names = parameterNames(formula)
  const bad = names.flatMap((n, i) => {
    const message = findParameterFault(n, names.slice(0, i))
    return message ? [{ key: `parameters[${i}].name`, message }] : []
  })
  if (bad.length) return bad
  try {
    const compiled = compileFormula(formula.expression ?? '', names)
    const values = toValuesByName(formula.tests)
    const missing = compiled.variables.filter(n => values[n] === undefined)
    if (missing.length)
      return [
        {
          key: 'tests',
          message: `请先填写${missing.map(n => `“${n}”`).join('、')}的试算值，试算成功后才能保存`,
        },
      ]
    evaluate(compiled, values)
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
    if (e instanceof CalculationError) return [{ key: 'tests', message: `试算未通过：${e.message}` }]
    throw e
  }
}

/** The variables a formula of type 60 uses, canonically. */
export const listVariables = (
  f: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters'>,
): readonly string[] =>
  f.formulaType === 'custom' ? compileFormula(f.expression ?? '', parameterNames(f)).variables : []

/**
 * The fields besides the price that decide a standard's amounts: bills that use it would come out differently
 * (FEE-6).
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

/** Faults of a standard in itself, or with its item or formula. */
export function validateStandard(
  draft: StandardDraft,
  item: Pick<FeeItem, 'feeType' | 'name'>,
  formula: Pick<FeeFormula, 'formulaType' | 'name'>,
  standardFacts: { readonly metered: boolean; readonly fault?: string },
): DefinitionFault[] {
  const out: DefinitionFault[] = []
  const wrong = (key: string, message: string): void => {
    out.push({ key, message })
  }
  if (!allowedCycleMonths.has(draft.cycleMonths)) wrong('cycleMonths', '周期月数只能是 1、2、3、4、6 或 12')
  if (draft.minAmount !== undefined && draft.maxAmount !== undefined && draft.minAmount > draft.maxAmount)
    wrong('maxAmount', '最高不能低于最低')
  if (draft.dueBase === 'fixed' && (draft.dueDays < 1 || draft.dueDays > 31))
    wrong('dueDays', '每月固定日时，请填 1 到 31')
  if (formula.formulaType === 'quantity' && !draft.quantityKind)
    wrong('quantityKind', '按数量计费，请选择数量口径')
  // Nothing counts an object's cars yet: every relation would be skipped.
  if (draft.quantityKind === 'cars')
    wrong('quantityKind', '暂不能按车辆数计费，请选“手工”，在收费关联上填写数量')
  if (standardFacts.fault) wrong('formulaId', `公式「${formula.name}」不能使用：${standardFacts.fault}`)
  if (standardFacts.metered && item.feeType !== 'metered')
    wrong(
      'formulaId',
      `公式「${formula.name}」按读数计费，收费项目「${item.name}」不是抄表类，请换公式或换项目`,
    )
  if ((formula.formulaType === 'share') !== (item.feeType === 'shared'))
    wrong(
      'formulaId',
      item.feeType === 'shared'
        ? '公摊类项目请选用“公摊”公式'
        : `公式「${formula.name}」用于公摊，收费项目「${item.name}」不是公摊类`,
    )
  out.push(...validateLateRates(draft.lateRates))
  return out
}

/** Faults of daily rates: each begins on its own day, and at most one has no day (LATE-14). */
export function validateLateRates(rates: FeeItem['lateRates']): DefinitionFault[] {
  const seen = new Set<string>()
  return (rates ?? []).flatMap((row, i) => {
    const day = row.from ?? ''
    if (seen.has(day))
      return [
        {
          key: `lateRates[${i}].from`,
          message: day ? `${day} 已有一个日费率` : '未填起始日的日费率只能有一条',
        },
      ]
    seen.add(day)
    return []
  })
}

/** A formula prepared as for a standard of one month: for trials and validation. */
export const prepareFormula = (
  formula: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters'>,
  overrides: Partial<Standard> = {},
): ReturnType<typeof prepareStandard> =>
  prepareStandard({
    id: 0,
    feeType: 'cyclic',
    allowMulti: true,
    formulaType: formula.formulaType,
    expression: formula.expression,
    parameters: parameterNames(formula),
    quantityKind: 'manual',
    cycle: { type: 'natural', months: 1, alignYear: true },
    timing: { mode: 'ahead', advanceDays: 0, delayDays: 0 },
    startRule: 'fixedDate',
    mode: 'actual',
    due: { base: 'begin', days: 0 },
    rounding: { type: 'halfUp', unit: 'fen' },
    versions: [],
    ...overrides,
  })
