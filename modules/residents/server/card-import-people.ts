import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { SheetPlaces } from '#modules/rooms/server/public.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import type { CardSheetRow } from '../contract/card-import.ts'
import { blockScope } from '../contract/labels.ts'
import { findHolderPlaces, type HolderPlace } from './holder-place.ts'
import {
  loadImportPeople,
  nameInRoomKey,
  type ImportPeople,
  type KnownPerson,
  type ResidentImportRequest,
} from './import-read.ts'

export type CardRow = Partial<CardSheetRow>

interface KnownStaff {
  readonly id: Id
  readonly name: string
  readonly mobile: string
}

export interface CardHolders {
  readonly residents: ImportPeople
  readonly staffByMobile: ReadonlyMap<string, KnownStaff>
  /** Why somebody gets no key in the project (BASE-15). */
  readonly blockReasons: ReadonlyMap<Id, string>
  readonly holderPlaces: ReadonlyMap<Id, HolderPlace>
}

export const isOfStaff = (row: CardRow): boolean => row.holderKind === 'staff'

async function findStaffByMobile(
  db: Db,
  ownerId: Id,
  rows: readonly CardRow[],
): Promise<ReadonlyMap<string, KnownStaff>> {
  const mobiles = [...new Set(rows.filter(isOfStaff).flatMap(row => row.holderMobile ?? []))]
  if (!mobiles.length) return new Map()
  const found = await db.rows<KnownStaff>(sql`
    select id, name, mobile
    from staff
    where owner_id = ${ownerId}
      and mobile = any(${mobiles})
      and state <> ${code(staffState, 'left')}
      and ${notDeleted()}
    order by id desc
  `)
  return new Map(found.map(person => [person.mobile, person]))
}

/** The people of the lines whom a block keeps out, by themselves or by a number of theirs: one statement. */
async function findBlockReasons(
  db: Db,
  ownerId: Id,
  projectCode: string,
  today: Day,
  people: readonly KnownPerson[],
): Promise<ReadonlyMap<Id, string>> {
  if (!people.length) return new Map()
  const known = people.map(({ id, mobile, certNo }) => ({ id, mobile, cert: certNo }))
  const rows = await db.rows<{ id: Id; reason: string }>(sql`
    select p.id, b.reason
    from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as p(id bigint, mobile text, cert text)
    join user_blocklist b on b.owner_id = ${ownerId}
      and b.project_code = ${projectCode}
      and ${notDeleted('b')}
      and (b.user_id = p.id or b.mobile = p.mobile or b.cert_no = p.cert)
    where ${String(codeOf(blockScope, 'access'))} = any(b.scope)
      and (b.expire_date is null or b.expire_date >= ${today}::date)
  `)
  return new Map(rows.map(({ id, reason }) => [id, reason]))
}

/** A resident of a line: by the number, else by the name in the room. */
export function findCardResident(
  row: CardRow,
  residents: ImportPeople,
  places: SheetPlaces,
): KnownPerson | undefined {
  if (row.holderMobile) return residents.byMobile.get(row.holderMobile)
  const room = places.roomOf(row)
  return room && residents.byNameInRoom.get(nameInRoomKey(row.holderName ?? '', room.id))
}

/** Everybody whom the lines name, in six statements. */
export async function loadCardHolders(
  db: Db,
  { scope, today, extraInput: { projectCode } }: ResidentImportRequest,
  rows: readonly CardRow[],
  places: SheetPlaces,
): Promise<CardHolders> {
  const ofResidents = rows.filter(row => !isOfStaff(row))
  const residents = await loadImportPeople(
    db,
    { scope },
    ofResidents.map(({ holderMobile }) => ({ mobile: holderMobile })),
    [...new Set(ofResidents.flatMap(row => places.roomOf(row)?.id ?? []))],
  )
  const people = [...new Set(ofResidents.flatMap(row => findCardResident(row, residents, places) ?? []))]
  const query = { ownerId: scope.ownerId, projectCode, today }
  return {
    residents,
    staffByMobile: await findStaffByMobile(db, scope.ownerId, rows),
    blockReasons: await findBlockReasons(db, scope.ownerId, projectCode, today, people),
    holderPlaces: await findHolderPlaces(
      db,
      query,
      people.map(({ id }) => id),
    ),
  }
}
