import { columnOf, type Entity } from '#kit/contract/entity.ts'
import {
  addressPattern,
  addressReadings,
  buildingNamePattern,
  hasAddressNumber,
  splitProjectAndPlace,
} from '#kit/domain/address.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '../db.ts'
import { getEntity } from '../registry.ts'
import { notDeleted } from '../sql.ts'
import { fieldSql, ownColumn, type Sql } from './columns.ts'
import { buildingCondition, buildingKeyOf, contains } from './filter.ts'

/** The keys that the keyword box looks in. */
export const searchableKeys = (e: Entity): string[] =>
  Object.keys(e.fields).filter(key => e.fields[key]?.searchable)

/**
 * Rows `t` by a part of their searchable fields, by the parts of an address in one of them (`12 1501`), or by
 * the name of the building that they lie in; what is typed may be behind the name of the project.
 */
export function keywordCondition(entity: Entity, ownerId: Id, keyword: string | undefined): Sql[] {
  const keys = searchableKeys(entity)
  if (!keyword || !keys.length) return []
  const columns = keys.map(key => fieldSql(entity, key))
  const condition = (text: string): Sql =>
    sql.join(
      [...columns.map(column => contains(column, text)), ...addressConditions(entity, text, columns)],
      sql` or `,
    )
  return [orBuildingName(entity, ownerId, keyword, condition)]
}

/** What is in a building shows the path of a room in one of the columns. */
function addressConditions(entity: Entity, keyword: string, columns: readonly Sql[]): Sql[] {
  if (!buildingKeyOf(entity) || !hasAddressNumber(keyword)) return []
  const patterns = addressReadings(keyword).flatMap(address => addressPattern(address) ?? [])
  return columns.flatMap(column => patterns.map(pattern => sql`lower(${column}) ~ ${pattern}`))
}

/**
 * Rows `t` that the condition finds, and those of a building that the keyword names; what is typed may stand
 * behind the name of the project.
 */
export const orBuildingName = (
  entity: Entity,
  ownerId: Id,
  keyword: string,
  condition: (keyword: string) => Sql,
): Sql =>
  orInNamedProject(entity, ownerId, keyword, text => {
    const named = buildingNameCondition(entity, ownerId, text)
    return named ? sql`(${condition(text)} or ${named})` : sql`(${condition(text)})`
  })

/**
 * Rows `t` that the condition finds by the keyword, and those of a project whose name is in front
 * (`锦绣花园 3-1-1502`) that it finds by the rest.
 */
export function orInNamedProject(
  entity: Entity,
  ownerId: Id,
  keyword: string,
  condition: (keyword: string) => Sql,
): Sql {
  const typed = splitProjectAndPlace(keyword)
  const project = typed && projectOf(entity)
  if (!typed || !project?.key) return condition(keyword)
  const code = sql.ref(`n.${columnOf(project.key)}`)
  const title = sql.ref(`n.${columnOf(project.title)}`)
  return sql`(
    ${condition(keyword)}
    or (
      t.project_code = any(
        array(
          select ${code}
          from ${sql.table(project.table)} n
          where n.owner_id = ${ownerId} and ${notDeleted('n')} and ${contains(title, typed.project)}
        )
      )
      and ${condition(typed.place)}
    )
  )`
}

/** The entity of the projects that rows belong to. */
function projectOf(entity: Entity): Entity | undefined {
  if (entity.tenancy !== 'project') return undefined
  const buildingKey = buildingKeyOf(entity)
  const building = buildingKey === undefined ? undefined : buildingOf(entity, buildingKey)
  const target = entity.fields.projectCode?.target ?? building?.fields.projectCode?.target
  return target === undefined ? undefined : getEntity(target)
}

/**
 * Rows `t` in buildings that the keyword names. The codes alone are the condition that an index beside
 * that of the search text can follow; they are unique within a project only.
 */
export function buildingNameCondition(entity: Entity, ownerId: Id, keyword: string): Sql | undefined {
  const key = entity.tenancy === 'project' ? buildingKeyOf(entity) : undefined
  const target = key === undefined ? undefined : buildingOf(entity, key)
  const pattern = buildingNamePattern(keyword)
  if (key === undefined || !target?.key || pattern === undefined) return undefined
  const nameAndCode = {
    title: sql.ref(`n.${columnOf(target.title)}`),
    code: sql.ref(`n.${columnOf(target.key)}`),
  }
  const from = sql`from ${sql.table(target.table)} n
    where n.owner_id = ${ownerId}
      and ${notDeleted('n')}
      and lower(regexp_replace(normalize(${nameAndCode.title}, NFKC), '\\s+', '', 'g')) ~ ${pattern}`
  const inNamed = buildingCondition(
    entity,
    key,
    ownerId,
    sql`(select n.project_code, ${nameAndCode.code} ${from})`,
  )
  return entity.fields[key]?.lookup
    ? inNamed
    : sql`(${ownColumn(key)} = any(array(select ${nameAndCode.code} ${from})) and ${inNamed})`
}

/** The entity of the buildings that a field holds codes of, itself or where it is looked up. */
function buildingOf(entity: Entity, key: string): Entity | undefined {
  const field = entity.fields[key]
  if (field?.lookup) {
    const [reference, column] = field.lookup
    return buildingOf(getEntity(entity.fields[reference]?.target ?? ''), column)
  }
  if (field?.target !== undefined) return getEntity(field.target)
  return entity.key === key ? entity : undefined
}
