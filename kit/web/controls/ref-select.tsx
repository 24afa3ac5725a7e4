import { UnorderedListOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { useEffect, useRef, useState, type ComponentType } from 'react'
import type { Field } from '#kit/contract/field.ts'
import { allowClear } from '../allow-clear.tsx'
import { pendingName, useRefNames, useRefOptions, type Option, type PickerProps } from '../refs.ts'
import './controls.css'

interface RefSelectProps {
  readonly field: Field
  readonly value?: unknown
  readonly onChange?: (v: unknown) => void
  readonly onBlur?: () => void
  readonly formValues?: Readonly<Record<string, unknown>>
  readonly multiple?: boolean
  readonly inBar?: boolean
  readonly placeholder?: string
  /** No label is beside it: it names itself. */
  readonly named?: boolean
  readonly id?: string | undefined
  readonly disabled?: boolean
  readonly status?: 'error' | undefined
  readonly describedBy?: string | undefined
  /** Called with the whole option when one is chosen. */
  readonly onOption?: (o: Option | undefined) => void
}

const noFormValues = {}
const searchDelayMs = 300

const toValues = (value: unknown): string[] =>
  [value]
    .flat()
    .filter(v => v !== undefined && v !== null && v !== '')
    .map(String)

/** What is typed, and the text that is searched once typing pauses. */
function useSearchText() {
  const [typed, setTyped] = useState('')
  const [searched, setSearched] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed.trim()), typed ? searchDelayMs : 0)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped, searched }
}

/** Labels by value: of the options seen so far, else as the server names the values. */
function useLabels(
  field: Field,
  values: readonly string[],
  options: readonly Option[],
  formValues: Readonly<Record<string, unknown>>,
) {
  const known = useRef(new Map<string, string>())
  const names = useRefNames(
    field.target,
    values.filter(v => !known.current.has(v)),
    formValues,
  )
  const remember = (value: string, label: string): void => {
    if (label !== pendingName) {
      known.current.set(value, label)
    }
  }
  for (const o of options) {
    remember(o.value, o.label)
  }
  return { labelOf: (v: string): string => known.current.get(v) ?? names.get(v) ?? v, remember }
}

function emptyText(label: string, typed: string, busy: boolean, failed: boolean): string {
  if (busy) return '正在查找'
  if (failed) return '查找失败，请重试'
  return typed ? `${label}「${typed}」不存在` : `暂无${label}`
}

const toSelectOption = (option: Option) => ({
  value: option.value,
  label: option.label,
  title: option.disabledReason ?? option.label,
  disabled: option.disabledReason !== undefined,
  note: option.disabledReason ?? option.note,
})

const multipleProps = { mode: 'multiple', maxTagCount: 'responsive', maxTagTextLength: 16 } as const

/**
 * Chooses records of another entity: searched on the server while one types, the first ones at once, or in
 * the entity's own slide-in.
 */
export function RefSelect(props: RefSelectProps) {
  const { field, formValues = noFormValues, multiple = false, inBar, named, disabled = false } = props
  const { typed, setTyped, searched } = useSearchText()
  const [open, setOpen] = useState(false)
  const { options, busy, failed, hasMore, source } = useRefOptions(field.target, searched, formValues, open)
  const values = toValues(props.value)
  const { labelOf, remember } = useLabels(field, values, options, formValues)
  const isNumeric = field.kind === 'ref' && field.targetBy !== 'key'
  const choose = (chosen: readonly string[]): void => {
    const [first] = chosen
    const single = first !== undefined && isNumeric ? Number(first) : first
    props.onChange?.(multiple ? chosen : single)
    props.onOption?.(options.find(o => o.value === first))
  }
  const chosenOptions = values.map(v => ({ value: v, label: labelOf(v) }))
  // The filter bar is narrow: there the slide-in is only behind 更多筛选.
  const Picker = inBar ? undefined : source?.picker
  return (
    <div
      className={Picker ? 'with-picker' : 'ref-select'}
      style={inBar ? { width: 116, flex: 'none' } : undefined}
    >
      <Select
        {...(props.id ? { id: props.id } : {})}
        {...(props.describedBy ? { 'aria-describedby': props.describedBy } : {})}
        {...(props.status ? { status: props.status, 'aria-invalid': true } : {})}
        {...(multiple ? multipleProps : {})}
        labelInValue
        allowClear={(!field.required || multiple) && allowClear}
        disabled={disabled}
        style={{ width: '100%' }}
        popupMatchSelectWidth={false}
        {...(inBar || named || !props.id ? { 'aria-label': field.label } : {})}
        placeholder={props.placeholder ?? `请选择${field.label}`}
        showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
        open={open}
        onOpenChange={next => {
          setOpen(next)
          if (!next) {
            setTyped('')
          }
        }}
        loading={busy}
        options={options.map(toSelectOption)}
        optionRender={option => (
          <span className="ref-option">
            {option.data.label}
            {option.data.note ? <small>{option.data.note}</small> : null}
          </span>
        )}
        notFoundContent={emptyText(field.label, typed, busy, failed)}
        popupRender={menu => (
          <>
            {menu}
            {hasMore && <div className="popup-note">只显示前 50 个，输入文字可缩小范围</div>}
          </>
        )}
        value={multiple ? chosenOptions : (chosenOptions[0] ?? null)}
        onChange={next => {
          // The library's type knows one form of the value; with `mode` it is a list.
          const chosen = [next].flat().filter(x => x) as { value: string; label?: unknown }[]
          for (const { value, label } of chosen) {
            remember(value, String(label ?? labelOf(value)))
          }
          choose(chosen.map(x => x.value))
        }}
        onBlur={() => props.onBlur?.()}
      />
      {Picker && (
        <PickerButton
          Picker={Picker}
          field={field}
          values={values}
          multiple={multiple}
          formValues={formValues}
          named={named ?? false}
          disabled={disabled}
          onPicked={picked => {
            for (const o of picked) {
              remember(o.value, o.label)
            }
            choose(picked.map(o => o.value))
            props.onOption?.(picked[0])
          }}
        />
      )}
    </div>
  )
}

/** 选择 beside the drop-down: opens the entity's slide-in. */
function PickerButton({
  Picker,
  field,
  values,
  multiple,
  formValues,
  named,
  disabled,
  onPicked,
}: {
  readonly Picker: ComponentType<PickerProps>
  readonly field: Field
  readonly values: readonly string[]
  readonly multiple: boolean
  readonly formValues: Readonly<Record<string, unknown>>
  readonly named: boolean
  readonly disabled: boolean
  readonly onPicked: (picked: readonly Option[]) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        aria-label={`选择${field.label}`}
        disabled={disabled}
        onClick={() => setOpen(true)}
        {...(named ? { icon: <UnorderedListOutlined /> } : {})}
      >
        {named ? null : '选择'}
      </Button>
      {isOpen && (
        <Picker
          value={values}
          multiple={multiple}
          max={multiple ? field.max : 1}
          formValues={formValues}
          onDone={picked => {
            setOpen(false)
            if (picked) {
              onPicked(picked)
            }
          }}
        />
      )}
    </>
  )
}
