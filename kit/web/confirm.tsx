import { Suspense, lazy, useSyncExternalStore, type ReactNode } from 'react'
import type { Fen } from '#kit/contract/field.ts'

export interface Confirming {
  readonly title?: string
  readonly text?: ReactNode
  readonly ok?: string
  readonly cancel?: string
  readonly danger?: boolean
  /** A third answer: 保留草稿. */ readonly also?: string
}

/**
 * What cannot be taken back, or needs a reason (G-10): verb and count in title and button, the sums touched,
 * what follows.
 */
export interface Endangering {
  readonly verb: string
  /** What the count counts: `条账单`. */
  readonly what: string
  readonly count: number
  /** Title instead of verb + count + what, e.g. with a name. */
  readonly title?: string
  /** Up to four figures that are touched: label and what stands there. */
  readonly sums?: readonly (readonly [label: string, value: ReactNode])[]
  /** Up to three lines: what happens, and what can still be done afterwards. */
  readonly follows?: readonly string[]
  /** Reason: required 2–200 characters; `false` where none is asked. */
  readonly reason?:
    | false
    | { readonly label?: string; readonly presets?: readonly string[]; readonly note?: string }
  /** Yuan in fen that the act touches; above ¥10,000 the count must be typed. */
  readonly amount?: Fen
  /** Must be typed before the act (a name); without it, the count where the act is large. */
  readonly type?: string
  /** What else follows and must be agreed to, with a tick of its own. */
  readonly agree?: string
  /** The act. While it runs the dialog waits; when it fails the dialog stays and shows why. */
  readonly run: (reason: string) => Promise<unknown>
}

export type Answer = 'ok' | 'also' | undefined

export type Asked =
  | { readonly kind: 'confirm'; readonly of: Confirming; readonly answer: (a: Answer) => void }
  | { readonly kind: 'danger'; readonly of: Endangering; readonly answer: (yes: boolean) => void }

const largeCount = 100
const largeFen = 1_000_000

/**
 * What must be typed before a dangerous act, or nothing: over 100 records or ¥10,000, or what the caller
 * names (screens.md §5).
 */
export const mustType = (d: Pick<Endangering, 'type' | 'count' | 'amount'>): string | undefined =>
  d.type ?? (d.count > largeCount || (d.amount ?? 0) > largeFen ? String(d.count) : undefined)

/** What is wrong with a reason (G-10), or nothing. */
export const reasonFault = (reason: string): string | undefined => {
  const n = [...reason.trim()].length
  return n < 2 ? '请写明原因，至少 2 个字' : n > 200 ? '原因最多 200 个字' : undefined
}

let open: readonly Asked[] = []
const watchers = new Set<() => void>()

const put = (all: readonly Asked[]): void => {
  open = all
  watchers.forEach(w => w())
}

const ask = <A,>(make: (answer: (a: A) => void) => Asked): Promise<A> =>
  new Promise(done => {
    const one: Asked = make(a => {
      put(open.filter(x => x !== one))
      done(a)
    })
    put([...open, one])
  })

/** Asks before an act; without words it is 温馨提示, 确定要这样做吗？ (0§8). */
export const confirm = async (of: Confirming = {}): Promise<boolean> => (await choose(of)) === 'ok'

/** The same with a third answer. */
export const choose = (of: Confirming): Promise<Answer> => ask(answer => ({ kind: 'confirm', of, answer }))

/** Asks before a dangerous act and does it; true when it was done. */
export const danger = (of: Endangering): Promise<boolean> =>
  ask<boolean>(answer => ({ kind: 'danger', of, answer }))

const Dialog = lazy(() => import('./confirm-dialog.tsx'))

/** Stands once, inside the theme. */
export function Dialogs() {
  const all = useSyncExternalStore(
    then => {
      watchers.add(then)
      return () => {
        watchers.delete(then)
      }
    },
    () => open,
  )
  return all[0] ? (
    <Suspense>
      <Dialog key={all.length} asked={all[0]} />
    </Suspense>
  ) : null
}
