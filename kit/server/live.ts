import { sql, type Database } from './db.ts'
import type { Sessions } from './session.ts'
import type { Audience, Live, App } from './app.ts'

/** What this file needs of a WebSocket (`ws`). */
export interface LiveSocket {
  readonly bufferedAmount: number
  send(text: string): void
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
  on(event: 'message', heard: (data: { toString(): string }) => void): unknown
  on(event: 'close' | 'pong' | 'error', heard: () => void): unknown
}

export interface LiveServer extends Live {
  /** A browser that has just connected; it says its token first. */
  connect(socket: LiveSocket): void
  count(): number
  close(): Promise<void>
}

interface LiveConnection {
  readonly socket: LiveSocket
  hasSentToken: boolean
  token: string
  owner: number
  operator: number
  readonly topics: Set<string>
  isAlive: boolean
}

interface LivePayload {
  readonly o: number
  readonly t: readonly number[] | 'all' | string[]
  readonly k: string
  readonly d?: object | undefined
}

/** The payload of NOTIFY ends at 7,999 bytes. */
const maxPayloadBytes = 7900
const heartbeatMs = 30_000
const handshakeTimeoutMs = 10_000
const maxConnectionsPerOperator = 30

/**
 * Splits what one NOTIFY cannot carry by its hearers; data that is too long for any is left away: the screen
 * then asks anew.
 */
function splitPayloads(w: LivePayload): string[] {
  const text = JSON.stringify(w)
  if (Buffer.byteLength(text) <= maxPayloadBytes) return [text]
  if (w.t !== 'all' && w.t.length > 1) {
    const half = w.t.length >> 1
    return [...splitPayloads({ ...w, t: w.t.slice(0, half) }), ...splitPayloads({ ...w, t: w.t.slice(half) })]
  }
  return [JSON.stringify({ ...w, d: undefined })]
}

/** `GET /api/live`: every process hears every word (LISTEN/NOTIFY) and passes it to its own browsers. */
export async function openLive(database: Database, sessions: Sessions, log: App['log']): Promise<LiveServer> {
  const lines = new Map<number, Set<LiveConnection>>()
  let waiting: string[] = []
  let sending = false
  const say = (l: LiveConnection, kind: string, data?: object): void => {
    // A browser that does not read is cut off; it comes back and asks for the present state.
    if (l.socket.bufferedAmount > 1_000_000) return l.socket.terminate()
    l.socket.send(JSON.stringify(data === undefined ? { kind } : { kind, data }))
  }
  const all = function* (): Iterable<LiveConnection> {
    for (const s of lines.values()) {
      yield* s
    }
  }
  const drop = (l: LiveConnection): void => {
    const s = lines.get(l.owner)
    s?.delete(l)
    if (s?.size === 0) {
      lines.delete(l.owner)
    }
  }
  const check = async (l: LiveConnection): Promise<void> => {
    const still = await sessions.find(l.token, true).catch(() => 'unknown' as const)
    if (still === undefined) {
      say(l, 'ended')
      l.socket.close(4401, 'session ended')
    }
  }

  await database.listen(
    'live',
    text => {
      const { o, t, k, d } = JSON.parse(text) as LivePayload
      const names: ReadonlySet<number | string> | undefined =
        t === 'all' ? undefined : new Set<number | string>(t)
      for (const l of lines.get(o) ?? []) {
        if (
          !names ||
          names.has(l.operator) ||
          (typeof (t as unknown[])[0] === 'string' && (t as string[]).some(x => l.topics.has(x)))
        ) {
          say(l, k, d)
        }
      }
    },
    () => {
      for (const l of all()) {
        say(l, 'gap')
      }
    },
  )
  await database.listen('session', text => {
    const { owner, operator } = JSON.parse(text) as { owner: number; operator?: number | 'all' }
    for (const l of lines.get(owner) ?? []) {
      if (operator === undefined || operator === 'all' || l.operator === operator) {
        void check(l)
      }
    }
  })

  const flush = async (): Promise<void> => {
    while (waiting.length) {
      const some = waiting.splice(0, 500)
      await database
        .tx('*', tx => tx.execute(sql`select pg_notify('live', p) from unnest(${some}::text[]) as p`))
        .catch(err => log.warn({ err: (err as Error).message, words: some.length }, 'live words lost'))
    }
    sending = false
  }
  const tell = (owner: number, to: Audience, kind: string, data?: object): void => {
    if (Array.isArray(to) && to.length === 0) return
    waiting.push(
      ...splitPayloads({
        o: owner,
        t: to === 'all' ? to : 'topic' in to ? [to.topic] : to,
        k: kind,
        d: data,
      }),
    )
    if (waiting.length > 20_000) {
      waiting = waiting.slice(-10_000)
    }
    // What one tick says goes out together.
    if (!sending) {
      sending = true
      setImmediate(() => void flush())
    }
  }

  const enter = async (l: LiveConnection, token: string): Promise<void> => {
    const session = await sessions.find(token, true).catch(() => undefined)
    if (!session) {
      say(l, 'ended')
      return l.socket.close(4401, 'session ended')
    }
    const { ownerId, operatorId } = session.caller
    drop(l)
    l.token = token
    l.owner = ownerId
    l.operator = operatorId
    const own = lines.get(ownerId) ?? new Set<LiveConnection>()
    if ([...own].filter(x => x.operator === operatorId).length >= maxConnectionsPerOperator)
      return l.socket.close(4429, 'too many connections')
    lines.set(ownerId, own.add(l))
    say(l, 'ready')
  }
  const named = (v: unknown): string[] =>
    Array.isArray(v)
      ? v.filter((x): x is string => typeof x === 'string' && /^[A-Za-z][\w:.-]{0,79}$/.test(x)).slice(0, 100)
      : []
  const hear = (l: LiveConnection, text: string): void => {
    let said: { token?: unknown; subscribe?: unknown; unsubscribe?: unknown }
    try {
      said = JSON.parse(text) as typeof said
      if (said === null || typeof said !== 'object') throw new Error()
    } catch {
      return l.socket.close(4400, 'unreadable')
    }
    if (typeof said.token === 'string') {
      l.hasSentToken = true
      return void enter(l, said.token)
    }
    if (!l.hasSentToken) return l.socket.close(4401, 'token first')
    for (const t of named(said.subscribe)) {
      if (l.topics.size < 200) {
        l.topics.add(t)
      }
    }
    for (const t of named(said.unsubscribe)) {
      l.topics.delete(t)
    }
  }

  const beat = setInterval(() => {
    for (const l of all()) {
      if (!l.isAlive) {
        l.socket.terminate()
        continue
      }
      l.isAlive = false
      l.socket.ping()
      void check(l)
    }
  }, heartbeatMs)
  beat.unref()
  return {
    publish: tell,
    publishOnCommit: (tx, owner, to, kind, data) => tx.onCommit(() => tell(owner, to, kind, data)),
    connect: socket => {
      const l: LiveConnection = {
        socket,
        hasSentToken: false,
        token: '',
        owner: 0,
        operator: 0,
        topics: new Set(),
        isAlive: true,
      }
      const late = setTimeout(() => {
        if (!l.hasSentToken) {
          socket.close(4401, 'token first')
        }
      }, handshakeTimeoutMs)
      late.unref()
      socket.on('message', data => {
        l.isAlive = true
        hear(l, data.toString())
      })
      socket.on('pong', () => {
        l.isAlive = true
      })
      socket.on('close', () => {
        clearTimeout(late)
        drop(l)
      })
      socket.on('error', () => {})
    },
    count: () => {
      let n = 0
      for (const s of lines.values()) {
        n += s.size
      }
      return n
    },
    close: async () => {
      clearInterval(beat)
      await flush()
      for (const l of all()) {
        l.socket.close(1001, 'server ends')
      }
    },
  }
}
