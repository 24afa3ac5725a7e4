import { createHash } from 'node:crypto'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import type { Envelope } from '#kit/contract/wire.ts'
import { isObject, type RawObject } from '#kit/contract/wire/members.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import type { LiveCall, LiveLoader } from '#kit/server/live-calls.ts'
import { remoteCommand, taskState } from '../contract/choices.ts'
import { sendRemoteTask } from '../contract/remote-task.ts'
import { readPushPayload } from '../domain/push.ts'
import { commandOf, taskResultMessage } from '../domain/remote-message.ts'
import { findOutput } from './remote-task.ts'
import { taskResultKind } from './task-end.ts'

const gatewayType = 'gateway'

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** Whom the message means: the computer of a gateway (`devtype` gateway), or a device; by id or number. */
function targetOf(message: RawObject): RawObject {
  const id = parseId(message.devid)
  const no = textOf(message.devno)
  if (textOf(message.devtype) === gatewayType) return id ? { GatewayIds: [id] } : { GateNos: [no] }
  return id ? { DeviceIds: [id] } : { DevNos: [no] }
}

/** A payload of PUSHFILE in the members of the call; anything else goes as it is. */
function dataOf(message: RawObject): RawObject {
  const text = typeof message.cmddata === 'string' ? message.cmddata : JSON.stringify(message.cmddata ?? '')
  if (commandOf(message.cmdtype) !== 'pushFile') return { CmdData: text === '""' ? '' : text }
  const decoded = Buffer.from(text, 'base64').toString('utf8')
  const payload = readPushPayload(decoded)
  // A way of pushing that is none is refused by its name.
  if (!payload) return { Action: decoded.split('|', 1)[0] }
  const { action, link, name, directory } = payload
  return { Action: action, Link: link, FileName: name, Directory: directory }
}

/**
 * What tells a message from another one: sent again as it was, for want of an answer, it is the same task. A
 * number that comes with another command is another task, made unique like every number (RMT-1).
 */
const markOf = (message: RawObject, session: string): string =>
  createHash('sha256')
    .update(JSON.stringify([session, message]))
    .digest('base64url')

interface ResultRow {
  readonly taskNo: string
  readonly clientNo?: string
  readonly deviceId: Id
  readonly gatewayId: Id
  readonly devNo?: string
  readonly devType?: string
  readonly hostNo?: string
  readonly identity?: string
  readonly cmdType: number
  readonly state: number
  readonly reason?: string
}

/** The whole result, read by the process that holds the sender's browser. */
export const taskResultLoader: LiveLoader = {
  kind: taskResultKind,
  load: async ({ database }, ownerId, data) => {
    const id = 'id' in data ? parseId(data.id) : 0
    const db = database.reader(ownerId)
    const row = await db.one<ResultRow>(sql`
      select t.task_no, t.client_no, t.device_id, t.gateway_id, t.dev_no, m.dev_type, d.host_no, d.identity,
        t.cmd_type, t.state, t.reason
      from remote_task t
      left join device d on d.owner_id = ${ownerId} and d.id = t.device_id
      left join device_model m on m.owner_id = ${ownerId} and m.id = d.model_id
      where t.owner_id = ${ownerId} and t.id = ${id}
    `)
    if (!row) return undefined
    const found = await findOutput(db, ownerId, id)
    const ended = {
      ...row,
      deviceId: row.deviceId || row.gatewayId,
      devType: row.deviceId ? row.devType : gatewayType,
      command: defined(keyOf(remoteCommand, row.cmdType)),
      state: defined(keyOf(taskState, row.state)),
      output: found?.output,
      data: found?.data,
    }
    return taskResultMessage(id, ended, text => Buffer.from(text, 'utf8').toString('base64'))
  },
}

/** Of an answer's tasks, those whose end nobody hears of otherwise: not sent at all, or ended before. */
async function findEndedTasks(app: App, ownerId: Id, { Data }: Envelope, since: number): Promise<Id[]> {
  const ids = Array.isArray(Data) ? Data.map(row => (isObject(row) ? parseId(row.ID) : 0)) : []
  const rows = await app.database.reader(ownerId).rows<{ id: Id }>(sql`
    select id
    from remote_task
    where owner_id = ${ownerId}
      and id = any(${ids}::bigint[])
      and (end_time = send_time or end_time < ${new Date(since)})
    order by id
  `)
  return rows.map(row => row.id)
}

/** The remote command of the specification (0§7), as `RemoteTask/Send` takes it. */
export const remoteCommandMessage: LiveCall = {
  call: sendRemoteTask,
  matches: message => message.cmdtype !== undefined,
  toRequest: (message, session) => {
    const command = commandOf(message.cmdtype)
    const taskNo = textOf(message.taskNo).slice(0, 40)
    return {
      uuid: textOf(message.uuid) || (taskNo && markOf(message, session)),
      Data: {
        ...targetOf(message),
        ...dataOf(message),
        CmdType: command === undefined ? textOf(message.cmdtype) : codeOf(remoteCommand, command),
        Confirm: message.confirm === true || message.confirm === 1 ? 1 : 0,
        TaskNo: taskNo,
      },
    }
  },
  answerKind: 'TASK',
  echo: ['taskNo', 'cmdtype', 'devid'],
  followUps: async (app, ownerId, answer, since) => {
    const ids = await findEndedTasks(app, ownerId, answer, since)
    const results = await Promise.all(ids.map(id => taskResultLoader.load(app, ownerId, { id })))
    return results.flatMap(data => (data ? [{ kind: taskResultKind, data }] : []))
  },
}
