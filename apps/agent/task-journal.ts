import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { asId, type Id } from '#kit/domain/id.ts'
import {
  commandOutcomeOf,
  maxPartBytes,
  type CommandResult,
  type WholeOutput,
} from '#modules/devices/contract/agent-protocol.ts'
import { readTimeStamp, type TimeStamp } from './elapsed-time.ts'
import { isObject, parseJson, textOf } from './json.ts'
import { inTransaction } from './journal.ts'
import type { CommandMessage } from './server-message.ts'

/** finished: its result waits for the server; stored: only the id is remembered. */
export type TaskState = 'received' | 'running' | 'finished' | 'stored'

export interface StoredTask {
  readonly command: CommandMessage
  readonly state: TaskState
  readonly receivedAt: number
  /** When its time began; an earlier version has not written it. */
  readonly begun: TimeStamp | undefined
  /** What the machine's start was called when the command began. */
  readonly bootId: string
}

/** A result that waits for the server; its whole output, where it has one, by parts beside it. */
export interface KeptResult extends Omit<CommandResult, 'whole'> {
  readonly whole?: Omit<WholeOutput, 'attempt'>
}

/** Ids of stored results that are remembered, so that no repetition runs anything. */
const rememberedTasks = 10_000

const isState = (text: string): text is TaskState => /^(received|running|finished|stored)$/.test(text)

/** Every task id and its result on the disk: a command that comes again is answered, not run. */
export class TaskJournal {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  stateOf(taskId: Id): TaskState | undefined {
    const row = this.#db.prepare('select state from task where task_id = ?').get(taskId)
    const state = String(row?.state ?? '')
    return isState(state) ? state : undefined
  }

  insert(command: CommandMessage, bootId: string, state: 'received' | 'running', begun?: TimeStamp): void {
    this.#db
      .prepare('insert into task (task_id, state, received_at, body) values (?, ?, ?, ?)')
      .run(command.taskId, state, Date.now(), JSON.stringify({ ...command, bootId, begun }))
  }

  insertCancelled(taskId: Id, bootId: string): void {
    const nothing = { kind: 'command', taskId, command: '', deviceId: 0, input: {}, timeoutMs: 0 } as const
    this.insert(nothing, bootId, 'received')
  }

  start(taskId: Id): void {
    this.#db.prepare(`update task set state = 'running' where task_id = ?`).run(taskId)
  }

  /** Keeps the first result of a task, with the whole of an output that it shows in part. */
  finish(result: CommandResult, wholeOutput?: Buffer): void {
    const parts = partsOf(wholeOutput)
    const whole = wholeOutput && { parts: parts.length, sha256: sha256Of(wholeOutput) }
    inTransaction(this.#db, () => {
      const { changes } = this.#db
        .prepare(
          `update task set state = 'finished', result = ? where task_id = ? and state in ('received', 'running')`,
        )
        .run(JSON.stringify({ ...result, whole }), result.taskId)
      if (changes === 0) return
      const insert = this.#db.prepare('insert into task_output (task_id, part, bytes) values (?, ?, ?)')
      for (const [part, bytes] of parts.entries()) {
        insert.run(result.taskId, part, bytes)
      }
    })
  }

  outputPart(taskId: Id, part: number): Buffer {
    const row = this.#db
      .prepare('select bytes from task_output where task_id = ? and part = ?')
      .get(taskId, part)
    return Buffer.from(row?.bytes instanceof Uint8Array ? row.bytes : [])
  }

  /** The server has stored these results: only the ids are kept. */
  release(taskIds: readonly Id[]): void {
    inTransaction(this.#db, () => {
      const release = this.#db.prepare(
        `update task set state = 'stored', result = null, body = '' where task_id = ? and state = 'finished'`,
      )
      for (const taskId of taskIds) {
        release.run(taskId)
      }
      // Also what an earlier version, which ran in between, has left.
      this.#db.exec(
        `delete from task_output where task_id not in (select task_id from task where state = 'finished')`,
      )
      this.#db
        .prepare(
          `delete from task where state = 'stored' and task_id <=
             (select task_id from task where state = 'stored' order by task_id desc limit 1 offset ?)`,
        )
        .run(rememberedTasks)
    })
  }

  unfinished(): StoredTask[] {
    return this.#db
      .prepare(
        `select state, received_at, body from task where state in ('received', 'running') order by task_id`,
      )
      .all()
      .map(row =>
        readTask(String(row.body), row.state === 'running' ? 'running' : 'received', Number(row.received_at)),
      )
  }

  unreportedIds(): Id[] {
    return this.#db
      .prepare(`select task_id from task where state = 'finished' order by task_id`)
      .all()
      .map(row => asId(Number(row.task_id)))
  }

  resultOf(taskId: Id): KeptResult | undefined {
    const row = this.#db.prepare('select result from task where task_id = ?').get(taskId)
    if (typeof row?.result !== 'string') return undefined
    const stored = parseJson(row.result)
    if (!isObject(stored)) return undefined
    return {
      taskId,
      outcome: commandOutcomeOf(stored.outcome),
      ...(stored.isRefused === true && { isRefused: true }),
      ...(stored.data !== undefined && { data: stored.data }),
      ...(typeof stored.output === 'string' && { output: stored.output }),
      ...(typeof stored.reason === 'string' && { reason: stored.reason }),
      ...(isObject(stored.whole) && {
        whole: { parts: Number(stored.whole.parts), sha256: String(stored.whole.sha256) },
      }),
    }
  }
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function partsOf(whole: Buffer | undefined): Buffer[] {
  const count = Math.ceil((whole?.length ?? 0) / maxPartBytes)
  return Array.from({ length: count }, (_, part) =>
    Buffer.from(whole?.subarray(part * maxPartBytes, (part + 1) * maxPartBytes) ?? []),
  )
}

function readTask(body: string, state: TaskState, receivedAt: number): StoredTask {
  const stored = parseJson(body)
  if (!isObject(stored) || !isObject(stored.input)) throw new Error('a task on the disk cannot be read')
  return {
    state,
    receivedAt,
    begun: readTimeStamp(stored.begun),
    bootId: textOf(stored.bootId, 'bootId'),
    command: {
      kind: 'command',
      taskId: asId(Number(stored.taskId)),
      command: textOf(stored.command, 'command'),
      deviceId: asId(Number(stored.deviceId)),
      input: stored.input,
      timeoutMs: Number(stored.timeoutMs),
    },
  }
}
