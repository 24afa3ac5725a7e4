import { useEffect, useRef } from 'react'
import { findTopOverlay } from '#kit/web/open-overlay.ts'
import { busyMsBetween, readScanKey, type ScanBurst } from '../domain/scan-burst.ts'
import { createBusyTimes } from './busy-times.ts'

type TextBox = HTMLInputElement | HTMLTextAreaElement

const isTextBox = (target: EventTarget | null): target is TextBox =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/** Puts a box back as it was, as if somebody had typed it: its form hears of it. */
function restore(box: TextBox, value: string): void {
  if (box.value === value) return
  const prototype =
    box instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(box, value)
  box.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The component that takes codes now: the last that was drawn. */
const listeners: symbol[] = []

const isScanInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[data-scan-input]') !== null

/**
 * A scanner's code, wherever the focus is and moves: it stays in no box that it was typed into, and its Enter
 * does nothing there. While a dialog is open a code goes into its own box for codes (`data-scan-input`) or
 * nowhere: its Enter must not press the dialog's button.
 */
export function useScanBurst(onScan: (code: string, isDialogOpen: boolean) => void): void {
  const listener = useRef(Symbol('scan'))
  const latest = useRef(onScan)
  useEffect(() => {
    latest.current = onScan
  })
  useEffect(() => {
    const busy = createBusyTimes()
    let burst: ScanBurst | undefined
    /** The boxes that the burst was typed into, as they were before. */
    let typedInto = new Map<TextBox, string>()
    const own = listener.current
    listeners.push(own)
    const onKeydown = (event: KeyboardEvent): void => {
      // A dialog over the cashier screen that takes codes hears them instead of the screen.
      if (listeners.at(-1) !== own) return
      if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || isScanInput(event.target)) {
        burst = undefined
        return
      }
      const { key, target, timeStamp: at } = event
      const read = readScanKey(burst, key, {
        at,
        busyMs: burst && busyMsBetween(busy.times(), burst.lastAt, at),
      })
      if (read.burst?.text.length === 1) {
        typedInto = new Map()
      }
      burst = read.burst
      if (burst) {
        busy.watch()
        if (isTextBox(target) && !typedInto.has(target)) {
          typedInto.set(target, target.value)
        }
      }
      if (read.code === undefined) return
      event.preventDefault()
      event.stopImmediatePropagation()
      for (const [box, value] of typedInto) {
        restore(box, value)
      }
      latest.current(read.code, findTopOverlay() !== undefined)
    }
    // Before anything on the page hears of the Enter.
    addEventListener('keydown', onKeydown, true)
    return () => {
      busy.stop()
      listeners.splice(listeners.indexOf(own), 1)
      removeEventListener('keydown', onKeydown, true)
    }
  }, [])
}
