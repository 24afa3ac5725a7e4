import { useCallback, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react'
import type { MeterMonth } from '../contract/month-grid.ts'
import type { GridEntry } from './grid-entry.ts'

type InputKeyboardEvent = KeyboardEvent<HTMLInputElement>
type InputClipboardEvent = ClipboardEvent<HTMLInputElement>

interface LatestGrid {
  readonly rows: readonly MeterMonth[]
  readonly entry: GridEntry
}

export interface GridKeyboard {
  readonly onKey: (event: InputKeyboardEvent, meter: MeterMonth) => void
  readonly onPaste: (event: InputClipboardEvent, index: number) => void
}

/** The first column of lines copied from a sheet; undefined for a single number. */
function readPastedColumn(event: InputClipboardEvent): string[] | undefined {
  const text = event.clipboardData.getData('text').replace(/\r/g, '').replace(/\n$/, '')
  const lines = text.split('\n')
  return lines.length < 2 ? undefined : lines.map(line => line.split('\t')[0] ?? '')
}

/**
 * Enter saves and goes to the next box, with Shift to the one before; arrows move; Escape discards. `latest`
 * is read when a key is pressed, so that rows need not be drawn again on every change.
 */
export function useGridKeyboard(
  body: RefObject<HTMLDivElement | null>,
  latest: RefObject<LatestGrid>,
): GridKeyboard {
  const listBoxes = useCallback(
    (): HTMLInputElement[] => [
      ...(body.current?.querySelectorAll<HTMLInputElement>('input[data-row]') ?? []),
    ],
    [body],
  )
  const moveFocus = useCallback(
    (from: HTMLInputElement, step: 1 | -1): void => {
      const boxes = listBoxes()
      const target = boxes[boxes.indexOf(from) + step]
      if (target) {
        target.focus()
      } else {
        from.blur()
      }
    },
    [listBoxes],
  )
  // A meter's registers are typed before it is saved.
  const staysInMeter = useCallback(
    (from: HTMLInputElement, step: 1 | -1): boolean => {
      const boxes = listBoxes()
      const index = boxes.indexOf(from)
      return index < 0 || boxes[index + step]?.dataset.of === from.dataset.of
    },
    [listBoxes],
  )
  const saveAndMove = useCallback(
    (box: HTMLInputElement, step: 1 | -1, meter: MeterMonth): void => {
      if (!staysInMeter(box, step)) {
        void latest.current.entry.save(meter).then(isSaved => {
          if (!isSaved) {
            box.focus()
          }
        })
      }
      moveFocus(box, step)
    },
    [latest, moveFocus, staysInMeter],
  )
  const onKey = useCallback(
    (event: InputKeyboardEvent, meter: MeterMonth): void => {
      if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
        event.preventDefault()
        saveAndMove(event.currentTarget, event.shiftKey ? -1 : 1, meter)
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault()
        moveFocus(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)
      } else if (event.key === 'Escape') {
        listBoxes()
          .find(box => box.dataset.of === String(meter.meterId))
          ?.focus()
        latest.current.entry.discard(meter)
      }
    },
    [latest, listBoxes, moveFocus, saveAndMove],
  )
  const onPaste = useCallback(
    (event: InputClipboardEvent, index: number): void => {
      const numbers = readPastedColumn(event)
      if (!numbers) return
      event.preventDefault()
      const { rows, entry } = latest.current
      void entry.paste(rows.slice(index, index + numbers.length), numbers)
    },
    [latest],
  )
  return { onKey, onPaste }
}
