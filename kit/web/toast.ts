import type { ReactNode } from 'react'

export type ToastKind = 'success' | 'error' | 'info' | 'warning'

export interface Toast {
  readonly kind: ToastKind
  readonly text: ReactNode
  /** Seconds. */
  readonly seconds?: number
  /** Replaces a toast with the same key. */
  readonly key?: string
  readonly undo?: () => void | Promise<void>
}

type ToastHost = (t: Toast) => void

/** Toasts before the host is mounted (a failure in the first request) wait for it. */
const queuedToasts: Toast[] = []
let host: ToastHost | undefined

export function setToastHost(nextHost: ToastHost | undefined): void {
  host = nextHost
  if (nextHost) {
    queuedToasts.splice(0).forEach(nextHost)
  }
}

let hostRequest: (() => void) | undefined

/** Sets what mounts the host when the first toast comes before there is one. */
export function onHostNeeded(requestHost: () => void): () => void {
  hostRequest = requestHost
  if (queuedToasts.length) {
    requestHost()
  }
  return () => {
    hostRequest = undefined
  }
}

const showToast = (shown: Toast): void => {
  if (host) return host(shown)
  if (queuedToasts.length < 5) {
    queuedToasts.push(shown)
  }
  hostRequest?.()
}

const toastOfKind =
  (kind: ToastKind) =>
  (text: string): void =>
    showToast({ kind, text, key: `${kind}:${text}` })

/**
 * A message about the result of the user's own action, three seconds long (errors five). The same text is not
 * stacked.
 */
export const toast = {
  success: toastOfKind('success'),
  /** With a link to what usually follows: long enough on screen to be reached. */
  next: (text: string, content: ReactNode): void =>
    showToast({ kind: 'success', text: content, key: `success:${text}`, seconds: 8 }),
  info: toastOfKind('info'),
  warning: toastOfKind('warning'),
  error: (text: string): void => showToast({ kind: 'error', text, key: `error:${text}`, seconds: 5 }),
  /** Done, and can be undone within 8 seconds. */
  undo: (text: string, undo: () => void | Promise<void>): void =>
    showToast({ kind: 'success', text, undo, seconds: 8, key: `undo:${text}` }),
}
