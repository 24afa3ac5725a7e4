import type { Day, Moment } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import type { Db } from '#kit/server/db.ts'
import type { PartIcon } from '../contract/choices.ts'
import type { Resident, ResidentHome } from './resident.ts'

/** For whom a part is drawn. */
export interface PartContext {
  readonly app: App
  readonly db: Db
  readonly resident: Resident
  /** The home that is looked at. */
  readonly home: ResidentHome
  readonly now: Moment
  readonly today: Day
}

/** One line of what is new, with the page that shows it. */
export interface PartItem {
  readonly title: string
  readonly note?: string | undefined
  /** Of a page of residents, without the token. */
  readonly path: string
  readonly isNew?: boolean | undefined
}

export interface PartContent {
  /** What waits for the resident. */
  readonly count?: number | undefined
  readonly note?: string | undefined
  /** Shown below the parts, three at most. */
  readonly items?: readonly PartItem[] | undefined
  /** In place of the path with the token: a page with a link of its own. */
  readonly url?: string | undefined
}

/** What a module shows on the page of residents. */
export interface ResidentPart {
  readonly key: string
  readonly title: string
  readonly icon: PartIcon
  /** Lower stands first. */
  readonly order: number
  /** A page of residents, which gets the token (`?t=`) and the home (`&h=`). */
  readonly path?: string
  /** Nothing where the part is not for this resident; a part without it is for all. */
  readonly load?: (c: PartContext) => Promise<PartContent | undefined>
}

const parts = new Map<string, ResidentPart>()

export const registerResidentPart = (part: ResidentPart): void => {
  parts.set(part.key, part)
}

export const findParts = (): readonly ResidentPart[] =>
  [...parts.values()].toSorted((a, b) => a.order - b.order || a.key.localeCompare(b.key))
