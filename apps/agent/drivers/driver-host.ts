import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import type { Id } from '#kit/domain/id.ts'
import type { DesiredItem, DeviceConfig, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { CommandExpired, CommandFailure, CommandRefusal, type CommandContext } from '../commands/command.ts'
import { log } from '../exit-codes.ts'
import type { JsonObject } from '../json.ts'
import type { NewEvent } from '../journal.ts'
import { monotonicMs } from '../elapsed-time.ts'
import { retryDelay, type Timings } from '../timings.ts'
import { DesiredQueue } from './desired-queue.ts'
import type { CodeReading, KernelFile, ReadingAnswer } from './driver.ts'
import { isFromDriver, type FailureCause, type FromDriver, type ToDriver } from './messages.ts'

export interface DeviceStatus {
  readonly isOnline: boolean
  readonly kernelVersion?: string
}

export interface DriverHostOptions {
  readonly name: string
  readonly dataDir: string
  readonly timings: Timings
  /** Resolves when the event is on the disk. */
  readonly writeEvent: (event: NewEvent) => Promise<void>
  readonly report: (deviceId: Id, items: readonly ReportedItem[]) => void
  readonly decide: (deviceId: Id, reading: CodeReading) => Promise<ReadingAnswer>
  readonly giveBack: (deviceId: Id, recordKey: string) => void
  readonly onStopped: (reason: string) => void
  /** Called when the driver runs again after a stop. */
  readonly onStartedAgain: () => void
}

type Limits = Pick<CommandContext, 'signal' | 'expiresAt'>

type DeviceRequest = Extract<ToDriver, { requestId: number; deviceId: Id }>

interface Request {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** What could not be asked for now, and is asked for again when the device is back. */
export class Unreachable extends CommandFailure {}

const failures: Readonly<Record<FailureCause, new (reason: string) => Error>> = {
  failed: CommandFailure,
  offline: Unreachable,
  refused: CommandRefusal,
  expired: CommandExpired,
}

/** A process that has run for so long was a good one: its next start does not wait. */
const goodRunMs = 60_000

/** The process of one driver, seen from the agent: started with the first device, again whenever it dies. */
export class DriverHost {
  readonly #options: DriverHostOptions
  readonly #requests = new Map<number, Request>()
  readonly #statuses = new Map<Id, DeviceStatus>()
  readonly #desired: DesiredQueue
  /** Emits `started` for what waits for the driver: any number of requests. */
  readonly #starts = new EventEmitter<{ started: [] }>().setMaxListeners(0)
  #devices: readonly DeviceConfig[] = []
  #child: ChildProcess | undefined
  #startedAt = 0
  #attempt = 0
  #retryTimer: NodeJS.Timeout | undefined
  #lastRequestId = 0
  #isStopped = false
  #hasStopped = false

  constructor(options: DriverHostOptions) {
    this.#options = options
    this.#desired = new DesiredQueue({
      timings: options.timings,
      isOnline: deviceId => this.statusOf(deviceId).isOnline,
      apply: (deviceId, items) => this.#apply(deviceId, items),
      report: options.report,
    })
  }

  statusOf(deviceId: Id): DeviceStatus {
    return this.#statuses.get(deviceId) ?? { isOnline: false }
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  setDevices(devices: readonly DeviceConfig[]): void {
    this.#devices = devices
    const ids = new Set(devices.map(device => device.id))
    for (const id of this.#statuses.keys()) {
      if (!ids.has(id)) {
        this.#statuses.delete(id)
      }
    }
    this.#desired.keepOnly(ids)
    if (devices.length === 0) {
      this.#end()
    } else if (this.#child) {
      this.#tell({ kind: 'devices', devices })
    } else if (!this.#retryTimer) {
      this.#start()
    }
  }

  desire(deviceId: Id, items: readonly DesiredItem[]): void {
    this.#desired.add(deviceId, items)
  }

  command(deviceId: Id, action: string, data: JsonObject, limits: Limits): Promise<unknown> {
    const { expiresAt } = limits
    return this.#askUntil(limits, requestId => ({
      kind: 'command',
      requestId,
      deviceId,
      action,
      data,
      expiresAt,
    }))
  }

  /** RMT-4: answers the version that the device has then, where it tells one. */
  async installKernel(deviceId: Id, kernel: KernelFile, limits: Limits): Promise<string | undefined> {
    const { expiresAt } = limits
    const version = await this.#askUntil(limits, requestId => ({
      kind: 'kernel',
      requestId,
      deviceId,
      kernel,
      expiresAt,
    }))
    return typeof version === 'string' ? version : undefined
  }

  /** A driver that is started again is waited for: nothing of the request has happened yet. */
  async #untilStarted(signal: AbortSignal): Promise<void> {
    if (this.#child?.connected) return
    const late = AbortSignal.timeout(this.#options.timings.startWaitMs)
    await once(this.#starts, 'started', { signal: AbortSignal.any([signal, late]) }).catch(() => {})
  }

  async #askUntil({ signal }: Limits, messageOf: (requestId: number) => DeviceRequest): Promise<unknown> {
    await this.#untilStarted(signal)
    if (signal.aborted) throw new CommandFailure('已停止等待设备')
    const requestId = ++this.#lastRequestId
    const onAbort = (): void => {
      this.#tell({ kind: 'cancel', requestId })
      // A driver that does not heed it is not waited for.
      this.#requests.get(requestId)?.reject(new CommandFailure('已停止等待设备'))
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await this.#ask(messageOf(requestId))
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#desired.stop()
    this.#end()
  }

  async #apply(deviceId: Id, items: readonly DesiredItem[]): Promise<readonly ReportedItem[]> {
    const requestId = ++this.#lastRequestId
    const answer = await this.#ask({ kind: 'apply', requestId, deviceId, items })
    return isReported(answer) ? answer : []
  }

  #ask(message: DeviceRequest): Promise<unknown> {
    const { requestId } = message
    return new Promise((resolve, reject) => {
      this.#requests.set(requestId, { resolve, reject })
      if (!this.#child?.connected) {
        reject(new Unreachable('设备未连接'))
        return
      }
      this.#tell(message)
    }).finally(() => this.#requests.delete(requestId))
  }

  #tell(message: ToDriver): void {
    if (this.#child?.connected) {
      this.#child.send(message)
    }
  }

  #start(): void {
    const { name, dataDir } = this.#options
    const child = fork(join(import.meta.dirname, 'driver-process.ts'), [name, dataDir], { execArgv: [] })
    this.#child = child
    this.#startedAt = monotonicMs()
    child.on('message', message => {
      if (child === this.#child && isFromDriver(message)) {
        this.#handle(message)
      }
    })
    child.on('error', error => log(`驱动 ${name}：${error.message}`))
    child.on('exit', (code, signal) => this.#onExit(child, signal ?? `退出码 ${code}`))
    this.#tell({ kind: 'devices', devices: this.#devices })
    this.#starts.emit('started')
  }

  #handle(message: FromDriver): void {
    if (this.#hasStopped) {
      this.#hasStopped = false
      this.#options.onStartedAgain()
    }
    switch (message.kind) {
      case 'status': {
        const { deviceId, isOnline, kernelVersion } = message
        if (!this.#devices.some(device => device.id === deviceId)) return
        this.#statuses.set(deviceId, { isOnline, ...(kernelVersion !== undefined && { kernelVersion }) })
        return this.#desired.flush(deviceId)
      }
      case 'event': {
        const { eventId, deviceId, at, type, data, isCritical, key } = message
        const devNo = this.#devices.find(device => device.id === deviceId)?.devNo
        void this.#options
          .writeEvent({
            deviceId,
            ...(devNo !== undefined && { devNo }),
            at,
            type,
            data,
            isCritical,
            ...(key !== undefined && { key }),
          })
          .then(() => this.#tell({ kind: 'written', eventId }))
        return
      }
      case 'reading': {
        const { readingId, deviceId, reading } = message
        const decision = this.#options.decide(deviceId, reading)
        void decision.then(answer => this.#tell({ kind: 'decided', readingId, answer }))
        return
      }
      case 'giveBack':
        return this.#options.giveBack(message.deviceId, message.recordKey)
      case 'answer':
        return this.#requests.get(message.requestId)?.resolve(message.data)
      case 'applied':
        return this.#requests.get(message.requestId)?.resolve(message.items)
      case 'failure': {
        const Failure = failures[message.cause]
        return this.#requests.get(message.requestId)?.reject(new Failure(message.reason))
      }
    }
  }

  #onExit(child: ChildProcess, reason: string): void {
    if (child !== this.#child) return
    this.#child = undefined
    this.#forgetProcess()
    if (this.#isStopped) return
    this.#hasStopped = true
    this.#options.onStopped(reason)
    this.#attempt = monotonicMs() - this.#startedAt > goodRunMs ? 0 : this.#attempt + 1
    const delay = retryDelay(this.#attempt, this.#options.timings)
    log(`驱动 ${this.#options.name} 已停止（${reason}），${Math.ceil(delay / 1000)} 秒后重新启动`)
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined
      if (this.#devices.length > 0) {
        this.#start()
      }
    }, delay)
  }

  #forgetProcess(): void {
    this.#statuses.clear()
    for (const { reject } of this.#requests.values()) {
      reject(new Unreachable('驱动程序中断，结果未知'))
    }
  }

  /** Lets the process end by closing its pipe, and ends it when it does not. */
  #end(): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    const child = this.#child
    if (!child) return
    this.#child = undefined
    this.#forgetProcess()
    if (child.connected) {
      child.disconnect()
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#options.timings.killMs)
    child.on('exit', () => clearTimeout(timer))
  }
}

const isReported = (value: unknown): value is readonly ReportedItem[] => Array.isArray(value)
