import { useSyncExternalStore, type ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import type { Tone } from '#kit/contract/field.ts'
import { palette, type Finder } from './command-palette.ts'

/** One kind of work that waits for this person: 「退款待审核 2」. */
export interface WaitingItem {
  readonly key: string
  readonly title: string
  readonly tone: Tone
  readonly count: number
  /** `最久等待 26 分`. */
  readonly oldestText?: string
  readonly detail?: string
  readonly actionLabel: string
  readonly path: string
}

export interface WaitingQueue {
  readonly key: string
  readonly needs?: Permission
  /** Fetched again when these entities change. */ readonly entities?: readonly string[]
  load(signal: AbortSignal): Promise<readonly WaitingItem[]>
}

/**
 * A block of the workbench with real figures of one module; it draws itself. `wide` takes two thirds of the
 * row.
 */
export interface WorkbenchBlock {
  readonly key: string
  readonly title: string
  readonly needs?: Permission
  readonly wide?: boolean
  readonly order: number
  readonly Draw: ComponentType
}

/** How much work waits behind a screen of the menu. */
export interface ScreenCount {
  readonly path: string
  readonly needs?: Permission
  /** Fetched again when these entities change. */ readonly entities?: readonly string[]
  load(signal: AbortSignal): Promise<{ readonly n: number; readonly urgent?: boolean }>
}

/** A page that takes the workbench's place until the company has been set up. */
export interface FirstRun {
  readonly needs: Permission
  /** Whether this company still needs it. */
  isOpen(signal: AbortSignal): Promise<boolean>
  /** For good, for everybody of the company. */
  close(): Promise<unknown>
  readonly closeNeeds: Permission
  readonly Draw: ComponentType
}

const queues: WaitingQueue[] = []
const blocks: WorkbenchBlock[] = []
const counts: ScreenCount[] = []
const firstRuns: FirstRun[] = []
const watchers = new Set<() => void>()
let version = 0

const registerIn =
  <T extends object>(list: T[]) =>
  (item: T): void => {
    if (!list.includes(item)) {
      list.push(item)
      version++
      watchers.forEach(watcher => watcher())
    }
  }

/** Renders again when extensions arrive: they come after the first screen has been drawn. */
export const useExtensions = (): number =>
  useSyncExternalStore(
    listener => {
      watchers.add(listener)
      return () => {
        watchers.delete(listener)
      }
    },
    () => version,
  )

export const workbench = {
  registerQueue: registerIn(queues),
  register: registerIn(blocks),
  registerCount: registerIn(counts),
  registerFirstRun: registerIn(firstRuns),
  queues: (): readonly WaitingQueue[] => queues,
  blocks: (): readonly WorkbenchBlock[] => blocks,
  counts: (): readonly ScreenCount[] => counts,
  firstRun: (): FirstRun | undefined => firstRuns[0],
}

/**
 * What a module adds to the shell, exported as `extensions` from its `web/extensions.ts`; loaded once
 * somebody is signed in.
 */
export interface Extensions {
  readonly finders?: readonly Finder[]
  readonly queues?: readonly WaitingQueue[]
  readonly blocks?: readonly WorkbenchBlock[]
  readonly counts?: readonly ScreenCount[]
  readonly firstRun?: FirstRun
}

export function registerExtensions(extensions: Extensions): void {
  extensions.finders?.forEach(palette.register)
  extensions.queues?.forEach(workbench.registerQueue)
  extensions.blocks?.forEach(workbench.register)
  extensions.counts?.forEach(workbench.registerCount)
  if (extensions.firstRun) {
    workbench.registerFirstRun(extensions.firstRun)
  }
}

/** The most urgent first: failed, then due, then not started; of one tone the larger count first. */
const toneWeight: Record<Tone, number> = { bad: 0, todo: 1, doing: 2, hold: 3, open: 4, done: 5, off: 6 }

export const sortByUrgency = (all: readonly WaitingItem[]): WaitingItem[] =>
  all
    .filter(item => item.count > 0)
    .toSorted((a, b) => toneWeight[a.tone] - toneWeight[b.tone] || b.count - a.count)
