import type { Entity } from '#kit/contract/entity.ts'
import { labelOf, type Field } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { formatValue } from '#kit/contract/value.ts'
import { Refused, notFound, resultCode, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { audit } from '#kit/server/audit.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { allEntities } from '#kit/server/registry.ts'
import {
  auditAction,
  listRecordHistory,
  recordUnmasking,
  getOperation,
  listOperations,
} from '../contract/operation-log.ts'

interface AuditRow {
  createTime: string
  operatorName: string
  action: string
  entity: string
  entityId: number
  reason?: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** Never worth a line: who and when stand beside it, the rest is bookkeeping. */
const hiddenFields = new Set(['id', 'version', 'createTime', 'updateTime', 'ownerId'])

const formatPlainValue = (v: unknown): string =>
  v === null || v === undefined || v === ''
    ? emptyPlaceholder
    : typeof v === 'object'
      ? JSON.stringify(v).slice(0, 500)
      : String(v)

/** A record's change in people's words: labels for keys, shown values for kept ones. */
function describeChanges(
  e: Entity | undefined,
  a: AuditRow,
): { field: string; before: string; after: string }[] {
  const keys = [...new Set([...Object.keys(a.before ?? {}), ...Object.keys(a.after ?? {})])].filter(
    k => !hiddenFields.has(k),
  )
  const say = (k: string, v: unknown): string => {
    const f = e?.fields[k] as Field | undefined
    try {
      return f ? formatValue(v, f) : formatPlainValue(v)
    } catch {
      return formatPlainValue(v)
    }
  }
  return keys
    .map(k => ({
      field: (e?.fields[k] as Field | undefined)?.label ?? k,
      before: a.before ? say(k, a.before[k]) : emptyPlaceholder,
      after: a.after ? say(k, a.after[k]) : emptyPlaceholder,
    }))
    .filter(c => c.before !== emptyPlaceholder || c.after !== emptyPlaceholder)
}

function toAuditOutput(a: AuditRow) {
  const e = allEntities().find(x => x.name === a.entity)
  return {
    time: a.createTime,
    operatorName: a.operatorName,
    action: labelOf(auditAction, a.action),
    entity: e?.label ?? a.entity,
    entityId: a.entityId,
    ...(a.reason === undefined ? {} : { reason: a.reason }),
    changes: describeChanges(e, a),
  }
}

const auditColumns = sql`create_time, operator_name, action, entity, entity_id, reason, before, after`

const operationColumns = sql`id, create_time as oper_time, operator_id, operator_name, ip, title, call, project_code,
  code = ${resultCode.ok} as fine, message as content, took_ms`

interface OperationRow {
  id: number
  operTime: string
  operatorId: number
  operatorName: string
  title: string
  fine: boolean
  requestId: string
  input?: object
}

const toTimestamp = (m: string): string => `${m}+08`

export const operationLogHandlers = [
  reads(listOperations, async (q, { db, scope, now }) => {
    const size = Math.min(q.size ?? 10, 2000)
    const at = ((q.page ?? 1) - 1) * size
    const parts: RawBuilder<any>[] = [
      sql`owner_id = ${scope.ownerId}`,
      sql`create_time >= ${toTimestamp(q.operTimeFrom ?? `${Number(now.slice(0, 4)) - 1}${now.slice(4, 7)}-01 00:00:00`)}::timestamptz`,
    ]
    if (q.operTimeTo) {
      parts.push(sql`create_time <= ${toTimestamp(q.operTimeTo)}::timestamptz`)
    }
    if (q.operatorIds?.length) {
      parts.push(sql`operator_id = any(${q.operatorIds.map(Number).filter(Number.isSafeInteger)}::bigint[])`)
    }
    if (q.failed) {
      parts.push(sql`code <> ${resultCode.ok}`)
    }
    if (q.keyword) {
      const like = `%${q.keyword.replace(/[\\%_]/g, c => `\\${c}`)}%`
      parts.push(
        sql`(
          title ilike ${like}
          or operator_name ilike ${like}
          or message ilike ${like}
          or call ilike ${like}
          or input::text ilike ${like}
        )`,
      )
    }
    // Whoever is limited to some projects sees what was done in them, and what he did himself (PERM-6).
    if (!scope.domain.all) {
      parts.push(
        sql`(
          project_code = any(${[...scope.domain.projects.keys()]}::text[])
          or operator_id = ${scope.operatorId}
        )`,
      )
    }
    const where = sql.join(parts, sql` and `)
    const [rows, [n]] = await db.all<[OperationRow, { total: number }]>(
      sql`
        select ${operationColumns}
        from operation_log
        where ${where}
        order by create_time desc, id desc
        limit ${size} offset ${at}
      `,
      sql`select count(*) as total from operation_log where ${where}`,
    )
    return { total: Number(n!.total), rows }
  }),
  reads(getOperation, async ({ id, operTime }, { db, scope }) => {
    const one = await db.one<OperationRow & { projectCode?: string }>(
      sql`
        select ${operationColumns}, request_id, input
        from operation_log
        where owner_id = ${scope.ownerId}
          and id = ${id}
          and create_time >= ${toTimestamp(operTime)}::timestamptz
          and create_time < ${toTimestamp(operTime)}::timestamptz + interval '1 second'
      `,
    )
    if (
      !one ||
      (!scope.domain.all &&
        one.operatorId !== scope.operatorId &&
        !scope.domain.projects.has(one.projectCode ?? ''))
    )
      throw notFound()
    const { requestId, input, ...rest } = one
    const acts = requestId
      ? await db.rows<AuditRow>(
          sql`
            select ${auditColumns}
            from audit_log
            where owner_id = ${scope.ownerId}
              and request_id = ${requestId}
              and create_time between ${toTimestamp(operTime)}::timestamptz - interval '5 minutes' and ${toTimestamp(operTime)}::timestamptz + interval '5 minutes'
            order by id
            limit 200
          `,
        )
      : []
    return {
      ...rest,
      ...(input ? { input: JSON.stringify(input, null, 2).slice(0, 20_000) } : {}),
      acts: acts.map(toAuditOutput),
    }
  }),
  reads(listRecordHistory, async ({ entity, entityId }, { db, scope }) =>
    (
      await findHistory(
        db,
        scope.ownerId,
        entity,
        entityId,
        scope.domain.all ? undefined : [...scope.domain.projects.keys()],
      )
    ).map(toAuditOutput),
  ),
  writes(recordUnmasking, async ({ entity, entityId, field }, { tx, scope }) => {
    if (!scope.canSeePersonalData)
      throw new Refused(
        resultCode.forbidden,
        `需要「查看完整手机证件」，请联系${scope.granterLabel ?? '管理员'}开通`,
      )
    const f = allEntities().find(e => e.name === entity)?.fields[field] as Field | undefined
    if (!f?.masked || f.masked === 'secret') return refuse('没有这一项需要登记的信息')
    await audit(tx, scope, [
      { action: 'reveal', entity, entityId, projectCode: scope.projectCode || undefined, reason: f.label },
    ])
  }),
]

const findHistory = (
  db: Db,
  owner: number,
  entity: string,
  id: number,
  projects: readonly string[] | undefined,
): Promise<AuditRow[]> =>
  db.rows(
    sql`
      select ${auditColumns}
      from audit_log
      where owner_id = ${owner}
        and entity = ${entity}
        and entity_id = ${id} ${projects ? sql`and project_code = any(${projects}::text[])` : sql``}
      order by create_time desc, id desc
      limit 500
    `,
  )
