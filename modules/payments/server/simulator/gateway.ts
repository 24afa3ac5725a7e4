import { createServer, type Server } from 'node:http'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '#kit/server/app.ts'
import { readLoopbackAddress, writeLoopbackAddress } from '#kit/server/loopback-address.ts'
import type { ChannelAccount, Channel } from '../channels/channel-client.ts'
import { createAlipayServer } from './alipay-server.ts'
import { openBillStore } from './bill-store.ts'
import type { SimulatorContext, SimulatorNotification } from './context.ts'
import { handleRequest } from './gateway-requests.ts'
import { loadKeys } from './keys.ts'
import { createBehaviours, defaultTimings, type Timings } from './notifier.ts'
import { openOrderStore, type Order } from './order-store.ts'
import { createPosServer } from './pos-server.ts'
import { createWechatServer } from './wechat-server.ts'

export interface Gateway {
  readonly address: string
  close(): Promise<void>
}

interface GatewayOptions {
  readonly clock?: () => number
  readonly port?: number
  readonly timings?: Timings
  readonly log?: (message: string) => void
  /** Does not keep the process alive. */
  readonly inBackground?: boolean
}

const gatewayDir = (dataDir: string): string => join(dataDir, 'gateway')

/** Opens the port on loopback; the server's address. */
async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
  )
  const bound = server.address()
  if (typeof bound !== 'object' || !bound) throw new Error('the gateway has no port')
  return `http://127.0.0.1:${bound.port}`
}

const close = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/**
 * The gateways of the channels on loopback, for trying the product out and for tests: real signatures, a page
 * in the place of the payer's phone, bad days on demand.
 */
export async function startGateway(
  dataDir: string,
  {
    clock = Date.now,
    port = 0,
    timings = defaultTimings,
    log = () => {},
    inBackground = false,
  }: GatewayOptions = {},
): Promise<Gateway> {
  const dir = gatewayDir(dataDir)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const orderStore = openOrderStore(dir, clock)
  let address = ''
  const context: SimulatorContext = {
    orderStore,
    billStore: openBillStore(dir, orderStore),
    keys: loadKeys(dir),
    clock,
    phoneUrl: order => `${address}/phone/${encodeURIComponent(order.orderNo)}?key=${order.pageKey}`,
    baseUrl: () => address,
  }
  const servers = {
    wechat: createWechatServer(context),
    alipay: createAlipayServer(context),
    pos: createPosServer(context),
  }
  const notificationOf = (order: Order): SimulatorNotification => servers[order.channel].notification(order)
  const behave = createBehaviours(orderStore, timings, notificationOf)
  const parts = { ...servers, context, behave, slowMilliseconds: timings.slow }
  const server = createServer((request, response) => handleRequest(parts, request, response))
  address = await listen(server, port)
  if (inBackground) {
    server.unref()
  }
  writeLoopbackAddress(dir, address)
  log(`支付网关（模拟渠道）：${address}`)
  return { address, close: () => close(server) }
}

export interface Simulator {
  readonly address: string
  account(channel: Channel): Omit<ChannelAccount, 'notifyUrl' | 'clock'>
}

const simulators = new WeakMap<App, Promise<Simulator>>()

const isAlive = (address: string): Promise<boolean> =>
  fetch(`${address}/`, { signal: AbortSignal.timeout(1500) }).then(
    response => response.ok,
    () => false,
  )

/** Opens the gateway of a data folder, unless it is open already. */
export async function startGatewayIfAbsent(
  dataDir: string,
  log: (message: string) => void,
  port = 0,
): Promise<Gateway | undefined> {
  const address = readLoopbackAddress(gatewayDir(dataDir))
  if (address && (await isAlive(address))) {
    log(`支付网关（模拟渠道）已在运行：${address}`)
    return undefined
  }
  return startGateway(dataDir, { log, port })
}

async function openSimulator(app: App, timings?: Timings): Promise<Simulator> {
  const dir = gatewayDir(app.dataDir)
  let address = readLoopbackAddress(dir)
  if (!address || !(await isAlive(address))) {
    const gateway = await startGateway(app.dataDir, {
      clock: app.clock,
      inBackground: true,
      ...(timings ? { timings } : {}),
      log: message => app.log.info(message),
    })
    address = gateway.address
  }
  const { appId, mchId, serialNo, apiKey, privateKey, platformSerial, platformKey } = loadKeys(dir)
  const account = { appId, mchId, serialNo, apiKey, privateKey, platformSerial, platformKey }
  return {
    address,
    account: channel => ({
      ...account,
      base: channel === 'alipay' ? `${address}/gateway.do` : address,
    }),
  }
}

/** The gateway of this data folder: the one that another process has already opened, or our own. */
export function getSimulator(app: App, timings?: Timings): Promise<Simulator> {
  const known = simulators.get(app)
  if (known) return known
  const opening = openSimulator(app, timings)
  simulators.set(app, opening)
  opening.catch(() => simulators.delete(app))
  return opening
}
