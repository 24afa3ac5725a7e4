import type { ReactNode } from 'react'

export type ToastKind = 'success' | 'error' | 'info' | 'warning'

export interface Toast {
  readonly kind: ToastKind
  readonly text: ReactNode
  /** Seconds. */ readonly seconds?: number
  /** The same key replaces what stands. */ readonly key?: string
  readonly undo?: () => void | Promise<void>
}

type Host = (t: Toast) => void

/** Said before the host stands (a failure in the first request) waits for it. */
const waiting: Toast[] = []
let host: Host | undefined

export function hostToasts(h: Host | undefined): void {
  host = h
  if (h) {
    waiting.splice(0).forEach(h)
  }
}

let call: (() => void) | undefined

/** Who brings a host when the first word is said before there is one. */
export function callToasts(c: () => void): () => void {
  call = c
  if (waiting.length) {
    c()
  }
  return () => {
    call = undefined
  }
}

const say = (t: Toast): void => {
  if (host) return host(t)
  if (waiting.length < 5) {
    waiting.push(t)
  }
  call?.()
}

const plain =
  (kind: ToastKind) =>
  (text: string): void =>
    say({ kind, text, key: `${kind}:${text}` })

/**
 * A word on the result of the user's own act, three seconds long (errors five). The same text is not stacked.
 */
export const toast = {
  success: plain('success'),
  info: plain('info'),
  warning: plain('warning'),
  error: (text: string): void => say({ kind: 'error', text, key: `error:${text}`, seconds: 5 }),
  /** Done, and may be taken back within 8 seconds. */
  undo: (text: string, undo: () => void | Promise<void>): void =>
    say({ kind: 'success', text, undo, seconds: 8, key: `undo:${text}` }),
}
