import { useSyncExternalStore, type ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import type { Tone } from '#kit/contract/field.ts'
import { palette, type Finder } from './palette.ts'

/** One kind of thing that waits for this person: 「退款待审核 2」. */
export interface Waiting {
  readonly key: string
  readonly title: string
  readonly tone: Tone
  readonly count: number
  /** `最久等待 26 分`. */
  readonly oldest?: string
  readonly detail?: string
  readonly verb: string
  readonly path: string
}

export interface Queue {
  readonly key: string
  readonly needs?: Permission
  /** Asked again when these entities change. */ readonly entities?: readonly string[]
  load(signal: AbortSignal): Promise<readonly Waiting[]>
}

/**
 * A block of the workbench with real figures of one module; it draws itself. `wide` takes two thirds of the
 * row.
 */
export interface Block {
  readonly key: string
  readonly title: string
  readonly needs?: Permission
  readonly wide?: boolean
  readonly order: number
  readonly Draw: ComponentType
}

/** How much work waits behind a screen of the menu. */
export interface Count {
  readonly path: string
  readonly needs?: Permission
  /** Asked again when these entities change. */ readonly entities?: readonly string[]
  load(signal: AbortSignal): Promise<{ readonly n: number; readonly urgent?: boolean }>
}

const queues: Queue[] = []
const blocks: Block[] = []
const counts: Count[] = []
const watchers = new Set<() => void>()
let turn = 0

const add =
  <T extends object>(to: T[]) =>
  (x: T): void => {
    if (!to.includes(x)) {
      to.push(x)
      turn++
      watchers.forEach(w => w())
    }
  }

/** Draws anew what shows the lent things: they come after the first screen has been drawn. */
export const useLent = (): number =>
  useSyncExternalStore(
    then => {
      watchers.add(then)
      return () => {
        watchers.delete(then)
      }
    },
    () => turn,
  )

export const workbench = {
  registerQueue: add(queues),
  register: add(blocks),
  registerCount: add(counts),
  queues: (): readonly Queue[] => queues,
  blocks: (): readonly Block[] => blocks,
  counts: (): readonly Count[] => counts,
}

/**
 * What a module lends to the shell, exported as `provides` from its `web/provides.ts`; loaded once somebody
 * is signed in.
 */
export interface Provides {
  readonly finders?: readonly Finder[]
  readonly queues?: readonly Queue[]
  readonly blocks?: readonly Block[]
  readonly counts?: readonly Count[]
}

export function take(p: Provides): void {
  p.finders?.forEach(palette.register)
  p.queues?.forEach(workbench.registerQueue)
  p.blocks?.forEach(workbench.register)
  p.counts?.forEach(workbench.registerCount)
}

/** The most pressing first: failed, then due, then not begun; of one kind the larger number first. */
const weight: Record<Tone, number> = { bad: 0, todo: 1, doing: 2, hold: 3, open: 4, done: 5, off: 6 }

export const inOrder = (all: readonly Waiting[]): Waiting[] =>
  all.filter(w => w.count > 0).sort((a, b) => weight[a.tone] - weight[b.tone] || b.count - a.count)
