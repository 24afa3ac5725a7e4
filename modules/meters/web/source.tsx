import { Radio, Select } from 'antd'
import { useMemo, useState } from 'react'
import { clearable } from '#kit/web/clearable.tsx'
import { keyRef, labelOf, type Field } from '#kit/contract/field.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import type { Control } from '#kit/web/controls/kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { meterState } from '../contract/choices.ts'
import { listAreas } from '#modules/estates/contract/area.ts'

const kinds = [
  { value: 'room', label: '房屋' },
  { value: 'publicArea', label: '公共区域' },
]

const roomField = keyRef('房屋', 'room')

const states = (['active', 'stopped', 'broken'] as const).map(value => ({
  value,
  label: labelOf(meterState, value),
}))

/** 已更换 comes by replacing alone. */
export const MeterState: Control = p => (
  <Radio.Group
    id={p.id}
    disabled={p.disabled}
    options={states}
    value={p.value}
    onChange={e => p.onChange(e.target.value)}
  />
)

/** Where a meter hangs: nowhere, in a room or in a public area. */
export const SourceKind: Control = p => (
  <Select
    id={p.id}
    allowClear={clearable}
    disabled={p.disabled}
    style={{ width: '100%' }}
    placeholder="不选为项目公用"
    options={kinds}
    value={(p.value as string | undefined) ?? null}
    onChange={v => p.onChange(v ?? undefined)}
    onBlur={p.onBlur}
    {...(p.invalid ? { status: 'error' as const } : {})}
  />
)

/** The room or the area itself, by its code. */
export const SourceChoice: Control = p => {
  const project = useProject()
  const given = useMemo(
    () => ({ ...p.given, ...(p.given.projectCode ? {} : { projectCode: project }) }),
    [p.given, project],
  )
  if (p.given.sourceType === 'publicArea') return <Areas {...p} given={given} />
  return (
    <RefSelect
      field={{ ...roomField, required: p.field.required } as Field}
      id={p.id}
      value={p.value}
      given={given}
      disabled={p.disabled || p.given.sourceType !== 'room'}
      onChange={p.onChange}
      onBlur={p.onBlur}
      describedBy={p.describedBy}
      {...(p.invalid ? { status: 'error' as const } : {})}
    />
  )
}

const Areas: Control = p => {
  const [word, setWord] = useState('')
  const found =
    useCall(
      listAreas,
      { projectCode: p.given.projectCode as string, size: 50, ...(word ? { keyword: word } : {}) },
      { quiet: true, enabled: p.given.projectCode !== undefined, keep: true },
    ).data?.rows ?? []
  return (
    <Select
      id={p.id}
      showSearch={{ filterOption: false, onSearch: setWord }}
      allowClear={clearable}
      disabled={p.disabled}
      style={{ width: '100%' }}
      placeholder="选择公共区域"
      options={found.map(a => ({ value: a.code!, label: a.name }))}
      value={(p.value as string | undefined) ?? null}
      onChange={v => p.onChange(v ?? undefined)}
      onBlur={p.onBlur}
      {...(p.invalid ? { status: 'error' as const } : {})}
    />
  )
}
