import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { ImportRequest, LineResult } from '#kit/server/sheet-import.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { SheetRoom } from './room-occupants.ts'

/** The person in a line of the room sheet. */
export interface ImportedPerson {
  readonly line: number
  readonly name?: string | undefined
  readonly mobile?: string | undefined
  readonly relation?: string | undefined
  readonly inDate?: Day | undefined
  /** The line's room, where it is there already. */
  readonly roomId?: Id | undefined
}

export interface PersonFault {
  readonly column: 'userName' | 'userMobile' | 'userRelation'
  readonly message: string
  readonly remedy: string
}

export interface PeopleImport {
  readonly check: (person: ImportedPerson) => readonly PersonFault[]
  /** Runs after the rooms are written. Returns the outcome of each line. */
  readonly apply: (
    tx: Tx,
    lines: readonly { readonly line: number; readonly room: SheetRoom }[],
  ) => Promise<ReadonlyMap<number, LineResult>>
}

export interface PeopleImporter {
  /** The options of the column of the relation in the template. */
  readonly relations: readonly string[]
  readonly open: (
    db: Db,
    request: ImportRequest<{ projectCode: string }>,
    persons: readonly ImportedPerson[],
  ) => Promise<PeopleImport>
}

let registeredImporter: PeopleImporter | undefined

/** The module of people registers how lines of rooms bring theirs (import mode 3). */
export const registerPeopleImporter = (importer: PeopleImporter): void => {
  registeredImporter = importer
}

export const getPeopleImporter = (): PeopleImporter | undefined => registeredImporter

/** The results of a line's room and of its person as one. */
export function mergeOutcomes(room: LineResult, person: LineResult): LineResult {
  if (room.outcome === 'failed') return room
  if (person.outcome === 'failed')
    return { outcome: 'failed', message: `房间${room.message}；${person.message}` }
  return person.outcome === 'added'
    ? {
        outcome: room.outcome === 'added' ? 'added' : 'changed',
        message: room.outcome === 'skipped' ? person.message : `${room.message}，${person.message}`,
        alsoDid: '登记住户',
      }
    : { ...room, message: `${room.message}；${person.message}` }
}
