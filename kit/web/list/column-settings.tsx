import { Button, Checkbox, Input, Switch } from 'antd'
import { HolderOutlined, PushpinFilled, PushpinOutlined, SettingOutlined } from '@ant-design/icons'
import { useState, type KeyboardEvent } from 'react'
import { allowClear } from '../allow-clear.tsx'
import type { Column } from '../columns.tsx'
import { PopoverPanel } from '../dropdown.tsx'

/** One person's changes to a list's columns; absent members follow the screen. */
export interface ColumnPreferences {
  readonly order?: readonly string[]
  readonly shown?: Readonly<Record<string, boolean>>
  readonly pinned?: readonly string[]
  readonly totals?: boolean
}

export const noPreferences: ColumnPreferences = {}

/** All columns in the person's order; new columns of the screen keep the screen's position. */
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

interface ColumnItemProps<T> {
  readonly column: Column<T>
  readonly shown: boolean
  readonly isPinned: boolean
  /** The window is too narrow for it now. */
  readonly isHidden: boolean
  readonly onShow: (shown: boolean) => void
  readonly onPin: () => void
  /** By the arrow keys: −1 up, 1 down. */
  readonly onMove: (step: 1 | -1) => void
}

function ColumnItem<T>({ column, shown, isPinned, isHidden, onShow, onPin, onMove }: ColumnItemProps<T>) {
  const onKey = (e: KeyboardEvent): void => {
    if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
      e.preventDefault()
      onMove(e.key === 'ArrowUp' ? -1 : 1)
    }
  }
  return (
    <>
      <span
        className="grip"
        role="button"
        tabIndex={0}
        aria-label={`移动「${column.title}」，用上下键`}
        onKeyDown={onKey}
      >
        <HolderOutlined />
      </span>
      <Checkbox
        checked={shown && !(column.wideOnly && isHidden)}
        disabled={column.identity === true}
        onChange={e => onShow(e.target.checked)}
      >
        {column.title}
        {isHidden && <small>（窗口窄，暂不显示）</small>}
      </Checkbox>
      <button
        type="button"
        className={`pin${isPinned ? ' on' : ''}`}
        aria-pressed={isPinned}
        aria-label={`固定「${column.title}」在左侧`}
        onClick={onPin}
      >
        {isPinned ? <PushpinFilled /> : <PushpinOutlined />}
      </button>
    </>
  )
}

/** 列设置: which columns one person sees, in which order, which are pinned, and whether totals are shown. */
export function ColumnSettings<T>({
  all,
  preferences,
  onChange,
  hiddenKeys,
  summed,
}: ColumnSettingsProps<T>) {
  const [open, setOpen] = useState(false)
  const [searchText, setSearchText] = useState('')
  const [dragged, setDragged] = useState<string>()
  const columns = orderColumns(all, preferences)
  const pinned = preferences.pinned ?? all.filter(c => c.identity).map(c => c.key)
  const move = (key: string, index: number): void => {
    const order = columns.map(c => c.key).filter(k => k !== key)
    order.splice(Math.max(0, Math.min(index, order.length)), 0, key)
    onChange({ ...preferences, order })
  }
  const togglePin = (key: string): void =>
    onChange({
      ...preferences,
      pinned: pinned.includes(key) ? pinned.filter(k => k !== key) : [...pinned, key],
    })
  const found = [...columns.entries()].filter(([, c]) => c.title.includes(searchText.trim()))
  const content = (
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
        value={searchText}
        onChange={e => setSearchText(e.target.value)}
      />
      <ul>
        {found.map(([index, column]) => (
          <li
            key={column.key}
            draggable={!searchText}
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
            <ColumnItem
              column={column}
              shown={isShown(column, preferences)}
              isPinned={pinned.includes(column.key)}
              isHidden={hiddenKeys.includes(column.key)}
              onShow={shown =>
                onChange({ ...preferences, shown: { ...preferences.shown, [column.key]: shown } })
              }
              onPin={() => togglePin(column.key)}
              onMove={step => move(column.key, index + step)}
            />
          </li>
        ))}
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
      <p>仅对本人生效；存为视图可随时切换。</p>
    </div>
  )
  return (
    <PopoverPanel open={open} onOpenChange={setOpen} content={content}>
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
