import type { Call } from '#kit/contract/call.ts'
import { columnOf, type Entity } from '#kit/contract/entity.ts'
import type { Field } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db, type RawBuilder } from './db.ts'
import { allEntities } from './registry.ts'
import type { Scope } from './scope.ts'
import { notDeleted } from './sql.ts'

type Input = Readonly<Record<string, unknown>>

/** What only serves the request, and says nothing to a reader. */
const requestKeys = new Set(['columns', 'ids', 'expected', 'order', 'page', 'size'])

const findEntity = (name: string | undefined): Entity | undefined => allEntities().find(e => e.name === name)

interface Filter {
  readonly key: string
  readonly label: string
  readonly value: unknown
  readonly field: Field
  /** Whose code or id the value is. */
  readonly target: Entity | undefined
  readonly isByKey: boolean
}

const hasValue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && !value.length)

/** The id of a record of which no entity is known is a number that no reader can look up. */
const isBareId = (field: Field): boolean =>
  ['id', 'ref', 'lines', 'part', 'file'].includes(field.kind) ||
  (field.kind === 'int' && [field.wire].flat().some(name => name?.endsWith('ID')))

function filtersOf(call: Call, input: Input): Filter[] {
  const owner = findEntity(call.input.entity)
  return Object.entries(input).flatMap(([key, value]) => {
    const field = call.input.fields[key]
    if (!field || !hasValue(value) || requestKeys.has(key)) return []
    const reference = field.target ? field : owner?.fields[key]
    const target = findEntity(reference?.target)
    if (!target && isBareId(field)) return []
    return [{ key, label: field.label, value, field, target, isByKey: reference?.targetBy === 'key' }]
  })
}

/** The names of what one filter chose, numbered by it. */
function selectNames(
  { value, target, isByKey }: Filter,
  index: number,
  scope: Scope,
  projectCode: unknown,
): RawBuilder<unknown>[] {
  if (!target?.title || target.fields[target.title]?.lookup || target.tenancy === 'platform') return []
  const column = isByKey && target.key ? target.key : 'id'
  const inProject =
    target.tenancy === 'project' && column !== 'projectCode' && typeof projectCode === 'string'
      ? sql` and t.project_code = ${projectCode}`
      : sql``
  return [
    sql`
      select ${index}::int as index, ${sql.ref(`t.${columnOf(column)}`)}::text as value,
        ${sql.ref(`t.${columnOf(target.title)}`)}::text as name
      from ${sql.table(target.table)} t
      where t.owner_id = ${scope.ownerId}
        and ${sql.ref(`t.${columnOf(column)}`)}::text = any(${[value].flat().map(String)}) and ${notDeleted('t')}${inProject}
    `,
  ]
}

/** `缴费日期：2026-11-01 至 2026-11-30` of the two filters of a range. */
function formatRange(filters: readonly Filter[], { key, field, value }: Filter): string | undefined {
  if (key.endsWith('To') && filters.some(f => f.key === `${key.slice(0, -2)}From`)) return ''
  const to = key.endsWith('From') && filters.find(f => f.key === `${key.slice(0, -4)}To`)
  if (!to) return undefined
  return `${field.label.replace(/起$/, '')}：${formatValue(value, field)} 至 ${formatValue(to.value, to.field)}`
}

/**
 * The filter of a list as the head of a sheet shows it: `项目：锦绣花园；房态：空置`, names in the place of codes and ids.
 * The project is always named.
 */
export async function describeFilter(
  call: Call,
  input: Input,
  { db, scope }: { readonly db: Db; readonly scope: Scope },
): Promise<string> {
  const filters = filtersOf(call, input)
  const queries = filters.flatMap((filter, index) => selectNames(filter, index, scope, input.projectCode))
  const found = queries.length
    ? await db.rows<{ index: number; value: string; name: string }>(
        sql`${sql.join(queries, sql` union all `)}`,
      )
    : []
  const texts = filters.map((filter, index) => {
    const range = formatRange(filters, filter)
    if (range !== undefined) return range
    const names = new Map(found.filter(row => row.index === index).map(row => [row.value, row.name]))
    const text = filter.target
      ? [filter.value].flat().map(each => names.get(String(each)) ?? (filter.isByKey ? String(each) : ''))
      : [formatValue(filter.value, filter.field)]
    const shown = text.filter(Boolean).join('、')
    // 「已逾期」 says it all.
    if (filter.field.kind === 'flag' && filter.value === true) return filter.label
    return shown ? `${filter.label}：${shown}` : ''
  })
  const project = call.input.fields.projectCode
  const isForAll = project && !hasValue(input.projectCode)
  return [...(isForAll ? [`${defined(project).label}：全部`] : []), ...texts].filter(Boolean).join('；')
}
