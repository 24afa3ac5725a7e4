import { useState } from 'react'
import { decimal } from '#kit/contract/field.ts'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { today } from '#kit/web/date-format.ts'
import { asId } from '#kit/domain/id.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { skipReason } from '../contract/choices.ts'
import type { FeeFormula } from '../contract/formula.ts'
import type { StandardVersion } from '../contract/standard.ts'
import { toStandard, type StoredStandard } from '../domain/stored-standard.ts'
import { toValuesByName } from '../domain/definition-rules.ts'
import { CalculationError } from '../domain/formula/errors.ts'
import { explainAmount } from '../domain/amount-explanation.ts'
import { prepareStandard, type FormulaType } from '../domain/standard.ts'
import { listTrialParameters, runTrial } from '../domain/trial.ts'
import { versionOn } from '../domain/version.ts'
import { ValueInput } from './formula-builder.tsx'
import './fees.css'

const valueField = decimal('值', { scale: 6 })

const noTrialMessages: Readonly<Partial<Record<FormulaType, string>>> = {
  share: '公摊的金额由公摊池分得',
  imported: '金额由导入或手工填写',
  times: '金额 = 单价 × 次数，下单时计算',
  rent: '金额由合同约定',
  risingRent: '金额由合同约定',
}

interface Props {
  readonly standard: StoredStandard
  readonly metered: boolean
  readonly formula: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters'>
  readonly versions: readonly Partial<StandardVersion>[]
}

/**
 * A bill of one cycle computed from values entered by hand, while typing, by the evaluator that makes bills
 * (FEE-22).
 */
export function Trial({ standard, metered, formula, versions }: Props) {
  const [enteredValues, setEnteredValues] = useState<Readonly<Record<string, unknown>>>({})
  const day = today()
  const noTrialMessage = noTrialMessages[formula.formulaType]
  if (noTrialMessage)
    return (
      <div className="trial">
        <h3>试算</h3>
        <p>{noTrialMessage}</p>
      </div>
    )
  const prepared = prepareStandard(
    toStandard(
      standard,
      { feeType: metered ? 'metered' : 'cyclic', allowMulti: false },
      formula,
      versions.map((values, i) => ({
        extraProrate: false,
        ...values,
        id: values.id ?? asId(i),
        effectiveDate: values.effectiveDate ?? '2000-01-01',
      })),
    ),
  )
  const version = versionOn(prepared.standard.versions, day) ?? prepared.standard.versions.at(-1)
  const trialParameters = listTrialParameters(prepared, version).filter(
    a => a.origin !== '标准' || a.value !== undefined,
  )
  const standardValue = (n: string): string | undefined =>
    (n === '单价' || n === '金额' ? version?.price : undefined) ?? version?.params?.[n]
  const currentValue = (n: string, sample: string | undefined): unknown =>
    n in enteredValues ? enteredValues[n] : (standardValue(n) ?? sample)
  let explanation = ''
  let amount: string | undefined
  try {
    const valuesByName = Object.fromEntries(
      trialParameters.flatMap(a => {
        const v = currentValue(a.name, a.value)
        return typeof v !== 'string' || v === '' ? [] : [[a.name, v] as const]
      }),
    )
    const { drawn, skipped } = prepared.fault
      ? { drawn: undefined, skipped: { reason: 'formulaInvalid' as const, detail: prepared.fault } }
      : runTrial(
          {
            ...prepared,
            standard: {
              ...prepared.standard,
              versions: version ? [{ ...version, from: '0001-01-01', to: undefined }] : [],
            },
          },
          toValuesByName(Object.entries(valuesByName).map(([name, v]) => ({ name, value: v }))),
          day,
          prepared.standard.cycle.type === 'once' ? 1 : prepared.standard.cycle.months,
        )
    if (drawn?.[0]) {
      amount = `¥${formatYuan(drawn[0].amount, { thousands: true })}`
      explanation = explainAmount(drawn[0].snapshot)
    } else {
      explanation = skipped?.detail ?? `金额无法计算：${skipReason.rows[skipped?.reason ?? 'amountZero'][1]}`
    }
  } catch (e) {
    explanation = e instanceof CalculationError || e instanceof RangeError ? e.message : '有的值还不是数字'
  }
  return (
    <section className="trial" aria-label="试算">
      <h3>试算一{prepared.metered ? '次读数' : standard.cycleType === 'once' ? '笔' : '期'}</h3>
      <dl>
        {trialParameters.map(parameter => (
          <ValueInput
            key={parameter.name}
            id={`trial-${parameter.name}`}
            label={parameter.label ?? parameter.name}
            unit={parameter.unit}
          >
            <NumberInput
              id={`trial-${parameter.name}`}
              field={{ ...valueField, label: parameter.name }}
              value={currentValue(parameter.name, parameter.value)}
              onChange={v => setEnteredValues(was => ({ ...was, [parameter.name]: v }))}
            />
          </ValueInput>
        ))}
      </dl>
      <div role="status" aria-live="polite">
        {amount ? (
          <>
            <div className="result">{amount}</div>
            <p>{explanation}</p>
          </>
        ) : (
          <p className="bad">{explanation}</p>
        )}
      </div>
    </section>
  )
}
