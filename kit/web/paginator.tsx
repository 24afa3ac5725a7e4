import { memo, useEffect, useRef, useState } from 'react'
import { rowHeights } from './table/column-layout.ts'
import { Select } from 'antd'
import { formatCount } from './numbers.tsx'
import { PendingCount } from './list/pending-count.tsx'
import { Icon } from './icons.tsx'
import './paginator.css'

/**
 * Bands above and below the rows of a list screen in px (top bar, tabs, toolbar, filters, head, totals,
 * paginator), and what surrounds the table.
 */
const fixedHeight = 48 + 36 + 48 + 48 + rowHeights.head + rowHeights.totals * 2 + 48 + 8

/** Rows that fit the window, at least one (0§9): at 900 px twelve. */
export const basePageSize = (windowHeight: number, less = fixedHeight): number =>
  Math.max(1, Math.floor((windowHeight - less) / rowHeights.row))

export const maxPageSize = 2000

/** 1.5, 2, 3, 5 and 10 times the base, rounded, 2,000 at most (0§9). */
export const pageSizesFor = (base: number): number[] => [
  ...new Set([1.5, 2, 3, 5, 10].map(n => Math.min(maxPageSize, Math.round(base * n)))),
]

export interface Counting {
  readonly pages: number
  readonly like: number
}

interface Props {
  /** Absent while nobody has counted yet. */
  readonly total: number | undefined
  /** While the total is counted behind rows that stand: pages known by them, and a number like the total. */
  readonly counting?: Counting | undefined
  /** Where the total could not be read, or not again. */
  readonly onRetry?: (() => void) | undefined
  readonly page: number
  readonly size: number
  readonly sizes: readonly number[]
  readonly onChange: (page: number, size: number) => void
}

/** The pages to offer: the first, the last, five around the current one; 0 stands for a gap. */
export function pagesAround(page: number, last: number): number[] {
  if (last <= 7) return Array.from({ length: last }, (_, i) => i + 1)
  const from = Math.max(1, Math.min(page - 2, last - 4))
  const around = Array.from({ length: 5 }, (_, i) => from + i)
  const start = from > 2 ? [1, 0] : from === 2 ? [1] : []
  const end = from + 4
  return [...start, ...around, ...(end < last - 1 ? [0, last] : end === last - 1 ? [last] : [])]
}

function TotalText({ total, counting, onRetry }: Pick<Props, 'total' | 'counting' | 'onRetry'>) {
  const retry = onRetry && (
    <button type="button" className="linkish" onClick={onRetry}>
      重试
    </button>
  )
  if (total !== undefined)
    return (
      <span className="total">
        共 <b>{formatCount(total)}</b> 条{retry && <> · 总数未更新 {retry}</>}
      </span>
    )
  if (retry) return <span className="total">总数加载失败 {retry}</span>
  if (!counting) return <span className="total">正在加载</span>
  return (
    <span className="total" aria-busy>
      共 <PendingCount like={counting.like} strong /> 条
    </span>
  )
}

/** total, sizes, prev, pager, next, jumper; a change fires 80 ms after the last press (0§9). */
export const Paginator = memo(function Paginator(props: Props) {
  const { total: counted, page, size, sizes, onChange } = props
  const total = counted ?? 0
  const counting = counted === undefined ? props.counting : undefined
  const last = counting?.pages ?? Math.max(1, Math.ceil(total / size))
  const [shown, setShown] = useState(page)
  const timer = useRef(0)
  const [jump, setJump] = useState('')
  useEffect(() => setShown(page), [page])
  useEffect(() => () => clearTimeout(timer.current), [])
  const goTo = (to: number, pageSize = size): void => {
    // A page that turns out to be beyond the end is left again when the total is there.
    const p = Math.max(1, counting ? to : Math.min(to, Math.max(1, Math.ceil(total / pageSize))))
    setShown(p)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => onChange(p, pageSize), 80)
  }
  const choices = sizes.includes(size) ? sizes : [...sizes, size].toSorted((a, b) => a - b)
  const jumpToPage = (): void => {
    const target = Number.parseInt(jump, 10)
    setJump('')
    if (Number.isFinite(target)) {
      goTo(target)
    }
  }
  return (
    <nav className="paginator" aria-label="分页">
      <TotalText total={counted} counting={counting} onRetry={props.onRetry} />
      <Select
        size="small"
        className="sizes"
        value={size}
        aria-label="每页条数"
        options={choices.map(n => ({ value: n, label: `${n} 条/页` }))}
        onChange={(s: number) => goTo(Math.floor(((shown - 1) * size) / s) + 1, s)}
        popupMatchSelectWidth={110}
      />
      <span className="spring" />
      <button
        type="button"
        className="page"
        disabled={shown <= 1}
        onClick={() => goTo(shown - 1)}
        aria-label="上一页"
        title="上一页 PgUp"
      >
        <Icon name="left" size={14} />
      </button>
      {pagesAround(shown, counting ? Math.max(shown, Math.ceil(counting.like / size)) : last).map(
        (pageNumber, i) =>
          pageNumber === 0 ? (
            <span key={`gap${i}`} className={counting ? 'gap unknown' : 'gap'} aria-hidden>
              <Icon name="more" size={14} />
            </span>
          ) : (
            <button
              key={pageNumber}
              type="button"
              className={`page number${pageNumber === shown ? ' on' : counting ? ' unknown' : ''}`}
              aria-current={pageNumber === shown ? 'page' : undefined}
              aria-label={`第 ${pageNumber} 页`}
              onClick={() => goTo(pageNumber)}
            >
              {pageNumber}
            </button>
          ),
      )}
      {/* On a phone, where the numbers have no room. */}
      <span className="page-of">
        {shown} / {counting ? '…' : last}
      </span>
      <button
        type="button"
        className="page"
        disabled={shown >= last}
        onClick={() => goTo(shown + 1)}
        aria-label="下一页"
        title="下一页 PgDn"
      >
        <Icon name="right" size={14} />
      </button>
      <label className="jumper">
        前往
        <input
          value={jump}
          inputMode="numeric"
          aria-label="前往第几页"
          onChange={e => setJump(e.target.value.replace(/\D/g, ''))}
          onBlur={jumpToPage}
          onKeyDown={e => {
            if (e.key === 'Enter') {
              e.stopPropagation()
              jumpToPage()
            }
          }}
        />
        页
      </label>
    </nav>
  )
})
