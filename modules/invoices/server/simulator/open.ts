import { createServer } from 'node:http'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { World } from '#kit/server/world.ts'
import type { Account } from '../desk/platform.ts'
import { signFault, signed } from '../desk/sign.ts'
import { platformEnd } from './end.ts'
import { keysIn, moods, openBook, type Bill, type Mood } from './book.ts'
import { listPage } from './page.ts'

/**
 * Milliseconds: how long an invoice takes, how slow is slow, when a callback that was not taken is sent
 * again.
 */
export interface Pace {
  readonly usual: number
  readonly slow: number
  readonly again: readonly number[]
}

const usual: Pace = { usual: 800, slow: 30_000, again: [15_000, 60_000] }

export interface Running {
  readonly address: string
  close(): Promise<void>
}

const folder = (dataDir: string): string => join(dataDir, 'invoice-platform')

/**
 * The other end of the invoice platform on loopback, for trying the product out and for tests: real
 * signatures both ways, results by callback, bad days on demand.
 */
export async function openPlatform(
  dataDir: string,
  {
    clock = Date.now,
    port = 0,
    pace = usual,
    log = () => {},
    aside = false,
  }: {
    clock?: () => number
    port?: number
    pace?: Pace
    log?: (words: string) => void
    /** Does not keep the process alive. */ aside?: boolean
  } = {},
): Promise<Running> {
  const dir = folder(dataDir)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const keys = keysIn(dir)
  const book = openBook(dir)
  const end = platformEnd(book, clock)
  const seconds = (): number => Math.floor(clock() / 1000)
  const later = (ms: number, work: () => void): void => {
    setTimeout(work, ms).unref()
  }
  const notify = (b: Bill, again = pace.again): void => {
    if (!/^https?:/.test(b.notifyUrl)) return
    const body = JSON.stringify(end.told(b))
    const headers = {
      'content-type': 'application/json',
      ...signed('notice', keys, new URL(b.notifyUrl).pathname, body, seconds()),
    }
    fetch(b.notifyUrl, { method: 'POST', body, headers, signal: AbortSignal.timeout(10_000) })
      .then(
        async r => {
          await r.arrayBuffer()
          return r.ok
        },
        () => false,
      )
      .then(
        ok => {
          if (!ok && again.length) {
            later(again[0]!, () => notify(b, again.slice(1)))
          }
        },
        () => {},
      )
  }
  const begin = (b: Bill): void => {
    if (b.mood === 'mute') return
    later(b.mood === 'slow' ? pace.slow : pace.usual, () => {
      end.finish(b)
      if (b.mood !== 'never' && b.mood !== 'die') {
        notify(b)
      }
      if (b.mood === 'twice') {
        notify(b)
      }
    })
  }
  // What was under way when the platform was stopped is brought to its end.
  for (const b of book.bills.values()) {
    if (b.status === 'DOING') {
      begin(b)
    }
  }
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (b: Buffer) => {
      if (parts.length < 200) {
        parts.push(b)
      }
    })
    req.on(
      'end',
      () =>
        void (async () => {
          const body = Buffer.concat(parts).toString('utf8')
          const path = new URL(req.url ?? '/', 'http://loopback').pathname
          try {
            if (path === '/')
              return void res.setHeader('content-type', 'text/html; charset=utf-8').end(listPage(book))
            if (path === '/mood' && req.method === 'POST') {
              const mood = new URLSearchParams(body).get('mood') as Mood
              if (mood in moods) {
                book.state.mood = mood
                book.save()
              }
              return void res.writeHead(303, { location: '/' }).end()
            }
            const headers = req.headers as Record<string, string | undefined>
            const no = signFault('ask', keys, path, body, headers, seconds())
            const nonce = headers['x-fp-nonce'] ?? ''
            if (no) return void res.writeHead(401, { 'content-type': 'text/plain; charset=utf-8' }).end(no)
            const { status, bytes, fresh, deaf } = await end.answer(path, body)
            if (fresh) {
              begin(fresh)
            }
            if (deaf) return void req.socket.destroy()
            res.writeHead(status, signed('answer', keys, path, bytes, seconds(), nonce)).end(bytes)
          } catch (e) {
            res.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(e))
          }
        })(),
    )
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', () => done()))
  if (aside) {
    server.unref()
  }
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  writeFileSync(join(dir, 'address'), address)
  log(`开票平台（本机模拟）：${address}`)
  return {
    address,
    close: () =>
      new Promise(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const known = new WeakMap<World, Promise<Pick<Account, 'appKey' | 'secret' | 'base'>>>()

const alive = (address: string): Promise<boolean> =>
  fetch(`${address}/`, { signal: AbortSignal.timeout(1500) }).then(
    async r => {
      await r.arrayBuffer()
      return r.ok
    },
    () => false,
  )

const addressIn = (dir: string): string => {
  try {
    const a = readFileSync(join(dir, 'address'), 'utf8').trim()
    return /^http:\/\/127\.0\.0\.1:\d+$/.test(a) ? a : ''
  } catch {
    return ''
  }
}

/** Opens the platform of a data folder, unless it is open already. */
export async function platformIn(
  dataDir: string,
  log: (words: string) => void,
  port = 0,
): Promise<Running | undefined> {
  const there = addressIn(folder(dataDir))
  if (there && (await alive(there))) {
    log(`开票平台（本机模拟）已在运行：${there}`)
    return undefined
  }
  return openPlatform(dataDir, { log, port })
}

/** The platform of this data folder: the one that another process has already opened, or our own. */
export function platformHere(
  world: World,
  pace?: Pace,
): Promise<Pick<Account, 'appKey' | 'secret' | 'base'>> {
  const open = async (): Promise<Pick<Account, 'appKey' | 'secret' | 'base'>> => {
    const dir = folder(world.dataDir)
    let base = addressIn(dir)
    if (!base || !(await alive(base))) {
      base = (
        await openPlatform(world.dataDir, {
          clock: world.clock,
          aside: true,
          ...(pace ? { pace } : {}),
          log: words => world.log.info(words),
        })
      ).address
    }
    return { ...keysIn(dir), base }
  }
  let p = known.get(world)
  if (!p) {
    known.set(world, (p = open()))
    p.catch(() => known.delete(world))
  }
  return p
}
