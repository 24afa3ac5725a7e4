import { useSyncExternalStore, type ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import type { Tone } from '#kit/contract/field.ts'
import { palette, type Finder } from './command-palette.ts'

/** One kind of work that waits for this person: 「退款待审核 2」. */
export interface WaitingItem {
  readonly key: string
  readonly title: string
  readonly tone: Tone
  /** Somebody may come to harm: it is before everything else. */
  readonly isEmergency?: boolean
  readonly count: number
  /** Whether it is about money. */
  readonly hasAmount?: boolean
  /** `最早 昨天 17:52`. */
  readonly oldestText?: string | undefined
  readonly detail?: string | undefined
  readonly actionLabel: string
  readonly path: string
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

/** A page that takes the workbench's place until the company has been set up. */
export interface FirstRun {
  readonly needs: Permission
  /** Its own screen, where it goes on after it was closed. */
  readonly path: string
  /** Whether this company still needs it. */
  isOpen(signal: AbortSignal): Promise<boolean>
  /** Permanently, for everybody of the company. */
  close(): Promise<unknown>
  readonly closeNeeds: Permission
  readonly Draw: ComponentType
}

/**
 * A line over every page, in the shell and outside, for what must not be overlooked; it draws nothing while
 * there is nothing. Exported as `bands` from a module's `web/bands.ts`.
 */
export interface ShellBand {
  readonly needs: Permission
  readonly Draw: ComponentType
}

const blocks: WorkbenchBlock[] = []
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
  register: registerIn(blocks),
  registerFirstRun: registerIn(firstRuns),
  blocks: (): readonly WorkbenchBlock[] => blocks,
  firstRun: (): FirstRun | undefined => firstRuns[0],
}

/**
 * What a module adds to the shell, exported as `extensions` from its `web/extensions.ts`; loaded once
 * somebody is signed in.
 */
export interface Extensions {
  readonly finders?: readonly Finder[]
  readonly blocks?: readonly WorkbenchBlock[]
  readonly firstRun?: FirstRun
}

export function registerExtensions(extensions: Extensions): void {
  extensions.finders?.forEach(palette.register)
  extensions.blocks?.forEach(workbench.register)
  if (extensions.firstRun) {
    workbench.registerFirstRun(extensions.firstRun)
  }
}

/** Failed, then due, then not started. */
const toneWeight: Record<Tone, number> = { bad: 0, todo: 1, doing: 2, hold: 3, open: 4, done: 5, off: 6 }

export const isTone = (text: string): text is Tone => Object.hasOwn(toneWeight, text)

/** Emergencies, then the most urgent first; of one tone what is about money, then the larger count. */
export const sortByUrgency = (all: readonly WaitingItem[]): WaitingItem[] =>
  all
    .filter(item => item.count > 0)
    .toSorted(
      (a, b) =>
        Number(b.isEmergency ?? false) - Number(a.isEmergency ?? false) ||
        toneWeight[a.tone] - toneWeight[b.tone] ||
        Number(b.hasAmount ?? false) - Number(a.hasAmount ?? false) ||
        b.count - a.count,
    )
