import { keyOf } from '#kit/contract/field.ts'
import type { Line } from '#kit/contract/sheet-read.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Ask } from '#kit/server/import-job.ts'
import { inBuilding } from '#kit/server/scope.ts'
import { standing, type Standing } from '#modules/estates/server/public.ts'
import { roomsNamed, shortBuilding, type NamedRoom } from '#modules/rooms/server/public.ts'
import type { ResidentLine } from '../contract/transfer.ts'
import { linkStatus, type LinkStatus } from '../contract/words.ts'
import { certOf } from '../domain/person.ts'
import { belongs } from './visible.ts'

export type Row = Partial<ResidentLine>
export type In = Ask<{ projectCode: string }>

export interface Known {
  readonly id: number
  readonly name: string
  readonly mobile?: string
  readonly certNo?: string
  readonly phone2?: string
}

/** What is there already for a line: the person, and his link to the line's room. */
export interface There {
  readonly person: Known
  readonly link?:
    | {
        readonly id: number
        readonly status: LinkStatus
        readonly isMain: boolean
        readonly isPayer: boolean
      }
    | undefined
}

/** A building by its name, its code, or its short name: 3 is 3栋. */
export function buildingsCalled(mine: readonly Standing[], name: string): string[] {
  for (const test of [
    (b: Standing) => b.name === name,
    (b: Standing) => b.code === name,
    (b: Standing) => shortBuilding(b.name) === shortBuilding(name),
  ]) {
    const hit = mine.filter(test)
    if (hit.length) return hit.map(b => b.code)
  }
  return []
}

export interface Places {
  readonly mine: readonly Standing[]
  roomOf(row: Row): NamedRoom | undefined
  read(lines: readonly Line<Row>[]): Promise<void>
}

/** Buildings of the project that the caller may touch, and the rooms that lines mean. */
export async function placesOf(db: Db, ask: In, lock: boolean): Promise<Places> {
  const {
    scope,
    more: { projectCode },
  } = ask
  const mine = [...(await standing(db, scope.ownerId, projectCode, 'all', { lock })).values()].filter(b =>
    inBuilding(scope.domain, projectCode, b.code),
  )
  let named: Awaited<ReturnType<typeof roomsNamed>> = () => undefined
  return {
    mine,
    roomOf: row =>
      row.buildCode && row.unitName && row.roomNo
        ? named(row.buildCode, row.unitName, row.roomNo)
        : undefined,
    read: async lines => {
      named = await roomsNamed(db, scope.ownerId, projectCode, [
        ...new Set(lines.flatMap(l => l.row.buildCode ?? [])),
      ])
    },
  }
}

export interface People {
  readonly byMobile: ReadonlyMap<string, Known>
  readonly byCert: ReadonlyMap<string, Known>
  readonly mine: ReadonlySet<number>
  readonly links: ReadonlyMap<string, NonNullable<There['link']>>
  readonly inRoom: ReadonlyMap<string, Known>
  readonly mains: ReadonlyMap<number, number>
  readonly payers: ReadonlyMap<number, number>
}

export const linkKey = (userId: number, roomId: number): string => `${userId} ${roomId}`
export const nameKey = (name: string, roomId: number): string => `${roomId} ${name}`

/**
 * People that lines mean by mobile or document, whoever is in their rooms, and the running links between
 * them: three statements.
 */
export async function peopleOf(
  db: Db,
  ask: In,
  rows: readonly Row[],
  roomIds: readonly number[],
): Promise<People> {
  const { scope } = ask
  const owner = scope.ownerId
  const mobiles = [...new Set(rows.flatMap(r => r.mobile ?? []))]
  const certs = [...new Set(rows.flatMap(r => (r.certNo ? [certOf(r.certNo)] : [])))]
  const found = await db.rows<Known>(sql`
      select id, name, mobile, cert_no, phone2
      from resident
      where owner_id = ${owner} and delete_tag = 0 and state = 10 and mobile = any(${mobiles})
      union
      select id, name, mobile, cert_no, phone2
      from resident
      where owner_id = ${owner} and delete_tag = 0 and state = 10 and cert_no = any(${certs})
    `)
  const linked = await db.rows<
    Known & { linkId: number; roomId: number; status: number; isMain: boolean; isPayer: boolean }
  >(sql`
    select p.id, p.name, p.mobile, p.cert_no, p.phone2, l.id as link_id, l.room_id, l.status, l.is_main,
      l.is_payer
    from user_room l
    join resident p on p.owner_id = l.owner_id and p.id = l.user_id
    where l.owner_id = ${owner}
      and l.room_id = any(${[...roomIds]})
      and l.delete_tag = 0
      and l.status in (10, 20)
  `)
  const ids = found.map(p => p.id)
  const mine = scope.domain.all
    ? ids
    : (
        await db.rows<{ id: number }>(
          sql`
            select t.id
            from resident t
            where t.owner_id = ${owner} and t.id = any(${ids}) and ${sql.join(belongs(scope), sql` and `)}
          `,
        )
      ).map(r => r.id)
  const running = linked.filter(l => l.status === 20)
  return {
    byMobile: new Map(found.flatMap(p => (p.mobile ? [[p.mobile, p] as const] : []))),
    byCert: new Map(found.flatMap(p => (p.certNo ? [[p.certNo, p] as const] : []))),
    mine: new Set(mine),
    links: new Map(
      linked.map(l => [
        linkKey(l.id, l.roomId),
        { id: l.linkId, status: keyOf(linkStatus, l.status)!, isMain: l.isMain, isPayer: l.isPayer },
      ]),
    ),
    inRoom: new Map(linked.map(l => [nameKey(l.name, l.roomId), l])),
    mains: new Map(running.flatMap(l => (l.isMain ? [[l.roomId, l.id] as const] : []))),
    payers: new Map(running.flatMap(l => (l.isPayer ? [[l.roomId, l.id] as const] : []))),
  }
}

/**
 * Who a line speaks of, as far as the file itself can tell: the same mobile or document is the same person.
 */
export const personKey = (row: Row): string | undefined =>
  row.mobile ? `m ${row.mobile}` : row.certNo ? `c ${certOf(row.certNo)}` : undefined
