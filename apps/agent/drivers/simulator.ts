import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DesiredItem, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { driverCommands } from '#modules/devices/contract/driver-commands.ts'
import { defined } from '#kit/domain/defined.ts'
import { readIfPresent, writeFileAtomic } from '../atomic-file.ts'
import { isObject, parseJson, type JsonObject } from '../json.ts'
import {
  DeviceOffline,
  DriverFailure,
  type DeviceConnection,
  type DeviceContext,
  type Driver,
  type DriverEvent,
  type KernelFile,
} from './driver.ts'

/**
 * A simulated door: it holds what it is given up to its capacity, opens on command and keeps records
 * until they are fetched. Like a real one it remembers all of that when the process that drives it dies.
 *
 * Settings, all optional: `capacity` of items; `delayMs` before each answer; `eventEveryMs` between records
 * that it makes without being asked; `isLineUp` false: it cannot be reached; `refusedKeys` that it always
 * refuses, separated by commas.
 */
interface Settings {
  readonly capacity: number
  readonly delayMs: number
  readonly eventEveryMs: number
  readonly isLineUp: boolean
  readonly refusedKeys: readonly string[]
}

const firstKernel = 'simulator-1.0'
const recordsAtOnce = 500
const maxRecords = 100_000

/** Settings are typed into a form: texts as a rule. */
function readSettings(settings: JsonObject): Settings {
  const textOf = (name: string): string => String(settings[name] ?? '').trim()
  const numberOr = (name: string, other: number): number => {
    const text = textOf(name)
    return /^\d+$/.test(text) ? Number(text) : other
  }
  return {
    capacity: numberOr('capacity', 1000),
    delayMs: numberOr('delayMs', 0),
    eventEveryMs: numberOr('eventEveryMs', 0),
    isLineUp: textOf('isLineUp') !== 'false',
    refusedKeys: textOf('refusedKeys').split(',').filter(Boolean),
  }
}

interface OpenRecord {
  readonly no: number
  readonly at: string
  readonly type: string
  readonly data: JsonObject
}

/** What the door remembers. */
class Memory {
  readonly #file: string
  readonly items = new Map<string, number>()
  records: OpenRecord[] = []
  lastNo = 0
  kernelVersion = firstKernel

  constructor(folder: string) {
    this.#file = join(folder, 'memory.json')
    const text = readIfPresent(this.#file)
    const stored = text === undefined ? undefined : parseJson(text)
    if (!isObject(stored) || !Array.isArray(stored.items) || !Array.isArray(stored.records)) return
    for (const entry of stored.items) {
      if (Array.isArray(entry)) {
        this.items.set(String(entry[0]), Number(entry[1]))
      }
    }
    this.records = stored.records.filter(isObject).map(({ no, at, type, data }) => ({
      no: Number(no),
      at: String(at),
      type: String(type),
      data: isObject(data) ? data : {},
    }))
    this.lastNo = Number(stored.lastNo)
    this.kernelVersion = String(stored.kernelVersion ?? firstKernel)
  }

  addRecord(type: string, data: JsonObject): void {
    if (this.records.length >= maxRecords) {
      this.records.shift()
    }
    this.records.push({ no: ++this.lastNo, at: new Date().toISOString(), type, data })
  }

  save(): void {
    writeFileAtomic(
      this.#file,
      JSON.stringify({
        items: [...this.items],
        records: this.records,
        lastNo: this.lastNo,
        kernelVersion: this.kernelVersion,
      }),
    )
  }
}

class SimulatedDevice implements DeviceConnection {
  readonly #context: DeviceContext
  readonly #settings: Settings
  readonly #memory: Memory
  #isLineUp: boolean
  #isFetching = false
  #timer: NodeJS.Timeout | undefined
  #lineTimer: NodeJS.Timeout | undefined

  constructor(context: DeviceContext) {
    this.#context = context
    this.#settings = readSettings(context.device.settings)
    this.#memory = new Memory(context.folder)
    this.#isLineUp = this.#settings.isLineUp
    context.setOnline(this.#isLineUp, this.#memory.kernelVersion)
    if (this.#settings.eventEveryMs > 0) {
      this.#timer = setInterval(() => this.#record('opened', { by: 'card' }), this.#settings.eventEveryMs)
    }
    void this.#fetchRecords()
  }

  async command(action: string, data: JsonObject, signal: AbortSignal): Promise<unknown> {
    if (action === 'setLine') return this.#setLine(data.isUp !== false, Number(data.forMs ?? 0))
    await this.#answer(signal)
    switch (action) {
      case 'open':
        this.#record('opened', { by: 'remote' })
        return { isOpen: true }
      case 'status':
        return {
          isLineUp: this.#isLineUp,
          heldItems: this.#memory.items.size,
          capacity: this.#settings.capacity,
        }
      case 'listItems':
        return [...this.#memory.items].map(([key, version]) => ({ key, version }))
      case 'makeRecords':
        return this.#makeRecords(Number(data.count ?? 1))
      case 'alarm':
        this.#record('alarm', { reason: 'forcedOpen' })
        return {}
      case 'fault':
        this.#record('fault', { title: String(data.title ?? '模拟故障'), level: String(data.level ?? 3) })
        return {}
      case 'clearFault':
        // Without a name it ends all of them.
        this.#record('faultCleared', data.title ? { title: String(data.title) } : {})
        return {}
      case 'hang':
        return await sleep(2 ** 31 - 1, undefined, { signal })
      case 'crash':
        return process.exit(1)
      default:
        throw new DriverFailure(`模拟设备不支持 ${action}`)
    }
  }

  async apply(items: readonly DesiredItem[]): Promise<readonly ReportedItem[]> {
    await this.#answer()
    const reported = items.map(item => this.#hold(item))
    this.#memory.save()
    return reported
  }

  /** Takes the file's name without `.kernel` for its version, and refuses an empty one. */
  async installKernel({ path, name }: KernelFile, signal: AbortSignal): Promise<string> {
    await this.#answer(signal)
    if ((await stat(path)).size === 0) throw new DriverFailure('内核文件为空')
    this.#memory.kernelVersion = name.replace(/\.kernel.*$/i, '').slice(0, 20)
    this.#memory.save()
    this.#context.setOnline(this.#isLineUp, this.#memory.kernelVersion)
    return this.#memory.kernelVersion
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#lineTimer)
  }

  #hold({ key, version, action }: DesiredItem): ReportedItem {
    const { items } = this.#memory
    const storedVersion = items.get(key)
    if (storedVersion !== undefined && storedVersion > version)
      return { key, version, outcome: 'failed', reason: '设备已有更新的版本' }
    if (action === 'remove') {
      items.delete(key)
      return { key, version, outcome: 'done' }
    }
    if (this.#settings.refusedKeys.includes(key))
      return { key, version, outcome: 'failed', reason: '设备拒绝此项' }
    if (storedVersion === undefined && items.size >= this.#settings.capacity)
      return { key, version, outcome: 'failed', reason: '设备容量已满' }
    items.set(key, version)
    return { key, version, outcome: 'done' }
  }

  async #answer(signal?: AbortSignal): Promise<void> {
    if (this.#settings.delayMs > 0) {
      await sleep(this.#settings.delayMs, undefined, { signal })
    }
    if (!this.#isLineUp) throw new DeviceOffline('设备未连接')
  }

  #setLine(isUp: boolean, forMs: number): object {
    clearTimeout(this.#lineTimer)
    this.#isLineUp = isUp
    this.#context.setOnline(isUp, this.#memory.kernelVersion)
    if (forMs > 0) {
      this.#lineTimer = setTimeout(() => this.#setLine(!isUp, 0), forMs)
    }
    void this.#fetchRecords()
    return { isLineUp: isUp }
  }

  #record(type: string, data: JsonObject): void {
    this.#memory.addRecord(type, data)
    this.#memory.save()
    void this.#fetchRecords()
  }

  #makeRecords(count: number): object {
    for (let i = 0; i < Math.min(count, maxRecords); i++) {
      this.#memory.addRecord('opened', { by: 'card', card: i + 1 })
    }
    this.#memory.save()
    void this.#fetchRecords()
    return { lastNo: this.#memory.lastNo }
  }

  /** Records are fetched over the line, and deleted at the device when they are on the disk here. */
  async #fetchRecords(): Promise<void> {
    if (this.#isFetching) return
    this.#isFetching = true
    while (this.#isLineUp && this.#memory.records.length > 0) {
      const fetched = this.#memory.records.slice(0, recordsAtOnce)
      await Promise.all(fetched.map(record => this.#context.event(eventOf(record))))
      const last = fetched.at(-1)?.no ?? 0
      this.#memory.records = this.#memory.records.filter(record => record.no > last)
      this.#memory.save()
    }
    this.#isFetching = false
  }
}

const eventOf = ({ no, at, type, data }: OpenRecord): DriverEvent => ({
  type,
  at,
  data: { ...data, no },
  isCritical: type === 'alarm',
  key: String(no),
})

export const driver: Driver = {
  commands: defined(driverCommands.simulator),
  start: async context => new SimulatedDevice(context),
}
