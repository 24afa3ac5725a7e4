import type { Ask, Done } from '#kit/server/import-job.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { NamedRoom } from './people.ts'

/** What a line of the room sheet says of somebody who has to do with the room. */
export interface SaidPerson {
  readonly line: number
  readonly name?: string | undefined
  readonly mobile?: string | undefined
  readonly relation?: string | undefined
  readonly inDate?: string | undefined
  /** The line's room, where it is there already. */
  readonly roomId?: number | undefined
}

export interface Appending {
  readonly check: (said: SaidPerson) => readonly {
    readonly column: 'userName' | 'userMobile' | 'userRelation'
    readonly says: string
    readonly remedy: string
  }[]
  /** After the rooms are written: what became of the people, by line. */
  readonly apply: (
    tx: Tx,
    placed: readonly { readonly line: number; readonly room: NamedRoom }[],
  ) => Promise<ReadonlyMap<number, Done>>
}

export interface RowPeople {
  /** What the column of the relation may hold, for the template's pull-down. */
  readonly relations: readonly string[]
  readonly open: (
    db: Db,
    ask: Ask<{ projectCode: string }>,
    said: readonly SaidPerson[],
  ) => Promise<Appending>
}

let people: RowPeople | undefined

/** Who knows people says how lines of rooms bring theirs (import mode 3); rooms themselves know nobody. */
export const appendsPeople = (p: RowPeople): void => {
  people = p
}

export const rowPeople = (): RowPeople | undefined => people

/** A line's answer of the room and of its person in one. */
export function together(room: Done, person: Done): Done {
  if (room.did === 'failed') return room
  if (person.did === 'failed') return { did: 'failed', says: `房间${room.says}；${person.says}` }
  return person.did === 'added'
    ? {
        did: room.did === 'added' ? 'added' : 'changed',
        says: room.did === 'skipped' ? person.says : `${room.says}，${person.says}`,
      }
    : { ...room, says: `${room.says}；${person.says}` }
}
