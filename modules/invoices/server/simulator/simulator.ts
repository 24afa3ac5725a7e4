import { defined } from '#kit/domain/defined.ts'
import { createServer } from 'node:http'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { App } from '#kit/server/app.ts'
import type { PlatformAccount } from '../tax-platform/platform.ts'
import { findSignatureFault, signMessage } from '../tax-platform/signature.ts'
import { createEndpoint } from './endpoint.ts'
import {
  loadKeys,
  behaviours,
  openInvoiceStore,
  type SimulatedInvoice,
  type Behaviour,
} from './invoice-store.ts'
import { renderListPage } from './page.ts'

/**
 * Milliseconds: how long an invoice takes, how slow is slow, when a callback that was not taken is sent
 * again.
 */
export interface SimulatorTiming {
  readonly usual: number
  readonly slow: number
  readonly again: readonly number[]
}

const defaultTiming: SimulatorTiming = { usual: 800, slow: 30_000, again: [15_000, 60_000] }

export interface RunningSimulator {
  readonly address: string
  close(): Promise<void>
}

const simulatorFolder = (dataDir: string): string => join(dataDir, 'invoice-platform')

/**
 * The other end of the invoice platform on loopback, for trying the product out and for tests: real
 * signatures both ways, results by callback, bad days on demand.
 */
export async function startSimulator(
  dataDir: string,
  {
    clock = Date.now,
    port = 0,
    pace = defaultTiming,
    log = () => {},
    aside = false,
  }: {
    clock?: () => number
    port?: number
    pace?: SimulatorTiming
    log?: (words: string) => void
    /** Does not keep the process alive. */ aside?: boolean
  } = {},
): Promise<RunningSimulator> {
  const dir = simulatorFolder(dataDir)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const keys = loadKeys(dir)
  const book = openInvoiceStore(dir)
  const end = createEndpoint(book, clock)
  const seconds = (): number => Math.floor(clock() / 1000)
  const later = (ms: number, work: () => void): void => {
    setTimeout(work, ms).unref()
  }
  const notify = (b: SimulatedInvoice, again = pace.again): void => {
    if (!/^https?:/.test(b.notifyUrl)) return
    const body = JSON.stringify(end.told(b))
    const headers = {
      'content-type': 'application/json',
      ...signMessage('notice', keys, new URL(b.notifyUrl).pathname, body, seconds()),
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
            later(defined(again[0]), () => notify(b, again.slice(1)))
          }
        },
        () => {},
      )
  }
  const begin = (b: SimulatedInvoice): void => {
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
              return void res.setHeader('content-type', 'text/html; charset=utf-8').end(renderListPage(book))
            if (path === '/mood' && req.method === 'POST') {
              const mood = new URLSearchParams(body).get('mood') as Behaviour
              if (mood in behaviours) {
                book.state.mood = mood
                book.save()
              }
              return void res.writeHead(303, { location: '/' }).end()
            }
            const headers = req.headers as Record<string, string | undefined>
            const no = findSignatureFault('ask', keys, path, body, headers, seconds())
            const nonce = headers['x-fp-nonce'] ?? ''
            if (no) return void res.writeHead(401, { 'content-type': 'text/plain; charset=utf-8' }).end(no)
            const { status, bytes, fresh, deaf } = await end.answer(path, body)
            if (fresh) {
              begin(fresh)
            }
            if (deaf) return void req.socket.destroy()
            res.writeHead(status, signMessage('answer', keys, path, bytes, seconds(), nonce)).end(bytes)
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

const simulatorByApp = new WeakMap<App, Promise<Pick<PlatformAccount, 'appKey' | 'secret' | 'base'>>>()

const isAlive = (address: string): Promise<boolean> =>
  fetch(`${address}/`, { signal: AbortSignal.timeout(1500) }).then(
    async r => {
      await r.arrayBuffer()
      return r.ok
    },
    () => false,
  )

const readAddress = (dir: string): string => {
  try {
    const a = readFileSync(join(dir, 'address'), 'utf8').trim()
    return /^http:\/\/127\.0\.0\.1:\d+$/.test(a) ? a : ''
  } catch {
    return ''
  }
}

/** Opens the platform of a data folder, unless it is open already. */
export async function ensureSimulator(
  dataDir: string,
  log: (words: string) => void,
  port = 0,
): Promise<RunningSimulator | undefined> {
  const there = readAddress(simulatorFolder(dataDir))
  if (there && (await isAlive(there))) {
    log(`开票平台（本机模拟）已在运行：${there}`)
    return undefined
  }
  return startSimulator(dataDir, { log, port })
}

/** The platform of this data folder: the one that another process has already opened, or our own. */
export function connectSimulator(
  app: App,
  pace?: SimulatorTiming,
): Promise<Pick<PlatformAccount, 'appKey' | 'secret' | 'base'>> {
  const open = async (): Promise<Pick<PlatformAccount, 'appKey' | 'secret' | 'base'>> => {
    const dir = simulatorFolder(app.dataDir)
    let base = readAddress(dir)
    if (!base || !(await isAlive(base))) {
      base = (
        await startSimulator(app.dataDir, {
          clock: app.clock,
          aside: true,
          ...(pace ? { pace } : {}),
          log: words => app.log.info(words),
        })
      ).address
    }
    return { ...loadKeys(dir), base }
  }
  let p = simulatorByApp.get(app)
  if (!p) {
    simulatorByApp.set(app, (p = open()))
    p.catch(() => simulatorByApp.delete(app))
  }
  return p
}
