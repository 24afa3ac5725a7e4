import qs from 'qs'
import type { Call } from '#kit/contract/call.ts'
import { encodeRequest, open, type Envelope, type Sender } from '#kit/contract/wire.ts'
import type { Blob } from '#kit/contract/shape.ts'
import { openStore } from '../db.ts'
import { SignInFirst, answer, bind, type Installed } from '../handle.ts'
import { knowEntities } from '../registry.ts'
import { openSessions, type CallerOf } from '../session.ts'
import type { Store } from '../db.ts'
import type { Upload, World } from '../world.ts'

/** What was said over the live connection. */
export interface Told {
  readonly owner: number
  readonly to: readonly number[] | 'all'
  readonly kind: string
  readonly data?: object | undefined
}

export interface As extends Sender {
  readonly token?: string
  readonly ip?: string
  readonly agent?: string
  readonly upload?: Upload
}

export interface TestWorld {
  readonly world: World
  readonly store: Store
  readonly told: Told[]
  /** Turns the clock on by so many milliseconds. */
  turn(ms: number): void
  /**
   * One call, over the whole wire but the socket: what the client would send is encoded, decoded, answered,
   * and read back.
   */
  ask<I, O>(call: Call<I, O>, input: I, as?: As): Promise<O>
  /** The answer as it travels. */
  say(call: Call, input: unknown, as?: As): Promise<Envelope | Blob>
  close(): Promise<void>
}

/**
 * A server without a socket on a test database, with a clock that tests turn. It begins at 2026-11-21 09:00
 * in Shanghai.
 */
export async function openTestWorld(
  url: string,
  installed: readonly Pick<Installed, 'contract' | 'server'>[],
  callerOf: (store: Store) => CallerOf,
  more: Partial<World> = {},
): Promise<TestWorld> {
  const store = openStore(url, { pool: 8, bulk: 1 })
  let now = Date.parse('2026-11-21T09:00:00+08:00')
  const clock = (): number => now
  const told: Told[] = []
  knowEntities(installed.flatMap(m => m.contract.entities))
  const sessions = await openSessions(store, clock, callerOf(store))
  const handlers = bind(installed)
  const none = (what: string) => (): never => {
    throw new Error(`this test world has no ${what}`)
  }
  const world = {
    store,
    sessions,
    clock,
    dataDir: '/nonexistent',
    log: { info: () => {}, warn: () => {}, error: () => {} },
    live: {
      tell: (owner: number, to: Told['to'], kind: string, data?: object) => {
        told.push({ owner, to, kind, data })
      },
      tellIn: (
        tx: { after(w: () => void): void },
        owner: number,
        to: Told['to'],
        kind: string,
        data?: object,
      ) => {
        tx.after(() => {
          told.push({ owner, to, kind, data })
        })
        return Promise.resolve()
      },
    },
    files: { keep: none('files'), find: none('files') },
    jobs: { start: none('jobs') },
    ...more,
  } as unknown as World
  const say = async (call: Call, input: unknown, as: As = {}): Promise<Envelope | Blob> => {
    const { token = '', ip = '10.0.0.1', agent = 'test', upload, ...sender } = as
    const r = encodeRequest(call, input, sender)
    const h = handlers.get(`${r.method} ${r.path.toLowerCase()}`)
    if (!h) throw new Error(`no such call: ${call.at}`)
    const session = token ? await sessions.find(token, /againgettoken|gettokenexp/i.test(r.path)) : undefined
    const parsed = (text: string): object =>
      qs.parse(text, { depth: 8, arrayLimit: 2000, parameterLimit: 20_000 })
    const raw = {
      ...parsed(r.query),
      ...(r.body === undefined ? {} : r.method === 'PUT' ? (JSON.parse(r.body) as object) : parsed(r.body)),
    } as Record<string, unknown>
    return answer(
      h,
      {
        raw,
        caller: session?.caller,
        token,
        ip,
        agent,
        requestId: 'test',
        signal: () => new AbortController().signal,
        upload,
      },
      world,
    )
  }
  return {
    world,
    store,
    told,
    say,
    turn: ms => {
      now += ms
    },
    close: () => store.close(),
    ask: async (call, input, as) => {
      const e = await say(call, input, as)
      return ('body' in e ? e : open(call, e)) as never
    },
  }
}

export { SignInFirst }
