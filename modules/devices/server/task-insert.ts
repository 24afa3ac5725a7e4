import { randomBytes } from 'node:crypto'
import { codeOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { remoteCommand, taskState } from '../contract/choices.ts'
import { commandRules, commandTimeoutMs, type RemoteCommand } from '../contract/remote-command.ts'
import { connectionHere, notifyAgent } from './device-hub.ts'
import { sendTask } from './task-dispatch.ts'

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
  /** Which handler is called at the end, and about what (`onCommandEnd`). */
  readonly purpose?: string | undefined
  readonly reference?: string | undefined
  /** How often it is sent again after a failure. */
  readonly retries?: number | undefined
}

/** The sender's number, or the time, with what makes it unique. */
const taskNoOf = (clientNo: string | undefined, time: string): string =>
  `${clientNo ?? Date.parse(time)}-${randomBytes(5).toString('hex')}`

type Sender = Pick<Scope, 'ownerId' | 'operatorId' | 'name' | 'time'>

const timeoutOf = ({ timeoutMs, command }: NewTask): number =>
  timeoutMs ?? commandRules[command].timeoutMs ?? commandTimeoutMs

const deadlineOf = (task: NewTask, time: string): string =>
  new Date(Date.parse(time) + timeoutOf(task)).toISOString()

/** A task as its row is written. */
function rowOf(task: NewTask, { time }: Sender): object {
  const isSent = task.reason === undefined
  return {
    project_code: task.projectCode,
    task_no: taskNoOf(task.clientNo, time),
    client_no: task.clientNo,
    gateway_id: task.gatewayId,
    device_id: task.deviceId,
    dev_no: task.devNo,
    cmd_type: codeOf(remoteCommand, task.command),
    cmd_data: task.cmdData,
    run_input: task.input,
    run_timeout: timeoutOf(task),
    deadline: deadlineOf(task, time),
    state: codeOf(taskState, isSent ? 'sent' : 'failed'),
    reason: task.reason,
    end_time: isSent ? undefined : time,
    is_dangerous: commandRules[task.command].isDangerous ?? false,
    run_purpose: task.purpose,
    run_reference: task.reference,
    run_retries: task.retries ?? 0,
  }
}

/** Sends at once to gateways of this process; the notice wakes the others, and finds these sent. */
async function sendHere(
  tx: Tx,
  { ownerId, time }: Sender,
  waiting: readonly { readonly id: Id; readonly task: NewTask }[],
): Promise<void> {
  for (const { id, task } of waiting) {
    const here = connectionHere(tx, ownerId, task.gatewayId)
    if (!here) continue
    await sendTask(here.app, here.connection, {
      id,
      cmdType: Number(codeOf(remoteCommand, task.command)),
      deviceId: task.deviceId,
      runInput: task.input,
      deadline: deadlineOf(task, time),
      isCancelling: false,
    }).catch((err: unknown) => here.app.log.warn({ err, task: id }, 'command not sent at once'))
  }
}

/** Adds tasks, and wakes the processes that hold their gateways. Returns their ids in order. */
export async function insertTasks(tx: Tx, sender: Sender, tasks: readonly NewTask[]): Promise<Id[]> {
  if (!tasks.length) return []
  const { ownerId, operatorId, name, time } = sender
  const rows = await tx.rows<{ id: Id }>(sql`
    insert into remote_task (
      owner_id, create_by, update_by, operator_id, operator_name, create_time, update_time, send_time,
      project_code, task_no, client_no, gateway_id, device_id, dev_no, cmd_type, cmd_data, run_input,
      run_timeout, deadline, state, reason, end_time, is_dangerous, run_purpose, run_reference, run_retries
    )
    select ${ownerId}::bigint, ${operatorId}::bigint, ${operatorId}::bigint, ${operatorId}::bigint,
      ${name}::text, ${time}::timestamptz, ${time}::timestamptz, ${time}::timestamptz, r.*
    from json_to_recordset(${JSON.stringify(tasks.map(task => rowOf(task, sender)))}::json) as r(
      project_code text, task_no text, client_no text, gateway_id bigint, device_id bigint, dev_no text,
      cmd_type smallint, cmd_data text, run_input jsonb, run_timeout integer, deadline timestamptz,
      state smallint, reason text, end_time timestamptz, is_dangerous boolean, run_purpose text,
      run_reference text, run_retries integer
    )
    returning id
  `)
  const ids = rows.map(row => row.id)
  const waiting = tasks.flatMap((task, i) =>
    task.reason === undefined ? [{ id: defined(ids[i]), task }] : [],
  )
  for (const gatewayId of new Set(waiting.map(({ task }) => task.gatewayId))) {
    notifyAgent(tx, gatewayId, { kind: 'tasks' })
  }
  tx.onCommit(() => sendHere(tx, sender, waiting))
  return ids
}
