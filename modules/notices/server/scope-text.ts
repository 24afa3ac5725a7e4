import { labelOf } from '#kit/contract/field.ts'
import { parseId } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { audienceScope, type Audience } from '#modules/messaging/contract/audience.ts'
import { relation } from '#modules/residents/contract/relation.ts'

type Names = ReadonlyMap<string, string>

const namesOf = (rows: readonly { readonly key: string; readonly name: string }[]): Names =>
  new Map(rows.map(({ key, name }) => [key, name]))

const findEstates = async (db: Db, { ownerId }: Scope): Promise<Names> =>
  namesOf(await db.rows(sql`select project_code as key, name from estate where owner_id = ${ownerId}`))

/** By `项目编码/楼栋编码`. */
const findBuildings = async (db: Db, { ownerId }: Scope): Promise<Names> =>
  namesOf(
    await db.rows(sql`
      select b.project_code || '/' || b.code as key, e.name || ' ' || b.name as name
      from building b
      join estate e on e.owner_id = ${ownerId} and e.project_code = b.project_code
      where b.owner_id = ${ownerId}
    `),
  )

const placesText = (keys: readonly string[] = [], names: Names): string =>
  keys.map(key => names.get(key) ?? key).join('、')

const unitsText = (keys: readonly string[] = [], names: Names): string =>
  keys
    .map(key => {
      const [project = '', building = '', unit = ''] = key.split('/')
      return `${names.get(`${project}/${building}`) ?? building} ${unit}`
    })
    .join('、')

/** How many rooms or departments are named one by one. */
const maxNamed = 5

/** `锦绣花园 1-1-101、1-1-102 等 7 间`: the first of many by name; a count where none has one. */
function firstNames(ids: readonly string[], names: Names, unit: string, countText: string): string {
  const named = ids.slice(0, maxNamed).flatMap(id => names.get(id) ?? [])
  if (!named.length) return countText
  const listed = named.join('、')
  return named.length < ids.length ? `${listed} 等 ${ids.length} ${unit}` : listed
}

const firstIds = (ids: readonly string[]): number[] => ids.slice(0, maxNamed).map(id => parseId(id))

interface RoomName {
  readonly key: string
  readonly path: string
  readonly projectName: string
}

/** The project is named once for the rooms that follow each other in it. */
async function roomsText(db: Db, { ownerId }: Scope, ids: readonly string[] = []): Promise<string> {
  const rows = await db.rows<RoomName>(sql`
    select r.id::text as key, r.path, e.name as project_name
    from unnest(${firstIds(ids)}::bigint[]) with ordinality as chosen(id, n)
    join room r on r.owner_id = ${ownerId} and r.id = chosen.id
    join estate e on e.owner_id = ${ownerId} and e.project_code = r.project_code
    order by chosen.n
  `)
  const named = rows.map(({ key, path, projectName }, i) => ({
    key,
    name: rows[i - 1]?.projectName === projectName ? path : `${projectName} ${path}`,
  }))
  return firstNames(ids, namesOf(named), '间', `${ids.length} 间房屋`)
}

async function departmentsText(db: Db, { ownerId }: Scope, ids: readonly string[] = []): Promise<string> {
  const rows = await db.rows<{ key: string; name: string }>(sql`
    select d.id::text as key, d.name
    from department d
    where d.owner_id = ${ownerId} and d.id = any(${firstIds(ids)}::bigint[])
  `)
  return firstNames(ids, namesOf(rows), '个部门', `${ids.length} 个部门`)
}

/** Whom a notice is for, in words: `锦绣花园 1 栋、锦绣花园 2 栋（业主）`. */
export async function scopeText(
  db: Db,
  scope: Scope,
  { scopeType, scopeJson: values = {} }: Audience,
): Promise<string> {
  const relations = values.relations?.map(key => labelOf(relation, key)).join('、')
  const narrowed = relations ? `（${relations}）` : ''
  const label = labelOf(audienceScope, scopeType)
  if (scopeType === 'projects')
    return `${placesText(values.projectCodes, await findEstates(db, scope))}${narrowed}`
  if (scopeType === 'buildings')
    return `${placesText(values.buildingCodes, await findBuildings(db, scope))}${narrowed}`
  if (scopeType === 'units') return `${unitsText(values.units, await findBuildings(db, scope))}${narrowed}`
  if (scopeType === 'rooms') return `${await roomsText(db, scope, values.roomIds)}${narrowed}`
  if (scopeType === 'tags') return `标签 ${(values.tags ?? []).join('、')}${narrowed}`
  if (scopeType === 'departments') return departmentsText(db, scope, values.departmentIds)
  return `${label}${narrowed}`
}
