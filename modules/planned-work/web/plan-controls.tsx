import { Checkbox, InputNumber, Radio, Select } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { isDay } from '#kit/domain/day.ts'
import { keysOf, labelOf, type Field } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { readText } from '#kit/web/controls/read-value.ts'
import { dayOfPicker } from '#kit/web/date-format.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { useCall } from '#kit/web/query.ts'
import { planState, targetType } from '../contract/choices.ts'
import type { WorkPlan } from '../contract/plan.ts'
import { findTargets } from '../contract/schedule.ts'

type Cycle = NonNullable<WorkPlan['cycle']>

const weekOptions = Array.from({ length: 7 }, (_, i) => ({
  value: String(i + 1),
  label: `周${'一二三四五六日'[i] ?? ''}`,
}))
const monthOptions = Array.from({ length: 31 }, (_, i) => ({ value: String(i + 1), label: `${i + 1} 日` }))

/** Several days, one after another. */
function DatesInput({ id, cycle, onChange }: { id: string; cycle: Cycle; onChange: (cycle: Cycle) => void }) {
  const dates = cycle.dates ?? []
  return (
    <div className="work-dates">
      <DatePicker
        id={id}
        value={null}
        placeholder="添加日期"
        onChange={date => {
          if (date) {
            onChange({ ...cycle, dates: [...new Set([...dates, dayOfPicker(date)])].toSorted() })
          }
        }}
      />
      <Select
        mode="multiple"
        open={false}
        aria-label="已选日期"
        placeholder="未选日期"
        value={[...dates]}
        options={dates.map(value => ({
          value,
          label: isDay(value) ? dayjs(value).format('YYYY-MM-DD') : value,
        }))}
        onChange={(chosen: string[]) => onChange({ ...cycle, dates: chosen })}
      />
    </div>
  )
}

/** The value of a cycle, as its type asks for it (PAT-2). */
export const CycleControl: Control = ({ id, value, onChange, disabled, formValues, describedBy }) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form holds what the field declares
  const cycle = (value as Cycle | undefined) ?? {}
  const shared = { id, disabled, ...(describedBy ? { 'aria-describedby': describedBy } : {}) }
  switch (formValues.cycleType) {
    case 'weekly':
      return (
        <Checkbox.Group
          {...shared}
          options={weekOptions}
          value={[...(cycle.weekDays ?? [])]}
          onChange={weekDays => onChange({ ...cycle, weekDays })}
        />
      )
    case 'monthly':
      return (
        <div className="work-dates">
          <Select
            {...shared}
            mode="multiple"
            placeholder="选择日期"
            options={monthOptions}
            value={[...(cycle.monthDays ?? [])]}
            onChange={(monthDays: string[]) => onChange({ ...cycle, monthDays })}
          />
          <Checkbox
            checked={cycle.monthEndClamp ?? false}
            onChange={e => onChange({ ...cycle, monthEndClamp: e.target.checked })}
          >
            无此日按月末
          </Checkbox>
        </div>
      )
    case 'everyDays':
      return (
        <InputNumber
          {...shared}
          min={1}
          max={3660}
          precision={0}
          suffix="天"
          value={cycle.everyDays ?? null}
          onChange={days => onChange({ ...cycle, everyDays: days ?? undefined })}
        />
      )
    case 'dates':
      return <DatesInput id={id} cycle={cycle} onChange={onChange} />
    default:
      return null
  }
}

/** A reference where the engine knows a number only. */
export const referenceControl = (target: string): Control =>
  function Reference({ field, id, value, onChange, onBlur, disabled, invalid, formValues, describedBy }) {
    const referring = { ...field, kind: 'ref', target, targetBy: 'id' } as Field
    return (
      <RefSelect
        field={referring}
        id={id}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        formValues={formValues}
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        describedBy={describedBy}
      />
    )
  }

/** Objects of the chosen sort in the project. */
export const TargetsControl: Control = ({ id, value, onChange, disabled, formValues }) => {
  const [keyword, setKeyword] = useState('')
  const projectCode = readText(formValues.projectCode) ?? ''
  const type = readText(formValues.targetType)
  const known = keysOf(targetType).find(key => key === type)
  const query = { projectCode, targetType: known ?? ('publicArea' as const), keyword }
  const found = useCall(findTargets, query, {
    quiet: true,
    enabled: known !== undefined && projectCode !== '',
  })
  const chosen = Array.isArray(value) ? value.map(String) : []
  const named = useCall(
    findTargets,
    { ...query, keyword: '', ids: chosen },
    { quiet: true, enabled: known !== undefined && projectCode !== '' && chosen.length > 0 },
  )
  const options = new Map(
    [...(named.data ?? []), ...(found.data ?? [])].map(target => [String(target.id), target.name]),
  )
  return (
    <Select
      id={id}
      mode="multiple"
      style={{ width: '100%' }}
      disabled={disabled || known === undefined}
      placeholder={known === undefined ? '先选择对象类别' : '不选则不分对象'}
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      options={[...options].map(([key, label]) => ({ value: key, label }))}
      value={chosen}
      onChange={onChange}
    />
  )
}

const settableStates = keysOf(planState).filter(state => state !== 'ended')

/** A plan ends by its last day, not by hand. */
export const StateControl: Control = ({ id, value, onChange, disabled }) => (
  <Radio.Group
    id={id}
    disabled={disabled}
    options={settableStates.map(state => ({ value: state, label: labelOf(planState, state) }))}
    value={value}
    onChange={e => onChange(e.target.value)}
  />
)
