import { notFound, refuse } from '#kit/contract/wire.ts'
import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { AgentCommandInputs, DeviceCommandInput } from '../contract/agent-commands.ts'
import { taskState } from '../contract/choices.ts'
import type { RemoteCommand } from '../contract/remote-command.ts'
import { isTaskOpen, type TaskState } from '../domain/task-state.ts'
import { hubOf } from './device-hub.ts'
import { insertDeviceTask, insertTasks } from './task-insert.ts'

interface CommandOptions {
  readonly timeoutMs?: number
  /** Which `onCommandEnd` is called at the end, and about what. */
  readonly purpose?: string
  readonly reference?: string
  /** How often it is sent again after a failure or a time-out: only what may happen twice. */
  readonly retries?: number
}

export interface DeviceCommand extends CommandOptions {
  readonly deviceId: Id
  readonly input: DeviceCommandInput
}

/** Why a device gets no command. */
async function refuseDevice(tx: Tx, { ownerId }: Scope, deviceId: Id): Promise<never> {
  const row = await tx.one<{ name: string }>(sql`
    select name from device where owner_id = ${ownerId} and id = ${deviceId} and ${notDeleted()}
  `)
  if (!row) throw notFound()
  return refuse(`设备「${row.name}」的网关离线，请稍后再试`)
}

/**
 * Sends a command to a device, with the commit. Returns the task's id: its end is reported to `onCommandEnd`,
 * or awaited by `waitForCommand`. Refused where the device's gateway is not there.
 */
export async function sendDeviceCommand(tx: Tx, scope: Scope, command: DeviceCommand): Promise<Id> {
  const { deviceId, input, ...options } = command
  const id = await insertDeviceTask(tx, scope, {
    deviceId,
    command: 'device',
    input: { ...input },
    cmdData: input.action,
    ...options,
  })
  return id ?? refuseDevice(tx, scope, deviceId)
}

export interface GatewayCommand<C extends RemoteCommand> extends CommandOptions {
  readonly gatewayId: Id
  readonly command: C
  readonly input: AgentCommandInputs[C]
}

/** Sends a command to the computer of a gateway. */
export async function sendGatewayCommand<
  C extends Exclude<RemoteCommand, 'pushFile' | 'updateAgent' | 'device'>,
>(tx: Tx, scope: Scope, { gatewayId, command, input, ...options }: GatewayCommand<C>): Promise<Id> {
  const row = await tx.one<{ projectCode: string; gateNo: string; name: string; isOnline: boolean }>(sql`
    select project_code, gate_no, name, is_online
    from gateway
    where owner_id = ${scope.ownerId} and id = ${gatewayId} and ${notDeleted()}
  `)
  if (!row) throw notFound()
  if (!row.isOnline) return refuse(`网关「${row.name}」离线，请稍后再试`)
  const [id] = await insertTasks(tx, scope, [
    {
      projectCode: row.projectCode,
      gatewayId,
      deviceId: 0,
      devNo: row.gateNo,
      command,
      input: { ...input },
      cmdData: JSON.stringify(input),
      ...options,
    },
  ])
  return defined(id)
}

export interface CommandOutcome {
  readonly state: TaskState
  readonly reason?: string | undefined
  readonly output?: string | undefined
  readonly data?: unknown
}

/** RMT-3: whether this caller sent a command, for this purpose. */
export const isOwnCommand = async (db: Db, scope: Scope, taskId: Id, purpose: string): Promise<boolean> =>
  (await db.one(sql`
    select id
    from remote_task
    where owner_id = ${scope.ownerId}
      and id = ${taskId}
      and run_purpose = ${purpose}
      and operator_id = ${scope.operatorId}
  `)) !== undefined

async function readOutcome(app: App, ownerId: Id, taskId: Id): Promise<CommandOutcome> {
  const row = await app.database.reader(ownerId).one<Omit<CommandOutcome, 'state'> & { code: number }>(sql`
    select t.state as code, t.reason, o.output, o.data
    from remote_task t
    left join remote_task_output o on o.owner_id = ${ownerId} and o.task_id = t.id
    where t.owner_id = ${ownerId} and t.id = ${taskId}
  `)
  if (!row) throw notFound()
  const { code, ...rest } = row
  return { ...rest, state: defined(keyOf(taskState, code)) }
}

/** A command of whose end this process has heard nothing in so long may have ended before anyone listened. */
const readAfterMs = 250

/**
 * How a command ended, or that it is still under way after so long. Asked after the transaction that sent it,
 * never inside it: it would wait for itself.
 */
export async function waitForCommand(
  app: App,
  ownerId: Id,
  taskId: Id,
  timeoutMs: number,
): Promise<CommandOutcome> {
  const hub = hubOf(app)
  if (hub.hasEnded(ownerId, taskId)) return readOutcome(app, ownerId, taskId)
  const waiting = hub.waitForEnd(ownerId, taskId, timeoutMs)
  const { promise: early, resolve } = Promise.withResolvers<CommandOutcome>()
  const timer = setTimeout(() => {
    readOutcome(app, ownerId, taskId).then(
      outcome => (isTaskOpen(outcome.state) ? undefined : resolve(outcome)),
      (err: unknown) => app.log.warn({ err, task: taskId }, 'end of a command not read'),
    )
  }, readAfterMs)
  try {
    return (await Promise.race([waiting.ended, early])) ?? (await readOutcome(app, ownerId, taskId))
  } finally {
    clearTimeout(timer)
    waiting.cancel()
  }
}
