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
  /** Rises when a payment is done: the box is cleared and takes the cursor. */ readonly round: number
}

/** One box for all: what was typed is sought after a moment; arrows walk, Enter opens. */
export function CashierSearch({ project, onChoose, round }: Props) {
  const [text, setText] = useState('')
  const [word, setWord] = useState('')
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const box = useRef<InputRef>(null)
  useEffect(() => {
    const timer = setTimeout(() => setWord(text.trim()), 150)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    setText('')
    setOpen(false)
    box.current?.focus()
  }, [round])
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
  const found = useCall(
    findPayers,
    { projectCode: project, keyword: word },
    { enabled: word !== '', quiet: true, keepPrevious: true },
  )
  const list = word ? (found.data ?? []) : []
  useEffect(() => setAt(0), [word])
  const choose = (i: number): void => {
    const one = list[i]
    if (!one) return
    setOpen(false)
    setText(one.sourceName)
    onChoose(one)
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
        aria-expanded={open}
        aria-controls="cashier-found"
        autoComplete="off"
        onChange={e => {
          setText(e.target.value)
          setOpen(true)
        }}
        onFocus={() => setOpen(text !== '')}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onKeyDown={e => {
          if (e.nativeEvent.isComposing) return
          if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
            e.preventDefault()
            setOpen(true)
            setAt(n => Math.max(0, Math.min(list.length - 1, n + (e.key === 'ArrowDown' ? 1 : -1))))
          } else if (e.key === 'Enter' && text.trim() === word) {
            e.preventDefault()
            choose(at)
          } else if (e.key === 'Escape') {
            setOpen(false)
          }
        }}
      />
      <p>房号、手机、姓名、车位、公司、账单号、收据号</p>
      {open && word !== '' && (
        <ul id="cashier-found" role="listbox" className="cashier-found scroll">
          {list.map((f, i) => (
            <li
              key={`${f.sourceType}/${f.sourceCode}`}
              role="option"
              aria-selected={i === at}
              onMouseDown={e => {
                e.preventDefault()
                choose(i)
              }}
              onMouseEnter={() => setAt(i)}
            >
              <b>{f.sourceName}</b>
              <span>{f.note ?? ''}</span>
              <em className={f.unpaid ? 'figure' : 'figure nought'}>
                {f.count ? `${f.count} 笔 ${displayYuan(f.unpaid)}` : '无欠费'}
              </em>
            </li>
          ))}
          {!list.length && (
            <li className="cashier-none">
              {found.isFetching
                ? '正在查找…'
                : found.isError
                  ? found.error.message
                  : '没有找到，请换房号、姓名或手机号再试'}
            </li>
          )}
        </ul>
      )}
    </section>
  )
}
