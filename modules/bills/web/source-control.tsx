import { readRows, readTexts } from '#kit/web/controls/read-value.ts'
import { defined } from '#kit/domain/defined.ts'
import { Segmented, Select } from 'antd'
import { useEffect, useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { type Field, keyRef, labelOf } from '#kit/contract/field.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { pickCompanies } from '#modules/companies/contract/company.ts'
import { publicAreas } from '#modules/estates/contract/public-area.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { cars } from '#modules/parking/contract/car.ts'
import { listPlaces } from '#modules/parking/contract/park-place.ts'

export type SourceKind = 'room' | 'parkPlace' | 'car' | 'publicArea' | 'company'

export interface ChosenSource {
  readonly sourceType: SourceKind
  readonly sourceCode: string
}

export const sourceKinds = ['room', 'parkPlace', 'car', 'publicArea', 'company'] as const
const roomField = keyRef('收费对象', 'room', { required: true }) as Field

/** Objects that are not rooms, searched on the server, by code. */
export function SourceSearch({
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
  const [keyword, setWord] = useState('')
  const [searchedKeyword, setAsked] = useState('')
  useEffect(() => {
    const t = setTimeout(() => setAsked(keyword.trim()), 300)
    return () => clearTimeout(t)
  }, [keyword])
  const request = {
    projectCode: project,
    size: 50,
    ...(searchedKeyword ? { keyword: searchedKeyword } : {}),
  }
  const places = useCall(listPlaces, request, { enabled: kind === 'parkPlace', keepPrevious: true })
  const plates = useCall(cars.list, request, { enabled: kind === 'car', keepPrevious: true })
  const areas = useCall(publicAreas.list, request, { enabled: kind === 'publicArea', keepPrevious: true })
  const firms = useCall(pickCompanies, request, { enabled: kind === 'company', keepPrevious: true })
  const optionsByKind = {
    parkPlace: (places.data?.rows ?? []).map(p => ({ value: defined(p.code), label: p.placeNo })),
    car: (plates.data?.rows ?? []).map(c => ({ value: String(c.id), label: c.plateNo })),
    publicArea: (areas.data?.rows ?? []).map(a => ({ value: defined(a.code), label: a.name })),
    company: (firms.data?.rows ?? []).map(c => ({ value: defined(c.companyNo), label: c.name })),
  }
  const options = optionsByKind[kind]
  const selectProps = {
    id,
    showSearch: { filterOption: false, onSearch: setWord },
    options,
    placeholder: `搜索${labelOf(sourceType, kind)}`,
    style: { width: '100%' },
  } as const
  return mode === 'one' ? (
    <Select
      {...selectProps}
      allowClear={allowClear}
      value={value[0]}
      onChange={(v: string | undefined) => onChange(v === undefined ? [] : [v])}
    />
  ) : (
    <Select {...selectProps} mode="multiple" value={[...value]} onChange={onChange} maxTagCount={8} />
  )
}

/** What is charged: a sort, then any number of them. */
export function SourcesControl(props: ControlProps) {
  const list = readRows<ChosenSource>(props.value)
  const [kind, setKind] = useState<SourceKind>(list[0]?.sourceType ?? 'room')
  const codes = list.map(c => c.sourceCode)
  const changeSources = (of: SourceKind, all: readonly string[]): void =>
    props.onChange(all.length ? all.map(sourceCode => ({ sourceType: of, sourceCode })) : undefined)
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      <Segmented
        aria-label="对象类型"
        value={kind}
        disabled={props.disabled}
        onChange={k => {
          setKind(k)
          props.onChange(undefined)
        }}
        options={sourceKinds.map(k => ({ value: k, label: labelOf(sourceType, k) }))}
      />
      {kind === 'room' ? (
        <RefSelect
          field={roomField}
          multiple
          id={props.id}
          value={codes}
          onChange={v => changeSources('room', readTexts(v))}
          onBlur={props.onBlur}
          formValues={props.formValues}
          disabled={props.disabled}
          status={props.invalid ? 'error' : undefined}
          describedBy={props.describedBy}
        />
      ) : (
        <SourceSearch kind={kind} id={props.id} value={codes} onChange={v => changeSources(kind, v)} />
      )}
    </div>
  )
}
