import type { InputRef } from 'antd'
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Action } from '../action.tsx'
import type { RowKey } from '../table/data-table.tsx'
import type { ListProps } from './list-props.ts'
import { useListKeys } from './use-list-keys.ts'
import type { useList } from './use-list.ts'
import type { useRowSelection } from './use-row-selection.ts'

interface RowNavigationOptions<I, T> {
  readonly props: ListProps<I, T>
  readonly list: ReturnType<typeof useList<I, T>>
  readonly selection: ReturnType<typeof useRowSelection<I, T>>
  readonly keyOf: (row: T) => RowKey
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly keywordInput: RefObject<InputRef | null>
  readonly primary: Action | undefined
}

interface RowNavigation {
  /** Index of the row under the keyboard cursor. */
  readonly cursor: number | undefined
  readonly setCursor: (i: number | undefined) => void
  /** The row in the drawer, and its index on the page (−1: on another page). */
  readonly opened: RowKey | undefined
  readonly openedIndex: number
  readonly open: (i: number, target: { readonly tab: boolean }) => void
  readonly close: () => void
  /** Goes to a row; past either end of the page to the next page. */
  readonly moveTo: (index: number) => void
  readonly onKey: (e: KeyboardEvent<HTMLElement>) => void
}

/** Where the keyboard cursor and the drawer stand, over page borders too. */
function useCursor<I, T>(
  list: ReturnType<typeof useList<I, T>>,
  keyOf: (row: T) => RowKey,
  scroller: RefObject<HTMLDivElement | null>,
) {
  const { rows, state, pages, size, answer, actions } = list
  const [cursor, setCursor] = useState<number>()
  const [opened, setOpened] = useState<RowKey>()
  /** Set while another page is being read: which of its rows the cursor goes to. */
  const arrivesAt = useRef<'first' | 'last'>(undefined)
  const showRow = (index: number): void => {
    setCursor(index)
    setOpened(current => (current === undefined ? current : keyOf(rows[index] as T)))
  }
  useEffect(() => {
    setCursor(undefined)
    if (scroller.current) {
      scroller.current.scrollTop = 0
    }
  }, [state.page, size])
  useEffect(() => {
    if (!arrivesAt.current || answer.isPlaceholderData || !rows.length) return
    const index = arrivesAt.current === 'first' ? 0 : rows.length - 1
    arrivesAt.current = undefined
    showRow(index)
  }, [rows])
  const moveTo = useCallback(
    (index: number): void => {
      if (index >= 0 && index < rows.length) {
        showRow(index)
        return
      }
      const step = index < 0 ? -1 : 1
      if (state.page + step >= 1 && state.page + step <= pages) {
        arrivesAt.current = step < 0 ? 'last' : 'first'
        actions.stepPage(step)
      }
    },
    [rows, state.page, pages],
  )
  return { cursor, setCursor, opened, setOpened, moveTo }
}

/** Walking over the rows by keyboard and drawer. */
export function useRowNavigation<I, T>({
  props,
  list,
  selection,
  keyOf,
  scroller,
  keywordInput,
  primary,
}: RowNavigationOptions<I, T>): RowNavigation {
  const { drawer } = props
  const { rows } = list
  const { cursor, setCursor, opened, setOpened, moveTo } = useCursor(list, keyOf, scroller)
  const open = (i: number, target: { readonly tab: boolean }): void => {
    if (!drawer || i >= rows.length) return
    const row = rows[i] as T
    if (target.tab && drawer.openAsPage) {
      drawer.openAsPage(row)
    } else {
      setOpened(keyOf(row))
    }
  }
  const close = useCallback(() => setOpened(undefined), [])
  const onKey = useListKeys({
    rows: rows.length,
    cursor,
    selection: selection.tableSelection,
    hasDrawer: drawer !== undefined,
    scroller,
    moveTo,
    open,
    setCursor,
    focusKeyword: () => keywordInput.current?.focus(),
    add: primary && !primary.disabledReason ? primary : undefined,
    stepPage: list.actions.stepPage,
    escape: () => {
      if (opened !== undefined) {
        close()
      } else if (selection.selected.count) {
        selection.clear()
      }
    },
  })
  return {
    cursor,
    setCursor,
    opened,
    openedIndex: opened === undefined ? -1 : rows.findIndex(r => keyOf(r) === opened),
    open,
    close,
    moveTo,
    onKey,
  }
}
