import { containsPattern } from '#kit/server/like-pattern.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { Entity } from '#kit/contract/entity.ts'
import { labelOf, type Field } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { formatValue } from '#kit/contract/value.ts'
import { notFound, resultCode, refuse } from '#kit/contract/wire.ts'
import { addSeconds, type Moment, startOfDay, dayOfMoment } from '#kit/domain/moment.ts'
import { addMonths, firstOfMonth } from '#kit/domain/day.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { readMaskedField, reads, writes } from '#kit/server/handler.ts'
import { auditReveal, requirePersonalData } from '#kit/server/privacy.ts'
import { allEntities } from '#kit/server/registry.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  auditAction,
  listRecordHistory,
  revealPersonalData,
  getOperation,
  listOperations,
} from '../contract/operation-log.ts'

interface AuditRow {
  readonly createTime: Moment
  readonly operatorName: string
  readonly action: string
  readonly entity: string
  readonly entityId: Id
  readonly reason?: string
  readonly before?: Record<string, unknown>
  readonly after?: Record<string, unknown>
}

interface FieldChange {
  readonly field: string
  readonly before: string
  readonly after: string
}

/** Columns that are not shown as changes: the entry has its own user and time. */
const hiddenFields = new Set(['id', 'version', 'createTime', 'updateTime', 'ownerId'])

function formatPlainValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return emptyPlaceholder
  return typeof value === 'object' ? JSON.stringify(value).slice(0, 500) : String(value)
}

const fieldOf = (e: Entity | undefined, key: string): Field | undefined => e?.fields[key]

/** The value as screens show it; an old one that its field cannot read any more is shown as it is stored. */
function formatStoredValue(field: Field | undefined, value: unknown): string {
  if (!field) return formatPlainValue(value)
  try {
    return formatValue(value, field)
  } catch {
    return formatPlainValue(value)
  }
}

/** What changed of a record: labels for keys, values as screens show them. */
function describeChanges(entity: Entity | undefined, entry: AuditRow): FieldChange[] {
  const { before, after } = entry
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const changes = [...keys]
    .filter(key => !hiddenFields.has(key))
    .map(key => {
      const field = fieldOf(entity, key)
      return {
        field: field?.label ?? key,
        before: before ? formatStoredValue(field, before[key]) : emptyPlaceholder,
        after: after ? formatStoredValue(field, after[key]) : emptyPlaceholder,
      }
    })
  return changes.filter(change => change.before !== emptyPlaceholder || change.after !== emptyPlaceholder)
}

function toAuditOutput(entry: AuditRow) {
  const entity = allEntities().find(known => known.name === entry.entity)
  return {
    time: entry.createTime,
    operatorName: entry.operatorName,
    action: labelOf(auditAction, entry.action),
    entity: entity?.label ?? entry.entity,
    entityId: entry.entityId,
    ...(entry.reason === undefined ? {} : { reason: entry.reason }),
    changes: describeChanges(entity, entry),
  }
}

const auditColumns = sql`create_time, operator_name, action, entity, entity_id, reason, before, after`

const operationColumns = sql`id, create_time as oper_time, operator_id, operator_name, ip, title, call,
  project_code, code = ${resultCode.ok} as is_successful, message as content, took_ms`

interface OperationRow {
  readonly id: Id
  readonly operTime: Moment
  readonly operatorId: Id
  readonly operatorName: string
  readonly title: string
  readonly isSuccessful: boolean
  readonly requestId: string
  readonly input?: object
}

/** A moment is Chinese time; the log is stored with a time zone. */
const toTimestamp = (m: Moment): RawBuilder<unknown> => sql`${`${m}+08`}::timestamptz`

/**
 * The first day of the same month a year ago: the log is searched from there unless the caller says
 * otherwise.
 */
const oneYearBefore = (now: Moment): Moment => startOfDay(firstOfMonth(addMonths(dayOfMoment(now), -12)))

type OperationFilter = NonNullable<typeof listOperations.input.T>

function buildOperationFilter(query: OperationFilter, scope: Scope, now: Moment): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [
    sql`owner_id = ${scope.ownerId}`,
    sql`create_time >= ${toTimestamp(query.operTimeFrom ?? oneYearBefore(now))}`,
  ]
  if (query.operTimeTo) {
    parts.push(sql`create_time <= ${toTimestamp(query.operTimeTo)}`)
  }
  if (query.operatorIds?.length) {
    parts.push(sql`operator_id = any(${query.operatorIds.map(parseId)}::bigint[])`)
  }
  if (query.failed) {
    parts.push(sql`code <> ${resultCode.ok}`)
  }
  if (query.keyword) {
    const pattern = containsPattern(query.keyword)
    parts.push(
      sql`(
        title ilike ${pattern}
        or operator_name ilike ${pattern}
        or message ilike ${pattern}
        or call ilike ${pattern}
        or input::text ilike ${pattern}
      )`,
    )
  }
  // PERM-6: an account limited to some projects sees what was done in them, and what it did itself.
  if (!scope.domain.all) {
    parts.push(
      sql`(
        project_code = any(${[...scope.domain.projects.keys()]}::text[])
        or operator_id = ${scope.operatorId}
      )`,
    )
  }
  return sql.join(parts, sql` and `)
}

/** What one request changed: its entries are within five minutes of it. */
const findRequestEntries = (
  db: Db,
  ownerId: Id,
  requestId: string,
  time: Moment,
  projects: readonly string[] | undefined,
): Promise<AuditRow[]> =>
  db.rows<AuditRow>(
    sql`
      select ${auditColumns}
      from audit_log
      where owner_id = ${ownerId}
        and request_id = ${requestId}
        and create_time between ${toTimestamp(addSeconds(time, -300))} and ${toTimestamp(addSeconds(time, 300))}
        ${projects ? sql`and (project_code is null or project_code = any(${projects}::text[]))` : sql``}
      order by id
      limit 200
    `,
  )

const findHistory = (
  db: Db,
  ownerId: Id,
  entity: string,
  id: Id,
  projects: readonly string[] | undefined,
): Promise<AuditRow[]> =>
  db.rows(
    sql`
      select ${auditColumns}
      from audit_log
      where owner_id = ${ownerId}
        and entity = ${entity}
        and entity_id = ${id} ${projects ? sql`and project_code = any(${projects}::text[])` : sql``}
      order by create_time desc, id desc
      limit 500
    `,
  )

const maxPageSize = 2000

export const operationLogHandlers = [
  reads(listOperations, async (query, { db, scope, now }) => {
    const size = Math.min(query.size ?? 10, maxPageSize)
    const offset = ((query.page ?? 1) - 1) * size
    const where = buildOperationFilter(query, scope, now)
    const [rows, [count]] = await db.all<[OperationRow, { total: number }]>(
      sql`
        select ${operationColumns}
        from operation_log
        where ${where}
        order by create_time desc, id desc
        limit ${size} offset ${offset}
      `,
      sql`select count(*) as total from operation_log where ${where}`,
    )
    return { total: Number(count?.total ?? 0), rows }
  }),
  reads(getOperation, async ({ id, operTime }, { db, scope }) => {
    const operation = await db.one<OperationRow & { projectCode?: string }>(
      sql`
        select ${operationColumns}, request_id, input
        from operation_log
        where owner_id = ${scope.ownerId}
          and id = ${id}
          and create_time >= ${toTimestamp(operTime)}
          and create_time < ${toTimestamp(addSeconds(operTime, 1))}
      `,
    )
    if (!operation) throw notFound()
    const isVisible =
      scope.domain.all ||
      operation.operatorId === scope.operatorId ||
      scope.domain.projects.has(operation.projectCode ?? '')
    if (!isVisible) throw notFound()
    const { requestId, input, ...rest } = operation
    // What the caller did in other projects before the domain was narrowed stays out as well (PERM-6).
    const projects = scope.domain.all ? undefined : [...scope.domain.projects.keys()]
    const entries = requestId
      ? await findRequestEntries(db, scope.ownerId, requestId, operTime, projects)
      : []
    return {
      ...rest,
      ...(input ? { input: JSON.stringify(input, null, 2).slice(0, 20_000) } : {}),
      entries: entries.map(toAuditOutput),
    }
  }),
  reads(listRecordHistory, async ({ entity, entityId }, { db, scope }) => {
    const projects = scope.domain.all ? undefined : [...scope.domain.projects.keys()]
    const entries = await findHistory(db, scope.ownerId, entity, entityId, projects)
    return entries.map(toAuditOutput)
  }),
  writes(revealPersonalData, async ({ entity: name, entityId, field: key }, context) => {
    const { tx, scope } = context
    requirePersonalData(scope)
    const entity = allEntities().find(e => e.name === name)
    const field = fieldOf(entity, key)
    if (!entity || !field?.masked || field.masked === 'secret') return refuse('该信息无需查看完整内容')
    const value = await readMaskedField(entity, entityId, key, context)
    if (typeof value !== 'string' || !value) throw notFound()
    await auditReveal(tx, scope, { entity: name, entityId, label: field.label })
    return value
  }),
]
