import { HolderOutlined, PushpinFilled, PushpinOutlined } from '@ant-design/icons'
import { Checkbox, Input, Switch } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import { allowClear } from '../allow-clear.tsx'
import { isShown, orderColumns, type ChosenColumn } from './column-preferences.ts'
import type { ColumnSettingsProps } from './column-settings.tsx'

interface ColumnItemProps {
  readonly column: ChosenColumn
  readonly shown: boolean
  readonly isPinned: boolean
  /** The window is too narrow for it now. */
  readonly isHidden: boolean
  readonly onShow: (shown: boolean) => void
  readonly onPin: () => void
  /** By the arrow keys: −1 up, 1 down. */
  readonly onMove: (step: 1 | -1) => void
}

function ColumnItem({ column, shown, isPinned, isHidden, onShow, onPin, onMove }: ColumnItemProps) {
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

/** The panel of 列设置; fetched when it is about to be opened. */
export function ColumnSettingsPanel({ all, preferences, onChange, hiddenKeys, summed }: ColumnSettingsProps) {
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
  return (
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
}
