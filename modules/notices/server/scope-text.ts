import { labelOf } from '#kit/contract/field.ts'
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
  if (scopeType === 'rooms') return `${values.roomIds?.length ?? 0} 间房屋${narrowed}`
  if (scopeType === 'tags') return `标签 ${(values.tags ?? []).join('、')}${narrowed}`
  if (scopeType === 'departments') return `${values.departmentIds?.length ?? 0} 个部门`
  return `${label}${narrowed}`
}
