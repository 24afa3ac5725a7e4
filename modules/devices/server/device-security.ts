import { keysOfRecord, pickPresent } from '#kit/domain/records.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireProject } from '#kit/server/scope.ts'
import { notFound } from '#kit/contract/wire.ts'
import { findAll, findPage, requireById } from '#kit/server/table.ts'
import { loadActiveCallers } from '#modules/accounts/server/public.ts'
import {
  downloadAuditOutput,
  listCommandAudit,
  listCommandHolders,
  listGatewayKeys,
} from '../contract/device-security.ts'
import { gateway, type Gateway } from '../contract/gateway.ts'
import { remoteTask } from '../contract/remote-task.ts'
import { menu } from '../module.ts'
import { openTaskOutput, wholeOutputFields, type TaskOutput } from './remote-task.ts'
import { inWholeProjects } from './whole-project.ts'

const commandFlags = keysOfRecord(menu.command.permissions).filter(
  flag => !['view', 'add', 'edit', 'del'].includes(flag),
)

const keyRowOf = (row: Gateway, codeExpireTime: Moment | undefined) => ({
  ...pickPresent(row, ['keyId', 'pairTime', 'pairIp', 'revokeTime', 'revokeReason']),
  id: row.id,
  projectCode: row.projectCode,
  gateNo: row.gateNo ?? '',
  name: row.name,
  state: row.state,
  ...(codeExpireTime === undefined ? {} : { codeExpireTime }),
})

export const deviceSecurityHandlers = [
  reads(listCommandHolders, async (_, { db, scope }) => {
    const callers = await loadActiveCallers(db, scope.ownerId)
    return callers
      .map(caller => ({
        operatorId: caller.operatorId,
        name: caller.name,
        isOwner: caller.isOwner,
        commands: commandFlags.filter(
          flag => caller.isOwner || caller.permissions.has(menu.command.permissions[flag].key),
        ),
      }))
      .filter(holder => holder.commands.length)
      .toSorted((a, b) => a.operatorId - b.operatorId)
  }),
  reads(listGatewayKeys, async ({ projectCode }, { db, scope, now }) => {
    if (projectCode) {
      requireProject(scope.domain, projectCode)
    }
    const found = await findAll(db, gateway, scope, projectCode ? { projectCode } : {})
    const rows = inWholeProjects(scope, found)
    const codes = await db.rows<{ gatewayId: Id; expireTime: Moment }>(sql`
      select gateway_id, expire_time
      from gateway_pairing
      where owner_id = ${scope.ownerId}
        and gateway_id = any(${rows.map(row => row.id)}::bigint[])
        and expire_time > ${now}::timestamptz
    `)
    const expireOf = new Map(codes.map(code => [code.gatewayId, code.expireTime]))
    return rows.map(row => keyRowOf(row, expireOf.get(row.id)))
  }),
  reads(listCommandAudit, async ({ operatorId, ...query }, { db, scope }) => {
    if (query.projectCode) {
      requireProject(scope.domain, query.projectCode)
    }
    const page = await findPage(db, remoteTask, scope, query, {
      filters: ['sendTime'],
      where: [sql`t.is_dangerous`, ...(operatorId === undefined ? [] : [sql`t.operator_id = ${operatorId}`])],
    })
    const outputs = await db.rows<TaskOutput & { taskId: Id; output: string }>(sql`
      select task_id, output, file_size, file_sha256
      from remote_task_output
      where owner_id = ${scope.ownerId}
        and task_id = any(${page.rows.map(row => row.id)}::bigint[])
        and output is not null
    `)
    const outputOf = new Map(outputs.map(row => [row.taskId, row]))
    return {
      ...page,
      rows: page.rows.map(row => {
        const found = outputOf.get(row.id)
        return { ...row, ...(found && { output: found.output, ...wholeOutputFields(found) }) }
      }),
    }
  }),
  reads(downloadAuditOutput, async ({ id }, c) => {
    const task = await requireById(c.db, remoteTask, c.scope, id)
    if (!task.isDangerous) throw notFound()
    return openTaskOutput(c, task)
  }),
]
