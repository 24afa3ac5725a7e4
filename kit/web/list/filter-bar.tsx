import { defined } from '#kit/domain/defined.ts'
import { Button, Input, type InputRef } from 'antd'
import { FilterOutlined, SearchOutlined } from '@ant-design/icons'
import { memo, useEffect, useState, type RefObject } from 'react'
import { allowClear } from '../allow-clear.tsx'
import type { Field } from '#kit/contract/field.ts'
import { clearedFilter, filterKinds, isFilterSet, type FilterValues } from '../filters/filter-kinds.tsx'
import { measureText } from '../cell-renderers.tsx'
import { lazyComponent } from '../lazy-component.tsx'

export interface ListFilter {
  readonly name: string
  readonly field: Field
}

export interface FilterBarProps {
  readonly filters: readonly ListFilter[]
  /** Names of the filters in the bar, the most used first. */
  readonly inBar: readonly string[]
  readonly value: FilterValues
  readonly keyword: string
  /** What the keyword input searches: `房号、姓名、手机`. Absent: no input. */
  readonly keywordPlaceholder: string | undefined
  readonly width: number
  readonly changed: boolean
  readonly onFilter: (patch: FilterValues) => void
  readonly onKeyword: (text: string) => void
  readonly onReset: () => void
  readonly box: RefObject<InputRef | null>
}

/** The width of the placeholder with icon and key hint, within limits. */
export const keywordWidth = (placeholder: string, room: number): number =>
  room < 760 ? 232 : Math.min(344, room - 460, Math.max(232, measureText(placeholder) + 108))

/** Applies on Enter or 400 ms after the last key; never while an IME composes. */
function KeywordInput({
  keyword,
  placeholder,
  onKeyword,
  box,
  wide,
}: Pick<FilterBarProps, 'keyword' | 'onKeyword' | 'box'> & {
  readonly placeholder: string
  readonly wide: number
}) {
  const [typed, setTyped] = useState<string>()
  const [composing, setComposing] = useState(false)
  const apply = (text: string): void => {
    setTyped(undefined)
    if (text.trim() !== keyword) {
      onKeyword(text.trim())
    }
  }
  useEffect(() => {
    if (typed === undefined || composing) return undefined
    const t = setTimeout(() => apply(typed), 400)
    return () => clearTimeout(t)
  }, [typed, composing])
  return (
    <Input
      ref={box}
      className="keyword"
      style={{ width: wide }}
      aria-label={`搜索${placeholder}`}
      placeholder={placeholder}
      maxLength={100}
      prefix={<SearchOutlined />}
      suffix={typed || keyword ? undefined : <kbd>/</kbd>}
      allowClear={allowClear}
      value={typed ?? keyword}
      onChange={e => {
        setTyped(e.target.value)
        if (e.target.value === '' && !composing) {
          apply('')
        }
      }}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setComposing(false)}
      onPressEnter={e => {
        if (!e.nativeEvent.isComposing) {
          apply(e.currentTarget.value)
        }
      }}
      onKeyDown={e => {
        if (e.key === 'Escape') {
          e.stopPropagation()
          e.currentTarget.blur()
        }
      }}
    />
  )
}

const FilterDrawer = lazyComponent(async () => (await import('./filter-drawer.tsx')).FilterDrawer)

/** One line of 48 px that never wraps: what does not fit is counted behind 更多筛选. */
export const FilterBar = memo(function FilterBar(props: FilterBarProps) {
  // Undefined until the drawer is opened for the first time: its code is fetched then.
  const [open, setOpen] = useState<boolean>()
  const room = props.width >= 1100 ? 4 : props.width >= 980 ? 3 : 2
  const wide = (f: ListFilter): number => (['day', 'moment', 'month'].includes(f.field.kind) ? 2 : 1)
  const bar: ListFilter[] = []
  let used = 0
  for (const filterName of props.inBar) {
    const filter = props.filters.find(x => x.name === filterName)
    if (filter && filterKinds[filter.field.kind].fitsBar && used + wide(filter) <= room) {
      bar.push(filter)
      used += wide(filter)
    }
  }
  const extra = props.filters.filter(f => !bar.includes(f) && isFilterSet(f.name, f.field, props.value))
  // Chips are measured by their text; a reference's name is not known yet and counts as eight characters.
  const box = props.keywordPlaceholder ? keywordWidth(props.keywordPlaceholder, props.width) : 0
  let remainingWidth = props.width - (box && box + 8) - used * 124 - 196
  const chips = extra.filter(filter => {
    const value = props.value[filter.name]
    const width = Math.min(
      280,
      measureText(`${filter.field.label}：`) +
        (Array.isArray(value) && filter.field.choices
          ? measureText(value.map(k => defined(filter.field.choices).rows[String(k)]?.[1] ?? '').join('、'))
          : 112) +
        46,
    )
    if (width > remainingWidth) return false
    remainingWidth -= width
    return true
  })
  const hidden = extra.length - chips.length
  return (
    <div className="filter-bar">
      {props.keywordPlaceholder && (
        <KeywordInput
          keyword={props.keyword}
          placeholder={props.keywordPlaceholder}
          onKeyword={props.onKeyword}
          box={props.box}
          wide={box}
        />
      )}
      {bar.map(filter => {
        const { Control } = filterKinds[filter.field.kind]
        return (
          <Control
            key={filter.name}
            field={filter.field}
            name={filter.name}
            value={props.value}
            onChange={props.onFilter}
            inBar
          />
        )
      })}
      {chips.map(filter => {
        const { Text } = filterKinds[filter.field.kind]
        return (
          <span key={filter.name} className="chip">
            <span className="ellipsis">
              {filter.field.label}：<Text field={filter.field} name={filter.name} value={props.value} />
            </span>
            <button
              type="button"
              aria-label={`移除「${filter.field.label}」条件`}
              onClick={() => props.onFilter(clearedFilter(filter.name, filter.field))}
            >
              ×
            </button>
          </span>
        )
      })}
      {props.filters.some(f => !bar.includes(f)) && (
        <Button
          icon={<FilterOutlined />}
          onPointerEnter={FilterDrawer.warm}
          onFocus={FilterDrawer.warm}
          onClick={() => setOpen(true)}
        >
          更多筛选{hidden > 0 && <b className="count">{hidden}</b>}
        </Button>
      )}
      {props.changed && (
        <button type="button" className="linkish" onClick={props.onReset}>
          重置
        </button>
      )}
      {open !== undefined && (
        <FilterDrawer
          open={open}
          onClose={() => setOpen(false)}
          filters={props.filters}
          value={props.value}
          width={props.width}
          changed={props.changed}
          onFilter={props.onFilter}
          onReset={props.onReset}
        />
      )}
    </div>
  )
})
