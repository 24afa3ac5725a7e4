import { randomBytes } from 'node:crypto'
import { codeOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { remoteCommand, taskState } from '../contract/choices.ts'
import { commandRules, commandTimeoutMs, type RemoteCommand } from '../contract/remote-command.ts'
import { actionTimeoutMs } from '../domain/driver-command.ts'
import { connectionHere, notifyAgent } from './device-hub.ts'
import { dispatchTasks, sendTask } from './task-dispatch.ts'

export interface NewTask {
  readonly projectCode: string
  readonly gatewayId: Id
  readonly deviceId: Id
  readonly devNo?: string | undefined
  readonly command: RemoteCommand
  readonly cmdData?: string | undefined
  readonly input: Readonly<Record<string, unknown>>
  /** The cloud file that it sends. */
  readonly fileId?: Id | undefined
  readonly clientNo?: string | undefined
  readonly timeoutMs?: number | undefined
  /** Why it cannot be sent. */
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

type TimedTask = Pick<NewTask, 'timeoutMs' | 'command' | 'input'>

const timeoutOf = ({ timeoutMs, command, input }: TimedTask): number =>
  timeoutMs ??
  (command === 'device' ? actionTimeoutMs(String(input.action)) : undefined) ??
  commandRules[command].timeoutMs ??
  commandTimeoutMs

const deadlineOf = (task: TimedTask, time: string): string =>
  new Date(Date.parse(time) + timeoutOf(task)).toISOString()

/** A task as its row is written; what its device's row says is left out where that is read with it. */
function rowOf(
  task: Omit<NewTask, 'projectCode' | 'gatewayId'> & Partial<NewTask>,
  { time }: Sender,
): object {
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
    run_file_id: task.fileId,
    run_input: task.input,
    run_timeout: timeoutOf(task),
    deadline: deadlineOf(task, time),
    state: codeOf(taskState, isSent ? 'sent' : 'failed'),
    reason: task.reason,
    end_time: isSent ? undefined : time,
    run_was_tried: isSent,
    is_dangerous: commandRules[task.command].isDangerous ?? false,
    run_purpose: task.purpose,
    run_reference: task.reference,
    run_retries: task.retries ?? 0,
  }
}

/** Where a task goes to, as its own row says or another one does. */
interface TargetColumns {
  readonly projectCode: RawBuilder<unknown>
  readonly gatewayId: RawBuilder<unknown>
  readonly devNo: RawBuilder<unknown>
  readonly joined: RawBuilder<unknown>
}

const ownTarget: TargetColumns = {
  projectCode: sql`r.project_code`,
  gatewayId: sql`r.gateway_id`,
  devNo: sql`r.dev_no`,
  joined: sql``,
}

/**
 * The device itself, and its gateway while that is there. By its number, not by the row's: the planner would
 * take those for a hundred, and read all devices.
 */
const deviceTarget = (ownerId: Id, deviceId: Id): TargetColumns => ({
  projectCode: sql`d.project_code`,
  gatewayId: sql`d.gateway_id`,
  devNo: sql`d.dev_no`,
  joined: sql`
    join device d on d.owner_id = ${ownerId} and d.id = ${deviceId} and ${notDeleted('d')}
    join gateway g on g.owner_id = ${ownerId} and g.id = d.gateway_id and g.is_online
  `,
})

const insertRows = (
  tx: Tx,
  { ownerId, operatorId, name, time }: Sender,
  rows: readonly object[],
  { projectCode, gatewayId, devNo, joined }: TargetColumns,
): Promise<{ id: Id; gatewayId: Id }[]> =>
  tx.rows(sql`
    insert into remote_task (
      owner_id, create_by, update_by, operator_id, operator_name, create_time, update_time, send_time,
      project_code, gateway_id, dev_no, task_no, client_no, device_id, cmd_type, cmd_data, run_file_id,
      run_input, run_timeout, deadline, state, reason, end_time, is_dangerous, run_purpose, run_reference, run_retries,
      run_was_tried
    )
    select ${ownerId}::bigint, ${operatorId}::bigint, ${operatorId}::bigint, ${operatorId}::bigint,
      ${name}::text, ${time}::timestamptz, ${time}::timestamptz, ${time}::timestamptz,
      ${projectCode}, ${gatewayId}, ${devNo}, r.task_no, r.client_no, r.device_id, r.cmd_type, r.cmd_data,
      r.run_file_id, r.run_input, r.run_timeout, r.deadline, r.state, r.reason, r.end_time, r.is_dangerous, r.run_purpose,
      r.run_reference, r.run_retries, r.run_was_tried
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      project_code text, task_no text, client_no text, gateway_id bigint, device_id bigint, dev_no text,
      cmd_type smallint, cmd_data text, run_file_id bigint, run_input jsonb, run_timeout integer, deadline timestamptz,
      state smallint, reason text, end_time timestamptz, is_dangerous boolean, run_purpose text,
      run_reference text, run_retries integer, run_was_tried boolean
    )
    ${joined}
    returning id, gateway_id
  `)

type WaitingTask = Pick<NewTask, 'gatewayId' | 'deviceId' | 'command' | 'input' | 'timeoutMs'> & {
  readonly id: Id
}

/** Sends at once to gateways of this process; the notice wakes the others. */
async function sendHere(tx: Tx, { ownerId, time }: Sender, waiting: readonly WaitingTask[]): Promise<void> {
  for (const task of waiting) {
    const here = connectionHere(tx, ownerId, task.gatewayId)
    if (!here) continue
    const { hub, connection } = here
    await sendTask(hub.app, connection, {
      id: task.id,
      cmdType: Number(codeOf(remoteCommand, task.command)),
      deviceId: task.deviceId,
      runInput: task.input,
      deadline: deadlineOf(task, time),
      isCancelling: false,
    }).catch((err: unknown) => {
      hub.app.log.warn({ err, task: task.id }, 'command not sent at once')
      connection.sentTasks.delete(task.id)
      hub.start(connection, 'tasks', each => dispatchTasks(hub.app, each))
    })
  }
}

/** With the commit: to the gateways of this process at once, to others by their processes. */
function sendWithCommit(tx: Tx, sender: Sender, waiting: readonly WaitingTask[]): void {
  for (const gatewayId of new Set(waiting.map(task => task.gatewayId))) {
    notifyAgent(tx, gatewayId, {
      kind: 'tasks',
      sentBy: connectionHere(tx, sender.ownerId, gatewayId)?.hub.key,
    })
  }
  tx.onCommit(() => sendHere(tx, sender, waiting))
}

/** Adds tasks, and wakes the processes that hold their gateways. Answers their ids in order. */
export async function insertTasks(tx: Tx, sender: Sender, tasks: readonly NewTask[]): Promise<Id[]> {
  if (!tasks.length) return []
  const rows = tasks.map(task => rowOf(task, sender))
  const ids = (await insertRows(tx, sender, rows, ownTarget)).map(row => row.id)
  const waiting = tasks.flatMap((task, i) =>
    task.reason === undefined ? [{ ...task, id: defined(ids[i]) }] : [],
  )
  sendWithCommit(tx, sender, waiting)
  return ids
}

/** A task of a device in one statement; nothing where the device or its gateway is not there. */
export async function insertDeviceTask(
  tx: Tx,
  sender: Sender,
  task: Omit<NewTask, 'projectCode' | 'gatewayId' | 'devNo' | 'reason'>,
): Promise<Id | undefined> {
  const [row] = await insertRows(
    tx,
    sender,
    [rowOf(task, sender)],
    deviceTarget(sender.ownerId, task.deviceId),
  )
  if (!row) return undefined
  sendWithCommit(tx, sender, [{ ...task, ...row }])
  return row.id
}
