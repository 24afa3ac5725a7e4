import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import {
  emptyEntry,
  isEntryEmpty,
  isNewItem,
  itemOfEntry,
  matchingItems,
  missingText,
  type PartEntry,
  type PriceItem,
} from './mobile-cost.ts'

interface PriceListProps {
  /** Nothing while this phone has not read them. */
  readonly prices: readonly PriceItem[] | undefined
  readonly entry: PartEntry
  readonly onEntry: (entry: PartEntry) => void
  readonly onChoose: (item: PriceItem) => void
  readonly onClose: () => void
}

const whenEnter = (event: KeyboardEvent, run: () => void): void => {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  run()
}

/** The price list, narrowed by a word; what is not on it is entered by name and price. Enter adds. */
export function PriceList({ prices, entry, onEntry, onChoose, onClose }: PriceListProps) {
  const listed = prices ?? []
  const item = itemOfEntry(listed, entry)
  const priceRef = useRef<HTMLInputElement>(null)
  const enterName = (): void => {
    const [only, ...others] = matchingItems(listed, entry)
    if (item) {
      onChoose(item)
    } else if (only && !others.length && entry.name.trim()) {
      onChoose(only)
    } else {
      priceRef.current?.focus()
    }
  }
  const missing = missingText(prices)
  return (
    <div className="prices">
      <input
        type="search"
        aria-label="名称"
        placeholder="名称"
        maxLength={40}
        enterKeyHint="next"
        value={entry.name}
        onChange={event => onEntry({ ...entry, name: event.target.value })}
        onKeyDown={event => whenEnter(event, enterName)}
      />
      {isNewItem(listed, entry) && (
        <NewPrice
          entry={entry}
          item={item}
          inputRef={priceRef}
          onEntry={onEntry}
          onAdd={() => item && onChoose(item)}
        />
      )}
      <ul>
        {matchingItems(listed, entry).map(row => (
          <li key={`${row.name}/${row.price}`}>
            <button type="button" onClick={() => onChoose(row)}>
              <b>{row.name}</b>
              <span className="figure">
                {displayYuanWithSymbol(row.price)}
                {row.unit ? ` / ${row.unit}` : ''}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {missing !== undefined && <small>{missing}</small>}
      <button
        type="button"
        className="big"
        onClick={() => {
          onEntry(emptyEntry)
          onClose()
        }}
      >
        {isEntryEmpty(entry) ? '收起' : '取消'}
      </button>
    </div>
  )
}

/** The price of what is not on the list; it comes into sight above the large button. */
function NewPrice({
  entry,
  item,
  inputRef,
  onEntry,
  onAdd,
}: {
  readonly entry: PartEntry
  readonly item: PriceItem | undefined
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onEntry: (entry: PartEntry) => void
  readonly onAdd: () => void
}) {
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    inputRef.current?.scrollIntoView({ block: 'nearest' })
  }, [inputRef])
  return (
    <div className="new-price">
      <input
        ref={inputRef}
        inputMode="decimal"
        aria-label="单价（元）"
        placeholder="单价（元）"
        enterKeyHint="done"
        value={entry.price}
        onChange={event => onEntry({ ...entry, price: event.target.value })}
        onKeyDown={event => whenEnter(event, onAdd)}
      />
      <button type="button" className="big" disabled={item === undefined} onClick={onAdd}>
        添加「{entry.name.trim()}」
      </button>
    </div>
  )
}
