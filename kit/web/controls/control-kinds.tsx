import { Checkbox, Input, Radio, Select, Switch } from 'antd'
import type { ComponentType } from 'react'
import { allowClear } from '../allow-clear.tsx'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { hasRef } from '../refs.ts'
import { LinesControl } from './lines.tsx'
import { NumberInput } from './number-input.tsx'
import { ImageUpload } from './image-upload.tsx'
import { RefSelect } from './ref-select.tsx'

export interface ControlProps {
  readonly field: Field
  readonly id: string
  readonly value: unknown
  readonly onChange: (v: unknown) => void
  readonly onBlur: () => void
  readonly disabled: boolean
  readonly invalid: boolean
  readonly describedBy: string | undefined
  /** All values of the form, for controls that depend on them. */
  readonly formValues: Readonly<Record<string, unknown>>
  /** Faults of nested rows, by `[2].amount`. */
  readonly nestedFaults: Readonly<Record<string, string>>
  readonly compact?: boolean
}

export type Control = ComponentType<ControlProps>

export const ariaProps = (p: ControlProps): object => ({
  id: p.id,
  ...(p.describedBy ? { 'aria-describedby': p.describedBy } : {}),
  ...(p.invalid ? { 'aria-invalid': true, status: 'error' } : {}),
  'aria-required': p.field.required,
  ...(p.compact ? { 'aria-label': p.field.label } : {}),
})

/** The same for a group of boxes, which cannot be marked as required. */
const groupAriaProps = (p: ControlProps): object => ({ ...ariaProps(p), 'aria-required': undefined })

/** Text: one line, or a growing box where it may be long. */
function TextControl(p: ControlProps) {
  const f = p.field
  const value = (p.value as string | undefined) ?? ''
  if (f.target && hasRef(f.target)) return <RefSelect {...refProps(p)} />
  const long = (f.max ?? 0) > 100 && !p.compact
  const shared = {
    ...ariaProps(p),
    value,
    disabled: p.disabled,
    onChange: (e: { target: { value: string } }) => p.onChange(e.target.value),
    onBlur: () => {
      const t = value.trim()
      if (t !== value) {
        p.onChange(t)
      }
      p.onBlur()
    },
    autoComplete: 'off',
    placeholder: '',
  }
  // Text longer than allowed may be pasted and is reported: cutting it would lose what was typed.
  return long ? (
    <Input.TextArea
      {...shared}
      autoSize={{ minRows: 2, maxRows: 8 }}
      {...(f.max ? { count: { show: true, max: f.max } } : {})}
    />
  ) : (
    <Input {...shared} {...(f.unit ? { suffix: f.unit } : {})} />
  )
}

const refProps = (p: ControlProps): Parameters<typeof RefSelect>[0] => ({
  field: p.field,
  id: p.id,
  value: p.value,
  onChange: p.onChange,
  onBlur: p.onBlur,
  formValues: p.formValues,
  disabled: p.disabled,
  status: p.invalid ? 'error' : undefined,
  describedBy: p.describedBy,
  named: p.compact ?? false,
})

const NumberControl: Control = p => (
  <NumberInput
    field={p.field}
    {...(p.compact ? { label: p.field.label } : {})}
    id={p.id}
    value={p.value}
    onChange={p.onChange}
    onBlur={p.onBlur}
    disabled={p.disabled}
    status={p.invalid ? 'error' : undefined}
    describedBy={p.describedBy}
  />
)

const DateControl = lazyComponent(
  () => import('./date-input.tsx').then(m => m.DateInput),
  <Input disabled aria-label="正在加载" />,
)

const optionsOf = (f: Field): { value: string; label: string }[] =>
  Object.entries(f.choices?.rows ?? {}).map(([value, r]) => ({ value, label: r[1] }))

/** Up to four are radio buttons, more are a select. */
function ChoiceControl(p: ControlProps) {
  const options = optionsOf(p.field)
  const chars = options.reduce((n, o) => n + o.label.length, 0)
  if (options.length <= 4 && chars <= 14 && p.field.required && !p.compact)
    return (
      <Radio.Group
        {...ariaProps(p)}
        options={options}
        value={p.value}
        disabled={p.disabled}
        onChange={e => {
          p.onChange(e.target.value)
        }}
      />
    )
  return (
    <Select
      {...ariaProps(p)}
      style={{ width: '100%' }}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear={!p.field.required && allowClear}
      placeholder={`请选择${p.field.label}`}
      options={options}
      value={(p.value as string | undefined) ?? null}
      disabled={p.disabled}
      onChange={v => p.onChange(v ?? undefined)}
      onBlur={p.onBlur}
    />
  )
}

function MultiChoiceControl(p: ControlProps) {
  const options = optionsOf(p.field)
  const value = (p.value as string[] | undefined) ?? []
  if (options.length <= 6 && !p.compact)
    return (
      <Checkbox.Group
        {...groupAriaProps(p)}
        options={options}
        value={value}
        disabled={p.disabled}
        onChange={v => p.onChange(v)}
      />
    )
  return (
    <Select
      {...ariaProps(p)}
      mode="multiple"
      style={{ width: '100%' }}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear={allowClear}
      placeholder={`请选择${p.field.label}`}
      options={options}
      value={value}
      disabled={p.disabled}
      onChange={v => p.onChange(v)}
      onBlur={p.onBlur}
    />
  )
}

/** Several texts: Enter or a comma ends one, a pasted line is split. Keys of another entity are chosen. */
function TagsControl(p: ControlProps) {
  if (p.field.target && hasRef(p.field.target)) return <RefSelect {...refProps(p)} multiple />
  return (
    <Select
      {...ariaProps(p)}
      mode="tags"
      style={{ width: '100%' }}
      tokenSeparators={[',', '，', '、', ';', '；', ' ', '\n']}
      open={false}
      suffixIcon={null}
      placeholder="输入后按回车，可一次粘贴多个"
      value={(p.value as string[] | undefined) ?? []}
      disabled={p.disabled}
      onChange={(v: string[]) => p.onChange([...new Set(v.map(t => t.trim()).filter(t => t !== ''))])}
      onBlur={p.onBlur}
    />
  )
}

const NoControl: Control = () => null

/** A kind without its control does not compile. The members of `part` are fields of their own on a screen. */
export const controls: Record<FieldKind, Control> = {
  id: NoControl,
  text: TextControl,
  int: NumberControl,
  decimal: NumberControl,
  money: NumberControl,
  day: p => <DateControl {...p} kind="day" />,
  month: p => <DateControl {...p} kind="month" />,
  moment: p => <DateControl {...p} kind="moment" />,
  flag: p => (
    <Switch
      id={p.id}
      checked={p.value === true}
      disabled={p.disabled}
      onChange={p.onChange}
      checkedChildren="是"
      unCheckedChildren="否"
      aria-label={p.field.label}
    />
  ),
  choice: ChoiceControl,
  choices: MultiChoiceControl,
  ref: p => <RefSelect {...refProps(p)} />,
  list: TagsControl,
  lines: p => <LinesControl {...p} controls={controls} />,
  part: NoControl,
  file: p => <ImageUpload {...p} maxCount={1} />,
}

/** Images by file key in a `list`, for a form field's `control`. */
export const imagesControl: Control = p => <ImageUpload {...p} maxCount={p.field.max ?? 9} />
