import { randomBytes } from 'node:crypto'
import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { remoteCommand, taskState } from '../contract/choices.ts'
import { commandRules, commandTimeoutMs, type RemoteCommand } from '../contract/remote-command.ts'
import { notifyAgent } from './device-hub.ts'

export interface NewTask {
  readonly projectCode: string
  readonly gatewayId: Id
  readonly deviceId: Id
  readonly devNo?: string | undefined
  readonly command: RemoteCommand
  readonly cmdData?: string | undefined
  readonly input: Readonly<Record<string, unknown>>
  readonly clientNo?: string | undefined
  readonly timeoutMs?: number | undefined
  /** It cannot be sent: why. */
  readonly reason?: string | undefined
  /** Which handler is told of the end, and about what (`onCommandEnd`). */
  readonly purpose?: string | undefined
  readonly reference?: string | undefined
  /** How often it is sent again after a failure. */
  readonly retries?: number | undefined
}

/** The sender's number, or the time, with what makes it unique. */
const taskNoOf = (clientNo: string | undefined, time: string): string =>
  `${clientNo ?? Date.parse(time)}-${randomBytes(5).toString('hex')}`

const stateCodeOf = ({ reason }: NewTask): number =>
  Number(codeOf(taskState, reason === undefined ? 'sent' : 'failed'))

/** Adds tasks, and wakes the processes that hold their gateways. Answers their ids in order. */
export async function insertTasks(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId' | 'name' | 'time'>,
  tasks: readonly NewTask[],
): Promise<Id[]> {
  if (!tasks.length) return []
  const { ownerId, operatorId, name, time } = scope
  const timeouts = tasks.map(
    task => task.timeoutMs ?? commandRules[task.command].timeoutMs ?? commandTimeoutMs,
  )
  const deadlines = timeouts.map(timeoutMs => new Date(Date.parse(time) + timeoutMs).toISOString())
  const rows = await tx.rows<{ id: Id }>(sql`
    insert into remote_task (
      owner_id, create_by, update_by, create_time, update_time, send_time, operator_id, operator_name,
      project_code, task_no, client_no, gateway_id, device_id, dev_no, cmd_type, cmd_data, run_input,
      run_timeout, deadline, state, reason, end_time, is_dangerous, run_purpose, run_reference, run_retries
    )
    select ${ownerId}::bigint, ${operatorId}::bigint, ${operatorId}::bigint, ${time}::timestamptz,
      ${time}::timestamptz, ${time}::timestamptz, ${operatorId}::bigint, ${name}::text, r.*
    from unnest(
      ${sqlArray(
        'text',
        tasks.map(task => task.projectCode),
      )},
      ${sqlArray(
        'text',
        tasks.map(task => taskNoOf(task.clientNo, time)),
      )},
      ${sqlArray(
        'text',
        tasks.map(task => task.clientNo ?? null),
      )},
      ${sqlArray(
        'bigint',
        tasks.map(task => task.gatewayId),
      )},
      ${sqlArray(
        'bigint',
        tasks.map(task => task.deviceId),
      )},
      ${sqlArray(
        'text',
        tasks.map(task => task.devNo ?? null),
      )},
      ${sqlArray(
        'smallint',
        tasks.map(task => codeOf(remoteCommand, task.command)),
      )},
      ${sqlArray(
        'text',
        tasks.map(task => task.cmdData ?? null),
      )},
      ${tasks.map(task => JSON.stringify(task.input))}::jsonb[],
      ${sqlArray('integer', timeouts)}, ${deadlines}::timestamptz[],
      ${sqlArray('smallint', tasks.map(stateCodeOf))},
      ${sqlArray(
        'text',
        tasks.map(task => task.reason ?? null),
      )},
      ${tasks.map(task => (task.reason === undefined ? null : time))}::timestamptz[],
      ${sqlArray(
        'boolean',
        tasks.map(task => commandRules[task.command].isDangerous ?? false),
      )},
      ${sqlArray(
        'text',
        tasks.map(task => task.purpose ?? null),
      )},
      ${sqlArray(
        'text',
        tasks.map(task => task.reference ?? null),
      )},
      ${sqlArray(
        'integer',
        tasks.map(task => task.retries ?? 0),
      )}
    ) as r(
      project_code, task_no, client_no, gateway_id, device_id, dev_no, cmd_type, cmd_data, run_input, run_timeout,
      deadline, state, reason, end_time, is_dangerous, run_purpose, run_reference, run_retries
    )
    returning id
  `)
  const waiting = tasks.filter(task => task.reason === undefined).map(task => task.gatewayId)
  for (const gatewayId of new Set(waiting)) {
    notifyAgent(tx, gatewayId, { kind: 'tasks' })
  }
  return rows.map(row => row.id)
}
