import { readChoice } from '#kit/web/controls/read-value.ts'
import { keysOf } from '#kit/contract/field.ts'
import { Radio } from 'antd'
import { useState } from 'react'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { payerSide } from '../contract/choices.ts'

type PayerSide = keyof typeof payerSide.rows

/** Chooses who pays instead of the room's payer: a resident or a company. */
export function PayerControl(props: ControlProps) {
  const known = readChoice(payerSide, props.formValues.payerKind)
  const [side, setSide] = useState<PayerSide>(known ?? 'resident')
  return (
    <div className="object-tags">
      <Radio.Group
        value={side}
        disabled={props.disabled}
        options={keysOf(payerSide).map(value => ({
          value,
          label: payerSide.rows[value][1],
        }))}
        onChange={e => {
          setSide(e.target.value)
          props.onChange({ payerKind: undefined, payerId: undefined })
        }}
        aria-label="缴费人类别"
      />
      <div style={{ flex: '1 1 240px' }}>
        <RefSelect
          field={{ ...props.field, kind: 'ref', target: side, targetBy: 'id', required: false }}
          id={props.id}
          value={known === side ? props.value : undefined}
          formValues={props.formValues}
          disabled={props.disabled}
          status={props.invalid ? 'error' : undefined}
          describedBy={props.describedBy}
          onBlur={props.onBlur}
          onChange={v => props.onChange({ payerKind: v === undefined ? undefined : side, payerId: v })}
        />
      </div>
    </div>
  )
}
