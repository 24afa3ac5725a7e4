import type { Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { ImportRequest } from '#kit/server/sheet-import.ts'
import { notDeleted, code, codes } from '#kit/server/sql.ts'
import type { ResidentSheetRow } from '../contract/import-export.ts'
import { residencyStatus, type ResidencyStatus, residentState } from '../contract/labels.ts'
import { normalizeCertNo } from '../domain/person.ts'
import { residentDomainFilter } from './resident-access.ts'

export type ImportRow = Partial<ResidentSheetRow>
export type ResidentImportRequest = ImportRequest<{ projectCode: string }>

export interface KnownPerson {
  readonly id: Id
  readonly name: string
  readonly mobile?: string
  readonly certNo?: string
  readonly phone2?: string
}

export interface KnownResidency {
  readonly id: Id
  readonly status: ResidencyStatus
  readonly isMain: boolean
  readonly isPayer: boolean
}

/** The person of a line who is registered already, and the residency in the line's room. */
export interface ExistingResident {
  readonly person: KnownPerson
  readonly residency?: KnownResidency | undefined
}

export interface ImportPeople {
  readonly byMobile: ReadonlyMap<string, KnownPerson>
  readonly byCertNo: ReadonlyMap<string, KnownPerson>
  /** Those found by mobile or document whom the operator may see. */
  readonly visibleIds: ReadonlySet<Id>
  /** By `residencyKey`. */
  readonly residencies: ReadonlyMap<string, KnownResidency>
  /** By `nameInRoomKey`. */
  readonly byNameInRoom: ReadonlyMap<string, KnownPerson>
  readonly mainOwnerByRoom: ReadonlyMap<Id, Id>
  /** Who is named, else the main owner (BASE-9). */
  readonly payerByRoom: ReadonlyMap<Id, Id>
}

export const residencyKey = (userId: Id, roomId: Id): string => `${userId} ${roomId}`
export const nameInRoomKey = (name: string, roomId: Id): string => `${roomId} ${name}`

/** Two conditions that each have an index, so a union instead of `or`. */
const findByNumbers = (
  db: Db,
  ownerId: Id,
  mobiles: readonly string[],
  certNos: readonly string[],
): Promise<KnownPerson[]> =>
  db.rows<KnownPerson>(sql`
    select id, name, mobile, cert_no, phone2
    from resident
    where owner_id = ${ownerId}
      and ${notDeleted()}
      and state = ${code(residentState, 'normal')}
      and mobile = any(${[...mobiles]})
    union
    select id, name, mobile, cert_no, phone2
    from resident
    where owner_id = ${ownerId}
      and ${notDeleted()}
      and state = ${code(residentState, 'normal')}
      and cert_no = any(${[...certNos]})
  `)

interface RoomPersonRow extends KnownPerson {
  readonly linkId: Id
  readonly roomId: Id
  readonly status: number
  readonly isMain: boolean
  readonly isPayer: boolean
}

const findPeopleInRooms = (db: Db, ownerId: Id, roomIds: readonly Id[]): Promise<RoomPersonRow[]> =>
  db.rows<RoomPersonRow>(sql`
    select p.id, p.name, p.mobile, p.cert_no, p.phone2, l.id as link_id, l.room_id, l.status, l.is_main,
      l.is_payer
    from user_room l
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id
    where l.owner_id = ${ownerId}
      and l.room_id = any(${[...roomIds]})
      and ${notDeleted('l')}
      and l.status in ${codes(residencyStatus, 'pending', 'living')}
  `)

async function findVisibleIds(db: Db, scope: Scope, ids: readonly Id[]): Promise<readonly Id[]> {
  if (scope.domain.all) return ids
  const rows = await db.rows<{ id: Id }>(
    sql`
      select t.id
      from resident t
      where t.owner_id = ${scope.ownerId}
        and t.id = any(${[...ids]})
        and ${sql.join(residentDomainFilter(scope), sql` and `)}
    `,
  )
  return rows.map(row => row.id)
}

const toKnownResidency = ({ linkId, status, isMain, isPayer }: RoomPersonRow): KnownResidency => ({
  id: linkId,
  status: defined(keyOf(residencyStatus, status)),
  isMain,
  isPayer,
})

/** The people of the lines by mobile or document, and everybody in their rooms: three statements. */
export async function loadImportPeople(
  db: Db,
  { scope }: Pick<ResidentImportRequest, 'scope'>,
  rows: readonly ImportRow[],
  roomIds: readonly Id[],
): Promise<ImportPeople> {
  const mobiles = [...new Set(rows.flatMap(row => row.mobile ?? []))]
  const certNos = [...new Set(rows.flatMap(row => (row.certNo ? [normalizeCertNo(row.certNo)] : [])))]
  const found = await findByNumbers(db, scope.ownerId, mobiles, certNos)
  const inRooms = await findPeopleInRooms(db, scope.ownerId, roomIds)
  const visibleIds = await findVisibleIds(
    db,
    scope,
    found.map(p => p.id),
  )
  const living = inRooms.filter(r => toKnownResidency(r).status === 'living')
  const mainOwners = living.filter(r => r.isMain)
  const payers = living.filter(r => r.isPayer)
  const payerByRoom = new Map([...mainOwners, ...payers].map(r => [r.roomId, r.id]))
  const paysFor = (r: RoomPersonRow): boolean =>
    toKnownResidency(r).status === 'living' ? payerByRoom.get(r.roomId) === r.id : r.isPayer
  return {
    byMobile: new Map(found.flatMap(p => (p.mobile ? [[p.mobile, p] as const] : []))),
    byCertNo: new Map(found.flatMap(p => (p.certNo ? [[p.certNo, p] as const] : []))),
    visibleIds: new Set(visibleIds),
    residencies: new Map(
      inRooms.map(r => [residencyKey(r.id, r.roomId), toKnownResidency({ ...r, isPayer: paysFor(r) })]),
    ),
    byNameInRoom: new Map(inRooms.map(r => [nameInRoomKey(r.name, r.roomId), r])),
    mainOwnerByRoom: new Map(mainOwners.map(r => [r.roomId, r.id])),
    payerByRoom,
  }
}

/** The person of a line as far as the file tells: the same mobile or document is the same person. */
export const personKey = (row: ImportRow): string | undefined =>
  row.mobile ? `m ${row.mobile}` : row.certNo ? `c ${normalizeCertNo(row.certNo)}` : undefined
