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
export const MeterStateControl: Control = props => (
  <Radio.Group
    id={props.id}
    disabled={props.disabled}
    options={stateOptions}
    value={props.value}
    onChange={e => props.onChange(e.target.value)}
  />
)

/** Where a meter is installed: nowhere, in a room or in a public area. */
export const SourceTypeControl: Control = props => (
  <Select
    id={props.id}
    allowClear={allowClear}
    disabled={props.disabled}
    style={{ width: '100%' }}
    placeholder="不选为项目公用"
    options={sourceTypeOptions}
    value={readText(props.value) ?? null}
    onChange={v => props.onChange(v ?? undefined)}
    onBlur={props.onBlur}
    {...(props.invalid ? { status: 'error' as const } : {})}
  />
)

/** The room or the area itself, by its code. */
export const SourceControl: Control = props => {
  const project = useProject()
  const formValues = useMemo(
    () => ({ ...props.formValues, ...(props.formValues.projectCode ? {} : { projectCode: project }) }),
    [props.formValues, project],
  )
  if (props.formValues.sourceType === 'publicArea') return <AreasControl {...props} formValues={formValues} />
  return (
    <RefSelect
      field={{ ...roomField, required: props.field.required }}
      id={props.id}
      value={props.value}
      formValues={formValues}
      disabled={props.disabled || props.formValues.sourceType !== 'room'}
      onChange={props.onChange}
      onBlur={props.onBlur}
      describedBy={props.describedBy}
      {...(props.invalid ? { status: 'error' as const } : {})}
    />
  )
}

const AreasControl: Control = props => {
  const [keyword, setKeyword] = useState('')
  const areas =
    useCall(
      publicAreas.list,
      {
        projectCode: readText(props.formValues.projectCode) ?? '',
        size: 50,
        ...(keyword ? { keyword } : {}),
      },
      { quiet: true, enabled: props.formValues.projectCode !== undefined, keepPrevious: true },
    ).data?.rows ?? []
  return (
    <Select
      id={props.id}
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      allowClear={allowClear}
      disabled={props.disabled}
      style={{ width: '100%' }}
      placeholder="选择公共区域"
      options={areas.map(a => ({ value: defined(a.code), label: a.name }))}
      value={readText(props.value) ?? null}
      onChange={v => props.onChange(v ?? undefined)}
      onBlur={props.onBlur}
      {...(props.invalid ? { status: 'error' as const } : {})}
    />
  )
}
