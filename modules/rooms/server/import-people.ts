import type { Day } from '#kit/domain/day.ts'
import type { ImportRequest, LineResult } from '#kit/server/sheet-import.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { SheetRoom } from './room-occupants.ts'

/** What a line of the room sheet says of somebody who has to do with the room. */
export interface ImportedPerson {
  readonly line: number
  readonly name?: string | undefined
  readonly mobile?: string | undefined
  readonly relation?: string | undefined
  readonly inDate?: Day | undefined
  /** The line's room, where it is there already. */
  readonly roomId?: number | undefined
}

export interface PeopleImport {
  readonly check: (said: ImportedPerson) => readonly {
    readonly column: 'userName' | 'userMobile' | 'userRelation'
    readonly says: string
    readonly remedy: string
  }[]
  /** After the rooms are written: what became of the people, by line. */
  readonly apply: (
    tx: Tx,
    placed: readonly { readonly line: number; readonly room: SheetRoom }[],
  ) => Promise<ReadonlyMap<number, LineResult>>
}

export interface PeopleImporter {
  /** What the column of the relation may hold, for the template's pull-down. */
  readonly relations: readonly string[]
  readonly open: (
    db: Db,
    ask: ImportRequest<{ projectCode: string }>,
    said: readonly ImportedPerson[],
  ) => Promise<PeopleImport>
}

let registeredImporter: PeopleImporter | undefined

/** Who knows people says how lines of rooms bring theirs (import mode 3); rooms themselves know nobody. */
export const registerPeopleImporter = (p: PeopleImporter): void => {
  registeredImporter = p
}

export const getPeopleImporter = (): PeopleImporter | undefined => registeredImporter

/** A line's answer of the room and of its person in one. */
export function mergeOutcomes(room: LineResult, person: LineResult): LineResult {
  if (room.did === 'failed') return room
  if (person.did === 'failed') return { did: 'failed', says: `房间${room.says}；${person.says}` }
  return person.did === 'added'
    ? {
        did: room.did === 'added' ? 'added' : 'changed',
        says: room.did === 'skipped' ? person.says : `${room.says}，${person.says}`,
      }
    : { ...room, says: `${room.says}；${person.says}` }
}
