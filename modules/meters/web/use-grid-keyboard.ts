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

type GridBody = RefObject<HTMLDivElement | null>

const listBoxes = (body: GridBody): HTMLInputElement[] => [
  ...(body.current?.querySelectorAll<HTMLInputElement>('input[data-row]') ?? []),
]

function moveFocus(body: GridBody, from: HTMLInputElement, step: 1 | -1): void {
  const boxes = listBoxes(body)
  const target = boxes[boxes.indexOf(from) + step]
  if (target) {
    target.focus()
  } else {
    from.blur()
  }
}

/** Whether the next box belongs to the same meter: its registers are typed before it is saved. */
function staysInMeter(body: GridBody, from: HTMLInputElement, step: 1 | -1): boolean {
  const boxes = listBoxes(body)
  const index = boxes.indexOf(from)
  return index < 0 || boxes[index + step]?.dataset.of === from.dataset.of
}

/** Moves on at once; a box that could not be saved gets the focus back. */
function saveAndMove(
  body: GridBody,
  box: HTMLInputElement,
  step: 1 | -1,
  save: () => Promise<boolean>,
): void {
  if (!staysInMeter(body, box, step)) {
    void save().then(isSaved => {
      if (!isSaved) {
        box.focus()
      }
    })
  }
  moveFocus(body, box, step)
}

/**
 * Enter saves and goes to the next box, with Shift to the one before; arrows move; Escape discards. `latest`
 * is read when a key is pressed, so that rows need not be drawn again on every change.
 */
export function useGridKeyboard(body: GridBody, latest: RefObject<LatestGrid>): GridKeyboard {
  const onKey = useCallback(
    (event: InputKeyboardEvent, meter: MeterMonth): void => {
      const { entry } = latest.current
      if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
        event.preventDefault()
        saveAndMove(body, event.currentTarget, event.shiftKey ? -1 : 1, () => entry.save(meter))
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault()
        moveFocus(body, event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)
      } else if (event.key === 'Escape') {
        listBoxes(body)
          .find(box => box.dataset.of === String(meter.meterId))
          ?.focus()
        // Moving the focus may have saved: what is current now is discarded.
        latest.current.entry.discard(meter)
      }
    },
    [body, latest],
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
