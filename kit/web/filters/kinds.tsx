import { Input, Select } from 'antd'
import { useEffect, useState, type ComponentType } from 'react'
import { clearable } from '../clearable.tsx'
import type { Field, Kind } from '#kit/contract/field.ts'
import { show } from '#kit/contract/value.ts'
import { Numeric } from '../controls/numeric.tsx'
import { RefSelect } from '../controls/ref-select.tsx'
import { Unread } from '../controls/unread.ts'
import { later } from '../later.tsx'
import { useNames } from '../refs.ts'

export type Asked = Readonly<Record<string, unknown>>

export interface FilterProps {
  readonly field: Field
  readonly name: string
  readonly value: Asked
  readonly onChange: (patch: Asked) => void
  readonly bar?: boolean
}

/** How a kind is filtered: which members of the search it sets, its control, its words on a chip. */
export interface Filtering {
  readonly keys: (name: string) => readonly string[]
  readonly Control: ComponentType<FilterProps>
  readonly Words: ComponentType<{ readonly field: Field; readonly name: string; readonly value: Asked }>
  /** Fits the bar. */ readonly slim: boolean
}

const one = (name: string): readonly string[] => [name]
const two = (name: string): readonly string[] => [`${name}From`, `${name}To`]
const empty = (v: unknown): boolean => v === undefined || v === '' || (Array.isArray(v) && v.length === 0)
const set = (name: string, v: unknown): Asked => ({ [name]: empty(v) ? undefined : v })

/**
 * What is being typed, and what it comes to on Enter, on leaving the box, or 400 ms after the last key; never
 * while an IME composes.
 */
function useTyped<V>(apply: (v: V) => void): {
  readonly typed: { readonly v: V } | undefined
  readonly type: (v: V) => void
  readonly now: () => void
} {
  const [typed, setTyped] = useState<{ readonly v: V }>()
  const now = (): void => {
    if (!typed) return
    setTyped(undefined)
    apply(typed.v)
  }
  useEffect(() => {
    if (!typed) return undefined
    const t = setTimeout(now, 400)
    return () => clearTimeout(t)
  }, [typed])
  return { typed, type: v => setTyped({ v }), now }
}

function TextFilter({ field, name, value, onChange, bar }: FilterProps) {
  const now = (value[name] as string | undefined) ?? ''
  const {
    typed,
    type,
    now: apply,
  } = useTyped<string>(t => {
    if (t.trim() !== now) {
      onChange(set(name, t.trim()))
    }
  })
  const [composing, setComposing] = useState<string>()
  return (
    <Input
      aria-label={field.label}
      placeholder={bar ? field.label : '包含'}
      maxLength={100}
      allowClear={clearable}
      value={composing ?? typed?.v ?? now}
      onChange={e => (composing === undefined ? type(e.target.value) : setComposing(e.target.value))}
      onBlur={apply}
      onCompositionStart={e => setComposing(e.currentTarget.value)}
      onCompositionEnd={e => {
        setComposing(undefined)
        type(e.currentTarget.value)
      }}
      onPressEnter={e => {
        if (!e.nativeEvent.isComposing) {
          apply()
        }
      }}
    />
  )
}

/** One end of a range. What cannot be read as a figure stays in the box and filters nothing. */
function End({
  field,
  at,
  words,
  value,
  onChange,
}: {
  readonly field: Field
  readonly at: string
  readonly words: string
  readonly value: Asked
  readonly onChange: (patch: Asked) => void
}) {
  const { typed, type, now } = useTyped<unknown>(v => {
    if (!(v instanceof Unread) && v !== value[at]) {
      onChange(set(at, v))
    }
  })
  return (
    <Numeric
      field={{ ...field, required: false, unit: undefined } as Field}
      label={`${field.label}${words}`}
      placeholder={words}
      value={typed ? typed.v : value[at]}
      status={typed?.v instanceof Unread ? 'error' : undefined}
      onChange={type}
      onBlur={now}
    />
  )
}

/** Both ends, either alone. */
function RangeFilter({ field, name, value, onChange }: FilterProps) {
  const [from, to] = two(name) as [string, string]
  return (
    <div className="range">
      <End field={field} at={from} words="不小于" value={value} onChange={onChange} />
      <span>至</span>
      <End field={field} at={to} words="不大于" value={value} onChange={onChange} />
    </div>
  )
}

const DateFilter = later(
  () => import('./dates.tsx').then(m => m.DateFilter),
  <Input disabled aria-label="正在加载" style={{ width: 240 }} />,
)

function ChoiceFilter({ field, name, value, onChange, bar }: FilterProps) {
  const options = Object.entries(field.choices?.rows ?? {}).map(([k, r]) => ({ value: k, label: r[1] }))
  return (
    <Select
      mode="multiple"
      allowClear={clearable}
      showSearch={{ optionFilterProp: 'label' }}
      maxTagCount="responsive"
      maxTagTextLength={6}
      aria-label={field.label}
      placeholder={bar ? field.label : '全部'}
      style={{ width: bar ? 116 : '100%' }}
      popupMatchSelectWidth={false}
      options={options}
      value={(value[name] as string[] | undefined) ?? []}
      onChange={v => onChange(set(name, v))}
    />
  )
}

function FlagFilter({ field, name, value, onChange, bar }: FilterProps) {
  const now = value[name]
  return (
    <Select
      allowClear={clearable}
      aria-label={field.label}
      placeholder={bar ? field.label : '全部'}
      style={{ width: bar ? 104 : '100%' }}
      options={[
        { value: 1, label: '是' },
        { value: 0, label: '否' },
      ]}
      value={now === undefined ? null : now ? 1 : 0}
      onChange={v => onChange({ [name]: v === undefined || v === null ? undefined : v === 1 })}
    />
  )
}

/** A search takes so many of one reference. */
const mostRefs = 200

function RefFilter({ field, name, value, onChange, bar }: FilterProps) {
  return (
    <RefSelect
      field={{ ...field, max: mostRefs } as Field}
      many
      bar={bar ?? false}
      placeholder={bar ? field.label : '全部'}
      value={value[name]}
      given={value}
      onChange={v => onChange(set(name, v))}
    />
  )
}

const Nothing = (): null => null

const Range: Filtering['Words'] = ({ field, name, value }) => {
  const [a, b] = two(name).map(k => value[k])
  const say = (v: unknown): string => (field.kind === 'moment' ? String(v).slice(0, 10) : show(v, field))
  return (
    <>
      {a !== undefined && b !== undefined
        ? a === b
          ? say(a)
          : `${say(a)} ~ ${say(b)}`
        : a !== undefined
          ? `${say(a)} 起`
          : `${say(b)} 止`}
    </>
  )
}

const Figures: Filtering['Words'] = ({ field, name, value }) => {
  const [a, b] = two(name).map(k => value[k])
  return (
    <>
      {a !== undefined && b !== undefined
        ? `${show(a, field)} ~ ${show(b, field)}`
        : a !== undefined
          ? `≥ ${show(a, field)}`
          : `≤ ${show(b, field)}`}
    </>
  )
}

const Plain: Filtering['Words'] = ({ field, name, value }) => (
  <>
    {Array.isArray(value[name]) && field.choices
      ? show(value[name], { ...field, kind: 'choices' })
      : show(value[name], field)}
  </>
)

const Named: Filtering['Words'] = ({ field, name, value }) => {
  const values = [value[name]]
    .flat()
    .filter(v => v !== undefined)
    .map(String)
  const names = useNames(field.to, values, value)
  return <>{values.map(v => names.get(v) ?? v).join('、')}</>
}

const range: Filtering = { keys: two, Control: RangeFilter, Words: Figures, slim: false }
const dates: Filtering = { keys: two, Control: DateFilter, Words: Range, slim: true }
const picked: Filtering = { keys: one, Control: ChoiceFilter, Words: Plain, slim: true }
const typed: Filtering = { keys: one, Control: TextFilter, Words: Plain, slim: false }
const never: Filtering = { keys: () => [], Control: Nothing, Words: Nothing, slim: false }

/** A kind without its filter does not compile. */
export const filtering: Record<Kind, Filtering> = {
  id: never,
  text: typed,
  int: range,
  decimal: range,
  money: range,
  day: dates,
  moment: dates,
  month: dates,
  flag: { keys: one, Control: FlagFilter, Words: Plain, slim: true },
  choice: picked,
  choices: picked,
  ref: { keys: one, Control: RefFilter, Words: Named, slim: true },
  list: typed,
  lines: never,
  part: never,
  file: never,
}

export const isSet = (name: string, f: Field, value: Asked): boolean =>
  filtering[f.kind].keys(name).some(k => !empty(value[k]))

export const cleared = (name: string, f: Field): Asked =>
  Object.fromEntries(filtering[f.kind].keys(name).map(k => [k, undefined]))
