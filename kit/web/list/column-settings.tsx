import { Button, Checkbox, Input, Switch } from 'antd'
import { HolderOutlined, PushpinFilled, PushpinOutlined, SettingOutlined } from '@ant-design/icons'
import { useState, type KeyboardEvent } from 'react'
import { allowClear } from '../allow-clear.tsx'
import type { Column } from '../columns.tsx'
import { PopoverPanel } from '../dropdown.tsx'

/** What one person made of a list's columns; absent members follow the screen. */
export interface ColumnPreferences {
  readonly order?: readonly string[]
  readonly shown?: Readonly<Record<string, boolean>>
  readonly pinned?: readonly string[]
  readonly totals?: boolean
}

export const noPreferences: ColumnPreferences = {}

/** All columns in the person's order; new ones of the screen stand where the screen has them. */
export function orderColumns<T>(all: readonly Column<T>[], s: ColumnPreferences): Column<T>[] {
  if (!s.order) return [...all]
  const known = s.order.flatMap(k => all.find(c => c.key === k) ?? [])
  for (const [i, c] of all.entries()) {
    if (!known.includes(c)) {
      known.splice(Math.min(i, known.length), 0, c)
    }
  }
  return known
}

export const isShown = <T,>(c: Column<T>, s: ColumnPreferences): boolean =>
  c.identity === true || (s.shown?.[c.key] ?? !c.hiddenByDefault)

interface ColumnSettingsProps<T> {
  readonly all: readonly Column<T>[]
  readonly preferences: ColumnPreferences
  readonly onChange: (s: ColumnPreferences) => void
  readonly hiddenKeys: readonly string[]
  readonly summed: boolean
}

export function ColumnSettings<T>({
  all,
  preferences,
  onChange,
  hiddenKeys,
  summed,
}: ColumnSettingsProps<T>) {
  const [open, setOpen] = useState(false)
  const [word, setWord] = useState('')
  const [dragged, setDragged] = useState<string>()
  const columns = orderColumns(all, preferences)
  const pinned = preferences.pinned ?? all.filter(c => c.identity).map(c => c.key)
  const move = (key: string, to: number): void => {
    const order = columns.map(c => c.key).filter(k => k !== key)
    order.splice(Math.max(0, Math.min(to, order.length)), 0, key)
    onChange({ ...preferences, order })
  }
  const onKey = (e: KeyboardEvent, key: string, i: number): void => {
    if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
      e.preventDefault()
      move(key, i + (e.key === 'ArrowUp' ? -1 : 1))
    }
  }
  const body = (
    <div className="column-settings" onKeyDown={e => e.stopPropagation()}>
      <header>
        <b>列设置</b>
        <button type="button" className="linkish" onClick={() => onChange({})}>
          恢复默认
        </button>
      </header>
      <Input
        size="small"
        allowClear={allowClear}
        placeholder="搜索列名"
        aria-label="搜索列名"
        value={word}
        onChange={e => setWord(e.target.value)}
      />
      <ul>
        {columns.map(
          (c, i) =>
            c.title.includes(word.trim()) && (
              <li
                key={c.key}
                draggable={!word}
                className={dragged === c.key ? 'dragged' : ''}
                onDragStart={() => setDragged(c.key)}
                onDragEnd={() => setDragged(undefined)}
                onDragOver={e => {
                  e.preventDefault()
                  if (dragged && dragged !== c.key) {
                    move(dragged, i)
                  }
                }}
              >
                <span
                  className="grip"
                  role="button"
                  tabIndex={0}
                  aria-label={`移动「${c.title}」，用上下键`}
                  onKeyDown={e => onKey(e, c.key, i)}
                >
                  <HolderOutlined />
                </span>
                <Checkbox
                  checked={isShown(c, preferences) && !(c.wideOnly && hiddenKeys.includes(c.key))}
                  disabled={c.identity === true}
                  onChange={e =>
                    onChange({ ...preferences, shown: { ...preferences.shown, [c.key]: e.target.checked } })
                  }
                >
                  {c.title}
                  {hiddenKeys.includes(c.key) && <small>（窗口窄，暂不显示）</small>}
                </Checkbox>
                <button
                  type="button"
                  className={`pin${pinned.includes(c.key) ? ' on' : ''}`}
                  aria-pressed={pinned.includes(c.key)}
                  aria-label={`固定「${c.title}」在左侧`}
                  onClick={() =>
                    onChange({
                      ...preferences,
                      pinned: pinned.includes(c.key) ? pinned.filter(k => k !== c.key) : [...pinned, c.key],
                    })
                  }
                >
                  {pinned.includes(c.key) ? <PushpinFilled /> : <PushpinOutlined />}
                </button>
              </li>
            ),
        )}
      </ul>
      {summed && (
        <label className="line">
          显示合计行
          <Switch
            size="small"
            checked={preferences.totals ?? true}
            onChange={totals => onChange({ ...preferences, totals })}
          />
        </label>
      )}
      <p>只影响你自己；存为视图可以随时切换。</p>
    </div>
  )
  return (
    <PopoverPanel open={open} onOpenChange={setOpen} content={body}>
      <Button
        type="text"
        className={open ? 'on' : ''}
        icon={<SettingOutlined />}
        aria-label="列设置"
        title="列设置"
      />
    </PopoverPanel>
  )
}
