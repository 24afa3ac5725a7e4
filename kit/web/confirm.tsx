import { Suspense, lazy, useSyncExternalStore, type ReactNode } from 'react'
import type { Fen } from '#kit/contract/field.ts'

export interface ConfirmOptions {
  readonly title?: string
  readonly text?: ReactNode
  readonly okLabel?: string
  readonly cancelLabel?: string
  readonly danger?: boolean
  /** A third answer: 保留草稿. */ readonly alternativeLabel?: string
}

/**
 * What cannot be taken back, or needs a reason (G-10): verb and count in title and button, the sums touched,
 * what follows.
 */
export interface DangerOptions {
  readonly actionLabel: string
  /** What the count counts: `条账单`. */
  readonly unit: string
  readonly count: number
  /** Title instead of verb + count + what, e.g. with a name. */
  readonly title?: string
  /** Up to four figures that are touched: label and what stands there. */
  readonly affectedSums?: readonly (readonly [label: string, value: ReactNode])[]
  /** Up to three lines: what happens, and what can still be done afterwards. */
  readonly consequences?: readonly string[]
  /** Reason: required 2–200 characters; `false` where none is asked. */
  readonly reason?:
    | false
    | { readonly label?: string; readonly presets?: readonly string[]; readonly note?: string }
  /** Yuan in fen that the act touches; above ¥10,000 the count must be typed. */
  readonly amount?: Fen
  /** Must be typed before the act (a name); without it, the count where the act is large. */
  readonly confirmText?: string
  /** What else follows and must be agreed to, with a tick of its own. */
  readonly agreement?: string
  /** The act. While it runs the dialog waits; when it fails the dialog stays and shows why. */
  readonly run: (reason: string) => Promise<unknown>
}

export type ConfirmAnswer = 'ok' | 'also' | undefined

export type PendingDialog =
  | {
      readonly kind: 'confirm'
      readonly options: ConfirmOptions
      readonly answer: (a: ConfirmAnswer) => void
    }
  | { readonly kind: 'danger'; readonly options: DangerOptions; readonly answer: (yes: boolean) => void }

const largeCount = 100
const largeFen = 1_000_000

/**
 * What must be typed before a dangerous act, or nothing: over 100 records or ¥10,000, or what the caller
 * names (screens.md §5).
 */
export const requiredConfirmText = (
  options: Pick<DangerOptions, 'confirmText' | 'count' | 'amount'>,
): string | undefined =>
  options.confirmText ??
  (options.count > largeCount || (options.amount ?? 0) > largeFen ? String(options.count) : undefined)

/** What is wrong with a reason (G-10), or nothing. */
export const validateReason = (reason: string): string | undefined => {
  const n = [...reason.trim()].length
  return n < 2 ? '请写明原因，至少 2 个字' : n > 200 ? '原因最多 200 个字' : undefined
}

let pendingDialogs: readonly PendingDialog[] = []
const listeners = new Set<() => void>()

const setPendingDialogs = (dialogs: readonly PendingDialog[]): void => {
  pendingDialogs = dialogs
  listeners.forEach(listener => listener())
}

const openDialog = <A,>(build: (answer: (a: A) => void) => PendingDialog): Promise<A> =>
  new Promise(resolve => {
    const dialog: PendingDialog = build(a => {
      setPendingDialogs(pendingDialogs.filter(other => other !== dialog))
      resolve(a)
    })
    setPendingDialogs([...pendingDialogs, dialog])
  })

/** Asks before an act; without words it is 温馨提示, 确定要这样做吗？ (0§8). */
export const confirm = async (options: ConfirmOptions = {}): Promise<boolean> =>
  (await confirmWithAlternative(options)) === 'ok'

/** The same with a third answer. */
export const confirmWithAlternative = (options: ConfirmOptions): Promise<ConfirmAnswer> =>
  openDialog(answer => ({ kind: 'confirm', options, answer }))

/** Asks before a dangerous act and does it; true when it was done. */
export const confirmDanger = (options: DangerOptions): Promise<boolean> =>
  openDialog<boolean>(answer => ({ kind: 'danger', options, answer }))

const LazyConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))

/** Stands once, inside the theme. */
export function ConfirmDialogs() {
  const dialogs = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    () => pendingDialogs,
  )
  return dialogs[0] ? (
    <Suspense>
      <LazyConfirmDialog key={dialogs.length} dialog={dialogs[0]} />
    </Suspense>
  ) : null
}
