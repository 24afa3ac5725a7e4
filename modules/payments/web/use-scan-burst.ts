import { useEffect, useRef } from 'react'
import { readScanKey, type ScanBurst } from '../domain/scan-burst.ts'

interface TypedBefore {
  readonly input: HTMLInputElement
  readonly value: string
}

/** Puts a box back as it was, as if somebody had typed it: its form hears of it. */
function restore({ input, value }: TypedBefore): void {
  if (input.value === value) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Who takes codes now: the last that was drawn. */
const listeners: symbol[] = []

const openDialogs = '.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open, [data-covering]'
const isScanInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[data-scan-input]') !== null
const isDialogOpen = (): boolean => document.querySelector(openDialogs) !== null

/**
 * A scanner's code, wherever the focus is (screens.md §10): it does not stay in the box it was typed into,
 * and its Enter does nothing there. While a dialog is open a code goes into its own box for codes
 * (`data-scan-input`) or nowhere: its Enter must not press the dialog's button.
 */
export function useScanBurst(onScan: (code: string, isDialogOpen: boolean) => void): void {
  const listener = useRef(Symbol('scan'))
  const latest = useRef(onScan)
  useEffect(() => {
    latest.current = onScan
  })
  useEffect(() => {
    let burst: ScanBurst | undefined
    let before: TypedBefore | undefined
    const own = listener.current
    listeners.push(own)
    const onKeydown = (event: KeyboardEvent): void => {
      // A dialog over the desk that takes codes hears them instead of the desk.
      if (listeners.at(-1) !== own) return
      if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || isScanInput(event.target)) {
        burst = undefined
        return
      }
      const read = readScanKey(burst, event.key, event.timeStamp)
      if (read.burst?.text.length === 1) {
        const { target } = event
        before = target instanceof HTMLInputElement ? { input: target, value: target.value } : undefined
      }
      burst = read.burst
      if (read.code === undefined) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (before) {
        restore(before)
      }
      latest.current(read.code, isDialogOpen())
    }
    // Before anything on the page hears of the Enter.
    addEventListener('keydown', onKeydown, true)
    return () => {
      listeners.splice(listeners.indexOf(own), 1)
      removeEventListener('keydown', onKeydown, true)
    }
  }, [])
}
