import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { PopoverPanel } from '../dropdown.tsx'
import { Icon } from '../icons.tsx'
import { useSetting } from '../user-settings.ts'

interface NamedBlock {
  readonly key: string
  readonly title: string
}

interface SavedArrangement {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
}

const declaredOrder: SavedArrangement = { order: [], hidden: [] }

/** The person's own order of blocks and the hidden ones; new blocks keep their declared position. */
export function useArrangement(): {
  order<T extends NamedBlock>(all: readonly T[]): readonly T[]
  readonly hidden: ReadonlySet<string>
  arrange(next: SavedArrangement | undefined): void
} {
  const [saved, set] = useSetting('bench', declaredOrder)
  const positionOf = (key: string, i: number): number => {
    const at = saved.order.indexOf(key)
    return at < 0 ? i : at
  }
  return {
    order: all =>
      [...all]
        .map((b, i) => ({ b, at: positionOf(b.key, i) }))
        .toSorted((x, y) => x.at - y.at)
        .map(x => x.b),
    hidden: new Set(saved.hidden),
    arrange: next => set(next ?? declaredOrder),
  }
}

export function ArrangeBlocks({
  all,
  hidden,
  arrange,
}: {
  readonly all: readonly NamedBlock[]
  readonly hidden: ReadonlySet<string>
  readonly arrange: (next: SavedArrangement | undefined) => void
}) {
  const [open, setOpen] = useState(false)
  const { order } = useArrangement()
  const shown = order(all)
  const keys = shown.map(b => b.key)
  const move = (i: number, to: number): void => {
    const others = keys.filter((_, x) => x !== i)
    arrange({ order: [...others.slice(0, to), defined(keys[i]), ...others.slice(to)], hidden: [...hidden] })
  }
  const toggle = (key: string): void =>
    arrange({ order: keys, hidden: hidden.has(key) ? [...hidden].filter(k => k !== key) : [...hidden, key] })
  const content = (
    <div className="arrange">
      <header>
        <h2>工作台区块</h2>
        <button type="button" className="linkish" onClick={() => arrange(undefined)}>
          恢复默认
        </button>
      </header>
      <ul>
        {shown.map((block, i) => (
          <li key={block.key}>
            <label>
              <input type="checkbox" checked={!hidden.has(block.key)} onChange={() => toggle(block.key)} />
              {block.title}
            </label>
            <button
              type="button"
              className="plain"
              disabled={i === 0}
              aria-label={`${block.title}上移`}
              onClick={() => move(i, i - 1)}
            >
              <i className="up">
                <Icon name="down" size={14} />
              </i>
            </button>
            <button
              type="button"
              className="plain"
              disabled={i === shown.length - 1}
              aria-label={`${block.title}下移`}
              onClick={() => move(i, i + 1)}
            >
              <Icon name="down" size={14} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
  return (
    <PopoverPanel open={open} onOpenChange={setOpen} content={content}>
      <button type="button" className="plain" aria-label="调整工作台" title="调整工作台">
        <Icon name="setting" size={18} />
      </button>
    </PopoverPanel>
  )
}
