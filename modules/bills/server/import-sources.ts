import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { SourceType } from '#modules/fees/server/public.ts'
import { carState } from '#modules/parking/contract/car-labels.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'

interface SourceMatch {
  type: SourceType
  code: string
  names: readonly (string | null)[]
}

/** Characters that look like the hyphen between building, unit and room. */
const normalizeDashes = (s: string): string => s.replace(/[－—–﹣‐‑]/g, '-')

const normalizeName = (s: string): string =>
  normalizeDashes(s)
    .replace(/\s+/g, '')
    .replace(/[#号栋幢座]/g, '')
    .toUpperCase()

/** As names are compared: a plate without the dot that people write in it. */
const comparableName = (type: SourceType, name: string): string =>
  type === 'car' ? normalizePlate(name) : normalizeName(name)

/** How a name of a sheet may be stored. */
const spellingsOf = (type: SourceType, name: string): string[] => {
  if (type === 'car') return [normalizePlate(name)]
  return type === 'room' ? [name, normalizeDashes(name)] : [name]
}

type Names = readonly { readonly type: SourceType; readonly name: string }[]

const findRooms = (
  db: Db,
  inProject: RawBuilder<unknown>,
  names: readonly string[],
): Promise<SourceMatch[]> => {
  const numbers = [...names, ...names.map(n => defined(n.split('-').at(-1)).trim())]
  return db.rows<SourceMatch>(
    sql`
      select 'room' as type, code, array[path, room_no, code] as names
      from room
      where ${inProject}
        and (path = any(${[...names]}) or room_no = any(${numbers}) or code = any(${[...names]}))
    `,
  )
}

type FindMatches = (
  db: Db,
  inProject: RawBuilder<unknown>,
  names: readonly string[],
) => Promise<SourceMatch[]>

const findPlaces: FindMatches = (db, inProject, names) =>
  db.rows<SourceMatch>(
    sql`
      select 'parkPlace' as type, code, array[place_no, place_no, code] as names
      from park_place
      where ${inProject} and (place_no = any(${[...names]}) or code = any(${[...names]}))
    `,
  )

/** By the plate of today, of cars in use. */
const findCars: FindMatches = (db, inProject, names) =>
  db.rows<SourceMatch>(
    sql`
      select 'car' as type, id::text as code, array[plate_no, plate_no, plate_no] as names
      from car
      where ${inProject} and plate_no = any(${[...names]}) and car_state <> ${code(carState, 'cancelled')}
    `,
  )

const findPublicAreas: FindMatches = (db, inProject, names) =>
  db.rows<SourceMatch>(
    sql`
      select 'publicArea' as type, code, array[name, name, code] as names
      from public_area
      where ${inProject} and (name = any(${[...names]}) or code = any(${[...names]}))
    `,
  )

const findCompanies: FindMatches = (db, inProject, names) =>
  db.rows<SourceMatch>(
    sql`
      select 'company' as type, company_no as code, array[name, name, company_no] as names
      from company
      where ${inProject} and (name = any(${[...names]}) or company_no = any(${[...names]}))
    `,
  )

/** Types that a name in a sheet may mean. */
const findByType: Readonly<Partial<Record<SourceType, FindMatches>>> = {
  room: findRooms,
  parkPlace: findPlaces,
  car: findCars,
  publicArea: findPublicAreas,
  company: findCompanies,
}

/**
 * Codes of all objects that a name may mean: a room by its path, number or code; a car by its plate; a
 * parking place, public area or company by name or code. One query for each type that occurs.
 */
export async function findSourcesByName(
  db: Db,
  ownerId: Id,
  project: string,
  names: Names,
): Promise<(type: SourceType, name: string) => readonly string[]> {
  const inProject = sql`owner_id = ${ownerId} and project_code = ${project} and ${notDeleted()}`
  const namesByType = Map.groupBy(names, n => n.type)
  const matches = await Promise.all(
    [...namesByType].map(async ([type, list]) => {
      const spellings = list.flatMap(n => spellingsOf(type, n.name))
      return findByType[type]?.(db, inProject, [...new Set(spellings)]) ?? []
    }),
  )
  const [byPath, byNumber, byCode] = [0, 1, 2].map(i => indexByName(matches.flat(), i))
  return (type, name) => {
    // The whole path before a bare number: `3-2-1502` is one room though many are called 1502.
    for (const index of [defined(byPath), defined(byCode), defined(byNumber)]) {
      const found = index.get(`${type}\n${comparableName(type, name)}`)
      if (found?.length) return [...new Set(found.map(match => match.code))]
    }
    return []
  }
}

const indexByName = (matches: readonly SourceMatch[], column: number) =>
  Map.groupBy(
    matches.filter(match => match.names[column]),
    match => `${match.type}\n${comparableName(match.type, defined(match.names[column]))}`,
  )
