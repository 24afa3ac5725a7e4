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

/** One process of the product on a database, to be killed. */
export async function openKillableServer(url: string, dataDir: string): Promise<KillableServer> {
  const child: ChildProcess = fork(
    fileURLToPath(new URL('./killable-server-process.ts', import.meta.url)),
    [url, dataDir],
    {
      execArgv: [],
      env: { ...process.env, NODE_COMPILE_CACHE: `${dataDir}/compiled` },
    },
  )
  const messages: ServerMessage[] = []
  const listeners = new Set<() => void>()
  const exited = once(child, 'exit')
  child.on('message', (s: ServerMessage) => {
    messages.push(s)
    for (const h of listeners) {
      h()
    }
  })
  void exited.then(() => {
    for (const h of listeners) {
      h()
    }
  })
  const waitFor = async <T>(find: () => T | undefined): Promise<T | undefined> => {
    for (;;) {
      const found = find()
      if (found !== undefined || child.exitCode !== null || child.signalCode !== null) return found
      await new Promise<void>(done => {
        const h = (): void => {
          listeners.delete(h)
          done()
        }
        listeners.add(h)
      })
    }
  }
  const address = await waitFor(() => messages.flatMap(s => ('listens' in s ? s.listens : []))[0])
  if (!address) throw new Error('the server did not start')
  return {
    address,
    send: async (call, input, { token = '', ...sender }, fault) => {
      const r = encodeRequest(call, input, sender)
      const headers = {
        token,
        'content-type': r.method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
        ...(fault ? { 'x-fault': fault } : {}),
      }
      try {
        const got = await fetch(
          `${address}${r.path.startsWith('/') ? '' : '/api/'}${r.path}${r.query ? `?${r.query}` : ''}`,
          { method: r.method, headers, ...(r.body === undefined ? {} : { body: r.body }) },
        )
        const text = await got.text()
        return { status: got.status, text, decode: () => decodeResponse(call, envelopeOf(JSON.parse(text))) }
      } catch (e) {
        if (child.exitCode !== null || child.signalCode !== null || child.killed) return undefined
        throw e
      }
    },
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
    waitUntilHeld: async (names, others) => {
      // A process that was done already answers at once; the rest must stand still.
      const answered = new Set<string>()
      for (const [i, o] of others.entries()) {
        void o.then(a => {
          if (a) {
            answered.add(defined(names[i]))
            for (const h of listeners) {
              h()
            }
          }
        })
      }
      await waitFor(() =>
        names.every(n => answered.has(n) || messages.some(s => 'held' in s && s.held === n))
          ? true
          : undefined,
      )
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
