import { sql, type Db } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import type { SourceType } from '#modules/fees/server/public.ts'

interface SourceMatch {
  type: SourceType
  code: string
  names: readonly (string | null)[]
  rank: number
}

/** Strokes that look like the one between building, unit and room. */
const normalizeDashes = (s: string): string => s.replace(/[－—–﹣‐‑]/g, '-')

const normalizeName = (s: string): string =>
  normalizeDashes(s)
    .replace(/\s+/g, '')
    .replace(/[#号栋幢座]/g, '')
    .toUpperCase()

/**
 * Codes of all objects that a name may mean: a room by its path, number or code; a place, a public area, a
 * company by name or code. One query a sort.
 */
export async function findSourcesByName(
  db: Db,
  owner: number,
  project: string,
  said: readonly { readonly type: SourceType; readonly name: string }[],
): Promise<(type: SourceType, name: string) => readonly string[]> {
  const asked = said.flatMap(a => [
    a,
    ...(a.type === 'room' && normalizeDashes(a.name) !== a.name
      ? [{ ...a, name: normalizeDashes(a.name) }]
      : []),
  ])
  const namesOf = (t: SourceType): string[] => [...new Set(asked.filter(a => a.type === t).map(a => a.name))]
  const none = Promise.resolve([] as SourceMatch[])
  const inProject = sql`owner_id = ${owner} and project_code = ${project} and ${live()}`
  const any = (names: string[]) => sql`any(${names})`
  const rooms = namesOf('room')
  const tails = rooms.map(n => n.split('-').at(-1)!.trim())
  const matches = (
    await Promise.all([
      rooms.length
        ? db.rows<SourceMatch>(
            sql`
              select 'room' as type, code, array[path, room_no, code] as names
              from room
              where ${inProject}
                and (path = ${any(rooms)} or room_no = ${any([...rooms, ...tails])} or code = ${any(rooms)})
            `,
          )
        : none,
      namesOf('parkPlace').length
        ? db.rows<SourceMatch>(
            sql`
              select 'parkPlace' as type, code, array[place_no, place_no, code] as names
              from park_place
              where ${inProject} and (place_no = ${any(namesOf('parkPlace'))} or code = ${any(namesOf('parkPlace'))})
            `,
          )
        : none,
      namesOf('publicArea').length
        ? db.rows<SourceMatch>(
            sql`
              select 'publicArea' as type, code, array[name, name, code] as names
              from public_area
              where ${inProject} and (name = ${any(namesOf('publicArea'))} or code = ${any(namesOf('publicArea'))})
            `,
          )
        : none,
      namesOf('company').length
        ? db.rows<SourceMatch>(
            sql`
              select 'company' as type, company_no as code, array[name, name, company_no] as names
              from company
              where ${inProject} and (name = ${any(namesOf('company'))} or company_no = ${any(namesOf('company'))})
            `,
          )
        : none,
    ])
  ).flat()
  // A whole path before a bare number: `3-2-1502` is one room though many are called 1502.
  const index = [0, 1, 2].map(i =>
    Map.groupBy(
      matches.filter(f => f.names[i]),
      f => `${f.type}\n${normalizeName(f.names[i]!)}`,
    ),
  )
  return (type, name) => {
    for (const i of [0, 2, 1]) {
      const codes = index[i]!.get(`${type}\n${normalizeName(name)}`)
      if (codes?.length) return [...new Set(codes.map(h => h.code))]
    }
    return []
  }
}
