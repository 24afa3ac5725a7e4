import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '#kit/domain/id.ts'
import type { DeviceConfig } from '#modules/devices/contract/agent-protocol.ts'
import { readTimings, retryDelay } from '../timings.ts'
import {
  DeviceOffline,
  DriverFailure,
  type CodeReading,
  type DeviceConnection,
  type Driver,
  type DriverEvent,
  type ReadingAnswer,
} from './driver.ts'
import { fetchFile } from './fetch-file.ts'
import { drivers } from './index.ts'
import {
  deviceFolderName,
  isToDriver,
  type FailureCause,
  type FromDriver,
  type ToDriver,
} from './messages.ts'
import { monotonicMs } from '../elapsed-time.ts'
import { errorText } from '../error-text.ts'

/** The process of one driver: `node driver-process.ts <driver> <data folder>`, spoken to over its pipe. */
const [name = '', dataDir = ''] = process.argv.slice(2)
const timings = readTimings()

/** The server reads no longer ones. */
const maxTypeLength = 40
const maxVersionLength = 20
const maxTimeLength = 40

interface RunningDevice {
  readonly config: DeviceConfig
  readonly end: AbortController
  /** Ends when it is connected or stopped. */
  starting?: Promise<void>
  connection?: DeviceConnection
}

const devices = new Map<Id, RunningDevice>()
const commands = new Map<number, AbortController>()
const unwritten = new Map<number, () => void>()
const undecided = new Map<number, (answer: ReadingAnswer) => void>()
let lastEventId = 0
let lastReadingId = 0
/** The commands that this driver declares, where it does. */
let declared: Driver['commands']
/** One list after another: the devices of the first are stopped before those of the second start. */
let listed: Promise<void> = Promise.resolve()

function tell(message: FromDriver): void {
  if (process.connected) {
    // The agent may have ended: `disconnect` follows, and an error that nobody takes would end us first.
    process.send?.(message, undefined, {}, () => {})
  }
}

function writeEvent(deviceId: Id, event: DriverEvent): Promise<void> {
  const eventId = ++lastEventId
  const { data = {}, isCritical = false, key } = event
  const type = event.type.slice(0, maxTypeLength)
  // The time of a device whose clock is not set is sent as it is: the server marks it.
  const { at = new Date().toISOString() } = event
  const instant = Number.isNaN(Date.parse(at)) ? at.slice(0, maxTimeLength) : new Date(at).toISOString()
  const written = new Promise<void>(resolve => unwritten.set(eventId, resolve))
  tell({
    kind: 'event',
    eventId,
    deviceId,
    type,
    at: instant,
    data,
    isCritical,
    ...(key !== undefined && { key }),
  })
  return written
}

function decide(deviceId: Id, reading: CodeReading): Promise<ReadingAnswer> {
  const readingId = ++lastReadingId
  return new Promise(resolve => {
    undecided.set(readingId, resolve)
    tell({ kind: 'reading', readingId, deviceId, reading })
  })
}

async function startDevice(driver: Driver, device: RunningDevice): Promise<void> {
  const { config, end } = device
  const folder = join(dataDir, 'devices', deviceFolderName(config.id))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (let attempt = 0; !end.signal.aborted; attempt++) {
    try {
      const connection = await driver.start({
        device: config,
        folder,
        setOnline: (isOnline, kernelVersion) => {
          if (end.signal.aborted) return
          const version = kernelVersion?.slice(0, maxVersionLength)
          tell({ kind: 'status', deviceId: config.id, isOnline, ...(version && { kernelVersion: version }) })
        },
        event: event => writeEvent(config.id, event),
        decide: reading => decide(config.id, reading),
        giveBack: recordKey => tell({ kind: 'giveBack', deviceId: config.id, recordKey }),
        fetchFile: link => fetchFile(dataDir, link),
        log: message => console.log(`${config.devNo} ${message}`),
      })
      if (end.signal.aborted) {
        await connection.stop()
      } else {
        device.connection = connection
      }
      return
    } catch (error) {
      console.log(`设备 ${config.devNo} 启动失败：${errorText(error)}`)
      await sleep(retryDelay(attempt, timings), undefined, { signal: end.signal }).catch(() => {})
    }
  }
}

async function stopDevice(device: RunningDevice): Promise<void> {
  devices.delete(device.config.id)
  device.end.abort()
  await device.connection?.stop()
}

async function setDevices(driver: Driver, configs: readonly DeviceConfig[]): Promise<void> {
  const versions = new Map(configs.map(config => [config.id, config.version]))
  const outdated = [...devices.values()].filter(({ config }) => versions.get(config.id) !== config.version)
  await Promise.all(outdated.map(stopDevice))
  for (const config of configs) {
    if (!devices.has(config.id)) {
      const device: RunningDevice = { config, end: new AbortController() }
      devices.set(config.id, device)
      device.starting = startDevice(driver, device)
    }
  }
}

/** Waits for a device that is being started: the server sends at once what waited there. */
async function connectionOf(deviceId: Id, signal: AbortSignal): Promise<DeviceConnection> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(timings.startWaitMs)])
  const isAborted = once(late, 'abort')
  while (!late.aborted) {
    await listed
    const device = devices.get(deviceId)
    if (!device) break
    if (device.connection) return device.connection
    await Promise.race([device.starting, isAborted])
  }
  throw new DeviceOffline('设备未连接')
}

/** The driver has no such command: the device is well. */
class UnknownAction extends DriverFailure {}

class RequestExpired extends DriverFailure {}

function causeOf(error: unknown): FailureCause {
  if (error instanceof UnknownAction) return 'refused'
  if (error instanceof RequestExpired) return 'expired'
  return error instanceof DriverFailure && !(error instanceof DeviceOffline) ? 'failed' : 'offline'
}

function failureOf(requestId: number, error: unknown): FromDriver {
  const isExpected = error instanceof DeviceOffline || error instanceof DriverFailure
  if (!isExpected) {
    console.log(error instanceof Error ? error.stack : String(error))
  }
  return {
    kind: 'failure',
    requestId,
    reason: errorText(error),
    cause: causeOf(error),
  }
}

type Asked = Extract<ToDriver, { kind: 'command' | 'kernel' }>

async function runRequest(request: Asked, signal: AbortSignal): Promise<unknown> {
  const connection = await connectionOf(request.deviceId, signal)
  // The clock is that of the agent, too: this process may have been stopped with the request in its pipe.
  if (monotonicMs() > request.expiresAt) throw new RequestExpired('已超过时限')
  if (request.kind === 'command') {
    const { action } = request
    if (declared && !declared.some(command => command.action === action))
      throw new UnknownAction(`此设备不支持 ${action}`)
    return await connection.command(action, request.data, signal)
  }
  // Written to its place is all that there is to do for a device that fetches it by itself.
  return await connection.installKernel?.(request.kernel, signal)
}

async function runCommand(request: Asked): Promise<void> {
  const { requestId } = request
  const controller = new AbortController()
  commands.set(requestId, controller)
  try {
    tell({ kind: 'answer', requestId, data: await runRequest(request, controller.signal) })
  } catch (error) {
    tell(failureOf(requestId, error))
  } finally {
    commands.delete(requestId)
  }
}

async function apply({ requestId, deviceId, items }: Extract<ToDriver, { kind: 'apply' }>): Promise<void> {
  try {
    const connection = await connectionOf(deviceId, new AbortController().signal)
    tell({ kind: 'applied', requestId, items: await connection.apply(items) })
  } catch (error) {
    tell(failureOf(requestId, error))
  }
}

async function main(): Promise<void> {
  const load = Object.hasOwn(drivers, name) ? drivers[name] : undefined
  if (!load) throw new Error(`unknown driver ${name}`)
  const { driver } = await load()
  declared = driver.commands
  const handle = (message: ToDriver): void => {
    if (message.kind === 'devices') {
      listed = listed.then(() => setDevices(driver, message.devices))
    } else if (message.kind === 'command' || message.kind === 'kernel') {
      void runCommand(message)
    } else if (message.kind === 'apply') {
      void apply(message)
    } else if (message.kind === 'cancel') {
      commands.get(message.requestId)?.abort()
    } else if (message.kind === 'decided') {
      undecided.get(message.readingId)?.(message.answer)
      undecided.delete(message.readingId)
    } else {
      unwritten.get(message.eventId)?.()
      unwritten.delete(message.eventId)
    }
  }
  process.on('message', (message: unknown) => {
    if (isToDriver(message)) {
      handle(message)
    }
  })
  // The agent has ended, however it did: nobody is left to drive for.
  process.on('disconnect', () => {
    void Promise.all([...devices.values()].map(stopDevice)).finally(() => process.exit(0))
    setTimeout(() => process.exit(0), timings.killMs).unref()
  })
}

await main()
