import { Segmented, Select } from 'antd'
import { useEffect, useState } from 'react'
import { clearable } from '#kit/web/clearable.tsx'
import type { Field } from '#kit/contract/field.ts'
import { keyRef, labelOf } from '#kit/contract/field.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import type { ControlProps } from '#kit/web/controls/kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { listCompanies } from '#modules/companies/contract/company.ts'
import { listAreas } from '#modules/estates/contract/area.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { listPlaces } from '#modules/parking/contract/place.ts'

export type SourceKind = 'room' | 'parkPlace' | 'publicArea' | 'company'

export interface Chosen {
  readonly sourceType: SourceKind
  readonly sourceCode: string
}

export const kinds = ['room', 'parkPlace', 'publicArea', 'company'] as const
const rooms = keyRef('收费对象', 'room', { required: true }) as Field

/** Objects that are not rooms, searched on the server, by code. */
export function Searched({
  kind,
  id,
  value,
  onChange,
  mode = 'multiple',
}: {
  readonly mode?: 'multiple' | 'one'
  readonly kind: Exclude<SourceKind, 'room'>
  readonly id: string
  readonly value: readonly string[]
  readonly onChange: (v: readonly string[]) => void
}) {
  const project = useProject()
  const [word, setWord] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const t = setTimeout(() => setAsked(word.trim()), 300)
    return () => clearTimeout(t)
  }, [word])
  const ask = { projectCode: project, size: 50, ...(asked ? { keyword: asked } : {}) } as never
  const places = useCall(listPlaces, ask, { enabled: kind === 'parkPlace', keep: true })
  const areas = useCall(listAreas, ask, { enabled: kind === 'publicArea', keep: true })
  const firms = useCall(listCompanies, ask, { enabled: kind === 'company', keep: true })
  const options =
    kind === 'parkPlace'
      ? (places.data?.rows ?? []).map(p => ({ value: p.code!, label: p.placeNo }))
      : kind === 'publicArea'
        ? (areas.data?.rows ?? []).map(a => ({ value: a.code!, label: a.name }))
        : (firms.data?.rows ?? []).map(c => ({ value: c.companyNo!, label: c.name }))
  const same = {
    id,
    showSearch: { filterOption: false, onSearch: setWord },
    options,
    placeholder: `搜索${labelOf(sourceType, kind)}`,
    style: { width: '100%' },
  } as const
  return mode === 'one' ? (
    <Select
      {...same}
      allowClear={clearable}
      value={value[0]}
      onChange={(v: string | undefined) => onChange(v === undefined ? [] : [v])}
    />
  ) : (
    <Select {...same} mode="multiple" value={[...value]} onChange={onChange} maxTagCount={8} />
  )
}

/** What is charged: a sort, then any number of them. */
export function SourcesControl(p: ControlProps) {
  const list = (p.value as readonly Chosen[] | undefined) ?? []
  const [kind, setKind] = useState<SourceKind>(list[0]?.sourceType ?? 'room')
  const codes = list.map(c => c.sourceCode)
  const say = (of: SourceKind, all: readonly string[]): void =>
    p.onChange(all.length ? all.map(sourceCode => ({ sourceType: of, sourceCode })) : undefined)
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      <Segmented
        aria-label="对象类型"
        value={kind}
        disabled={p.disabled}
        onChange={k => {
          setKind(k as SourceKind)
          p.onChange(undefined)
        }}
        options={kinds.map(k => ({ value: k, label: labelOf(sourceType, k) }))}
      />
      {kind === 'room' ? (
        <RefSelect
          field={rooms}
          many
          id={p.id}
          value={codes}
          onChange={v => say('room', (v as readonly string[]) ?? [])}
          onBlur={p.onBlur}
          given={p.given}
          disabled={p.disabled}
          status={p.invalid ? 'error' : undefined}
          describedBy={p.describedBy}
        />
      ) : (
        <Searched kind={kind} id={p.id} value={codes} onChange={v => say(kind, v)} />
      )}
    </div>
  )
}
