import { Suspense, lazy, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'
import type { Fen } from '#kit/contract/field.ts'

export interface ConfirmOptions {
  readonly title?: string
  readonly text?: ReactNode
  readonly okLabel?: string
  readonly cancelLabel?: string
  readonly danger?: boolean
  /** Enter goes back: the action is one that must be looked at first. */
  readonly isBackSafe?: boolean
  /** A third answer: 保留草稿. */
  readonly alternativeLabel?: string
}

/**
 * An action that cannot be undone, or needs a reason (G-10): label and count in title and button, the sums
 * affected, the consequences.
 */
export interface DangerOptions {
  readonly actionLabel: string
  /** The unit of the count: `条账单`. */
  readonly unit: string
  readonly count: number
  /** Title instead of label, count and unit, e.g. with a name. */
  readonly title?: string
  /** On the button instead of label and count, where the title says of what. */
  readonly okLabel?: string
  /** Up to four figures that are affected: label and value. */
  readonly affectedSums?: readonly (readonly [label: string, value: ReactNode])[]
  /** Up to three lines: what happens, and what can still be done afterwards. */
  readonly consequences?: readonly string[]
  /** Reason: required 2–200 characters; `false` where none is asked. */
  readonly reason?:
    | false
    | { readonly label?: string; readonly presets?: readonly string[]; readonly note?: string }
  /** Amount affected in fen; above ¥10,000 the count must be typed. */
  readonly amount?: Fen
  /** Must be typed before the action (a name); without it, the count where the action is large. */
  readonly confirmText?: string
  /** A further consequence that must be agreed to, with its own checkbox. */
  readonly agreement?: string
  /** One of a few that the action needs to know; without `initial` somebody must choose. */
  readonly choice?: {
    readonly label: string
    readonly options: readonly { readonly value: string; readonly label: string }[]
    readonly initial?: string
  }
  /** The action. While it runs the dialog is busy; when it fails the dialog stays and shows why. */
  readonly run: (reason: string, chosen: string | undefined) => Promise<unknown>
}

export type ConfirmAnswer = 'ok' | 'also' | undefined

export type PendingDialog =
  | {
      readonly kind: 'confirm'
      readonly options: ConfirmOptions
      readonly answer: (a: ConfirmAnswer) => void
    }
  | { readonly kind: 'danger'; readonly options: DangerOptions; readonly answer: (yes: boolean) => void }
  | {
      readonly kind: 'notice'
      readonly Notice: ComponentType<{ readonly onClose: () => void }>
      readonly answer: (closed: void) => void
    }

const largeCount = 100
const largeFen = 1_000_000

/**
 * The text that must be typed before a dangerous action, or nothing: above 100 records or ¥10,000 the count,
 * or what the caller names.
 */
export const requiredConfirmText = (
  options: Pick<DangerOptions, 'confirmText' | 'count'> & { readonly amount?: number },
): string | undefined =>
  options.confirmText ??
  (options.count > largeCount || (options.amount ?? 0) > largeFen ? String(options.count) : undefined)

/** What is wrong with a reason (G-10), or nothing. */
export const validateReason = (reason: string): string | undefined => {
  const n = [...reason.trim()].length
  return n < 2 ? '请注明原因，至少 2 个字' : n > 200 ? '原因最多 200 个字' : undefined
}

/** What is wrong with the answer to a question that must be answered, or nothing. */
export const validateChoice = (
  choice: DangerOptions['choice'],
  chosen: string | undefined,
): string | undefined => (choice && chosen === undefined ? `请选择${choice.label}` : undefined)

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

/** Asks before an action; without options 温馨提示, 确定要这样做吗？ (0§8). */
export const confirm = async (options: ConfirmOptions = {}): Promise<boolean> =>
  (await confirmWithAlternative(options)) === 'ok'

/** The same with a third answer, `also`. */
export const confirmWithAlternative = (options: ConfirmOptions): Promise<ConfirmAnswer> =>
  openDialog(answer => ({ kind: 'confirm', options, answer }))

/** Asks before a dangerous action and runs it; true when it succeeded. */
export const confirmDanger = (options: DangerOptions): Promise<boolean> =>
  openDialog<boolean>(answer => ({ kind: 'danger', options, answer }))

/** Shows a dialog that asks nothing, whatever was open before; returns once it is closed. */
export const showNotice = (Notice: ComponentType<{ readonly onClose: () => void }>): Promise<void> =>
  openDialog<void>(answer => ({ kind: 'notice', Notice, answer }))

const LazyConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))

/** Rendered once, inside the theme. */
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
