import { defined } from '#kit/domain/defined.ts'
import { useRef, type MouseEvent } from 'react'
import type { DataTableProps } from './table-types.ts'

/** What a click in the table's body means: select (Shift: a range), open, or set the keyboard cursor. */
export function useRowClicks<T>(props: DataTableProps<T>): (e: MouseEvent<HTMLElement>) => void {
  const lastSelected = useRef<number>(-1)
  const select = (i: number, range: boolean): void => {
    if (!props.selection || props.selection.disabledReason?.(i)) return
    const on = !props.selection.isSelected(props.keyOf(defined(props.rows[i])))
    const from = range && lastSelected.current >= 0 ? lastSelected.current : i
    const first = Math.min(i, from)
    const indexes = Array.from({ length: Math.abs(i - from) + 1 }, (_, n) => first + n)
    props.selection.setSelected(indexes, on)
    lastSelected.current = i
  }
  return e => {
    const { target } = e
    if (!(target instanceof Element)) return
    const tr = target.closest<HTMLElement>('tr[data-i]')
    if (!tr) return
    const i = Number(tr.dataset.i)
    if (target.closest('.tick')) {
      select(i, e.shiftKey)
      props.onCurrent?.(i)
      return
    }
    if (target.closest('.actions, a[href], button:not([data-open]), input, label')) return
    if (target.closest('[data-open]')) {
      props.onCurrent?.(i)
      props.onOpen?.(i, { tab: e.altKey || e.ctrlKey || e.metaKey })
      return
    }
    // Text that is being selected for copying must not open anything.
    if (String(getSelection() ?? '')) return
    props.onCurrent?.(i)
    if (props.opened !== undefined) {
      props.onOpen?.(i, { tab: false })
    }
  }
}
