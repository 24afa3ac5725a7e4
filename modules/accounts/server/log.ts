import type { Entity } from '#kit/contract/entity.ts'
import { labelOf, type Field } from '#kit/contract/field.ts'
import { blank } from '#kit/contract/text.ts'
import { show } from '#kit/contract/value.ts'
import { Refused, absent, code, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { audit } from '#kit/server/audit.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { entities } from '#kit/server/registry.ts'
import { actionName, historyOf, noteShown, oneOperation, operations } from '../contract/log.ts'

interface Act {
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
const silent = new Set(['id', 'version', 'createTime', 'updateTime', 'ownerId'])

const plain = (v: unknown): string =>
  v === null || v === undefined || v === ''
    ? blank
    : typeof v === 'object'
      ? JSON.stringify(v).slice(0, 500)
      : String(v)

/** A record's change in people's words: labels for keys, shown values for kept ones. */
function told(e: Entity | undefined, a: Act): { field: string; before: string; after: string }[] {
  const keys = [...new Set([...Object.keys(a.before ?? {}), ...Object.keys(a.after ?? {})])].filter(
    k => !silent.has(k),
  )
  const say = (k: string, v: unknown): string => {
    const f = e?.fields[k] as Field | undefined
    try {
      return f ? show(v, f) : plain(v)
    } catch {
      return plain(v)
    }
  }
  return keys
    .map(k => ({
      field: (e?.fields[k] as Field | undefined)?.label ?? k,
      before: a.before ? say(k, a.before[k]) : blank,
      after: a.after ? say(k, a.after[k]) : blank,
    }))
    .filter(c => c.before !== blank || c.after !== blank)
}

function actOf(a: Act) {
  const e = entities().find(x => x.name === a.entity)
  return {
    time: a.createTime,
    operatorName: a.operatorName,
    action: labelOf(actionName, a.action),
    entity: e?.label ?? a.entity,
    entityId: a.entityId,
    ...(a.reason === undefined ? {} : { reason: a.reason }),
    changes: told(e, a),
  }
}

const actColumns = sql`create_time, operator_name, action, entity, entity_id, reason, before, after`

const line = sql`id, create_time as oper_time, operator_id, operator_name, ip, title, call, project_code,
  code = ${code.fine} as fine, message as content, took_ms`

interface Line {
  id: number
  operTime: string
  operatorId: number
  operatorName: string
  title: string
  fine: boolean
  requestId: string
  input?: object
}

const zoned = (m: string): string => `${m}+08`

export const logHandlers = [
  reads(operations, async (q, { db, scope, now }) => {
    const size = Math.min(q.size ?? 10, 2000)
    const at = ((q.page ?? 1) - 1) * size
    const parts: RawBuilder<any>[] = [
      sql`owner_id = ${scope.ownerId}`,
      sql`create_time >= ${zoned(q.operTimeFrom ?? `${Number(now.slice(0, 4)) - 1}${now.slice(4, 7)}-01 00:00:00`)}::timestamptz`,
    ]
    if (q.operTimeTo) {
      parts.push(sql`create_time <= ${zoned(q.operTimeTo)}::timestamptz`)
    }
    if (q.operatorIds?.length) {
      parts.push(sql`operator_id = any(${q.operatorIds.map(Number).filter(Number.isSafeInteger)}::bigint[])`)
    }
    if (q.failed) {
      parts.push(sql`code <> ${code.fine}`)
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
    const [rows, [n]] = await db.all<[Line, { total: number }]>(
      sql`
        select ${line}
        from operation_log
        where ${where}
        order by create_time desc, id desc
        limit ${size} offset ${at}
      `,
      sql`select count(*) as total from operation_log where ${where}`,
    )
    return { total: Number(n!.total), rows }
  }),
  reads(oneOperation, async ({ id, operTime }, { db, scope }) => {
    const one = await db.one<Line & { projectCode?: string }>(
      sql`
        select ${line}, request_id, input
        from operation_log
        where owner_id = ${scope.ownerId}
          and id = ${id}
          and create_time >= ${zoned(operTime)}::timestamptz
          and create_time < ${zoned(operTime)}::timestamptz + interval '1 second'
      `,
    )
    if (
      !one ||
      (!scope.domain.all &&
        one.operatorId !== scope.operatorId &&
        !scope.domain.projects.has(one.projectCode ?? ''))
    )
      throw absent()
    const { requestId, input, ...rest } = one
    const acts = requestId
      ? await db.rows<Act>(
          sql`
            select ${actColumns}
            from audit_log
            where owner_id = ${scope.ownerId}
              and request_id = ${requestId}
              and create_time between ${zoned(operTime)}::timestamptz - interval '5 minutes' and ${zoned(operTime)}::timestamptz + interval '5 minutes'
            order by id
            limit 200
          `,
        )
      : []
    return {
      ...rest,
      ...(input ? { input: JSON.stringify(input, null, 2).slice(0, 20_000) } : {}),
      acts: acts.map(actOf),
    }
  }),
  reads(historyOf, async ({ entity, entityId }, { db, scope }) =>
    (
      await historyRows(
        db,
        scope.ownerId,
        entity,
        entityId,
        scope.domain.all ? undefined : [...scope.domain.projects.keys()],
      )
    ).map(actOf),
  ),
  writes(noteShown, async ({ entity, entityId, field }, { tx, scope }) => {
    if (!scope.privacy)
      throw new Refused(code.forbidden, `需要「查看完整手机证件」，请联系${scope.granter ?? '管理员'}开通`)
    const f = entities().find(e => e.name === entity)?.fields[field] as Field | undefined
    if (!f?.masked || f.masked === 'secret') return refuse('没有这一项需要登记的信息')
    await audit(tx, scope, [
      { action: 'reveal', entity, entityId, projectCode: scope.projectCode || undefined, reason: f.label },
    ])
  }),
]

const historyRows = (
  db: Db,
  owner: number,
  entity: string,
  id: number,
  projects: readonly string[] | undefined,
): Promise<Act[]> =>
  db.rows(
    sql`
      select ${actColumns}
      from audit_log
      where owner_id = ${owner}
        and entity = ${entity}
        and entity_id = ${id} ${projects ? sql`and project_code = any(${projects}::text[])` : sql``}
      order by create_time desc, id desc
      limit 500
    `,
  )
