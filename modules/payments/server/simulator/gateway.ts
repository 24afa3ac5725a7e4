import { defined } from '#kit/domain/defined.ts'
import { createServer } from 'node:http'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { isDay } from '#kit/domain/day.ts'
import type { App } from '#kit/server/app.ts'
import type { ChannelAccount, Channel } from '../channels/channel-client.ts'
import { createAlipayServer } from './alipay-server.ts'
import { openBillStore } from './bill-store.ts'
import { behaviours, openOrderStore, type Behaviour, type Order } from './order-store.ts'
import { loadKeys, type Keys } from './keys.ts'
import { renderListPage, renderPhonePage, renderTerminalPage } from './pages.ts'
import { createPosServer } from './pos-server.ts'
import { createWechatServer } from './wechat-server.ts'

/** Milliseconds: how slow is slow, how late is late, when a callback that was not taken is sent again. */
export interface Timings {
  readonly slow: number
  readonly late: number
  readonly again: readonly number[]
}

const defaultTimings: Timings = { slow: 4000, late: 60_000, again: [15_000, 60_000] }

export interface Gateway {
  readonly address: string
  close(): Promise<void>
}

const gatewayDir = (dataDir: string): string => join(dataDir, 'gateway')

/**
 * The gateways of the channels on loopback, for trying the product out and for tests: real signatures, a page
 * in the place of the payer's phone, bad days on demand.
 */
export async function startGateway(
  dataDir: string,
  {
    clock = Date.now,
    port = 0,
    pace = defaultTimings,
    log = () => {},
    aside = false,
  }: {
    clock?: () => number
    port?: number
    pace?: Timings
    log?: (words: string) => void
    /** Does not keep the process alive. */ aside?: boolean
  } = {},
): Promise<Gateway> {
  const dir = gatewayDir(dataDir)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const keys = loadKeys(dir)
  const book = openOrderStore(dir, clock)
  const bills = openBillStore(dir, book)
  let address = ''
  const phone = (o: Order): string => `${address}/phone/${encodeURIComponent(o.no)}?key=${o.key}`
  const wechat = createWechatServer(book, bills, keys, clock, phone, () => address)
  const alipay = createAlipayServer(book, bills, keys, clock, phone, () => address)
  const pos = createPosServer(book, bills, keys, clock)
  const later = (ms: number, work: () => void): void => {
    if (ms) {
      setTimeout(work, ms).unref()
    } else {
      setImmediate(work)
    }
  }
  const notify = (o: Order, again = pace.again): void => {
    if (!/^https?:/.test(o.notifyUrl)) return
    const { body, headers } =
      o.channel === 'alipay'
        ? {
            body: alipay.notice(o),
            headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
          }
        : o.channel === 'pos'
          ? pos.notice(o)
          : wechat.notice(o)
    fetch(o.notifyUrl, { method: 'POST', body, headers: { ...headers }, signal: AbortSignal.timeout(10_000) })
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
            later(defined(again[0]), () => notify(o, again.slice(1)))
          }
        },
        () => {},
      )
  }
  const acts: Readonly<Record<Behaviour, (o: Order) => void>> = {
    normal: o => {
      book.paid(o)
      notify(o)
    },
    slow: o => {
      book.paid(o)
      later(pace.slow, () => notify(o))
    },
    twice: o => {
      book.paid(o)
      notify(o)
      notify(o)
    },
    late: o =>
      later(pace.late, () => {
        book.paid(o)
        notify(o)
      }),
    wrong: o => {
      book.paid(o, o.amount + 1)
      notify(o)
    },
    die: o => {
      o.deaf = 5
      book.paid(o)
    },
    never: o => book.paid(o),
    fail: o => {
      o.state = 'PAYERROR'
      book.save()
    },
  }
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (b: Buffer) => {
      if (parts.length < 200) {
        parts.push(b)
      }
    })
    req.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8')
      const path = req.url ?? '/'
      const at = new URL(path, 'http://loopback')
      const html = (text: string): void => {
        res.setHeader('content-type', 'text/html; charset=utf-8').end(text)
      }
      try {
        if (at.pathname === '/')
          return html(renderListPage([...book.orders.values()].toReversed().slice(0, 50), phone))
        const [, no] = /^\/phone\/([^/]+)$/.exec(at.pathname) ?? []
        if (no) {
          const form = new URLSearchParams(body)
          const o = book.orders.get(decodeURIComponent(no))
          const how = (form.get('how') ?? 'normal') as Behaviour
          if (!o || (at.searchParams.get('key') ?? form.get('key')) !== o.key)
            return void res
              .writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
              .end('没有这个订单')
          const back = at.searchParams.get('redirect_url')
          if (back) {
            o.back = back
          }
          if (
            req.method === 'POST' &&
            how in behaviours &&
            (o.state === 'NOTPAY' || o.state === 'USERPAYING')
          ) {
            o.mood = how
            if (form.get('card') === 'credit') {
              o.card = 'credit'
            }
            if (how === 'late') {
              o.state = 'USERPAYING'
            }
            acts[how](o)
            return void res.writeHead(303, { location: phone(o) }).end()
          }
          return html(renderPhonePage(o))
        }
        if (at.pathname === '/bill') {
          if (req.method === 'POST') {
            const form = new URLSearchParams(body)
            bills.take(form)
            return void res
              .writeHead(303, {
                location: `/bill?channel=${encodeURIComponent(form.get('channel') ?? '')}&day=${encodeURIComponent(form.get('day') ?? '')}`,
              })
              .end()
          }
          const c = at.searchParams.get('channel') ?? 'wechat'
          const day = at.searchParams.get('day') ?? ''
          const shownDay = isDay(day) ? day : dayOfInstant(clock())
          return html(bills.page(c === 'alipay' || c === 'pos' ? c : 'wechat', shownDay))
        }
        if (at.pathname === '/v3/billdownload/file' || at.pathname === '/bill/alipay') {
          if (at.pathname.startsWith('/v3/') && !wechat.mayFetch(path, req.headers.authorization ?? ''))
            return void res.writeHead(401).end()
          return void bills
            .fetched(at.searchParams.get('token') ?? '')
            .then(f =>
              f && (f.channel === 'wechat') === at.pathname.startsWith('/v3/')
                ? res.setHeader('content-type', 'application/octet-stream').end(f.bytes)
                : res.writeHead(404).end(),
            )
        }
        const [, terminal] = /^\/terminal\/([^/]+)$/.exec(at.pathname) ?? []
        if (terminal) {
          const name = decodeURIComponent(terminal)
          return html(
            renderTerminalPage(
              name,
              [...book.orders.values()].filter(o => o.terminal === name).toReversed(),
              phone,
            ),
          )
        }
        if (at.pathname === '/gateway.do' && req.method === 'GET') {
          const o = alipay.page(at.searchParams)
          return void (o
            ? res.writeHead(302, { location: phone(o) }).end()
            : res.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end('参数或签名错误'))
        }
        const isAlipay = at.pathname === '/gateway.do'
        const isPos = at.pathname.startsWith('/pos/')
        const o = book.orders.get(
          isPos
            ? (/"orderNo":"([^"]+)"/.exec(body)?.[1] ?? '')
            : isAlipay
              ? alipay.numberOf(body)
              : wechat.numberOf(path, body),
        )
        if (o && o.deaf > 0) {
          o.deaf--
          return void req.socket.destroy()
        }
        later(o?.mood === 'slow' ? pace.slow : 0, () => {
          if (isAlipay)
            return void res
              .setHeader('content-type', 'application/json; charset=utf-8')
              .end(alipay.answer(body))
          const told = isPos
            ? pos.answer(path, req.headers.authorization ?? '', body)
            : wechat.answer(req.method ?? 'GET', path, req.headers.authorization ?? '', body)
          res.writeHead(told.status, told.headers).end(told.body)
        })
      } catch (e) {
        res.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(e))
      }
    })
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', () => done()))
  if (aside) {
    server.unref()
  }
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  writeFileSync(join(dir, 'address'), address)
  log(`支付网关（本机模拟）：${address}`)
  return {
    address,
    close: () =>
      new Promise(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

export interface Simulator {
  readonly address: string
  account(c: Channel): Omit<ChannelAccount, 'notifyUrl' | 'clock'>
}

const simulators = new WeakMap<App, Promise<Simulator>>()

const isAlive = (address: string): Promise<boolean> =>
  fetch(`${address}/`, { signal: AbortSignal.timeout(1500) }).then(
    r => r.ok,
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

/** Opens the gateway of a data folder, unless it is open already. */
export async function startGatewayIfAbsent(
  dataDir: string,
  log: (words: string) => void,
  port = 0,
): Promise<Gateway | undefined> {
  const there = readAddress(gatewayDir(dataDir))
  if (there && (await isAlive(there))) {
    log(`支付网关（本机模拟）已在运行：${there}`)
    return undefined
  }
  return startGateway(dataDir, { log, port })
}

/** The gateway of this data folder: the one that another process has already opened, or our own. */
export function getSimulator(app: App, pace?: Timings): Promise<Simulator> {
  const open = async (): Promise<Simulator> => {
    const dir = gatewayDir(app.dataDir)
    let address = readAddress(dir)
    if (!address || !(await isAlive(address))) {
      address = (
        await startGateway(app.dataDir, {
          clock: app.clock,
          aside: true,
          ...(pace ? { pace } : {}),
          log: words => app.log.info(words),
        })
      ).address
    }
    const keys: Keys = loadKeys(dir)
    return {
      address,
      account: c => ({
        appId: keys.appId,
        mchId: keys.mchId,
        serialNo: keys.serialNo,
        apiKey: keys.apiKey,
        privateKey: keys.privateKey,
        platformSerial: keys.platformSerial,
        platformKey: keys.platformKey,
        base: c === 'alipay' ? `${address}/gateway.do` : address,
      }),
    }
  }
  let s = simulators.get(app)
  if (!s) {
    simulators.set(app, (s = open()))
    s.catch(() => simulators.delete(app))
  }
  return s
}
