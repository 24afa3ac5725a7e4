import { useEffect, useRef } from 'react'

type OnEscape = (press: { readonly top: boolean; readonly event: KeyboardEvent }) => void

/** The open dialogs and panels, the last opened on top. */
let open: readonly { readonly current: OnEscape | undefined }[] = []

const compositionRestMs = 200
let composedAt = 0

function onKeydown(event: KeyboardEvent): void {
  // The Escape that ends an input method's word closes nothing.
  if (event.key !== 'Escape' || event.isComposing || Date.now() - composedAt < compositionRestMs) return
  for (const entry of open.toReversed()) {
    entry.current?.({ top: entry === open.at(-1), event })
  }
}

const onCompositionEnd = (): void => {
  composedAt = Date.now()
}

/**
 * Which of the open dialogs Escape closes, in place of the library's `useEscKeyDown`: that one notes a dialog
 * while it is drawn, and keeps it on top for ever where React renders it again before it is mounted.
 */
export default function useEscapeKeys(isOpen: boolean, onEscape: OnEscape | undefined): void {
  const latest = useRef(onEscape)
  useEffect(() => {
    latest.current = onEscape
  })
  useEffect(() => {
    if (!isOpen) return
    if (!open.length) {
      addEventListener('keydown', onKeydown)
      addEventListener('compositionend', onCompositionEnd)
    }
    open = [...open, latest]
    return () => {
      open = open.filter(entry => entry !== latest)
      if (open.length) return
      removeEventListener('keydown', onKeydown)
      removeEventListener('compositionend', onCompositionEnd)
    }
  }, [isOpen])
}
