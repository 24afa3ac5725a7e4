import { columnOf, type Entity } from '#kit/contract/entity.ts'
import { codeOf, type Field, type Fields } from '#kit/contract/field.ts'
import { rangeKinds } from '#kit/contract/shape.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { columnType, toStored } from '../column-storage.ts'
import { sql } from '../db.ts'
import { containsPattern } from '../like-pattern.ts'
import { getEntity } from '../registry.ts'
import { hasBuilding, hasProject, outOfDomain, type Scope } from '../scope.ts'
import { notDeleted } from '../sql.ts'
import { fieldSql, ownColumn, type Sql } from './columns.ts'

/** Values by field key, whichever the entity: what code that goes by the description reads and writes. */
export type FieldValues = Readonly<Record<string, unknown>>

/**
 * The condition that every query carries: the company, the caller's data domain (PERM-6), live rows only.
 * `project` narrows a project's entity to one project.
 */
export function tenantFilter(
  entity: Entity,
  scope: Pick<Scope, 'ownerId' | 'domain'>,
  project?: string,
): Sql {
  const parts: Sql[] = [sql`t.owner_id = ${scope.ownerId}`, sql`${notDeleted('t')}`]
  if (entity.tenancy === 'project') {
    if (project) {
      parts.push(sql`t.project_code = ${project}`)
    }
    parts.push(...domainFilter(entity, scope))
  }
  return sql.join(parts, sql` and `)
}

function domainFilter(entity: Entity, { ownerId, domain }: Pick<Scope, 'ownerId' | 'domain'>): Sql[] {
  if (domain.all) return []
  const buildingKey = buildingKeyOf(entity)
  const listKey = buildingListKeyOf(entity)
  const projects = [...domain.projects.keys()]
  const wholeProjects = projects.filter(project => domain.projects.get(project) === null)
  if ((!buildingKey && !listKey) || wholeProjects.length === projects.length)
    return [sql`t.project_code = any(${projects})`]
  const buildings = [...domain.projects].flatMap(([project, codes]) =>
    [...(codes ?? [])].map(building => ({ project, building })),
  )
  const permitted = sql`(
    select *
    from unnest(${buildings.map(b => b.project)}::text[], ${buildings.map(b => b.building)}::text[])
  )`
  const condition = buildingKey
    ? orWithoutBuilding(
        entity,
        buildingKey,
        ownerId,
        buildingCondition(entity, buildingKey, ownerId, permitted),
      )
    : buildingListCondition(ownColumn(listKey ?? ''), permitted)
  // All projects once more, plainly: an index can follow that, but not the alternative.
  return [
    sql`t.project_code = any(${projects})`,
    sql`(t.project_code = any(${wholeProjects}) or ${condition})`,
  ]
}

/** A building of the row's own, or of the record by whose id it is looked up. */
export function buildingCondition(entity: Entity, buildingKey: string, ownerId: Id, permitted: Sql): Sql {
  const { lookup } = entity.fields[buildingKey] ?? {}
  if (!lookup) return sql`(t.project_code, ${ownColumn(buildingKey)}) in ${permitted}`
  const [reference, column] = lookup
  const { table } = getEntity(entity.fields[reference]?.target ?? '')
  return sql`${ownColumn(reference)} in (
    select d.id
    from ${sql.table(table)} d
    where d.owner_id = ${ownerId} and (d.project_code, ${sql.ref(`d.${columnOf(column)}`)}) in ${permitted}
  )`
}

/** What is in no building is kept from nobody of the project, where its kind is shared so. */
function orWithoutBuilding(entity: Entity, buildingKey: string, ownerId: Id, condition: Sql): Sql {
  const { sharedWithoutBuilding, lookup } = entity.fields[buildingKey] ?? {}
  if (!sharedWithoutBuilding) return condition
  const own = ownColumn(lookup?.[0] ?? buildingKey)
  if (!lookup) return sql`(${own} is null or ${condition})`
  const [reference, column] = lookup
  const { table } = getEntity(entity.fields[reference]?.target ?? '')
  return sql`(
    ${own} is null
    or ${condition}
    or ${own} in (
      select d.id
      from ${sql.table(table)} d
      where d.owner_id = ${ownerId} and ${sql.ref(`d.${columnOf(column)}`)} is null
    )
  )`
}

/** A list that names no building is for all of the project, and with them for the caller's. */
const buildingListCondition = (column: Sql, permitted: Sql): Sql => sql`(
  cardinality(coalesce(${column}, '{}')) = 0
  or exists (
    select
    from unnest(${column}) as n(building)
    where (t.project_code, n.building) in ${permitted}
  )
)`

export const buildingKeyOf = (e: Entity): string | undefined =>
  Object.keys(e.fields).find(
    key => e.fields[key]?.dataDomain === 'building' && e.fields[key]?.kind !== 'list',
  )

/** Where a record is for several buildings, or for all of its project. */
const buildingListKeyOf = (e: Entity): string | undefined =>
  Object.keys(e.fields).find(
    key => e.fields[key]?.dataDomain === 'building' && e.fields[key]?.kind === 'list',
  )

/** The buildings that a row names, where its kind names several; undefined where it does not. */
const listedBuildings = (entity: Entity, row: FieldValues): readonly string[] | undefined => {
  const key = buildingListKeyOf(entity)
  if (key === undefined) return undefined
  const value = row[key]
  return Array.isArray(value) ? value.map(String) : []
}

/**
 * Whether a row's project and building are in the caller's data domain. A row without a building is for those
 * who have the whole project, as in lists, unless its kind shares it. `isNew`: a draft may get its building
 * later and passes.
 */
export function isInDomain(entity: Entity, { domain }: Scope, row: FieldValues, isNew = false): boolean {
  if (entity.tenancy !== 'project' || domain.all) return true
  const project = String(row.projectCode)
  if (!hasProject(domain, project)) return false
  const listed = listedBuildings(entity, row)
  if (listed?.length && !listed.some(code => hasBuilding(domain, project, code))) return false
  const buildingKey = buildingKeyOf(entity)
  if (!buildingKey) return true
  const building = row[buildingKey]
  const isShared = isNew || entity.fields[buildingKey]?.sharedWithoutBuilding === true
  return (isShared && building === undefined) || hasBuilding(domain, project, String(building))
}

/** Refuses a row that is not in the caller's data domain. */
export function assertInDomain(entity: Entity, scope: Scope, row: FieldValues, isNew = false): void {
  if (!isInDomain(entity, scope, row, isNew)) throw outOfDomain()
}

/**
 * Refuses the change of a row for several buildings to somebody who has not got all of them: what is for
 * other buildings, too, is read, and is written by those who have them.
 */
export function assertListInDomain(entity: Entity, { domain }: Scope, row: FieldValues): void {
  const listed = domain.all ? undefined : listedBuildings(entity, row)
  const project = String(row.projectCode)
  if (!listed || domain.projects.get(project) === null) return
  const label = entity.fields[buildingListKeyOf(entity) ?? '']?.label ?? ''
  if (!listed.length)
    throw new Refused(
      resultCode.forbidden,
      `${entity.label}适用于整个项目，超出你的数据范围：请选择${label}，或由负责整个项目的人员办理`,
    )
  const other = listed.find(code => !hasBuilding(domain, project, code))
  if (other !== undefined)
    throw new Refused(
      resultCode.forbidden,
      `${entity.label}的${label}「${other}」不在你的数据范围内，请由负责人员办理`,
    )
}

/** A text in any part of a column, whatever its letters' case. */
export const contains = (column: Sql, text: unknown): Sql =>
  sql`${column} ilike ${containsPattern(String(text))} escape '\\'`

/**
 * From and to, both inclusive. A moment given as a bare day (midnight) means that whole day; one with a time
 * means its whole second, as stored moments have fractions.
 */
function rangeConditions(column: Sql, field: Field, from: unknown, to: unknown): Sql[] {
  const parts: Sql[] = []
  if (from !== undefined) {
    parts.push(sql`${column} >= ${toStored(from, field)}`)
  }
  if (to !== undefined) {
    const unit = String(to).endsWith('00:00:00') ? '1 day' : '1 second'
    parts.push(
      field.kind === 'moment'
        ? sql`${column} < ${toStored(to, field)}::timestamptz + ${unit}::interval`
        : sql`${column} <= ${toStored(to, field)}`,
    )
  }
  return parts
}

/** Choices and references: any of the values; texts: contains; the rest: equals. */
function valueCondition(column: Sql, field: Field, value: unknown): Sql {
  const { choices } = field
  const values: readonly string[] = Array.isArray(value) ? value : []
  if (field.kind === 'choice' && choices)
    return sql`${column} = any(${values.map(key => codeOf(choices, key))})`
  if (field.kind === 'choices' && choices)
    return sql`${column} && ${values.map(key => String(codeOf(choices, key)))}::text[]`
  if (field.kind === 'ref') return sql`${column} = any(${values}::${sql.raw(columnType(field))}[])`
  if (field.kind === 'text') return contains(column, value)
  return sql`${column} = ${toStored(value, field)}`
}

/**
 * Conditions of a search's filters, by the kind of each field; a filter that the query leaves out adds none.
 */
export const filterConditions = (entity: Entity, query: FieldValues, filters: readonly string[]): Sql[] =>
  filters.flatMap(key => {
    const field = entity.fields[key]
    if (!field) throw new Error(`${entity.name} has no field ${key} to filter by`)
    const column = fieldSql(entity, key)
    if (rangeKinds.has(field.kind))
      return rangeConditions(column, field, query[`${key}From`], query[`${key}To`])
    return query[key] === undefined ? [] : [valueCondition(column, field, query[key])]
  })

/** Rows `t` of the entity that stand: none of their states strikes them out. */
export function notStruckOutCondition(fields: Fields): Sql {
  const conditions = Object.entries(fields).flatMap(([key, { choices, struckOut }]) => {
    if (!choices || !struckOut?.length) return []
    const codes = struckOut.map(state => sql`${codeOf(choices, state)}`)
    return [sql`${ownColumn(key)} not in (${sql.join(codes)})`]
  })
  return conditions.length ? sql.join(conditions, sql` and `) : sql`true`
}

/** Put behind an aggregate over rows `t`: what is struck through counts in no sum. */
export const notStruckOutFilter = (fields: Fields): Sql =>
  sql` filter (where ${notStruckOutCondition(fields)})`
