import { useEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import './print-out.css'

interface Props {
  readonly children: ReactNode
  /** The size of the paper in mm; a roll has no height. */
  readonly width: number
  readonly height: number | undefined
  readonly onDone: () => void
}

const pxPerMm = 96 / 25.4

/** A roll is cut behind what is printed: as long as the longest sheet. */
const rollHeightMm = (output: HTMLElement | null): number =>
  Math.ceil(
    Math.max(0, ...[...(output?.children ?? [])].map(sheet => sheet.getBoundingClientRect().height)) /
      pxPerMm,
  ) + 1

/**
 * Prints its children and nothing else of the page, once, and calls back when the print dialog is closed.
 * Sheets have their own margins.
 */
export function PrintOut({ children, width, height, onDone }: Props) {
  const output = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const style = document.createElement('style')
    // A page must have a height: `80mm auto` is no size, and the browser would take a sheet of Letter.
    const pageHeight = height ?? rollHeightMm(output.current)
    style.textContent = `@page { size: ${width}mm ${pageHeight}mm; margin: 0 }`
    document.head.append(style)
    const onAfterPrint = (): void => onDone()
    addEventListener('afterprint', onAfterPrint)
    // The sheets are drawn first; their images come from this page's memory.
    const timer = setTimeout(() => window.print(), 60)
    return () => {
      clearTimeout(timer)
      removeEventListener('afterprint', onAfterPrint)
      style.remove()
    }
  }, [height, onDone, width])
  return createPortal(
    <div className="print-out" ref={output}>
      {children}
    </div>,
    document.body,
  )
}
