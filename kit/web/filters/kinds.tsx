import { Input, Select } from 'antd'
import { useState, type ComponentType, type ReactNode } from 'react'
import type { Field, Kind } from '#kit/contract/field.ts'
import { show } from '#kit/contract/value.ts'
import { Numeric } from '../controls/numeric.tsx'
import { RefSelect } from '../controls/ref-select.tsx'
import { later } from '../later.tsx'
import { useNames } from '../refs.ts'

export type Asked = Readonly<Record<string, unknown>>
export interface FilterProps { readonly field: Field; readonly name: string; readonly value: Asked; readonly onChange: (patch: Asked) => void; readonly bar?: boolean }
/** How a kind is filtered: which members of the search it sets, its control, its words on a chip. */
export interface Filtering { readonly keys: (name: string) => readonly string[]; readonly Control: ComponentType<FilterProps>; readonly Words: ComponentType<{ readonly field: Field; readonly name: string; readonly value: Asked }>; /** Fits the bar. */ readonly slim: boolean }

const one = (name: string): readonly string[] => [name]
const two = (name: string): readonly string[] => [`${name}From`, `${name}To`]
const empty = (v: unknown): boolean => v === undefined || v === '' || (Array.isArray(v) && v.length === 0)
const set = (name: string, v: unknown): Asked => ({ [name]: empty(v) ? undefined : v })

/** Text applies on Enter, on leaving the box, or 400 ms after the last key. */
function TextFilter({ field, name, value, onChange }: FilterProps) {
  const now = (value[name] as string | undefined) ?? '', [typed, setTyped] = useState<string>()
  const apply = (t: string): void => { setTyped(undefined); if (t.trim() !== now) onChange(set(name, t.trim())) }
  return <Input aria-label={field.label} placeholder={field.label} maxLength={100} allowClear value={typed ?? now} onChange={e => { setTyped(e.target.value); if (!e.target.value) apply('') }} onPressEnter={e => apply(e.currentTarget.value)} onBlur={e => apply(e.currentTarget.value)} />
}
/** Both ends, either alone. */
function RangeFilter({ field, name, value, onChange }: FilterProps) {
  const [from, to] = two(name) as [string, string]
  const end = (key: string, label: string): ReactNode => <Numeric field={{ ...field, required: false, unit: undefined } as Field} label={label} value={value[key]} onChange={v => onChange(set(key, v))} placeholder={label.replace(field.label, '')} />
  return <div className="range">{end(from, `${field.label}不小于`)}<span>至</span>{end(to, `${field.label}不大于`)}</div>
}
const DateFilter = later(() => import('./dates.tsx').then(m => m.DateFilter), <Input disabled style={{ width: 240 }} />)
function ChoiceFilter({ field, name, value, onChange, bar }: FilterProps) {
  const options = Object.entries(field.choices?.rows ?? {}).map(([k, r]) => ({ value: k, label: r[1] }))
  return <Select mode="multiple" allowClear showSearch={{ optionFilterProp: 'label' }} maxTagCount="responsive" maxTagTextLength={6} aria-label={field.label} placeholder={field.label} style={{ width: bar ? 116 : '100%' }} popupMatchSelectWidth={false} options={options} value={(value[name] as string[] | undefined) ?? []} onChange={v => onChange(set(name, v))} />
}
function FlagFilter({ field, name, value, onChange, bar }: FilterProps) {
  const now = value[name]
  return <Select allowClear aria-label={field.label} placeholder={field.label} style={{ width: bar ? 104 : '100%' }} options={[{ value: 1, label: '是' }, { value: 0, label: '否' }]} value={now === undefined ? null : now ? 1 : 0} onChange={v => onChange({ [name]: v === undefined || v === null ? undefined : v === 1 })} />
}
/** A search takes so many of one reference. */
const mostRefs = 200
function RefFilter({ field, name, value, onChange, bar }: FilterProps) {
  return <RefSelect field={{ ...field, max: mostRefs } as Field} many bar={bar ?? false} value={value[name]} given={value} onChange={v => onChange(set(name, v))} />
}
const Nothing = (): null => null

const Range: Filtering['Words'] = ({ field, name, value }) => {
  const [a, b] = two(name).map(k => value[k])
  const say = (v: unknown): string => (field.kind === 'moment' ? String(v).slice(0, 10) : show(v, field))
  return <>{a !== undefined && b !== undefined ? (a === b ? say(a) : `${say(a)} ~ ${say(b)}`) : a !== undefined ? `${say(a)} 起` : `${say(b)} 止`}</>
}
const Figures: Filtering['Words'] = ({ field, name, value }) => {
  const [a, b] = two(name).map(k => value[k])
  return <>{a !== undefined && b !== undefined ? `${show(a, field)} ~ ${show(b, field)}` : a !== undefined ? `≥ ${show(a, field)}` : `≤ ${show(b, field)}`}</>
}
const Plain: Filtering['Words'] = ({ field, name, value }) => <>{Array.isArray(value[name]) && field.choices ? show(value[name], { ...field, kind: 'choices' }) : show(value[name], field)}</>
const Named: Filtering['Words'] = ({ field, name, value }) => {
  const values = [value[name]].flat().filter(v => v !== undefined).map(String), names = useNames(field.to, values, value)
  return <>{values.map(v => names.get(v) ?? v).join('、')}</>
}

const range: Filtering = { keys: two, Control: RangeFilter, Words: Figures, slim: false }
const dates: Filtering = { keys: two, Control: DateFilter, Words: Range, slim: true }
const picked: Filtering = { keys: one, Control: ChoiceFilter, Words: Plain, slim: true }
const typed: Filtering = { keys: one, Control: TextFilter, Words: Plain, slim: false }
const never: Filtering = { keys: () => [], Control: Nothing, Words: Nothing, slim: false }
/** A kind without its filter does not compile. */
export const filtering: Record<Kind, Filtering> = {
  id: never, text: typed, int: range, decimal: range, money: range, day: dates, moment: dates, month: dates,
  flag: { keys: one, Control: FlagFilter, Words: Plain, slim: true }, choice: picked, choices: picked,
  ref: { keys: one, Control: RefFilter, Words: Named, slim: true }, list: typed, lines: never, part: never, file: never,
}
export const isSet = (name: string, f: Field, value: Asked): boolean => filtering[f.kind].keys(name).some(k => !empty(value[k]))
export const cleared = (name: string, f: Field): Asked => Object.fromEntries(filtering[f.kind].keys(name).map(k => [k, undefined]))
