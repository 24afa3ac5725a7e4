import { readRows, readText } from '#kit/web/controls/read-value.ts'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import { ariaProps, type Control } from '#kit/web/controls/control-kinds.tsx'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { offlineMethods, payMethod } from '../contract/choices.ts'
import { methodLine } from '../contract/record.ts'
import './payments.css'

type TenderRow = { readonly method?: string; readonly amount?: unknown }
const methodOptions = offlineMethods.map(m => ({ value: m, label: labelOf(payMethod, m) }))

/** One way of paying of those that are taken by hand (PAY-2). */
export const MethodControl: Control = props => (
  <Select
    {...ariaProps(props)}
    style={{ width: '100%' }}
    options={methodOptions}
    value={readText(props.value) ?? null}
    disabled={props.disabled}
    placeholder="请选择支付方式"
    onChange={v => props.onChange(v)}
    onBlur={props.onBlur}
  />
)

/** Ways of paying taken by hand, each with its sum. */
export const TendersControl: Control = ({ id, value, onChange, onBlur, disabled, nestedFaults }) => {
  const rows = readRows<TenderRow>(value ?? [{ method: 'cash' }])
  const replaceRow = (i: number, patch: TenderRow): void =>
    onChange(rows.map((r, n) => (n === i ? { ...r, ...patch } : r)))
  return (
    <div className="tenders" id={id} role="group" aria-label="支付方式">
      {rows.map((row, i) => (
        <div key={i}>
          <Select
            aria-label={`第 ${i + 1} 种支付方式`}
            options={methodOptions}
            value={row.method ?? null}
            disabled={disabled}
            onChange={(method: string) => replaceRow(i, { method })}
          />
          <NumberInput
            field={methodLine.amount}
            label={i ? `第 ${i + 1} 种金额` : '金额'}
            value={row.amount}
            disabled={disabled}
            status={nestedFaults[`[${i}].amount`] ? 'error' : undefined}
            onChange={v => replaceRow(i, { amount: v })}
            onBlur={onBlur}
          />
          {rows.length > 1 && (
            <button
              type="button"
              className="plain"
              aria-label={`删除第 ${i + 1} 种支付方式`}
              onClick={() => onChange(rows.filter((_, n) => n !== i))}
            >
              <DeleteOutlined />
            </button>
          )}
        </div>
      ))}
      {!disabled && rows.length < 4 && (
        <Button
          size="small"
          type="text"
          icon={<PlusOutlined />}
          onClick={() => onChange([...rows, { method: 'transfer' }])}
        >
          添加方式
        </Button>
      )}
    </div>
  )
}
