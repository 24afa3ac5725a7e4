import type { Field } from '#kit/contract/field.ts'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import { defined } from '#kit/domain/defined.ts'
import { toEntityRow } from './column-storage.ts'
import type { ImporterOptions, ImportFile, LineFault, MatchKey } from './crud-import-options.ts'
import { sql, type Db, type RawBuilder } from './db.ts'
import type { ImportRequest } from './import-definition.ts'
import { isInDomain } from './table/filter.ts'
import { notDeleted } from './sql.ts'
import { recordsetOf } from './table.ts'

type AnyOptions = ImporterOptions<any, any, any, any, any, any>

export type Values = Readonly<Record<string, unknown>>

/** Names a match among others, and writes values as one key of a map: lists compare by what they say. */
const mapKey = (value: unknown): string => String(value)

/** The value of a match in a record or line; of several fields all must be filled in. */
export function matchValue(row: Values, key: MatchKey): unknown {
  if (typeof key === 'string') return row[key]
  const values = key.map(k => row[k])
  return values.includes(undefined) ? undefined : values
}

export function indexBy<V>(all: readonly V[], keys: readonly MatchKey[], rowOf: (v: V) => Values) {
  const maps = new Map(keys.map(key => [mapKey(key), new Map<string, V>()]))
  for (const item of all) {
    for (const key of keys) {
      const value = matchValue(rowOf(item), key)
      const map = defined(maps.get(mapKey(key)))
      if (value !== undefined && value !== '' && !map.has(mapKey(value))) {
        map.set(mapKey(value), item)
      }
    }
  }
  return (key: MatchKey, value: unknown): V | undefined =>
    value === undefined ? undefined : maps.get(mapKey(key))?.get(mapKey(value))
}

/** Records that have a value of these rows in a field, or in the fields of a natural key. */
function matchCondition(
  entity: Entity<any>,
  key: MatchKey,
  rows: readonly Values[],
): RawBuilder<unknown> | undefined {
  if (typeof key === 'string') {
    const values = rows.flatMap(row => row[key] ?? [])
    return values.length ? sql`t.${sql.id(columnOf(key))} = any(${values})` : undefined
  }
  const named = rows.filter(row => matchValue(row, key) !== undefined)
  if (!named.length) return undefined
  const { columns, as } = recordsetOf(
    entity,
    named.map(row => Object.fromEntries(key.map(k => [k, row[k]]))),
  )
  const ids = columns.map(c => sql.id(c))
  return sql`(${sql.join(ids.map(id => sql`t.${id}`))}) in (select ${sql.join(ids.map(id => sql`r.${id}`))} from ${as})`
}

export const matchKeys = (x: Pick<AnyOptions, 'match' | 'unique'>): MatchKey[] => [
  ...new Map([...(x.match ?? []), ...(x.unique ?? [])].map((key: MatchKey) => [mapKey(key), key])).values(),
]

/** Live records of the company (and project) that have a value of the rows in one of these fields. */
export async function findExistingRows(
  db: Db,
  entity: Entity<any>,
  options: AnyOptions,
  request: ImportRequest<{ projectCode?: string }>,
  rows: readonly Values[],
  lock: boolean,
): Promise<Values[]> {
  const conditions = matchKeys(options).flatMap(key => {
    const condition = matchCondition(entity, key, rows)
    const only = typeof key === 'string' ? options.matchWhere?.[key] : undefined
    return condition ? [sql`(${condition} ${only ? sql`and ${only}` : sql``})`] : []
  })
  if (!conditions.length) return []
  const project =
    entity.tenancy === 'project' ? sql`and t.project_code = ${request.extraInput.projectCode}` : sql``
  const found = await db.rows<Values>(sql`
    select ${sql.join(storedKeys(entity).map(key => sql`t.${sql.id(columnOf(key))}`))}
    from ${sql.table(entity.table)} t
    where t.owner_id = ${request.scope.ownerId} ${project}
      and ${notDeleted('t')}
      and (${sql.join(conditions, sql` or `)})
    order by t.id ${lock && options.lockExisting ? sql`for update of t` : sql``}
  `)
  return found.map(r => toEntityRow(entity, r) as Values)
}

/** A code stays with its record, and no other has it. */
export function codeFaults(
  entity: Entity<any>,
  keys: readonly string[],
  row: Values,
  existing: Values | undefined,
  { existingBy, firstLineBy }: ImportFile<any, any, any>,
): LineFault[] {
  const codes = keys.filter(key => (entity.fields[key] as Field).immutable && row[key] !== undefined)
  const nameOf = (record: Values): string => String(record[entity.title] ?? '')
  return codes.flatMap((key): LineFault[] => {
    const { label } = entity.fields[key] as Field
    const code = label.replace(entity.label, '')
    const fault = (message: string, remedy: string) => [{ column: key, message, remedy }]
    if (existing)
      return row[key] === existing[key]
        ? []
        : fault(
            `该${entity.label}的${code}是「${String(existing[key])}」，不能修改`,
            `改回原来的${code}，或不填`,
          )
    const holder: Values | undefined = existingBy(key, row[key])
    if (holder) return fault(`${label}已用于「${nameOf(holder)}」`, `更换${code}，或不填则自动生成`)
    const first: Values | undefined = firstLineBy(key, row[key])?.row
    return first && nameOf(first) !== nameOf(row)
      ? fault(`表中另一${entity.label}「${nameOf(first)}」已使用该${code}`, `各用不同的${code}`)
      : []
  })
}

/** A caller who may not see a record neither changes it by an import nor adds a second one. */
export const domainFaults = (
  entity: Entity<any>,
  column: string,
  existing: Values | undefined,
  { request }: ImportFile<any, any, any>,
): LineFault[] =>
  existing && !isInDomain(entity, request.scope, existing)
    ? [{ column, message: '不在你的数据权限内', remedy: '请有权限的人员导入' }]
    : []
