import type { ReactNode } from 'react'

export type ToastKind = 'success' | 'error' | 'info' | 'warning'

export interface Toast {
  readonly kind: ToastKind
  readonly text: ReactNode
  /** Seconds. */ readonly seconds?: number
  /** The same key replaces what stands. */ readonly key?: string
  readonly undo?: () => void | Promise<void>
}

type ToastHost = (t: Toast) => void

/** Said before the host stands (a failure in the first request) waits for it. */
const queuedToasts: Toast[] = []
let host: ToastHost | undefined

export function setToastHost(nextHost: ToastHost | undefined): void {
  host = nextHost
  if (nextHost) {
    queuedToasts.splice(0).forEach(nextHost)
  }
}

let hostRequest: (() => void) | undefined

/** Who brings a host when the first word is said before there is one. */
export function onHostNeeded(requestHost: () => void): () => void {
  hostRequest = requestHost
  if (queuedToasts.length) {
    requestHost()
  }
  return () => {
    hostRequest = undefined
  }
}

const showToast = (t: Toast): void => {
  if (host) return host(t)
  if (queuedToasts.length < 5) {
    queuedToasts.push(t)
  }
  hostRequest?.()
}

const toastOfKind =
  (kind: ToastKind) =>
  (text: string): void =>
    showToast({ kind, text, key: `${kind}:${text}` })

/**
 * A word on the result of the user's own act, three seconds long (errors five). The same text is not stacked.
 */
export const toast = {
  success: toastOfKind('success'),
  info: toastOfKind('info'),
  warning: toastOfKind('warning'),
  error: (text: string): void => showToast({ kind: 'error', text, key: `error:${text}`, seconds: 5 }),
  /** Done, and may be taken back within 8 seconds. */
  undo: (text: string, undo: () => void | Promise<void>): void =>
    showToast({ kind: 'success', text, undo, seconds: 8, key: `undo:${text}` }),
}
