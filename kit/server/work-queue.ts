import type { everyone, Permission } from '#kit/contract/call.ts'
import type { Moment, Tone } from '#kit/contract/field.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { ReadContext } from './handler/definition.ts'

/** Work of one kind that waits for this person, as the workbench shows it. */
export interface WaitingWork {
  readonly title: string
  readonly tone: Tone
  /** Somebody may come to harm: it is before everything else. */
  readonly isEmergency?: boolean
  readonly count: number
  readonly actionLabel: string
  /** The screen on which it is done, with the filter that finds it. */
  readonly path: string
  /** Since when the oldest waits. */
  readonly since?: Moment
  readonly sum?: { readonly label: string; readonly amount: Fen }
  readonly detail?: string
}

/** A kind of work that a module hands to the workbench of those who have the permission. */
export interface WorkQueue {
  readonly key: string
  /** `everyone` where each person has work of their own. */
  readonly needs: Permission | typeof everyone
  /** Entities whose changes affect it. */
  readonly entities: readonly string[]
  /** Undefined where nothing waits. */
  load(context: ReadContext): Promise<WaitingWork | undefined>
}

/** How much waits behind a screen of the menu; `isUrgent` is shown in red. */
export interface MenuCount {
  readonly path: string
  readonly needs: Permission | typeof everyone
  readonly entities: readonly string[]
  readonly isUrgent?: boolean
  load(context: ReadContext): Promise<number>
}

const queues: WorkQueue[] = []
const menuCounts: MenuCount[] = []

/** The queues and counts of all installed modules; of the modules installed last, where tests do so twice. */
export function registerWork(
  installed: readonly {
    readonly queues?: readonly WorkQueue[]
    readonly menuCounts?: readonly MenuCount[]
  }[],
): void {
  queues.splice(0, queues.length, ...installed.flatMap(module => module.queues ?? []))
  menuCounts.splice(0, menuCounts.length, ...installed.flatMap(module => module.menuCounts ?? []))
}

export const allWorkQueues = (): readonly WorkQueue[] => queues
export const allMenuCounts = (): readonly MenuCount[] => menuCounts
