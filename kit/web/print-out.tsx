import { useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import './print-out.css'

interface Props {
  readonly children: ReactNode
  /** Of the paper in mm; a roll has no height. */ readonly width: number
  readonly height: number | undefined
  readonly onDone: () => void
}

/**
 * Prints its children and nothing else of the page, once, and calls back when the print dialog is closed.
 * Sheets have their own margins.
 */
export function PrintOut({ children, width, height, onDone }: Props) {
  useEffect(() => {
    const style = document.createElement('style')
    style.textContent = `@page { size: ${height ? `${width}mm ${height}mm` : `${width}mm auto`}; margin: 0 }`
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
  return createPortal(<div className="print-out">{children}</div>, document.body)
}
