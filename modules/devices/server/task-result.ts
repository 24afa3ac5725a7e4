import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { maxOutputBytes, type AgentMessage } from '../contract/agent-protocol.ts'
import { taskState } from '../contract/choices.ts'
import { hubOf, sendToAgent, type AgentConnection, type DeviceHub, type TaskEnding } from './device-hub.ts'
import { hasKey } from './gateway-key.ts'
import { KeyRevoked } from './key-revoked.ts'
import { isRetryable } from './message-failure.ts'
import { discardOutput, findWholeOutput, saveWholeOutput } from './output-parts.ts'
import { endLate, endTask } from './task-end.ts'

type Result = Extract<AgentMessage, { kind: 'result' }>
type Progress = Extract<AgentMessage, { kind: 'progress' }>

/**
 * RMT-1: the site has the task on its disk. Written a moment later, for many at once, and not at all where
 * the result has come by then.
 */
export function noteReceived(hub: DeviceHub, connection: AgentConnection, taskId: Id): void {
  if (connection.sentTasks.has(taskId)) {
    hub.receivedTasks.set(taskId, connection)
  }
}

export async function flushReceived(hub: DeviceHub): Promise<void> {
  const { app } = hub
  const taken = [...hub.receivedTasks]
  hub.receivedTasks.clear()
  const now = new Date(app.clock())
  for (const [ownerId, tasks] of Map.groupBy(taken, ([, connection]) => connection.ownerId)) {
    await app.database.tx(ownerId, tx =>
      tx.execute(sql`
        update remote_task t
        set state = ${code(taskState, 'received')}, receive_time = ${now}, update_time = ${now}
        from unnest(
          ${sqlArray(
            'bigint',
            tasks.map(([id]) => id),
          )},
          ${sqlArray(
            'bigint',
            tasks.map(([, { gatewayId }]) => gatewayId),
          )}
        ) as r(id, gateway_id)
        where t.owner_id = ${ownerId}
          and t.id = r.id
          and t.gateway_id = r.gateway_id
          and t.state = ${code(taskState, 'sent')}
      `),
    )
  }
}

const progressEveryMs = 1000
const lastProgress = new WeakMap<AgentConnection, Map<Id, number>>()

/** Written once a second at most; the sender sees it. */
export async function storeProgress(app: App, connection: AgentConnection, message: Progress): Promise<void> {
  const { ownerId, gatewayId } = connection
  const { taskId, done, total } = message
  const times = lastProgress.get(connection) ?? new Map<Id, number>()
  lastProgress.set(connection, times)
  const now = app.clock()
  if (now - (times.get(taskId) ?? 0) < progressEveryMs || !connection.sentTasks.has(taskId)) return
  times.set(taskId, now)
  await app.database.tx(ownerId, async tx => {
    const row = await tx.one<{ operatorId: Id; taskNo: string; clientNo?: string }>(sql`
      update remote_task t
      set progress_done = ${done}, progress_total = ${total}
      where t.owner_id = ${ownerId}
        and t.id = ${taskId}
        and t.gateway_id = ${gatewayId}
        and t.state in (${code(taskState, 'sent')}, ${code(taskState, 'received')})
        and ${hasKey(connection)}
      returning t.operator_id, t.task_no, t.client_no
    `)
    if (row && row.operatorId > 0) {
      const taskNo = row.clientNo ?? row.taskNo
      app.live.publishOnCommit(tx, ownerId, [row.operatorId], 'TASK_PROGRESS', {
        id: taskId,
        taskNo,
        done,
        total,
      })
    }
  })
}

/** The gateway's own tasks, as long as its agent has its key. */
const answeredBy = (connection: AgentConnection) => ({
  where: sql`t.gateway_id = ${connection.gatewayId} and ${hasKey(connection)}`,
  isAnswered: true,
})

/** The agent's note of what it has left out comes on top. */
const maxStoredBytes = maxOutputBytes + 1000

/** Its middle is cut by bytes, never inside a character: the end often says how it went (RMT-2). */
export function cutOutput(output: string): string {
  if (Buffer.byteLength(output) <= maxStoredBytes) return output
  const bytes = Buffer.from(output)
  const decode = (part: Buffer): string => new TextDecoder().decode(part)
  const begin = decode(bytes.subarray(0, maxOutputBytes / 2)).replace(/\ufffd+$/, '')
  const end = decode(bytes.subarray(-maxOutputBytes / 2)).replace(/^\ufffd+/, '')
  return `${begin}\n……输出过长，省略中间部分……\n${end}`
}

/** What there is to say about its whole is below an output. */
const withNote = (output: string | undefined, note: string | undefined): string | undefined =>
  output === undefined ? undefined : [cutOutput(output), note].filter(Boolean).join('\n')

const reasonOf = ({ outcome, reason }: Result): string | undefined =>
  reason ?? (outcome === 'failed' ? '执行失败' : undefined)

/** A result that came too late: the task stays timed out, and says what became of it. */
const noteLateResult = (outcome: Result['outcome'], reason: string | undefined): string =>
  `超时后返回：${outcome === 'done' ? '执行成功' : (reason ?? '执行失败')}`.slice(0, 500)

/** On site, too, its time was over before it began: that says more than that nothing was heard of it. */
const isExpired = ({ outcome, isRefused }: Result): boolean => outcome === 'timedOut' && isRefused === true

/** Both ends gave up at the same time: the second to say so adds nothing. */
const hasTimedOut = async (tx: Tx, { ownerId, gatewayId }: AgentConnection, taskId: Id): Promise<boolean> =>
  (await tx.one(sql`
    select 1 as found
    from remote_task
    where owner_id = ${ownerId}
      and id = ${taskId}
      and gateway_id = ${gatewayId}
      and state = ${code(taskState, 'timedOut')}
  `)) !== undefined

/** With its output, the first time that it comes; false where the task is not one that has timed out. */
async function keepLateResult(
  app: App,
  tx: Tx,
  connection: AgentConnection,
  result: Result,
  ending: TaskEnding,
): Promise<boolean> {
  const { ownerId, gatewayId } = connection
  const { taskId, outcome, isRefused, output } = result
  const isEmptyTimeout = outcome === 'timedOut' && !isRefused && !output
  if (isEmptyTimeout && (await hasTimedOut(tx, connection, taskId))) return false
  const key = await tx.one(sql`select 1 as found where ${hasKey(connection)}`)
  if (!key) throw new KeyRevoked()
  const reason = isExpired(result) ? (reasonOf(result) ?? '') : noteLateResult(outcome, result.reason)
  if (
    await endLate(tx, app, ownerId, taskId, { ...ending, state: 'timedOut', reason }, answeredBy(connection))
  )
    return true
  app.log.warn({ gateway: gatewayId, task: taskId }, 'a result that no open task of the gateway asked for')
  return false
}

async function writeResult(app: App, connection: AgentConnection, result: Result): Promise<void> {
  const { ownerId } = connection
  const { taskId, outcome, isRefused, data } = result
  const gathered = findWholeOutput(connection, result)
  await app.database.tx(ownerId, async tx => {
    const { whole, note: wholeNote } = await saveWholeOutput(app, tx, ownerId, gathered)
    const output = withNote(result.output, wholeNote)
    const ending = { state: outcome, isRefused, reason: reasonOf(result), output, data, whole }
    if (await endTask(tx, app, ownerId, taskId, ending, answeredBy(connection))) return
    const isKept = await keepLateResult(app, tx, connection, result, ending)
    if (!isKept && whole) {
      await app.files.discard(tx, ownerId, [whole.fileKey])
    }
  })
}

const unstorable = '结果无法保存'

/**
 * The task has failed for its sender, whatever its result was; what its module does about it may be left out.
 */
async function refuseResult(app: App, connection: AgentConnection, taskId: Id): Promise<void> {
  const { ownerId } = connection
  const refuse = (notifiesModule: boolean): Promise<boolean> =>
    app.database.tx(ownerId, tx =>
      endTask(
        tx,
        app,
        ownerId,
        taskId,
        { state: 'failed', reason: unstorable },
        { ...answeredBy(connection), notifiesModule },
      ),
    )
  try {
    await refuse(true)
  } catch (err) {
    if (isRetryable(err)) throw err
    app.log.error({ err, gateway: connection.gatewayId, task: taskId }, 'end of a command not handled')
    await refuse(false)
  }
}

/**
 * Stores a result once and lets the agent forget it: one that comes again, one that nobody asked for and one
 * of another gateway's task change nothing.
 */
export async function storeResult(app: App, connection: AgentConnection, result: Result): Promise<void> {
  const { taskId } = result
  hubOf(app).receivedTasks.delete(taskId)
  try {
    await writeResult(app, connection, result)
  } catch (err) {
    if (isRetryable(err)) throw err
    app.log.error({ err, gateway: connection.gatewayId, task: taskId }, 'result of a command refused')
    await refuseResult(app, connection, taskId)
  }
  if (result.whole) {
    await discardOutput(connection)
  }
  connection.sentTasks.delete(taskId)
  sendToAgent(connection, { kind: 'resultAck', taskId })
}
