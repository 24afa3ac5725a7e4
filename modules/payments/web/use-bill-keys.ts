import type { Id } from '#kit/domain/id.ts'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { defineShortcuts, formatKeyEvent, useShortcuts } from '#kit/web/shortcuts.ts'
import type { CashierBill as Bill } from './cashier-extensions.ts'

export const payableOf = (bills: readonly Bill[]): readonly Bill[] =>
  bills.filter(bill => bill.refusal === undefined)

/** The selected bills after some were selected, or no longer; what cannot be paid stays out. */
export function changeSelection(
  selectedIds: ReadonlySet<Id>,
  bills: readonly Bill[],
  isSelected: boolean,
): ReadonlySet<Id> {
  const next = new Set(selectedIds)
  for (const { billId } of payableOf(bills)) {
    if (isSelected) {
      next.add(billId)
    } else {
      next.delete(billId)
    }
  }
  return next
}

const nothing = (): void => {}
const rowShortcuts = defineShortcuts([
  { keys: 'ArrowDown', label: '下一笔', run: nothing, displayOnly: true },
  { keys: 'ArrowUp', label: '上一笔', run: nothing, displayOnly: true },
  { keys: 'Space', label: '勾选', run: nothing, displayOnly: true },
  { keys: 'Ctrl A', label: '全选', run: nothing, displayOnly: true },
  { keys: 'Ctrl Shift A', label: '全不选', run: nothing, displayOnly: true },
])

/**
 * Arrows move, Space selects, Ctrl A selects all and Ctrl Shift A none, Enter goes on to the amount: while
 * the rows have the focus.
 */
export function useBillKeys(
  rows: readonly Bill[],
  selectedIds: ReadonlySet<Id>,
  select: (bills: readonly Bill[], isSelected: boolean) => void,
) {
  const [currentIndex, setCurrentIndex] = useState(0)
  const tableRef = useRef<HTMLDivElement>(null)
  const focusRows = (): void => tableRef.current?.focus({ preventScroll: true })
  // A room was opened: its bills are what the hand goes on with.
  useEffect(focusRows, [])
  const move = (step: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, currentIndex + step))
    setCurrentIndex(next)
    tableRef.current?.querySelector(`[data-row="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const toggleCurrent = (): void => {
    const bill = rows[currentIndex]
    if (bill) {
      select([bill], !selectedIds.has(bill.billId))
    }
  }
  const focusAmount = (): void =>
    tableRef.current
      ?.closest('.cashier')
      ?.querySelector<HTMLInputElement>('.cashier-cash input[aria-label="实收"]')
      ?.focus()
  const runByKey: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Space: toggleCurrent,
    'Ctrl A': () => select(rows, true),
    'Ctrl Shift A': () => select(rows, false),
    Enter: focusAmount,
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const run = runByKey[formatKeyEvent(event)]
    if (!run) return
    event.preventDefault()
    run()
  }
  useShortcuts(rowShortcuts)
  return { currentIndex, setCurrentIndex, tableRef, onKeyDown, focusRows }
}
