import type { Id } from '#kit/domain/id.ts'
import { createContext, useContext, type ComponentType } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Tone } from '#kit/contract/field.ts'
import type { Project } from '../session.ts'
import type { WaitingItem } from '../workbench.ts'
import type { DailyScreen } from './choose-quick-links.ts'
import type { ModuleScreen, ScreenMap } from './screen-map.ts'

/** A background task as the task centre shows it. */
export interface Task {
  readonly id: Id
  readonly title: string
  readonly state: string
  readonly tone: Tone
  readonly label: string
  readonly phase: 'waiting' | 'running' | 'ended' | 'trouble' | 'done'
  readonly done: number
  readonly total?: number | undefined
  readonly success: number
  readonly fail: number
  readonly skipped: number
  readonly message?: string | undefined
  readonly note?: string | undefined
  readonly faults: readonly { readonly reason: string; readonly count: number }[]
  readonly hasResult: boolean
  readonly hasFaults: boolean
  readonly startedAt?: string | undefined
  readonly endedAt?: string | undefined
  readonly until?: string | undefined
  readonly canRetry: boolean
}

/** The operations of the task centre, provided by the module that owns the tasks. */
export interface Tasks {
  list(signal?: AbortSignal): Promise<readonly Task[]>
  stop(id: Id): Promise<unknown>
  retry(id: Id): Promise<unknown>
  download(id: Id, which: 'result' | 'faults'): Promise<unknown>
  clear(): Promise<unknown>
}

/** One message to this person, as the bell shows it. */
export interface Message {
  readonly id: Id
  readonly group: 'todo' | 'notice' | 'system'
  readonly kind: string
  readonly title: string
  readonly text?: string | undefined
  readonly tone: Tone
  readonly at: string
  /** A path, or `tasks` for the task centre; the message itself without one. */
  readonly target?: string | undefined
  readonly read: boolean
}

/** The messages of this person, provided by the module that owns them. */
export interface Messages {
  unread(signal?: AbortSignal): Promise<Readonly<Record<Message['group'], number>>>
  latest(signal?: AbortSignal): Promise<readonly Message[]>
  /** All of them when nothing is given. */
  read(which: {
    readonly ids?: readonly Id[]
    readonly group?: Message['group']
    readonly kind?: string
    readonly about?: Id
  }): Promise<unknown>
  /** Announcements in force that this person has not read, the most serious first. */
  announcements(signal?: AbortSignal): Promise<
    readonly {
      readonly message: Id
      readonly title: string
      readonly text: string
      readonly tone: Tone
    }[]
  >
  readonly paths: { readonly all: string; readonly one: (id: Id) => string; readonly settings: string }
  /** The message kind that reports the end of a task. */
  readonly taskEnded: string
}

/** What waits for this person, and the entities whose changes affect it. */
export interface Waiting {
  readonly items: readonly WaitingItem[]
  /** Kinds of work that could not be counted. */
  readonly failed: number
  readonly entities: readonly string[]
}

/** How much waits behind screens of the menu, by path in lower case. */
export interface MenuCounts {
  readonly byPath: ReadonlyMap<string, { readonly count: number; readonly urgent: boolean }>
  readonly entities: readonly string[]
}

/** What the shell needs of the product; the application provides it. */
export interface Host {
  readonly product: string
  readonly version: string
  readonly screens: ScreenMap
  /** What the search finds, for people: `搜索房号、姓名…`. */
  readonly searchHint: string
  /** In the order in which the workbench offers them to somebody who has not used any. */
  readonly dailyScreens: readonly DailyScreen[]
  pageOf(s: ModuleScreen): ComponentType
  /** What a permission of a screen is called: fetched for who does not have it. */
  permissionLabel(key: string): Promise<string | undefined>
  /** Starts to fetch a page's code before it is opened. */
  preload(s: ModuleScreen): void
  /** Lines of the modules over every page, for what must not be overlooked (`ShellBand`). */
  readonly Bands: ComponentType
  /** Registers the modules' extensions of palette and workbench. */
  loadExtensions(): Promise<void>
  rights(signal?: AbortSignal): Promise<ReadonlySet<string> | 'all'>
  projects(signal?: AbortSignal): Promise<readonly Project[]>
  rememberProject(code: string): Promise<unknown>
  /** Answers where else the browser must go to, outside, to have left everywhere. */
  signOut(): Promise<string | undefined>
  readonly renew: Call<{ readonly token?: string; readonly type?: string }, string>
  waiting(signal: AbortSignal): Promise<Waiting>
  menuCounts(signal: AbortSignal): Promise<MenuCounts>
  readonly tasks: Tasks
  readonly messages: Messages
  /** Every call that the modules declare; fetched when needed. */
  calls(): Promise<readonly Call[]>
  /** Entries of 帮助 beside the shortcuts; each draws its own dialog. */
  readonly help: readonly {
    readonly label: string
    readonly Draw: ComponentType<{ readonly close: () => void }>
  }[]
}

export const HostContext = createContext<Host | undefined>(undefined)

export function useHost(): Host {
  const host = useContext(HostContext)
  if (!host) throw new Error('the shell stands outside its host')
  return host
}
