import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { ImportRequest } from '#kit/server/sheet-import.ts'
import { hasBuilding } from '#kit/server/scope.ts'
import { live, code, codes } from '#kit/server/sql.ts'
import { findBuildings, type BuildingWithUnits } from '#modules/estates/server/public.ts'
import { loadSheetRooms, shortBuildingName, type SheetRoom } from '#modules/rooms/server/public.ts'
import type { ResidentSheetRow } from '../contract/import-export.ts'
import { residencyStatus, type ResidencyStatus, residentState } from '../contract/labels.ts'
import { normalizeCertNo } from '../domain/person.ts'
import { residentDomainFilter } from './resident-access.ts'

export type ImportRow = Partial<ResidentSheetRow>
export type ResidentImportInput = ImportRequest<{ projectCode: string }>

export interface KnownPerson {
  readonly id: number
  readonly name: string
  readonly mobile?: string
  readonly certNo?: string
  readonly phone2?: string
}

/** What is there already for a line: the person, and his link to the line's room. */
export interface ExistingResident {
  readonly person: KnownPerson
  readonly link?:
    | {
        readonly id: number
        readonly status: ResidencyStatus
        readonly isMain: boolean
        readonly isPayer: boolean
      }
    | undefined
}

/** A building by its name, its code, or its short name: 3 is 3栋. */
export function findBuildingCodesByName(mine: readonly BuildingWithUnits[], name: string): string[] {
  for (const test of [
    (b: BuildingWithUnits) => b.name === name,
    (b: BuildingWithUnits) => b.code === name,
    (b: BuildingWithUnits) => shortBuildingName(b.name) === shortBuildingName(name),
  ]) {
    const hit = mine.filter(test)
    if (hit.length) return hit.map(b => b.code)
  }
  return []
}

export interface ImportRooms {
  readonly visibleBuildings: readonly BuildingWithUnits[]
  roomOf(row: ImportRow): SheetRoom | undefined
  load(lines: readonly SheetLine<ImportRow>[]): Promise<void>
}

/** Buildings of the project that the caller may touch, and the rooms that lines mean. */
export async function createImportRooms(
  db: Db,
  ask: ResidentImportInput,
  lock: boolean,
): Promise<ImportRooms> {
  const {
    scope,
    more: { projectCode },
  } = ask
  const mine = [...(await findBuildings(db, scope.ownerId, projectCode, 'all', { lock })).values()].filter(
    b => hasBuilding(scope.domain, projectCode, b.code),
  )
  let named: Awaited<ReturnType<typeof loadSheetRooms>> = () => undefined
  return {
    visibleBuildings: mine,
    roomOf: row =>
      row.buildCode && row.unitName && row.roomNo
        ? named(row.buildCode, row.unitName, row.roomNo)
        : undefined,
    load: async lines => {
      named = await loadSheetRooms(db, scope.ownerId, projectCode, [
        ...new Set(lines.flatMap(l => l.row.buildCode ?? [])),
      ])
    },
  }
}

export interface ImportPeople {
  readonly byMobile: ReadonlyMap<string, KnownPerson>
  readonly byCert: ReadonlyMap<string, KnownPerson>
  readonly visibleIds: ReadonlySet<number>
  readonly links: ReadonlyMap<string, NonNullable<ExistingResident['link']>>
  readonly inRoom: ReadonlyMap<string, KnownPerson>
  readonly mainOwners: ReadonlyMap<number, number>
  readonly payers: ReadonlyMap<number, number>
}

export const residencyKey = (userId: number, roomId: number): string => `${userId} ${roomId}`
export const nameInRoomKey = (name: string, roomId: number): string => `${roomId} ${name}`

/**
 * People that lines mean by mobile or document, whoever is in their rooms, and the running links between
 * them: three statements.
 */
export async function loadImportPeople(
  db: Db,
  ask: ResidentImportInput,
  rows: readonly ImportRow[],
  roomIds: readonly number[],
): Promise<ImportPeople> {
  const { scope } = ask
  const owner = scope.ownerId
  const mobiles = [...new Set(rows.flatMap(r => r.mobile ?? []))]
  const certs = [...new Set(rows.flatMap(r => (r.certNo ? [normalizeCertNo(r.certNo)] : [])))]
  const found = await db.rows<KnownPerson>(sql`
    select id, name, mobile, cert_no, phone2
    from resident
    where owner_id = ${owner}
      and ${live()}
      and state = ${code(residentState, 'normal')}
      and mobile = any(${mobiles})
    union
    select id, name, mobile, cert_no, phone2
    from resident
    where owner_id = ${owner}
      and ${live()}
      and state = ${code(residentState, 'normal')}
      and cert_no = any(${certs})
  `)
  const linked = await db.rows<
    KnownPerson & { linkId: number; roomId: number; status: number; isMain: boolean; isPayer: boolean }
  >(sql`
    select p.id, p.name, p.mobile, p.cert_no, p.phone2, l.id as link_id, l.room_id, l.status, l.is_main,
      l.is_payer
    from user_room l
    join resident p on p.owner_id = l.owner_id and p.id = l.user_id
    where l.owner_id = ${owner}
      and l.room_id = any(${[...roomIds]})
      and ${live('l')}
      and l.status in ${codes(residencyStatus, 'pending', 'living')}
  `)
  const ids = found.map(p => p.id)
  const mine = scope.domain.all
    ? ids
    : (
        await db.rows<{ id: number }>(
          sql`
            select t.id
            from resident t
            where t.owner_id = ${owner}
              and t.id = any(${ids})
              and ${sql.join(residentDomainFilter(scope), sql` and `)}
          `,
        )
      ).map(r => r.id)
  const running = linked.filter(l => l.status === 20)
  return {
    byMobile: new Map(found.flatMap(p => (p.mobile ? [[p.mobile, p] as const] : []))),
    byCert: new Map(found.flatMap(p => (p.certNo ? [[p.certNo, p] as const] : []))),
    visibleIds: new Set(mine),
    links: new Map(
      linked.map(l => [
        residencyKey(l.id, l.roomId),
        {
          id: l.linkId,
          status: defined(keyOf(residencyStatus, l.status)),
          isMain: l.isMain,
          isPayer: l.isPayer,
        },
      ]),
    ),
    inRoom: new Map(linked.map(l => [nameInRoomKey(l.name, l.roomId), l])),
    mainOwners: new Map(running.flatMap(l => (l.isMain ? [[l.roomId, l.id] as const] : []))),
    payers: new Map(running.flatMap(l => (l.isPayer ? [[l.roomId, l.id] as const] : []))),
  }
}

/**
 * Who a line speaks of, as far as the file itself can tell: the same mobile or document is the same person.
 */
export const personKey = (row: ImportRow): string | undefined =>
  row.mobile ? `m ${row.mobile}` : row.certNo ? `c ${normalizeCertNo(row.certNo)}` : undefined
