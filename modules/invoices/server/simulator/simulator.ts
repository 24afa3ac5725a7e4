import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { App } from '#kit/server/app.ts'
import { readLoopbackAddress, writeLoopbackAddress } from '#kit/server/loopback-address.ts'
import type { PlatformAccount } from '../tax-platform/platform.ts'
import { findSignatureFault, signMessage } from '../tax-platform/signature.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import {
  behaviours,
  loadKeys,
  openInvoiceStore,
  type Behaviour,
  type InvoiceStore,
  type SimulatedInvoice,
  type SimulatorKeys,
} from './invoice-store.ts'
import { renderListPage } from './page.ts'

const maxBodyParts = 200

/** Milliseconds: how long an invoice takes, usually and when slow; when a failed callback is sent again. */
export interface SimulatorTiming {
  readonly usual: number
  readonly slow: number
  readonly retries: readonly number[]
}

const defaultTiming: SimulatorTiming = { usual: 800, slow: 30_000, retries: [15_000, 60_000] }

export interface RunningSimulator {
  readonly address: string
  close(): Promise<void>
}

export interface SimulatorOptions {
  readonly clock?: () => number
  readonly port?: number
  readonly timing?: SimulatorTiming
  readonly log?: (message: string) => void
  /** Does not keep the process alive. */
  readonly isBackground?: boolean
}

const simulatorFolder = (dataDir: string): string => join(dataDir, 'invoice-platform')

/** What the simulator's parts share. */
interface SimulatorContext {
  readonly keys: SimulatorKeys
  readonly store: InvoiceStore
  readonly endpoint: Endpoint
  readonly timing: SimulatorTiming
  readonly seconds: () => number
}

/** Runs later; what fails then has no caller, and must not end the process that the simulator runs in. */
const runLater = (delay: number, work: () => Promise<void> | void): void => {
  const run = async (): Promise<void> => {
    try {
      await work()
    } catch {
      // An invoice without its result, as when the platform has lost it.
    }
  }
  setTimeout(() => void run(), delay).unref()
}

const isOk = (response: Promise<Response>): Promise<boolean> =>
  response.then(
    async answer => {
      await answer.arrayBuffer()
      return answer.ok
    },
    () => false,
  )

/** Sends the result of an invoice to us, again as long as it is not accepted. */
async function sendCallback(
  context: SimulatorContext,
  invoice: SimulatedInvoice,
  retries = context.timing.retries,
): Promise<void> {
  if (!/^https?:/.test(invoice.notifyUrl)) return
  const body = JSON.stringify(context.endpoint.resultOf(invoice))
  const path = new URL(invoice.notifyUrl).pathname
  const signed = signMessage('notice', context.keys, path, body, context.seconds())
  const isAccepted = await isOk(
    fetch(invoice.notifyUrl, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...signed },
      signal: AbortSignal.timeout(10_000),
    }),
  )
  const [delay, ...laterRetries] = retries
  if (!isAccepted && delay !== undefined) {
    runLater(delay, () => sendCallback(context, invoice, laterRetries))
  }
}

/** Finishes an invoice after its time, and sends as many callbacks as its behaviour does. */
function startInvoice(context: SimulatorContext, invoice: SimulatedInvoice): void {
  const { behaviour } = invoice
  if (behaviour === 'mute') return
  runLater(behaviour === 'slow' ? context.timing.slow : context.timing.usual, async () => {
    context.endpoint.finish(invoice)
    if (behaviour === 'never' || behaviour === 'die') return
    await Promise.all([
      sendCallback(context, invoice),
      behaviour === 'twice' ? sendCallback(context, invoice) : undefined,
    ])
  })
}

const isBehaviour = (value: string | null): value is Behaviour => value !== null && value in behaviours

/** The page for people: what was sent, and which behaviour comes next. */
function answerPage(store: InvoiceStore, body: string, response: ServerResponse, isChange: boolean): void {
  if (!isChange) {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(renderListPage(store))
    return
  }
  const behaviour = new URLSearchParams(body).get('mood')
  if (isBehaviour(behaviour)) {
    store.state.behaviour = behaviour
    store.save()
  }
  response.writeHead(303, { location: '/' }).end()
}

/** The platform's interface: signed requests, signed responses. */
async function answerApi(
  context: SimulatorContext,
  path: string,
  body: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { keys, endpoint, seconds } = context
  const headers = singleHeaders(request)
  const nonce = headers['x-fp-nonce'] ?? ''
  const fault = findSignatureFault('ask', keys, path, body, headers, seconds())
  if (fault) {
    response.writeHead(401, { 'content-type': 'text/plain; charset=utf-8' }).end(fault)
    return
  }
  const { status, bytes, started, isUnanswered } = await endpoint.answer(path, body)
  if (started) {
    startInvoice(context, started)
  }
  if (isUnanswered) {
    request.socket.destroy()
    return
  }
  response.writeHead(status, signMessage('answer', keys, path, bytes, seconds(), nonce)).end(bytes)
}

const singleHeaders = (request: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) {
    if (parts.length < maxBodyParts) {
      parts.push(Buffer.from(part))
    }
  }
  return Buffer.concat(parts).toString('utf8')
}

async function handleRequest(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body = await readBody(request)
    const path = new URL(request.url ?? '/', 'http://loopback').pathname
    const isChange = path === '/mood' && request.method === 'POST'
    if (path === '/' || isChange) {
      answerPage(context.store, body, response, isChange)
    } else {
      await answerApi(context, path, body, request, response)
    }
  } catch (error) {
    if (response.headersSent) {
      response.destroy()
    } else {
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error))
    }
  }
}

const listen = (server: Server, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`)
    })
  })

/**
 * The invoice platform on loopback, for trying the product out and for tests: real signatures both ways,
 * results by callback, failures on demand.
 */
export async function startSimulator(
  dataDir: string,
  { clock = Date.now, port = 0, timing = defaultTiming, log, isBackground = false }: SimulatorOptions = {},
): Promise<RunningSimulator> {
  const directory = simulatorFolder(dataDir)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const store = openInvoiceStore(directory)
  const context: SimulatorContext = {
    keys: loadKeys(directory),
    store,
    endpoint: createEndpoint(store, clock),
    timing,
    seconds: () => Math.floor(clock() / 1000),
  }
  // What was under way when the platform was stopped is finished.
  for (const invoice of store.invoices.values()) {
    if (invoice.status === 'DOING') {
      startInvoice(context, invoice)
    }
  }
  const server = createServer((request, response) => void handleRequest(context, request, response))
  const address = await listen(server, port)
  if (isBackground) {
    server.unref()
  }
  writeLoopbackAddress(directory, address)
  log?.(`开票平台（模拟渠道）：${address}`)
  return {
    address,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type SimulatorAccount = Pick<PlatformAccount, 'appKey' | 'secret' | 'base'>

const simulatorByApp = new WeakMap<App, Promise<SimulatorAccount>>()

const isAlive = (address: string): Promise<boolean> =>
  isOk(fetch(`${address}/`, { signal: AbortSignal.timeout(1500) }))

/** Starts the platform of a data folder, unless it is running. */
export async function ensureSimulator(
  dataDir: string,
  log: (message: string) => void,
  port = 0,
): Promise<RunningSimulator | undefined> {
  const address = readLoopbackAddress(simulatorFolder(dataDir))
  if (address && (await isAlive(address))) {
    log(`开票平台（模拟渠道）已在运行：${address}`)
    return undefined
  }
  return startSimulator(dataDir, { log, port })
}

/** The platform of this data folder: the one that another process has started, or our own. */
export function connectSimulator(app: App, timing?: SimulatorTiming): Promise<SimulatorAccount> {
  const connect = async (): Promise<SimulatorAccount> => {
    const directory = simulatorFolder(app.dataDir)
    let base = readLoopbackAddress(directory)
    if (!base || !(await isAlive(base))) {
      base = (
        await startSimulator(app.dataDir, {
          clock: app.clock,
          isBackground: true,
          ...(timing ? { timing } : {}),
          log: message => app.log.info(message),
        })
      ).address
    }
    return { ...loadKeys(directory), base }
  }
  const known = simulatorByApp.get(app)
  if (known) return known
  const connection = connect()
  simulatorByApp.set(app, connection)
  connection.catch(() => simulatorByApp.delete(app))
  return connection
}
