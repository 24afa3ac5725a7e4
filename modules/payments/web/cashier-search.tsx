import { SearchOutlined } from '@ant-design/icons'
import { Input, type InputRef } from 'antd'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { toHalfWidth } from '#kit/domain/half-width.ts'
import { matchSearch } from '#kit/domain/search-rank.ts'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { useCall } from '#kit/web/query.ts'
import { MarkedText } from '#kit/web/marked-text.tsx'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { findPayers } from '../contract/cashier.ts'

export type ChosenSource = Pick<NonNullable<typeof findPayers.output.T>[number], 'sourceType' | 'sourceCode'>

interface Props {
  readonly project: string
  readonly onChoose: (c: ChosenSource) => void
  /** Esc: back to the bills that are open. */
  readonly onLeave: () => void
  /** Rises when a payment is done: the box is cleared and focused. */
  readonly resetCount: number
  /** A bar-code that a scanner typed somewhere on the screen; a new object each time. */
  readonly scan: { readonly code: string } | undefined
}

/** What a Chinese keyboard types as １５０２ is looked for as 1502. */
const keywordOf = (text: string): string => toHalfWidth(text).trim()

type Payer = NonNullable<typeof findPayers.output.T>[number]

/** Why it was found: beside its name where another text than the name matches. */
function FoundPayer({ payer, keyword }: { readonly payer: Payer; readonly keyword: string }) {
  const isByName = payer.matchedText === payer.sourceName
  const marksIn = (text: string, isPath: boolean): readonly number[] | undefined =>
    matchSearch(keyword, [{ label: payer.matchedLabel, text, isPath }])?.marks
  const isNoteMatched = payer.matchedText !== undefined && payer.matchedText === payer.note
  return (
    <>
      <b>
        <MarkedText
          text={payer.sourceName}
          marks={isByName ? marksIn(payer.sourceName, payer.sourceType === 'room') : undefined}
        />
      </b>
      <span>
        <MarkedText
          text={payer.note ?? ''}
          marks={isNoteMatched ? marksIn(payer.note ?? '', false) : undefined}
        />
        {!isByName && !isNoteMatched && payer.matchedText && (
          <small>
            {payer.matchedLabel}{' '}
            <MarkedText text={payer.matchedText} marks={marksIn(payer.matchedText, false)} />
          </small>
        )}
      </span>
      <em className={payer.unpaid ? 'figure' : 'figure zero'}>
        {payer.count ? `${payer.count} 笔 ${displayYuan(payer.unpaid)}` : '无欠费'}
      </em>
    </>
  )
}

interface FoundPayersProps {
  readonly list: readonly Payer[]
  readonly keyword: string
  readonly activeIndex: number
  readonly emptyText: string
  readonly onPoint: (index: number) => void
  readonly onChoose: (index: number) => void
}

const FoundPayers = ({ list, keyword, activeIndex, emptyText, onPoint, onChoose }: FoundPayersProps) =>
  !list.length ? (
    <div id="cashier-found" className="cashier-found scroll">
      <p className="cashier-none" role="status">
        {emptyText}
      </p>
    </div>
  ) : (
    <ul id="cashier-found" role="listbox" aria-label="查找结果" className="cashier-found scroll">
      {list.map((payer, index) => (
        <li
          key={`${payer.sourceType}/${payer.sourceCode}`}
          role="option"
          aria-selected={index === activeIndex}
          onMouseDown={e => {
            e.preventDefault()
            onChoose(index)
          }}
          onMouseEnter={() => onPoint(index)}
        >
          <FoundPayer payer={payer} keyword={keyword} />
        </li>
      ))}
    </ul>
  )

/** `/` goes to the box. */
function useSearchKey(box: RefObject<InputRef | null>): void {
  useShortcuts([
    {
      keys: '/',
      label: '搜索收费对象',
      run: () => {
        box.current?.focus()
        box.current?.select()
      },
    },
  ])
}

/** One box for all: what was typed is searched after a moment; arrows move, Enter opens. */
export function CashierSearch({ project, onChoose, onLeave, resetCount, scan }: Props) {
  const [text, setText] = useState('')
  const [keyword, setKeyword] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const box = useRef<InputRef>(null)
  /** Enter came before the answer: its first hit is opened when it is there. */
  const opensFirst = useRef(false)
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(keywordOf(text)), 150)
    return () => clearTimeout(timer)
  }, [text])
  const handledScan = useRef(scan)
  useEffect(() => {
    // Once: a page that comes back to the front runs its effects again.
    if (!scan || handledScan.current === scan) return
    handledScan.current = scan
    setText(scan.code)
    setKeyword(keywordOf(scan.code))
    setIsOpen(true)
    box.current?.focus()
    opensFirst.current = true
  }, [scan])
  const clear = (): void => {
    setText('')
    setKeyword('')
    setIsOpen(false)
    opensFirst.current = false
  }
  useEffect(() => {
    clear()
    box.current?.focus()
  }, [resetCount])
  useSearchKey(box)
  const query = useCall(
    findPayers,
    { projectCode: project, keyword },
    { enabled: keyword !== '', quiet: true, keepPrevious: true },
  )
  const list = keyword ? (query.data ?? []) : []
  useEffect(() => setActiveIndex(0), [keyword])
  const choose = (i: number): void => {
    const payer = list[i]
    opensFirst.current = false
    if (!payer) return
    clear()
    onChoose(payer)
  }
  const isAnswered = query.isSuccess && !query.isPlaceholderData
  useEffect(() => {
    if (isAnswered && opensFirst.current) {
      choose(0)
    }
  }, [isAnswered, keyword])
  const openByKey = (): void => {
    const typed = keywordOf(text)
    if (typed === keyword && isAnswered) {
      choose(activeIndex)
    } else if (typed) {
      opensFirst.current = true
      setKeyword(typed)
    }
  }
  return (
    <section className="cashier-card cashier-find">
      <Input
        ref={box}
        size="large"
        autoFocus
        allowClear={allowClear}
        prefix={<SearchOutlined />}
        suffix={<kbd>/</kbd>}
        value={text}
        placeholder="搜索收费对象"
        aria-label="搜索收费对象"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls="cashier-found"
        autoComplete="off"
        onChange={e => {
          setText(e.target.value)
          setIsOpen(true)
          opensFirst.current = false
        }}
        onFocus={() => setIsOpen(text !== '')}
        onBlur={() => setTimeout(() => setIsOpen(false), 150)}
        onKeyDown={e => {
          if (e.nativeEvent.isComposing) return
          if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
            e.preventDefault()
            setIsOpen(true)
            setActiveIndex(n => Math.max(0, Math.min(list.length - 1, n + (e.key === 'ArrowDown' ? 1 : -1))))
          } else if (e.key === 'Enter' && !e.ctrlKey) {
            e.preventDefault()
            openByKey()
          } else if (e.key === 'Escape') {
            e.preventDefault()
            clear()
            onLeave()
          }
        }}
      />
      <p>房号、手机、姓名、车位、车牌、企业、账单号、收据号</p>
      {isOpen && keyword !== '' && (
        <FoundPayers
          list={list}
          keyword={keyword}
          activeIndex={activeIndex}
          onPoint={setActiveIndex}
          onChoose={choose}
          emptyText={
            query.isFetching ? '正在查找…' : (query.error?.message ?? '未找到，请核对房号、姓名或手机号')
          }
        />
      )}
    </section>
  )
}
