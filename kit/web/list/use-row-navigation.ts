import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { InputRef } from 'antd'
import type { RowKey } from '../table/data-table.tsx'
import type { Action } from '../action.tsx'
import { useListKeys } from './use-list-keys.ts'
import type { ListProps } from './list-props.ts'
import type { useList } from './use-list.ts'
import type { useRowSelection } from './use-row-selection.ts'

interface RowNavigationOptions<I, T> {
  readonly props: ListProps<I, T>
  readonly list: ReturnType<typeof useList<I, T>>
  readonly ticks: ReturnType<typeof useRowSelection<I, T>>
  readonly keyOf: (row: T) => RowKey
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly box: RefObject<InputRef | null>
  readonly primary: Action | undefined
}

interface RowNavigation {
  /** The row the keyboard stands on. */
  readonly cursor: number | undefined
  readonly setCursor: (i: number | undefined) => void
  /** The row in the drawer, and its place on the page (−1: not on it). */
  readonly opened: RowKey | undefined
  readonly openedIndex: number
  readonly open: (i: number, how: { readonly tab: boolean }) => void
  readonly close: () => void
  /** Goes to a row; past either end of the page to the next page. */
  readonly moveTo: (to: number) => void
  readonly onKey: (e: KeyboardEvent<HTMLElement>) => void
}

/** Walking over the rows by keyboard and drawer, over page borders too. */
export function useRowNavigation<I, T>({
  props: p,
  list: l,
  ticks: t,
  keyOf,
  scroller,
  box,
  primary,
}: RowNavigationOptions<I, T>): RowNavigation {
  const [cursor, setCursor] = useState<number>()
  const [opened, setOpened] = useState<RowKey>()
  const { rows, q, pages, hands } = l
  const arriving = useRef<'first' | 'last'>(undefined)
  const openAt = opened === undefined ? -1 : rows.findIndex(r => keyOf(r) === opened)
  useEffect(() => {
    setCursor(undefined)
    if (scroller.current) {
      scroller.current.scrollTop = 0
    }
  }, [q.page, l.size])
  useEffect(() => {
    if (!arriving.current || l.answer.isPlaceholderData || !rows.length) return
    const i = arriving.current === 'first' ? 0 : rows.length - 1
    arriving.current = undefined
    setCursor(i)
    setOpened(o => (o === undefined ? o : keyOf(rows[i] as T)))
  }, [rows])
  const walk = useCallback(
    (to: number): void => {
      if (to >= 0 && to < rows.length) {
        setCursor(to)
        setOpened(o => (o === undefined ? o : keyOf(rows[to] as T)))
        return
      }
      const n = to < 0 ? -1 : 1
      if (q.page + n >= 1 && q.page + n <= pages) {
        arriving.current = n < 0 ? 'last' : 'first'
        hands.step(n)
      }
    },
    [rows, q.page, pages],
  )
  const open = (i: number, how: { readonly tab: boolean }): void => {
    if (!p.drawer || i >= rows.length) return
    const row = rows[i] as T
    if (how.tab && p.drawer.openAsPage) {
      p.drawer.openAsPage(row)
    } else {
      setOpened(keyOf(row))
    }
  }
  const close = useCallback(() => setOpened(undefined), [])
  const onKey = useListKeys({
    rows: rows.length,
    cursor,
    ticks: t.ticks,
    drawer: p.drawer !== undefined,
    scroller,
    walk,
    open,
    setCursor,
    focusKeyword: () => box.current?.focus(),
    add: primary && !primary.disabledReason ? primary : undefined,
    turn: hands.step,
    escape: () => {
      if (opened !== undefined) {
        close()
      } else if (t.ticked.count) {
        t.clear()
      }
    },
  })
  return { cursor, setCursor, opened, openedIndex: openAt, open, close, moveTo: walk, onKey }
}
