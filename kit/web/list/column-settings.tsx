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
export function orderColumns<T>(all: readonly Column<T>[], preferences: ColumnPreferences): Column<T>[] {
  if (!preferences.order) return [...all]
  const ordered = preferences.order.flatMap(columnKey => all.find(column => column.key === columnKey) ?? [])
  for (const [i, c] of all.entries()) {
    if (!ordered.includes(c)) {
      ordered.splice(Math.min(i, ordered.length), 0, c)
    }
  }
  return ordered
}

export const isShown = <T,>(column: Column<T>, preferences: ColumnPreferences): boolean =>
  column.identity === true || (preferences.shown?.[column.key] ?? !column.hiddenByDefault)

interface ColumnSettingsProps<T> {
  readonly all: readonly Column<T>[]
  readonly preferences: ColumnPreferences
  readonly onChange: (preferences: ColumnPreferences) => void
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
  const pinned = preferences.pinned ?? all.filter(column => column.identity).map(column => column.key)
  const move = (key: string, to: number): void => {
    const order = columns.map(column => column.key).filter(columnKey => columnKey !== key)
    order.splice(Math.max(0, Math.min(to, order.length)), 0, key)
    onChange({ ...preferences, order })
  }
  const onKey = (e: KeyboardEvent, key: string, index: number): void => {
    if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
      e.preventDefault()
      move(key, index + (e.key === 'ArrowUp' ? -1 : 1))
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
          (column, index) =>
            column.title.includes(word.trim()) && (
              <li
                key={column.key}
                draggable={!word}
                className={dragged === column.key ? 'dragged' : ''}
                onDragStart={() => setDragged(column.key)}
                onDragEnd={() => setDragged(undefined)}
                onDragOver={e => {
                  e.preventDefault()
                  if (dragged && dragged !== column.key) {
                    move(dragged, index)
                  }
                }}
              >
                <span
                  className="grip"
                  role="button"
                  tabIndex={0}
                  aria-label={`移动「${column.title}」，用上下键`}
                  onKeyDown={e => onKey(e, column.key, index)}
                >
                  <HolderOutlined />
                </span>
                <Checkbox
                  checked={
                    isShown(column, preferences) && !(column.wideOnly && hiddenKeys.includes(column.key))
                  }
                  disabled={column.identity === true}
                  onChange={e =>
                    onChange({
                      ...preferences,
                      shown: { ...preferences.shown, [column.key]: e.target.checked },
                    })
                  }
                >
                  {column.title}
                  {hiddenKeys.includes(column.key) && <small>（窗口窄，暂不显示）</small>}
                </Checkbox>
                <button
                  type="button"
                  className={`pin${pinned.includes(column.key) ? ' on' : ''}`}
                  aria-pressed={pinned.includes(column.key)}
                  aria-label={`固定「${column.title}」在左侧`}
                  onClick={() =>
                    onChange({
                      ...preferences,
                      pinned: pinned.includes(column.key)
                        ? pinned.filter(columnKey => columnKey !== column.key)
                        : [...pinned, column.key],
                    })
                  }
                >
                  {pinned.includes(column.key) ? <PushpinFilled /> : <PushpinOutlined />}
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
