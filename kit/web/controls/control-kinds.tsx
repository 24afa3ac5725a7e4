import { Checkbox, Input, Radio, Select, Switch } from 'antd'
import TextArea from 'antd/es/input/TextArea'
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

export const ariaProps = (props: ControlProps): object => ({
  id: props.id,
  ...(props.describedBy ? { 'aria-describedby': props.describedBy } : {}),
  ...(props.invalid ? { 'aria-invalid': true, status: 'error' } : {}),
  'aria-required': props.field.required,
  ...(props.compact ? { 'aria-label': props.field.label } : {}),
})

/** The attributes for a group of inputs, which cannot be marked as required. */
const groupAriaProps = (p: ControlProps): object => ({ ...ariaProps(p), 'aria-required': undefined })

/** Text: one line, or a growing box where it may be long. */
function TextControl(props: ControlProps) {
  const field = props.field
  const value = (props.value as string | undefined) ?? ''
  if (field.target && hasRef(field.target)) return <RefSelect {...refProps(props)} />
  const long = (field.max ?? 0) > 100 && !props.compact
  const shared = {
    ...ariaProps(props),
    value,
    disabled: props.disabled,
    onChange: (e: { target: { value: string } }) => props.onChange(e.target.value),
    onBlur: () => {
      const text = value.trim()
      if (text !== value) {
        props.onChange(text)
      }
      props.onBlur()
    },
    autoComplete: 'off',
    placeholder: '',
  }
  // Text longer than allowed may be pasted and is reported: cutting it would lose what was typed.
  return long ? (
    <TextArea
      {...shared}
      autoSize={{ minRows: 2, maxRows: 8 }}
      {...(field.max ? { count: { show: true, max: field.max } } : {})}
    />
  ) : (
    <Input {...shared} {...(field.unit ? { suffix: field.unit } : {})} />
  )
}

const refProps = (props: ControlProps): Parameters<typeof RefSelect>[0] => ({
  field: props.field,
  id: props.id,
  value: props.value,
  onChange: props.onChange,
  onBlur: props.onBlur,
  formValues: props.formValues,
  disabled: props.disabled,
  status: props.invalid ? 'error' : undefined,
  describedBy: props.describedBy,
  named: props.compact ?? false,
})

const NumberControl: Control = props => (
  <NumberInput
    field={props.field}
    {...(props.compact ? { label: props.field.label } : {})}
    id={props.id}
    value={props.value}
    onChange={props.onChange}
    onBlur={props.onBlur}
    disabled={props.disabled}
    status={props.invalid ? 'error' : undefined}
    describedBy={props.describedBy}
  />
)

const DateControl = lazyComponent(
  () => import('./date-input.tsx').then(m => m.DateInput),
  <Input disabled aria-label="正在加载" />,
)

const optionsOf = (f: Field): { value: string; label: string }[] =>
  Object.entries(f.choices?.rows ?? {}).map(([value, r]) => ({ value, label: r[1] }))

/** Up to four are radio buttons, more are a select. */
function ChoiceControl(props: ControlProps) {
  const options = optionsOf(props.field)
  const chars = options.reduce((n, o) => n + o.label.length, 0)
  if (options.length <= 4 && chars <= 14 && props.field.required && !props.compact)
    return (
      <Radio.Group
        {...ariaProps(props)}
        options={options}
        value={props.value}
        disabled={props.disabled}
        onChange={e => {
          props.onChange(e.target.value)
        }}
      />
    )
  return (
    <Select
      {...ariaProps(props)}
      style={{ width: '100%' }}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear={!props.field.required && allowClear}
      placeholder={`请选择${props.field.label}`}
      options={options}
      value={(props.value as string | undefined) ?? null}
      disabled={props.disabled}
      onChange={v => props.onChange(v ?? undefined)}
      onBlur={props.onBlur}
    />
  )
}

function MultiChoiceControl(props: ControlProps) {
  const options = optionsOf(props.field)
  const value = (props.value as string[] | undefined) ?? []
  if (options.length <= 6 && !props.compact)
    return (
      <Checkbox.Group
        {...groupAriaProps(props)}
        options={options}
        value={value}
        disabled={props.disabled}
        onChange={v => props.onChange(v)}
      />
    )
  return (
    <Select
      {...ariaProps(props)}
      mode="multiple"
      style={{ width: '100%' }}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear={allowClear}
      placeholder={`请选择${props.field.label}`}
      options={options}
      value={value}
      disabled={props.disabled}
      onChange={v => props.onChange(v)}
      onBlur={props.onBlur}
    />
  )
}

/** Several texts: Enter or a comma ends one, a pasted line is split. Keys of another entity are chosen. */
function TagsControl(props: ControlProps) {
  if (props.field.target && hasRef(props.field.target)) return <RefSelect {...refProps(props)} multiple />
  return (
    <Select
      {...ariaProps(props)}
      mode="tags"
      style={{ width: '100%' }}
      tokenSeparators={[',', '，', '、', ';', '；', ' ', '\n']}
      open={false}
      suffixIcon={null}
      placeholder="输入后按回车，可一次粘贴多个"
      value={(props.value as string[] | undefined) ?? []}
      disabled={props.disabled}
      onChange={(v: string[]) => props.onChange([...new Set(v.map(t => t.trim()).filter(t => t !== ''))])}
      onBlur={props.onBlur}
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
  flag: props => (
    <Switch
      id={props.id}
      checked={props.value === true}
      disabled={props.disabled}
      onChange={props.onChange}
      checkedChildren="是"
      unCheckedChildren="否"
      aria-label={props.field.label}
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
