import { Button, Checkbox, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { saveStored, useStored } from '#kit/web/browser-store.ts'
import { RowSkeleton, errorText } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { personalKey } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { formulaType } from '#modules/fees/contract/choices.ts'
import { listStandards } from '#modules/fees/contract/standard-calls.ts'
import { cycleChoices, feeTemplates, type FeeTemplate } from '../../domain/fee-templates.ts'
import { addFees } from '../actions.ts'
import type { StepProps } from './step.ts'
import { paths } from '../paths.ts'

interface Choice {
  readonly chosen: boolean
  readonly price: string | null
  readonly months: number
}

const initialChoices = Object.fromEntries(
  feeTemplates.map(t => [t.key, { chosen: t.chosen, price: t.price, months: 1 }]),
) as Record<string, Choice>

const cycleOptions = cycleChoices.map(([value, label]) => ({ value, label }))

function TemplateRow({
  template,
  choice,
  exists,
  onChange,
  onEnter,
}: {
  readonly template: FeeTemplate
  readonly choice: Choice
  readonly exists: boolean
  readonly onChange: (change: Partial<Choice>) => void
  readonly onEnter: () => void
}) {
  const off = exists || !choice.chosen
  return (
    <tr>
      <td>
        <Checkbox
          checked={!exists && choice.chosen}
          disabled={exists}
          onChange={e => onChange({ chosen: e.target.checked })}
        >
          {template.name}
        </Checkbox>
      </td>
      <td className="short">{labelOf(formulaType, template.formulaType)}</td>
      <td>
        <InputNumber<string>
          stringMode
          min="0"
          max="99999999"
          precision={4}
          formatter={text => (text ? String(Number(text)) : '')}
          value={choice.price}
          disabled={off}
          aria-label={`${template.name}单价`}
          onChange={price => onChange({ price })}
          onPressEnter={onEnter}
          status={!off && !choice.price ? 'error' : ''}
        />{' '}
        {template.unit}
      </td>
      <td>
        {template.fixedCycle ? (
          '随抄表出账'
        ) : (
          <Select
            value={choice.months}
            disabled={off}
            options={cycleOptions}
            aria-label={`${template.name}账期`}
            onChange={months => onChange({ months })}
          />
        )}
      </td>
      <td>{exists ? '已有' : ''}</td>
    </tr>
  )
}

/** Usual charges with formula and cycle: tick, price, done. */
export function FeeStep({ projectCode, onDone }: StepProps) {
  const storageKey = personalKey(`draft/guide/fee/${projectCode}`)
  const [choices, setChoices] = useStored(storageKey, initialChoices)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const standards = useCall(listStandards, { projectCode, page: 1, size: 500 }, { project: 0, staleMs: 0 })
  if (!standards.data) return <RowSkeleton rows={4} />
  const existing = new Set(standards.data.rows.map(s => s.code))
  const chosen = feeTemplates.flatMap(template => {
    const choice = choices[template.key]
    return choice?.chosen && !existing.has(template.standardCode) ? [{ template, choice }] : []
  })
  const save = async (): Promise<void> => {
    const unpriced = chosen.find(c => !Number(c.choice.price))
    if (unpriced) return setFault(`请填写「${unpriced.template.name}」的单价`)
    if (!chosen.length) return setFault('请先勾选收费项目')
    setBusy(true)
    setFault('')
    try {
      await addFees(
        projectCode,
        chosen.map(({ template, choice }) => ({
          template,
          price: choice.price ?? '',
          months: choice.months,
        })),
      )
      saveStored(storageKey, undefined)
      toast.success(`已新增 ${chosen.length} 个收费标准`)
      onDone(true)
    } catch (error) {
      const { message, hint } = errorText(error)
      setFault([message, hint].filter(Boolean).join('，'))
      void standards.refetch()
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="inline-form">
      {fault && (
        <div className="form-band bad" role="alert">
          <span>{fault}</span>
        </div>
      )}
      <table className="step-table">
        <thead>
          <tr>
            <th>收费项目</th>
            <th>计算公式</th>
            <th>单价</th>
            <th>账期</th>
            <th aria-label="状态" />
          </tr>
        </thead>
        <tbody>
          {feeTemplates.map(template => (
            <TemplateRow
              key={template.key}
              template={template}
              choice={choices[template.key] ?? { chosen: false, price: template.price, months: 1 }}
              exists={existing.has(template.standardCode)}
              onEnter={() => void save()}
              onChange={change =>
                setChoices({
                  ...choices,
                  [template.key]: {
                    chosen: false,
                    price: template.price,
                    months: 1,
                    ...choices[template.key],
                    ...change,
                  },
                })
              }
            />
          ))}
        </tbody>
      </table>
      <div className="inline-form-actions">
        <Button type="primary" loading={busy} onClick={() => void save()}>
          新增收费标准
        </Button>
        <Button onClick={() => navigateTo(paths.addStandard)}>自定义收费标准</Button>
      </div>
    </div>
  )
}
