import { readText } from '#kit/web/controls/read-value.ts'
import { defined } from '#kit/domain/defined.ts'
import { Radio, Select } from 'antd'
import { useMemo, useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { keyRef, labelOf } from '#kit/contract/field.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { meterState } from '../contract/choices.ts'
import { publicAreas } from '#modules/estates/contract/public-area.ts'

const sourceTypeOptions = [
  { value: 'room', label: '房屋' },
  { value: 'publicArea', label: '公共区域' },
]

const roomField = keyRef('房屋', 'room')

const stateOptions = (['active', 'stopped', 'broken'] as const).map(value => ({
  value,
  label: labelOf(meterState, value),
}))

/** 已更换 comes by replacing alone. */
export const MeterStateControl: Control = p => (
  <Radio.Group
    id={p.id}
    disabled={p.disabled}
    options={stateOptions}
    value={p.value}
    onChange={e => p.onChange(e.target.value)}
  />
)

/** Where a meter is installed: nowhere, in a room or in a public area. */
export const SourceTypeControl: Control = p => (
  <Select
    id={p.id}
    allowClear={allowClear}
    disabled={p.disabled}
    style={{ width: '100%' }}
    placeholder="不选为项目公用"
    options={sourceTypeOptions}
    value={readText(p.value) ?? null}
    onChange={v => p.onChange(v ?? undefined)}
    onBlur={p.onBlur}
    {...(p.invalid ? { status: 'error' as const } : {})}
  />
)

/** The room or the area itself, by its code. */
export const SourceControl: Control = p => {
  const project = useProject()
  const formValues = useMemo(
    () => ({ ...p.formValues, ...(p.formValues.projectCode ? {} : { projectCode: project }) }),
    [p.formValues, project],
  )
  if (p.formValues.sourceType === 'publicArea') return <AreasControl {...p} formValues={formValues} />
  return (
    <RefSelect
      field={{ ...roomField, required: p.field.required }}
      id={p.id}
      value={p.value}
      formValues={formValues}
      disabled={p.disabled || p.formValues.sourceType !== 'room'}
      onChange={p.onChange}
      onBlur={p.onBlur}
      describedBy={p.describedBy}
      {...(p.invalid ? { status: 'error' as const } : {})}
    />
  )
}

const AreasControl: Control = p => {
  const [keyword, setKeyword] = useState('')
  const areas =
    useCall(
      publicAreas.list,
      { projectCode: readText(p.formValues.projectCode) ?? '', size: 50, ...(keyword ? { keyword } : {}) },
      { quiet: true, enabled: p.formValues.projectCode !== undefined, keepPrevious: true },
    ).data?.rows ?? []
  return (
    <Select
      id={p.id}
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      allowClear={allowClear}
      disabled={p.disabled}
      style={{ width: '100%' }}
      placeholder="选择公共区域"
      options={areas.map(a => ({ value: defined(a.code), label: a.name }))}
      value={readText(p.value) ?? null}
      onChange={v => p.onChange(v ?? undefined)}
      onBlur={p.onBlur}
      {...(p.invalid ? { status: 'error' as const } : {})}
    />
  )
}
