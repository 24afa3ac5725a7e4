import { SearchOutlined } from '@ant-design/icons'
import { Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { useCall } from '#kit/web/query.ts'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { findPayers } from '../contract/cashier.ts'

export type ChosenSource = Pick<NonNullable<typeof findPayers.output.T>[number], 'sourceType' | 'sourceCode'>

interface Props {
  readonly project: string
  readonly onChoose: (c: ChosenSource) => void
  /** Rises when a payment is done: the box is cleared and focused. */ readonly resetCount: number
}

/** One box for all: what was typed is searched after a moment; arrows move, Enter opens. */
export function CashierSearch({ project, onChoose, resetCount }: Props) {
  const [text, setText] = useState('')
  const [keyword, setKeyword] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const box = useRef<InputRef>(null)
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(text.trim()), 150)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    setText('')
    setIsOpen(false)
    box.current?.focus()
  }, [resetCount])
  useShortcuts([
    {
      keys: '/',
      label: '搜索缴费对象',
      run: () => {
        box.current?.focus()
        box.current?.select()
      },
    },
  ])
  const query = useCall(
    findPayers,
    { projectCode: project, keyword },
    { enabled: keyword !== '', quiet: true, keepPrevious: true },
  )
  const list = keyword ? (query.data ?? []) : []
  useEffect(() => setActiveIndex(0), [keyword])
  const choose = (i: number): void => {
    const payer = list[i]
    if (!payer) return
    setIsOpen(false)
    setText(payer.sourceName)
    onChoose(payer)
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
        placeholder="找缴费对象"
        aria-label="搜索缴费对象"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls="cashier-found"
        autoComplete="off"
        onChange={e => {
          setText(e.target.value)
          setIsOpen(true)
        }}
        onFocus={() => setIsOpen(text !== '')}
        onBlur={() => setTimeout(() => setIsOpen(false), 150)}
        onKeyDown={e => {
          if (e.nativeEvent.isComposing) return
          if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
            e.preventDefault()
            setIsOpen(true)
            setActiveIndex(n => Math.max(0, Math.min(list.length - 1, n + (e.key === 'ArrowDown' ? 1 : -1))))
          } else if (e.key === 'Enter' && text.trim() === keyword) {
            e.preventDefault()
            choose(activeIndex)
          } else if (e.key === 'Escape') {
            setIsOpen(false)
          }
        }}
      />
      <p>房号、手机、姓名、车位、公司、账单号、收据号</p>
      {isOpen && keyword !== '' && (
        <ul id="cashier-found" role="listbox" className="cashier-found scroll">
          {list.map((payer, index) => (
            <li
              key={`${payer.sourceType}/${payer.sourceCode}`}
              role="option"
              aria-selected={index === activeIndex}
              onMouseDown={e => {
                e.preventDefault()
                choose(index)
              }}
              onMouseEnter={() => setActiveIndex(index)}
            >
              <b>{payer.sourceName}</b>
              <span>{payer.note ?? ''}</span>
              <em className={payer.unpaid ? 'figure' : 'figure nought'}>
                {payer.count ? `${payer.count} 笔 ${displayYuan(payer.unpaid)}` : '无欠费'}
              </em>
            </li>
          ))}
          {!list.length && (
            <li className="cashier-none">
              {query.isFetching
                ? '正在查找…'
                : query.isError
                  ? query.error.message
                  : '没有找到，请换房号、姓名或手机号再试'}
            </li>
          )}
        </ul>
      )}
    </section>
  )
}
