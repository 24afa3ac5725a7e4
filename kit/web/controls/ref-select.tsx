import { UnorderedListOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { allowClear } from '../allow-clear.tsx'
import type { Field } from '#kit/contract/field.ts'
import { useRefNames, useRefOptions, type Option } from '../refs.ts'
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
  /** No label stands beside it: it names itself. */
  readonly named?: boolean
  readonly id?: string | undefined
  readonly disabled?: boolean
  readonly status?: 'error' | undefined
  readonly describedBy?: string | undefined
  /** Called with the whole option when one is chosen. */
  readonly onOption?: (o: Option | undefined) => void
}

const noFormValues = {}

/**
 * Chooses records of another entity: searched on the server while one types, the first ones at once, or in
 * the entity's own slide-in.
 */
export function RefSelect({
  field,
  value,
  onChange,
  onBlur,
  formValues = noFormValues,
  multiple: many,
  inBar,
  named,
  placeholder,
  id,
  disabled,
  status,
  describedBy,
  onOption,
}: RefSelectProps) {
  const [word, setWord] = useState('')
  const [asked, setAsked] = useState('')
  const [open, setOpen] = useState(false)
  const [picking, setPicking] = useState(false)
  const known = useRef(new Map<string, string>())
  useEffect(() => {
    const t = setTimeout(() => setAsked(word.trim()), word ? 300 : 0)
    return () => clearTimeout(t)
  }, [word])
  const { options, busy, failed, more, source } = useRefOptions(field.target, asked, formValues, open)
  const values = [value]
    .flat()
    .filter(v => v !== undefined && v !== null && v !== '')
    .map(String)
  const names = useRefNames(
    field.target,
    values.filter(v => !known.current.has(v)),
    formValues,
  )
  for (const o of options) {
    known.current.set(o.value, o.label)
  }
  const label = (v: string): string => known.current.get(v) ?? names.get(v) ?? v
  const numeric = field.kind === 'ref' && field.targetBy !== 'key'
  const typed = (v: string): unknown => (numeric && !many ? Number(v) : v)
  const choose = (vs: readonly string[]): void => {
    onChange?.(many ? vs : vs[0] === undefined ? undefined : typed(vs[0]))
    onOption?.(options.find(o => o.value === vs[0]))
  }

  const shownOptions = options.map(o => ({
    value: o.value,
    label: o.label,
    title: o.disabledReason ?? o.label,
    disabled: o.disabledReason !== undefined,
    note: o.disabledReason ?? o.note,
  }))
  const chosen = values.map(v => ({ value: v, label: label(v) }))
  // The bar is narrow: there the slide-in waits behind 更多筛选.
  const Picker = inBar ? undefined : source?.picker
  return (
    <div
      className={Picker ? 'with-picker' : 'ref-select'}
      style={inBar ? { width: 116, flex: 'none' } : undefined}
    >
      <Select
        {...(id ? { id } : {})}
        {...(describedBy ? { 'aria-describedby': describedBy } : {})}
        {...(status ? { status, 'aria-invalid': true } : {})}
        {...(many
          ? { mode: 'multiple' as const, maxTagCount: 'responsive' as const, maxTagTextLength: 6 }
          : {})}
        labelInValue
        allowClear={(!field.required || !!many) && allowClear}
        disabled={disabled ?? false}
        style={{ width: '100%' }}
        popupMatchSelectWidth={false}
        {...(inBar || named || !id ? { 'aria-label': field.label } : {})}
        placeholder={placeholder ?? `请选择${field.label}`}
        showSearch={{ filterOption: false, searchValue: word, onSearch: setWord }}
        open={open}
        onOpenChange={o => {
          setOpen(o)
          if (!o) {
            setWord('')
          }
        }}
        loading={busy}
        options={shownOptions}
        optionRender={o => (
          <span className="ref-option">
            {o.data.label}
            {o.data.note ? <small>{o.data.note as string}</small> : null}
          </span>
        )}
        notFoundContent={
          busy
            ? '正在查找'
            : failed
              ? '查找失败，请重试'
              : word
                ? `没有叫「${word}」的${field.label}`
                : `还没有${field.label}`
        }
        popupRender={menu => (
          <>
            {menu}
            {more && <div className="popup-note">只显示前 50 个，输入文字可缩小范围</div>}
          </>
        )}
        value={many ? chosen : (chosen[0] ?? null)}
        onChange={v =>
          choose(
            [v]
              .flat()
              .filter(x => x)
              .map((x: any) => {
                known.current.set(x.value, String(x.label ?? label(x.value)))
                return x.value as string
              }),
          )
        }
        onBlur={() => onBlur?.()}
      />
      {Picker && (
        <Button
          aria-label={`选择${field.label}`}
          disabled={disabled ?? false}
          onClick={() => setPicking(true)}
          {...(named ? { icon: <UnorderedListOutlined /> } : {})}
        >
          {named ? null : '选择'}
        </Button>
      )}
      {Picker && picking && (
        <Picker
          value={values}
          multiple={!!many}
          max={many ? field.max : 1}
          formValues={formValues}
          onDone={got => {
            setPicking(false)
            if (!got) return
            for (const o of got) {
              known.current.set(o.value, o.label)
            }
            choose(got.map(o => o.value))
            onOption?.(got[0])
          }}
        />
      )}
    </div>
  )
}
