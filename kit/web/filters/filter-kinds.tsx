import { Input, Select } from 'antd'
import { useEffect, useState, type ComponentType } from 'react'
import { allowClear } from '../allow-clear.tsx'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { NumberInput } from '../controls/number-input.tsx'
import { RefSelect } from '../controls/ref-select.tsx'
import { InvalidInput } from '../controls/invalid-input.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { useRefNames } from '../refs.ts'

export type FilterValues = Readonly<Record<string, unknown>>

export interface FilterProps {
  readonly field: Field
  readonly name: string
  readonly value: FilterValues
  readonly onChange: (patch: FilterValues) => void
  readonly inBar?: boolean
}

/** How a kind is filtered: which members of the search it sets, its control, its text on a chip. */
export interface FilterKind {
  readonly keys: (name: string) => readonly string[]
  readonly Control: ComponentType<FilterProps>
  readonly Text: ComponentType<{ readonly field: Field; readonly name: string; readonly value: FilterValues }>
  /** Fits the bar. */
  readonly fitsBar: boolean
}

const singleKey = (name: string): readonly string[] => [name]
const rangeKeys = (name: string): readonly string[] => [`${name}From`, `${name}To`]
const isEmpty = (v: unknown): boolean => v === undefined || v === '' || (Array.isArray(v) && v.length === 0)
const patchOf = (name: string, v: unknown): FilterValues => ({ [name]: isEmpty(v) ? undefined : v })

/**
 * What is being typed, applied on Enter, when the input loses the focus, or 400 ms after the last key; never
 * while an IME composes.
 */
function useTyped<V>(apply: (value: V) => void): {
  readonly typed: { readonly value: V } | undefined
  readonly setTyped: (value: V) => void
  readonly applyTyped: () => void
} {
  const [typed, setTyped] = useState<{ readonly value: V }>()
  const applyTyped = (): void => {
    if (!typed) return
    setTyped(undefined)
    apply(typed.value)
  }
  useEffect(() => {
    if (!typed) return undefined
    const timer = setTimeout(applyTyped, 400)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped: value => setTyped({ value }), applyTyped }
}

function TextFilter({ field, name, value, onChange, inBar }: FilterProps) {
  const applied = (value[name] as string | undefined) ?? ''
  const { typed, setTyped, applyTyped } = useTyped<string>(text => {
    if (text.trim() !== applied) {
      onChange(patchOf(name, text.trim()))
    }
  })
  const [composing, setComposing] = useState<string>()
  return (
    <Input
      aria-label={field.label}
      placeholder={inBar ? field.label : '包含'}
      maxLength={100}
      allowClear={allowClear}
      value={composing ?? typed?.value ?? applied}
      onChange={e => (composing === undefined ? setTyped(e.target.value) : setComposing(e.target.value))}
      onBlur={applyTyped}
      onCompositionStart={e => setComposing(e.currentTarget.value)}
      onCompositionEnd={e => {
        setComposing(undefined)
        setTyped(e.currentTarget.value)
      }}
      onPressEnter={e => {
        if (!e.nativeEvent.isComposing) {
          applyTyped()
        }
      }}
    />
  )
}

/** One end of a range. Text that is no number stays in the input and filters nothing. */
function RangeEnd({
  field,
  name,
  hint,
  value,
  onChange,
}: {
  readonly field: Field
  readonly name: string
  readonly hint: string
  readonly value: FilterValues
  readonly onChange: (patch: FilterValues) => void
}) {
  const { typed, setTyped, applyTyped } = useTyped<unknown>(end => {
    if (!(end instanceof InvalidInput) && end !== value[name]) {
      onChange(patchOf(name, end))
    }
  })
  return (
    <NumberInput
      field={{ ...field, required: false, unit: undefined }}
      label={`${field.label}${hint}`}
      placeholder={hint}
      value={typed ? typed.value : value[name]}
      status={typed?.value instanceof InvalidInput ? 'error' : undefined}
      onChange={setTyped}
      onBlur={applyTyped}
    />
  )
}

/** Both ends, either alone. */
function RangeFilter({ field, name, value, onChange }: FilterProps) {
  const [from, to] = rangeKeys(name) as [string, string]
  const isEmptyRange =
    value[from] !== undefined && value[to] !== undefined && Number(value[from]) > Number(value[to])
  return (
    <>
      <div className="range">
        <RangeEnd field={field} name={from} hint="不小于" value={value} onChange={onChange} />
        <span>至</span>
        <RangeEnd field={field} name={to} hint="不大于" value={value} onChange={onChange} />
      </div>
      {isEmptyRange && (
        <span role="alert" className="range-fault">
          下限大于上限，请修改
        </span>
      )}
    </>
  )
}

const DateFilter = lazyComponent(
  () => import('./dates.tsx').then(m => m.DateFilter),
  <Input disabled aria-label="正在加载" style={{ width: 240 }} />,
)

function ChoiceFilter({ field, name, value, onChange, inBar }: FilterProps) {
  const options = Object.entries(field.choices?.rows ?? {}).map(([k, r]) => ({ value: k, label: r[1] }))
  return (
    <Select
      mode="multiple"
      allowClear={allowClear}
      showSearch={{ optionFilterProp: 'label' }}
      maxTagCount="responsive"
      maxTagTextLength={6}
      aria-label={field.label}
      placeholder={inBar ? field.label : '全部'}
      style={{ width: inBar ? 116 : '100%' }}
      popupMatchSelectWidth={false}
      options={options}
      value={(value[name] as string[] | undefined) ?? []}
      onChange={v => onChange(patchOf(name, v))}
    />
  )
}

function FlagFilter({ field, name, value, onChange, inBar }: FilterProps) {
  const applied = value[name]
  return (
    <Select
      allowClear={allowClear}
      aria-label={field.label}
      placeholder={inBar ? field.label : '全部'}
      style={{ width: inBar ? 104 : '100%' }}
      options={[
        { value: 1, label: '是' },
        { value: 0, label: '否' },
      ]}
      value={applied === undefined ? null : applied ? 1 : 0}
      onChange={v => onChange({ [name]: v === undefined || v === null ? undefined : v === 1 })}
    />
  )
}

/** How many of one reference a search accepts. */
const maxRefs = 200

function RefFilter({ field, name, value, onChange, inBar }: FilterProps) {
  return (
    <RefSelect
      field={{ ...field, max: maxRefs }}
      multiple
      inBar={inBar ?? false}
      placeholder={inBar ? field.label : '全部'}
      value={value[name]}
      formValues={value}
      onChange={v => onChange(patchOf(name, v))}
    />
  )
}

const NoControl = (): null => null

const DateRangeText: FilterKind['Text'] = ({ field, name, value }) => {
  const [from, to] = rangeKeys(name).map(k => value[k])
  const formatEnd = (v: unknown): string =>
    field.kind === 'moment' ? String(v).slice(0, 10) : formatValue(v, field)
  return (
    <>
      {from !== undefined && to !== undefined
        ? from === to
          ? formatEnd(from)
          : `${formatEnd(from)} ~ ${formatEnd(to)}`
        : from !== undefined
          ? `${formatEnd(from)} 起`
          : `${formatEnd(to)} 止`}
    </>
  )
}

const NumberRangeText: FilterKind['Text'] = ({ field, name, value }) => {
  const [from, to] = rangeKeys(name).map(k => value[k])
  return (
    <>
      {from !== undefined && to !== undefined
        ? `${formatValue(from, field)} ~ ${formatValue(to, field)}`
        : from !== undefined
          ? `≥ ${formatValue(from, field)}`
          : `≤ ${formatValue(to, field)}`}
    </>
  )
}

const PlainText: FilterKind['Text'] = ({ field, name, value }) => (
  <>
    {Array.isArray(value[name]) && field.choices
      ? formatValue(value[name], { ...field, kind: 'choices' })
      : formatValue(value[name], field)}
  </>
)

const RefText: FilterKind['Text'] = ({ field, name, value }) => {
  const values = [value[name]]
    .flat()
    .filter(v => v !== undefined)
    .map(String)
  const names = useRefNames(field.target, values, value)
  return <>{values.map(v => names.get(v) ?? v).join('、')}</>
}

const rangeFilter: FilterKind = {
  keys: rangeKeys,
  Control: RangeFilter,
  Text: NumberRangeText,
  fitsBar: false,
}
const dateFilter: FilterKind = { keys: rangeKeys, Control: DateFilter, Text: DateRangeText, fitsBar: true }
const choiceFilter: FilterKind = { keys: singleKey, Control: ChoiceFilter, Text: PlainText, fitsBar: true }
const textFilter: FilterKind = { keys: singleKey, Control: TextFilter, Text: PlainText, fitsBar: false }
const noFilter: FilterKind = { keys: () => [], Control: NoControl, Text: NoControl, fitsBar: false }

/** A kind without its filter does not compile. */
export const filterKinds: Record<FieldKind, FilterKind> = {
  id: noFilter,
  text: textFilter,
  int: rangeFilter,
  decimal: rangeFilter,
  money: rangeFilter,
  day: dateFilter,
  moment: dateFilter,
  month: dateFilter,
  flag: { keys: singleKey, Control: FlagFilter, Text: PlainText, fitsBar: true },
  choice: choiceFilter,
  choices: choiceFilter,
  ref: { keys: singleKey, Control: RefFilter, Text: RefText, fitsBar: true },
  list: textFilter,
  lines: noFilter,
  part: noFilter,
  file: noFilter,
}

export const isFilterSet = (name: string, f: Field, value: FilterValues): boolean =>
  filterKinds[f.kind].keys(name).some(k => !isEmpty(value[k]))

export const clearedFilter = (name: string, f: Field): FilterValues =>
  Object.fromEntries(filterKinds[f.kind].keys(name).map(k => [k, undefined]))
