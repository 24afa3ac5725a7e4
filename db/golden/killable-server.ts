import { envelopeOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Call } from '#kit/contract/call.ts'
import { encodeRequest, decodeResponse } from '#kit/contract/wire.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { DeductionRequest, ServerMessage } from './killable-server-process.ts'

export interface ServerAnswer<O> {
  readonly status: number
  readonly text: string
  readonly decode: () => O
}

export interface KillableServer {
  readonly address: string
  /** Over the socket, as a browser would; nothing when the server died before it answered. */
  send<I, O>(
    call: Call<I, O>,
    input: I,
    as: CallOptions,
    fault?: string,
  ): Promise<ServerAnswer<O> | undefined>
  runDeduction(n: DeductionRequest): Promise<(ServerMessage & { done: string }) | undefined>
  /** How many fault points the action passed that ran under `count NAME 0`. */
  countMoments(name: string): Promise<number>
  /** Waits until all these actions are held at their fault points. */
  waitUntilHeld(names: readonly string[], others: readonly Promise<unknown>[]): Promise<void>
  kill(): Promise<void>
}

/** The messages of a child process, and who waits for the next of them. */
function watchProcess(child: ChildProcess) {
  const messages: ServerMessage[] = []
  const listeners = new Set<() => void>()
  const exited = once(child, 'exit')
  const wake = (): void => {
    for (const listener of listeners) {
      listener()
    }
  }
  child.on('message', (message: ServerMessage) => {
    messages.push(message)
    wake()
  })
  void exited.then(wake)
  /** Asks again after every message; nothing when the process ended before. */
  const waitFor = async <T>(find: () => T | undefined): Promise<T | undefined> => {
    for (;;) {
      const found = find()
      if (found !== undefined || child.exitCode !== null || child.signalCode !== null) return found
      await new Promise<void>(done => {
        const listener = (): void => {
          listeners.delete(listener)
          done()
        }
        listeners.add(listener)
      })
    }
  }
  return { messages, exited, wake, waitFor }
}

/** Over the socket, as a browser would; nothing when the server died before it answered. */
const createSender =
  (child: ChildProcess, address: string): KillableServer['send'] =>
  async (call, input, { token = '', ...sender }, fault) => {
    const { method, path, query, body } = encodeRequest(call, input, sender)
    const headers = {
      token,
      'content-type': method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(fault ? { 'x-fault': fault } : {}),
    }
    try {
      const response = await fetch(
        `${address}${path.startsWith('/') ? '' : '/api/'}${path}${query ? `?${query}` : ''}`,
        { method, headers, ...(body === undefined ? {} : { body }) },
      )
      const text = await response.text()
      return {
        status: response.status,
        text,
        decode: () => decodeResponse(call, envelopeOf(JSON.parse(text))),
      }
    } catch (error) {
      if (child.exitCode !== null || child.signalCode !== null || child.killed) return undefined
      throw error
    }
  }

async function waitUntilHeld(
  { messages, wake, waitFor }: ReturnType<typeof watchProcess>,
  names: readonly string[],
  others: readonly Promise<unknown>[],
): Promise<void> {
  // A process that was done already answers at once; the rest must stand still.
  const answered = new Set<string>()
  for (const [i, other] of others.entries()) {
    void other.then(response => {
      if (response) {
        answered.add(defined(names[i]))
        wake()
      }
    })
  }
  const isHeld = (name: string): boolean => messages.some(s => 'pausedAction' in s && s.pausedAction === name)
  await waitFor(() => (names.every(name => answered.has(name) || isHeld(name)) ? true : undefined))
}

/** As many requests at once as a few connections bear. */
const sendersAtOnce = 4

/**
 * Sends all of these, a few at a time: each connection that a server opens reads the catalogue and plans
 * every statement for itself, which costs more than the request.
 */
export async function sendInTurn<T>(sends: readonly (() => Promise<T>)[]): Promise<T[]> {
  const answers: T[] = []
  const waiting = [...sends.entries()]
  const sendNext = async (): Promise<void> => {
    const next = waiting.shift()
    if (!next) return
    answers[next[0]] = await next[1]()
    await sendNext()
  }
  await Promise.all(Array.from({ length: sendersAtOnce }, sendNext))
  return answers
}

/** When the clock of the first process of a data folder begins, unless a test says otherwise. */
const goldenMorning = '2026-11-21T10:00:00+08:00'

/**
 * One process of the product on a database, to be killed. Where other processes work on the same database,
 * give their time as `startsAt` (ISO): what one of them writes is late or early by the clock of another.
 */
export async function openKillableServer(
  url: string,
  dataDir: string,
  { startsAt = goldenMorning }: { readonly startsAt?: string } = {},
): Promise<KillableServer> {
  const child: ChildProcess = fork(
    fileURLToPath(new URL('./killable-server-process.ts', import.meta.url)),
    [url, dataDir, startsAt],
    {
      execArgv: ['--import', import.meta.resolve('#kit/server/source-resolution.ts')],
      env: { NODE_COMPILE_CACHE: `${dataDir}/compiled`, ...process.env },
    },
  )
  const watched = watchProcess(child)
  const { messages, exited, waitFor } = watched
  const address = await waitFor(() => messages.flatMap(s => ('listens' in s ? s.listens : []))[0])
  if (!address) throw new Error('the server did not start')
  return {
    address,
    send: createSender(child, address),
    runDeduction: async n => {
      child.send(n)
      return waitFor(() =>
        messages.find(
          (s): s is ServerMessage & { done: string } => 'done' in s && s.done === n.fault.split(' ')[1],
        ),
      )
    },
    countMoments: async name =>
      defined(
        await waitFor(
          () => messages.flatMap(s => ('counted' in s && s.counted === name ? s.moments : []))[0],
        ),
      ),
    waitUntilHeld: (names, others) => waitUntilHeld(watched, names, others),
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
