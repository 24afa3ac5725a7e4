import { defined } from '#kit/domain/defined.ts'
import { compare } from '#kit/domain/decimal.ts'
import type { FeeFormula } from '../contract/formula.ts'
import type { PriceInput } from '../contract/standard.ts'
import { FormulaError, CalculationError } from './formula/errors.ts'
import { compileFormula } from './formula/formula.ts'
import { parseFraction, formatFraction } from './fraction.ts'
import { builtInVariables, type Standard } from './standard.ts'
import { buildTierFormula } from './tiers.ts'
import { toPriceVersion } from './stored-standard.ts'
import { type DefinitionFault, listVariables, parameterNames } from './definition-rules.ts'

const normalizeDecimal = (d: string | undefined): string =>
  d === undefined ? '' : formatFraction(parseFraction(d))

/** Whether two prices charge the same: changing from one to the other would only split periods (PRO-7). */
export const isSamePrice = (a: PriceInput, b: PriceInput): boolean => {
  const [first, second] = [a, b].map(priceInput =>
    JSON.stringify([
      normalizeDecimal(priceInput.price),
      priceInput.extra || 0,
      priceInput.extra ? (priceInput.extraProrate ?? false) : false,
      (priceInput.params ?? []).map(v => `${v.name}=${normalizeDecimal(v.value)}`).toSorted(),
      (priceInput.tiers ?? []).map(t => [normalizeDecimal(t.to), normalizeDecimal(t.price)]),
      priceInput.tiers?.length ? priceInput.tierBase : '',
      normalizeDecimal(priceInput.perHeadAdd),
      priceInput.headsFrom ?? '',
    ]),
  )
  return first === second
}

const formulaTypesWithPrice = new Set<Standard['formulaType']>([
  'area',
  'fixed',
  'quantity',
  'usage',
  'times',
])

/** Faults of a price for its formula. */
export function validatePrice(
  price: PriceInput,
  formula: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters'>,
): DefinitionFault[] {
  const out: DefinitionFault[] = []
  const wrong = (key: string, message: string): void => {
    out.push({ key, message })
  }
  const uses = new Set(listVariables(formula))
  const filledParameters = new Set(price.params?.map(p => p.name))
  if ((formulaTypesWithPrice.has(formula.formulaType) || uses.has('单价')) && price.price === undefined)
    wrong('price', '单价不能为空')
  for (const p of formula.parameters ?? []) {
    if (p.required && uses.has(p.name) && !filledParameters.has(p.name))
      wrong('params', `公式的参数“${p.name}”不能为空`)
  }
  const known = new Set<string>([...parameterNames(formula), '系数', '数量', ...uses])
  price.params?.forEach((p, i) => {
    if (!known.has(p.name)) wrong(`params[${i}].name`, `公式没有参数“${p.name}”`)
  })
  if (formula.formulaType === 'tiers') {
    validateTiers(price, wrong)
  } else if (price.tiers?.length) {
    wrong('tiers', '只有仪表阶梯才填写各档单价')
  }
  if ((price.perHeadAdd === undefined) !== (price.headsFrom === undefined))
    wrong(price.perHeadAdd === undefined ? 'perHeadAdd' : 'headsFrom', '每人增量与起增人数要一起填写')
  return out
}

function validateTiers(price: PriceInput, wrong: (key: string, message: string) => void): void {
  const tiers = price.tiers ?? []
  let isValid = true
  if (!tiers.length) return wrong('tiers', '请填写各档单价')
  if (!price.tierBase) wrong('tierBase', '请选择阶梯按月还是按年')
  tiers.forEach((tier, i) => {
    const last = i === tiers.length - 1
    const before = i > 0 ? defined(tiers[i - 1]).to : '0'
    const bad = (message: string): void => {
      isValid = false
      wrong(`tiers[${i}].to`, message)
    }
    if (last ? tier.to !== undefined : tier.to === undefined) {
      bad(last ? '最后一档不填“至”，表示以上全部' : '请填写这一档到多少为止')
    } else if (tier.to !== undefined && before !== undefined && compare(tier.to, before) <= 0) {
      bad('各档的“至”要从小到大')
    }
  })
  if (isValid) {
    try {
      compileFormula(
        buildTierFormula(
          toPriceVersion({ ...price, id: 0, effectiveDate: price.effectiveDate ?? '2000-01-01' }),
          0,
          {
            begin: '2026-01-01',
            end: '2026-01-31',
          },
        ),
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
