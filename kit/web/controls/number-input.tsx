import { Input } from 'antd'
import { useState } from 'react'
import type { Field } from '#kit/contract/field.ts'
import { asFen, formatYuan } from '#kit/domain/money.ts'
import { InvalidInput, parseTyped } from './invalid-input.ts'
import './controls.css'

interface Props {
  readonly field: Field
  readonly value?: unknown
  readonly onChange?: (v: unknown) => void
  readonly onBlur?: () => void
  readonly id?: string | undefined
  readonly label?: string
  readonly placeholder?: string | undefined
  readonly disabled?: boolean
  readonly status?: 'error' | undefined
  readonly describedBy?: string | undefined
}

const displayText = (v: unknown, f: Field): string => {
  if (v === undefined || v === null) return ''
  if (v instanceof InvalidInput) return v.text
  return f.kind === 'money' ? formatYuan(asFen(Number(v)), { thousands: true }) : String(v)
}

/**
 * A number: typed with full-width digits, commas or ¥, kept exact, formatted when the input loses the focus.
 */
export function NumberInput({
  field,
  value,
  onChange,
  onBlur,
  id,
  label,
  placeholder,
  disabled,
  status,
  describedBy,
}: Props) {
  const [typed, setTyped] = useState<string>()
  const change = (text: string): void => {
    setTyped(text)
    onChange?.(parseTyped(text, field))
  }
  return (
    <Input
      {...(id ? { id } : {})}
      {...(label ? { 'aria-label': label } : {})}
      {...(describedBy ? { 'aria-describedby': describedBy } : {})}
      {...(status ? { status, 'aria-invalid': true } : {})}
      inputMode={field.kind === 'int' ? 'numeric' : 'decimal'}
      className="numeric"
      autoComplete="off"
      disabled={disabled ?? false}
      placeholder={placeholder ?? ''}
      {...(field.kind === 'money' ? { prefix: '¥' } : {})}
      {...(field.unit ? { suffix: field.unit } : {})}
      value={typed ?? displayText(value, field)}
      onChange={e => change(e.target.value)}
      onBlur={() => {
        setTyped(undefined)
        onBlur?.()
      }}
    />
  )
}
