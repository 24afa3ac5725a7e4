import { readChoice } from '#kit/web/controls/read-value.ts'
import { keysOf } from '#kit/contract/field.ts'
import { Radio } from 'antd'
import { useState } from 'react'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { payerSide } from '../contract/choices.ts'

type PayerSide = keyof typeof payerSide.rows

/** Chooses who pays instead of the room's payer: a resident or a company. */
export function PayerControl(p: ControlProps) {
  const known = readChoice(payerSide, p.formValues.payerKind)
  const [side, setSide] = useState<PayerSide>(known ?? 'resident')
  return (
    <div className="object-tags">
      <Radio.Group
        value={side}
        disabled={p.disabled}
        options={keysOf(payerSide).map(value => ({
          value,
          label: payerSide.rows[value][1],
        }))}
        onChange={e => {
          setSide(e.target.value)
          p.onChange({ payerKind: undefined, payerId: undefined })
        }}
        aria-label="缴费人类别"
      />
      <div style={{ flex: '1 1 240px' }}>
        <RefSelect
          field={{ ...p.field, kind: 'ref', target: side, targetBy: 'id', required: false }}
          id={p.id}
          value={known === side ? p.value : undefined}
          formValues={p.formValues}
          disabled={p.disabled}
          status={p.invalid ? 'error' : undefined}
          describedBy={p.describedBy}
          onBlur={p.onBlur}
          onChange={v => p.onChange({ payerKind: v === undefined ? undefined : side, payerId: v })}
        />
      </div>
    </div>
  )
}
