import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { agentEvents } from '#modules/devices/contract/agent-commands.ts'
import type { AgentMessage, DeviceConfig } from '#modules/devices/contract/agent-protocol.ts'
import { CommandRefusal } from './commands/command.ts'
import { CodeJournal } from './code-journal.ts'
import { Connection, type ConnectedMessage, type Welcome } from './connection.ts'
import { DeviceList } from './device-list.ts'
import { DriverHost } from './drivers/driver-host.ts'
import { drivers } from './drivers/index.ts'
import { EventSender } from './event-sender.ts'
import { EventWriter } from './event-writer.ts'
import { AgentError, exitCodes, log } from './exit-codes.ts'
import type { Identity } from './identity.ts'
import { EventJournal, isDiskFull, openDatabase } from './journal.ts'
import { readLocalPermissions } from './local-permissions.ts'
import { ReadingDecider } from './reading-decider.ts'
import { promoteCandidate, readReleases, writeReleases } from './releases.ts'
import { TaskJournal } from './task-journal.ts'
import { TaskRunner } from './tasks.ts'
import type { Timings } from './timings.ts'

export interface AgentOptions {
  readonly dataDir: string
  readonly identity: Identity
  readonly version: string
  readonly timings: Timings
  readonly onConnected: () => void
  /** Ends the program; called once everything that must be on the disk is there. */
  readonly exit: (code: number) => void
}

/**
 * What the server has stored stays here a while longer when that cannot be written down; it is sent again and
 * counts once.
 */
function unlessDiskFull(run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!isDiskFull(error)) throw error
    log('磁盘空间不足，请清理此机器的磁盘')
  }
}

/** The parts of the program and what they tell each other. */
export class Agent {
  readonly #options: AgentOptions
  readonly #database: DatabaseSync
  readonly #events: EventJournal
  readonly #writer: EventWriter
  readonly #sender: EventSender
  readonly #tasks: TaskRunner
  readonly #decider: ReadingDecider
  readonly #connection: Connection
  readonly #hosts = new Map<string, DriverHost>()
  readonly #devices: DeviceList
  #beatTimer: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(options: AgentOptions) {
    const { dataDir, identity, timings, version } = options
    this.#options = options
    const list = readLocalPermissions(dataDir)
    this.#devices = new DeviceList(dataDir, identity)
    // A new pairing has a new key and numbers its events from 1: it has a file of its own.
    this.#database = openDatabase(join(dataDir, `journal-${identity.keyId.slice(0, 16)}.sqlite`))
    this.#events = new EventJournal(this.#database, list.bufferMegabytes * 1_000_000)
    this.#writer = new EventWriter(this.#events, () => this.#sender.sendNext())
    const send = (message: AgentMessage): boolean => this.#connection.send(message)
    this.#sender = new EventSender(this.#events, send, {
      timeoutMs: timings.silenceMs,
      onUnanswered: () => this.#connection.drop('服务器未确认事件'),
    })
    this.#decider = new ReadingDecider({ journal: new CodeJournal(this.#database), send })
    this.#tasks = new TaskRunner({
      journal: new TaskJournal(this.#database),
      send,
      releases: () => readReleases(dataDir),
      contextOf: ({ taskId, deviceId }, parts) => ({
        ...parts,
        taskId,
        deviceId,
        dataDir,
        identity,
        timings,
        list: readLocalPermissions(dataDir),
        sendToDevice: (id, action, data) => this.#hostOf(id).command(id, action, data, parts),
        sendKernel: (id, kernel) => this.#hostOf(id).installKernel(id, kernel, parts),
        restartForUpdate: () => this.stop(exitCodes.update),
      }),
    })
    this.#connection = new Connection({
      identity,
      timings,
      version,
      drivers: Object.keys(drivers),
      allowedCommands: () => this.#allowedCommands(),
      onConnected: welcome => this.#onConnected(welcome),
      onMessage: message => unlessDiskFull(() => this.#onMessage(message)),
      onLost: () => this.#onLost(),
      onRefused: () => this.#onRefused(),
    })
  }

  start(): void {
    this.#tasks.resume()
    const releases = readReleases(this.#options.dataDir)
    if (releases.failed) {
      writeReleases(this.#options.dataDir, { current: releases.current })
    }
    this.#drive(this.#devices.devices)
    this.#connection.open()
  }

  stop(code: number): void {
    if (this.#isStopping) return
    this.#isStopping = true
    clearInterval(this.#beatTimer)
    // Programs that run for the server are asked to end and then ended: the time for that.
    const waitMs = this.#tasks.isBusy ? this.#options.timings.killMs + 100 : 100
    this.#tasks.stop()
    this.#connection.stop()
    this.#writer.flush()
    for (const host of this.#hosts.values()) {
      host.stop()
    }
    setTimeout(() => {
      this.#database.close()
      this.#options.exit(code)
    }, waitMs)
  }

  #allowedCommands() {
    try {
      return readLocalPermissions(this.#options.dataDir).commands
    } catch (error) {
      log(error instanceof AgentError ? error.message : String(error))
      return []
    }
  }

  #onConnected(welcome: Welcome): void {
    log(`已连接 ${this.#options.identity.server}：${welcome.gateNo} ${welcome.name}`)
    // In this order: killed between the two, the update runs again and finds itself installed.
    promoteCandidate(this.#options.dataDir)
    this.#tasks.passTrial(this.#options.version)
    this.#options.onConnected()
    unlessDiskFull(() => this.#decider.begin(welcome.gatewayId, welcome.takesReadings === true))
    this.#setDevices(welcome.devices)
    this.#tasks.resendResults(welcome.takesParts === true)
    unlessDiskFull(() => this.#sender.begin(welcome.ackedSeq))
    this.#sender.sendNext()
    void this.#beat()
    this.#beatTimer = setInterval(() => void this.#beat(), this.#options.timings.beatMs)
  }

  #onLost(): void {
    clearInterval(this.#beatTimer)
    this.#sender.end()
    this.#decider.end()
  }

  #onRefused(): void {
    log('服务器不承认此机器的密钥（网关已吊销或重新配对）。请在「网关管理」生成配对码，用 --code 重新配对。')
    this.stop(exitCodes.refused)
  }

  #onMessage(message: ConnectedMessage): void {
    switch (message.kind) {
      case 'command':
        return this.#tasks.receive(message)
      case 'cancel':
        return this.#tasks.cancel(message.taskId)
      case 'resultAck':
        return this.#tasks.release(message.taskId)
      case 'outputPartAck':
        return this.#tasks.acknowledgePart(message)
      case 'eventsAck':
        return this.#sender.acknowledge(message.seq)
      case 'devices':
        return this.#setDevices(message.devices)
      case 'desired': {
        const host = this.#findHost(message.deviceId)
        return host?.desire(message.deviceId, message.items)
      }
      case 'readingAnswer':
        return this.#decider.receive(message)
      case 'beatAck':
        return
    }
  }

  #setDevices(devices: readonly DeviceConfig[]): void {
    this.#devices.set(devices)
    this.#drive(devices)
  }

  #drive(devices: readonly DeviceConfig[]): void {
    for (const name of new Set([...this.#hosts.keys(), ...devices.map(device => device.driver)])) {
      const own = devices.filter(device => device.driver === name)
      if (!Object.hasOwn(drivers, name)) {
        log(`没有驱动 ${name}，${own.length} 台设备不能使用，请升级网关程序`)
        continue
      }
      const host = this.#hosts.get(name) ?? this.#makeHost(name)
      this.#hosts.set(name, host)
      host.setDevices(own)
    }
  }

  #makeHost(name: string): DriverHost {
    const { dataDir, timings } = this.#options
    return new DriverHost({
      name,
      dataDir,
      timings,
      writeEvent: event => this.#writer.write(event),
      report: (deviceId, items) => this.#connection.send({ kind: 'reported', deviceId, items }),
      decide: (deviceId, reading) => this.#decider.decide(deviceId, reading),
      giveBack: (deviceId, recordKey) => this.#decider.giveBack(deviceId, recordKey),
      onStopped: reason => this.#writeOwnEvent('driverStopped', { driver: name, reason }),
      onStartedAgain: () => this.#writeOwnEvent('driverStarted', { driver: name }),
    })
  }

  #writeOwnEvent(type: keyof typeof agentEvents, data: Readonly<Record<string, string>>): void {
    const at = new Date().toISOString()
    void this.#writer.write({ deviceId: 0, at, type: agentEvents[type], data, isCritical: false })
  }

  #findHost(deviceId: number): DriverHost | undefined {
    const device = this.#devices.devices.find(({ id }) => id === deviceId)
    return device && this.#hosts.get(device.driver)
  }

  #hostOf(deviceId: number): DriverHost {
    const device = this.#devices.devices.find(({ id }) => id === deviceId)
    if (!device) throw new CommandRefusal('设备不属于此网关')
    const host = this.#hosts.get(device.driver)
    if (!host) throw new CommandRefusal(`此机器的网关程序没有驱动 ${device.driver}，请升级`)
    return host
  }

  async #beat(): Promise<void> {
    const free = await statfs(this.#options.dataDir).catch(() => undefined)
    this.#connection.send({
      kind: 'beat',
      clock: new Date().toISOString(),
      devices: this.#devices.devices.map(({ id }) => ({
        id,
        ...(this.#findHost(id)?.statusOf(id) ?? { isOnline: false }),
      })),
      bufferedEvents: this.#events.count,
      freeBytes: free ? free.bavail * free.bsize : 0,
    })
  }
}
