import { createHash, randomUUID, type Hash } from 'node:crypto'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { assertDiskSpace } from '#kit/server/disk-space.ts'
import { uploadFolder } from '#kit/server/upload.ts'
import { taskState } from '../contract/choices.ts'
import { maxWholeOutputBytes, type AgentMessage, type WholeOutput } from '../contract/agent-protocol.ts'
import { sendToAgent, type AgentConnection, type StoredOutput } from './device-hub.ts'
import { hasKey } from './gateway-key.ts'
import { isRetryable } from './message-failure.ts'
import { openTask } from './task-row.ts'

type OutputPart = Extract<AgentMessage, { kind: 'outputPart' }>

/** The output that comes over a connection: one at a time, until its result. */
interface GatheredOutput {
  readonly taskId: Id
  readonly attempt: string
  readonly path: string
  readonly hash: Hash
  size: number
  /** How many have come, in order. */
  parts: number
  /** There was more than is kept. */
  isCut: boolean
}

/**
 * Nothing of it outlasts the connection: the agent keeps all parts until the result is stored, and sends them
 * from the beginning over the next one.
 */
const gatheredOutputs = new WeakMap<AgentConnection, GatheredOutput>()

export async function discardOutput(connection: AgentConnection): Promise<void> {
  const gathered = gatheredOutputs.get(connection)
  gatheredOutputs.delete(connection)
  if (gathered) {
    await rm(gathered.path, { force: true })
  }
}

async function beginOutput(
  { dataDir }: App,
  connection: AgentConnection,
  { taskId, attempt }: OutputPart,
): Promise<GatheredOutput> {
  await discardOutput(connection)
  const folder = uploadFolder(dataDir)
  await mkdir(folder, { recursive: true })
  await assertDiskSpace(folder, maxWholeOutputBytes)
  const hash = createHash('sha256')
  const path = join(folder, randomUUID())
  const started = { taskId, attempt, path, hash, size: 0, parts: 0, isCut: false }
  gatheredOutputs.set(connection, started)
  return started
}

/** A long output takes its time on a slow line; it is not timed out while it comes. */
const partWaitMs = 60_000

/** Whether the gateway's agent was asked for it, if long ago, and has its key. */
async function isAskedFor(app: App, connection: AgentConnection, taskId: Id): Promise<boolean> {
  const { ownerId, gatewayId } = connection
  const deadline = new Date(app.clock() + partWaitMs)
  const updated = await app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update remote_task t
      set deadline = greatest(t.deadline, ${deadline})
      where t.owner_id = ${ownerId}
        and t.id = ${taskId}
        and t.gateway_id = ${gatewayId}
        and (${openTask} or t.state = ${code(taskState, 'timedOut')})
        and ${hasKey(connection)}
    `),
  )
  return updated > 0
}

/** Takes it where it is the next one of its attempt, as far as it fits; false where no more is taken. */
async function takePart(app: App, connection: AgentConnection, message: OutputPart): Promise<boolean> {
  const { taskId, attempt, part } = message
  if (!(await isAskedFor(app, connection, taskId))) return false
  const gathered = part === 0 ? await beginOutput(app, connection, message) : gatheredOutputs.get(connection)
  const isNext = gathered?.taskId === taskId && gathered.attempt === attempt && gathered.parts === part
  if (!isNext || gathered.isCut) return false
  const bytes = Buffer.from(message.bytes, 'base64')
  const taken = bytes.subarray(0, maxWholeOutputBytes - gathered.size)
  await appendFile(gathered.path, taken, { mode: 0o600 })
  gathered.hash.update(taken)
  gathered.size += taken.length
  gathered.parts++
  gathered.isCut = taken.length < bytes.length
  return !gathered.isCut
}

/** Always answers, so that the result follows: without its whole output, where that is refused. */
export async function storeOutputPart(
  app: App,
  connection: AgentConnection,
  message: OutputPart,
): Promise<void> {
  const { taskId, attempt, part } = message
  const isTaken = await takePart(app, connection, message).catch((err: unknown) => {
    if (isRetryable(err)) throw err
    app.log.error({ err, gateway: connection.gatewayId, task: taskId }, 'output of a command not stored')
    return false
  })
  const answer = { kind: 'outputPartAck', taskId, attempt, part } as const
  sendToAgent(connection, isTaken ? answer : { ...answer, isRefused: true })
}

interface WholeResult {
  readonly taskId: Id
  readonly whole?: WholeOutput
}

/** What has come of the result's whole output; `missing` where that is not what the agent has sent. */
export function findWholeOutput(
  connection: AgentConnection,
  { taskId, whole }: WholeResult,
): GatheredOutput | 'missing' | undefined {
  if (!whole) return undefined
  const gathered = gatheredOutputs.get(connection)
  if (gathered?.taskId !== taskId || gathered.attempt !== whole.attempt) return 'missing'
  const isComplete = gathered.parts === whole.parts && gathered.hash.copy().digest('hex') === whole.sha256
  return isComplete || gathered.isCut ? gathered : 'missing'
}

interface SavedOutput {
  readonly whole?: StoredOutput
  /** What the sender has to know of it. */
  readonly note?: string
}

const notSaved = { note: '（完整输出未能保存）' }

/** Puts it among the company's files; the result is kept also where that cannot be done. */
export async function saveWholeOutput(
  app: App,
  tx: Tx,
  ownerId: Id,
  gathered: GatheredOutput | 'missing' | undefined,
): Promise<SavedOutput> {
  if (!gathered) return {}
  if (gathered === 'missing') return notSaved
  const { path, size, taskId } = gathered
  const file = { name: `${taskId}.txt`, type: 'text/plain', path }
  try {
    const fileKey = await app.files.save(ownerId, 0, file, undefined, tx)
    return {
      whole: { fileKey, size, sha256: gathered.hash.copy().digest('hex') },
      ...(gathered.isCut ? { note: `（完整输出超过上限，第 ${size} 字节之后未保存）` } : {}),
    }
  } catch (err) {
    if (isRetryable(err)) throw err
    app.log.error({ err, task: taskId }, 'output of a command not saved')
    return notSaved
  }
}
