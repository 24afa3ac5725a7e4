import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { compare, isDecimal, round, add, type Decimal } from '#kit/domain/decimal.ts'
import { readYuan } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { chargeLineKind } from '../contract/choices.ts'
import { computeCost, lineAmount } from '../domain/cost.ts'
import { useStoredPrices, type PriceItem } from './mobile-orders.ts'
import type { ChargeLine } from './mobile-steps.ts'
import type { WorkOrder } from '../contract/work-order.ts'

interface PartsProps {
  readonly order: WorkOrder
  readonly lines: readonly ChargeLine[]
  readonly onChange: (lines: readonly ChargeLine[]) => void
}

/** The price list does not say what is work; its names do, and a tap corrects it. */
const kindOf = (name: string): ChargeLine['lineKind'] =>
  /人工|工时|上门|检测|服务费/.test(name) ? 'labour' : 'material'

const lineOf = ({ name, unit, price }: PriceItem): ChargeLine => ({
  lineKind: kindOf(name),
  name,
  ...(unit === undefined ? {} : { unit }),
  quantity: '1',
  price,
})

const readQuantity = (text: string): Decimal | undefined => {
  const value = text.trim()
  return isDecimal(value) && compare(value, '0') > 0 ? round(value, 3) : undefined
}

/** Labour and parts of the work, from the price list of the type or by hand, with what they come to. */
export function MobileParts({ order, lines, onChange }: PartsProps) {
  const prices = useStoredPrices(order.typeId)
  const [isOpen, setOpen] = useState(false)
  const change = (index: number, part: Partial<ChargeLine>): void =>
    onChange(lines.map((line, i) => (i === index ? { ...line, ...part } : line)))
  const addLine = (line: ChargeLine): void => {
    const index = lines.findIndex(other => other.name === line.name && other.price === line.price)
    const found = lines[index]
    if (found) {
      change(index, { quantity: add(found.quantity, line.quantity) })
    } else {
      onChange([...lines, line])
    }
  }
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
            onChange={part => change(index, part)}
            onRemove={() => onChange(lines.filter((_, i) => i !== index))}
          />
        ))}
      </ul>
      {lines.length > 0 && (
        <p className="parts-sum" role="status">
          合计 <b>{displayYuanWithSymbol(computeCost(lines, 0).totalCost)}</b>
        </p>
      )}
      {isOpen ? (
        <PriceList prices={prices} onChoose={item => addLine(lineOf(item))} onClose={() => setOpen(false)} />
      ) : (
        <button type="button" className="big" onClick={() => setOpen(true)}>
          添加费用
        </button>
      )}
    </section>
  )
}

function PartLine({
  line,
  onChange,
  onRemove,
}: {
  readonly line: ChargeLine
  readonly onChange: (part: Partial<ChargeLine>) => void
  readonly onRemove: () => void
}) {
  const [text, setText] = useState<string>(line.quantity)
  const [before, setBefore] = useState(line.quantity)
  if (before !== line.quantity) {
    setBefore(line.quantity)
    setText(line.quantity)
  }
  const step = (by: '1' | '-1'): void => {
    const next = add(line.quantity, by)
    if (compare(next, '0') > 0) {
      onChange({ quantity: next })
    } else {
      onRemove()
    }
  }
  const other = line.lineKind === 'labour' ? 'material' : 'labour'
  return (
    <li>
      <b>{line.name}</b>
      <span className="figure">{displayYuanWithSymbol(lineAmount(line))}</span>
      <small>
        {displayYuanWithSymbol(line.price)}
        {line.unit ? ` / ${line.unit}` : ''}
      </small>
      <button
        type="button"
        className="kind"
        aria-label={`${line.name}：${labelOf(chargeLineKind, line.lineKind)}，改为${labelOf(chargeLineKind, other)}`}
        onClick={() => onChange({ lineKind: other })}
      >
        {labelOf(chargeLineKind, line.lineKind)}
      </button>
      <span className="count">
        <button type="button" className="big" aria-label={`${line.name} 减一`} onClick={() => step('-1')}>
          −
        </button>
        <input
          inputMode="decimal"
          aria-label={`${line.name} 数量`}
          value={text}
          {...(readQuantity(text) === undefined ? { 'aria-invalid': true } : {})}
          onChange={event => {
            setText(event.target.value)
            const quantity = readQuantity(event.target.value)
            if (quantity !== undefined) {
              setBefore(quantity)
              onChange({ quantity })
            }
          }}
          onBlur={() => setText(line.quantity)}
        />
        <button type="button" className="big" aria-label={`${line.name} 加一`} onClick={() => step('1')}>
          ＋
        </button>
      </span>
    </li>
  )
}

/** The price list, narrowed by a word; what is not on it is entered by name and price. */
function PriceList({
  prices,
  onChoose,
  onClose,
}: {
  readonly prices: readonly PriceItem[]
  readonly onChoose: (item: PriceItem) => void
  readonly onClose: () => void
}) {
  const [word, setWord] = useState('')
  const [priceText, setPriceText] = useState('')
  const shown = prices.filter(item => item.name.includes(word.trim()))
  const price = readYuan(priceText)
  const isNew = word.trim() !== '' && !prices.some(item => item.name === word.trim())
  const choose = (item: PriceItem): void => {
    onChoose(item)
    setWord('')
    setPriceText('')
  }
  return (
    <div className="prices">
      <input
        type="search"
        aria-label="名称"
        placeholder="名称"
        maxLength={40}
        value={word}
        onChange={event => setWord(event.target.value)}
      />
      <ul>
        {shown.map(item => (
          <li key={`${item.name}/${item.price}`}>
            <button type="button" onClick={() => choose(item)}>
              <b>{item.name}</b>
              <span className="figure">
                {displayYuanWithSymbol(item.price)}
                {item.unit ? ` / ${item.unit}` : ''}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {!prices.length && <small>该类型没有价目，请填写名称与单价</small>}
      {isNew && (
        <div className="new-price">
          <input
            inputMode="decimal"
            aria-label="单价（元）"
            placeholder="单价（元）"
            value={priceText}
            onChange={event => setPriceText(event.target.value)}
          />
          <button
            type="button"
            className="big"
            disabled={price === undefined || price < 0}
            onClick={() => price !== undefined && choose({ name: word.trim(), price })}
          >
            添加「{word.trim()}」
          </button>
        </div>
      )}
      <button type="button" className="big" onClick={onClose}>
        收起
      </button>
    </div>
  )
}
