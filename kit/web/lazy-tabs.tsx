import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import './tabbed.css'

export interface TabItem {
  readonly key: string
  readonly label: string
  readonly children: ReactNode
}

interface LazyTabsProps {
  readonly items: readonly TabItem[]
  /** The open one, where something else on the page may choose it too. */
  readonly active?: string
  readonly onActive?: (key: string) => void
}

/**
 * Tabs of a detail: drawn when first opened, kept from then on; arrow keys move. A fifteenth of the size of
 * the library's.
 */
export function LazyTabs({ items, active, onActive }: LazyTabsProps) {
  const [ownChoice, setOwnChoice] = useState(items[0]?.key ?? '')
  const chosen = active ?? ownChoice
  const activeKey = items.some(i => i.key === chosen) ? chosen : (items[0]?.key ?? '')
  const [openedKeys, setOpenedKeys] = useState<ReadonlySet<string>>(new Set([activeKey]))
  const id = useId()
  const open = (key: string): void => {
    setOwnChoice(key)
    onActive?.(key)
    setOpenedKeys(s => new Set([...s, key]))
  }
  const step = (e: KeyboardEvent<HTMLElement>): void => {
    const direction = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0
    const target =
      direction &&
      items[(items.findIndex(i => i.key === activeKey) + direction + items.length) % items.length]
    if (target) {
      open(target.key)
      document.getElementById(`${id}-${target.key}`)?.focus()
    }
  }
  return (
    <div className="tabbed">
      <div className="tabbed-strip" role="tablist" onKeyDown={step}>
        {items.map(item => (
          <button
            key={item.key}
            id={`${id}-${item.key}`}
            type="button"
            role="tab"
            aria-selected={item.key === activeKey}
            aria-controls={`${id}-${item.key}-panel`}
            tabIndex={item.key === activeKey ? 0 : -1}
            onClick={() => open(item.key)}
          >
            {item.label}
          </button>
        ))}
      </div>
      {items
        .filter(i => i.key === activeKey || openedKeys.has(i.key))
        .map(item => (
          <div
            key={item.key}
            id={`${id}-${item.key}-panel`}
            className="tabbed-panel"
            role="tabpanel"
            aria-labelledby={`${id}-${item.key}`}
            hidden={item.key !== activeKey}
          >
            {item.children}
          </div>
        ))}
    </div>
  )
}
