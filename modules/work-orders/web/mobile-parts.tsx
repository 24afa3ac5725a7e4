import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { add, compare } from '#kit/domain/decimal.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { FieldFault } from '#kit/web/phone/phone-field.tsx'
import { chargeLineKind } from '../contract/choices.ts'
import { grossCost, lineAmount } from '../domain/cost.ts'
import {
  addItem,
  emptyEntry,
  isEntryEmpty,
  typeQuantity,
  type DraftLine,
  type PartEntry,
} from './mobile-cost.ts'
import { useStoredPrices } from './mobile-orders.ts'
import { PriceList } from './mobile-prices.tsx'
import type { WorkOrder } from '../contract/work-order.ts'

interface PartsProps {
  readonly order: WorkOrder
  readonly lines: readonly DraftLine[]
  /** What is typed and not added yet. */
  readonly entry: PartEntry
  readonly fault: string | undefined
  readonly onChange: (cost: { readonly lines?: readonly DraftLine[]; readonly entry?: PartEntry }) => void
}

/** Labour and parts of the work, from the price list of the type or by hand, with what they come to. */
export function MobileParts({ order, lines, entry, fault, onChange }: PartsProps) {
  const prices = useStoredPrices(order.typeId)
  const gross = grossCost(lines)
  const [isOpen, setOpen] = useState(!isEntryEmpty(entry))
  return (
    <section className="field" aria-label="费用明细">
      <span className="label">
        费用明细
        {order.isWarranty && <small>质保内免费，仍请如实登记</small>}
      </span>
      <ul className="parts">
        {lines.map((line, index) => (
          <PartLine
            key={`${line.name}/${line.price}`}
            line={line}
            onChange={changed => onChange({ lines: lines.with(index, changed) })}
            onRemove={() => onChange({ lines: lines.toSpliced(index, 1) })}
          />
        ))}
      </ul>
      {lines.length > 0 && (
        <p className="parts-sum" role="status">
          合计 <b>{gross === undefined ? '超出上限' : displayYuanWithSymbol(gross)}</b>
        </p>
      )}
      {isOpen ? (
        <PriceList
          prices={prices}
          entry={entry}
          onEntry={typed => onChange({ entry: typed })}
          onChoose={item => onChange({ lines: addItem(lines, item), entry: emptyEntry })}
          onClose={() => setOpen(false)}
        />
      ) : (
        <button type="button" className="big" onClick={() => setOpen(true)}>
          添加费用
        </button>
      )}
      <FieldFault fault={fault} />
    </section>
  )
}

function PartLine({
  line,
  onChange,
  onRemove,
}: {
  readonly line: DraftLine
  readonly onChange: (line: DraftLine) => void
  readonly onRemove: () => void
}) {
  const step = (by: '1' | '-1'): void => {
    const next = add(line.quantity, by)
    if (compare(next, '0') > 0) {
      onChange(typeQuantity(line, next))
    } else {
      onRemove()
    }
  }
  const amount = lineAmount(line)
  const other = line.lineKind === 'labour' ? 'material' : 'labour'
  return (
    <li>
      <b>{line.name}</b>
      <span className="figure">{amount === undefined ? '超出上限' : displayYuanWithSymbol(amount)}</span>
      <small>
        {displayYuanWithSymbol(line.price)}
        {line.unit ? ` / ${line.unit}` : ''}
      </small>
      <button
        type="button"
        className="kind"
        aria-label={`${line.name}：${labelOf(chargeLineKind, line.lineKind)}，改为${labelOf(chargeLineKind, other)}`}
        onClick={() => onChange({ ...line, lineKind: other })}
      >
        {labelOf(chargeLineKind, line.lineKind)}
      </button>
      <span className="count">
        <button type="button" className="big" aria-label={`${line.name} 减一`} onClick={() => step('-1')}>
          −
        </button>
        <QuantityInput line={line} onChange={onChange} />
        <button type="button" className="big" aria-label={`${line.name} 加一`} onClick={() => step('1')}>
          ＋
        </button>
      </span>
    </li>
  )
}

/** As it is typed: `1.` is on the way to 1.5, and an emptied box waits for its number. */
function QuantityInput({
  line,
  onChange,
}: {
  readonly line: DraftLine
  readonly onChange: (line: DraftLine) => void
}) {
  const [typed, setTyped] = useState<string>()
  return (
    <input
      inputMode="decimal"
      aria-label={`${line.name} 数量`}
      value={typed ?? line.quantityText ?? line.quantity}
      {...(line.quantityText === undefined ? {} : { 'aria-invalid': true })}
      onChange={event => {
        setTyped(event.target.value)
        onChange(typeQuantity(line, event.target.value))
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
