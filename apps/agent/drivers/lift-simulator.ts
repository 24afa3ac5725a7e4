import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '#kit/domain/defined.ts'
import type { DesiredItem, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { driverCommands } from '#modules/devices/contract/driver-commands.ts'
import { readIfPresent, writeFileAtomic } from '../atomic-file.ts'
import { isObject, parseJson, type JsonObject } from '../json.ts'
import {
  DeviceOffline,
  DriverFailure,
  type DeviceConnection,
  type DeviceContext,
  type Driver,
} from './driver.ts'
import { liftRefusal, settingsKey, siteMoment } from './lift-rights.ts'

const firmware = 'lift-1.0'
/** As those of the records of calls: by card, by code, and from afar. */
const byCard = 1
const byCode = 4
const byRemote = 5

/**
 * A simulated lift controller: it decides by what it holds, without the line, and keeps that and the number
 * of its last record when the process dies.
 *
 * Settings, all optional: `capacity` of credentials; `delayMs` before each answer; `callEveryMs` between
 * calls that its holders make without being asked; `isLineUp` false: it cannot be reached.
 */
interface Settings {
  readonly capacity: number
  readonly delayMs: number
  readonly callEveryMs: number
  readonly isLineUp: boolean
}

function readSettings(settings: JsonObject): Settings {
  const numberOr = (name: string, other: number): number => {
    const text = String(settings[name] ?? '').trim()
    return /^\d+$/.test(text) ? Number(text) : other
  }
  return {
    capacity: numberOr('capacity', 20_000),
    delayMs: numberOr('delayMs', 0),
    callEveryMs: numberOr('callEveryMs', 0),
    isLineUp: String(settings.isLineUp ?? '').trim() !== 'false',
  }
}

interface HeldItem {
  readonly version: number
  readonly data: JsonObject
}

/** What the controller remembers. */
class Memory {
  readonly #file: string
  readonly items = new Map<string, HeldItem>()
  lastNo = 0
  floor = '1'

  constructor(folder: string) {
    this.#file = join(folder, 'lift.json')
    const text = readIfPresent(this.#file)
    const stored = text === undefined ? undefined : parseJson(text)
    if (!isObject(stored) || !isObject(stored.items)) return
    for (const [key, item] of Object.entries(stored.items)) {
      if (isObject(item) && isObject(item.data)) {
        this.items.set(key, { version: Number(item.version), data: item.data })
      }
    }
    this.lastNo = Number(stored.lastNo)
    this.floor = String(stored.floor)
  }

  save(): void {
    const { lastNo, floor } = this
    writeFileAtomic(this.#file, JSON.stringify({ items: Object.fromEntries(this.items), lastNo, floor }))
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

class SimulatedLift implements DeviceConnection {
  readonly #context: DeviceContext
  readonly #settings: Settings
  readonly #memory: Memory
  readonly #released = new Map<string, number>()
  #isLineUp: boolean
  #timer: NodeJS.Timeout | undefined

  constructor(context: DeviceContext) {
    this.#context = context
    this.#settings = readSettings(context.device.settings)
    this.#memory = new Memory(context.folder)
    this.#isLineUp = this.#settings.isLineUp
    context.setOnline(this.#isLineUp, firmware)
    if (this.#settings.callEveryMs > 0) {
      this.#timer = setInterval(() => void this.#callByHolder(), this.#settings.callEveryMs)
    }
  }

  async command(action: string, data: JsonObject, signal: AbortSignal): Promise<unknown> {
    if (action === 'setLine') return this.#setLine(data.isUp !== false)
    await this.#answer(signal)
    const floor = textOf(data.floor)
    switch (action) {
      case 'callLift':
        this.#assertFloor(floor)
        await this.#record({ method: byRemote, to: floor, result: 1 })
        return { floor }
      case 'releaseFloor':
        this.#assertFloor(floor)
        this.#released.set(floor, Date.now() + Number(data.seconds ?? 60) * 1000)
        return { floor }
      case 'press':
        return this.#press(textOf(data.card), floor)
      case 'trap':
        return this.#alarm({ floor: floor || this.#memory.floor })
      case 'endTrap':
        return this.#alarm({ ended: true })
      case 'status':
        return { isLineUp: this.#isLineUp, heldItems: this.#memory.items.size, floor: this.#memory.floor }
      case 'listItems':
        return [...this.#memory.items].map(([key, { version }]) => ({ key, version }))
      default:
        throw new DriverFailure(`模拟梯控不支持 ${action}`)
    }
  }

  async apply(items: readonly DesiredItem[]): Promise<readonly ReportedItem[]> {
    await this.#answer()
    const reported = items.map(item => this.#hold(item))
    this.#memory.save()
    return reported
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
  }

  #hold({ key, version, action, data }: DesiredItem): ReportedItem {
    const { items } = this.#memory
    const stored = items.get(key)
    if (stored && stored.version > version)
      return { key, version, outcome: 'failed', reason: '设备已有更新的版本' }
    if (action === 'remove') {
      items.delete(key)
      return { key, version, outcome: 'done' }
    }
    if (!stored && key !== settingsKey && items.size >= this.#settings.capacity)
      return { key, version, outcome: 'failed', reason: '设备容量已满' }
    items.set(key, { version, data: isObject(data) ? data : {} })
    return { key, version, outcome: 'done' }
  }

  async #answer(signal?: AbortSignal): Promise<void> {
    if (this.#settings.delayMs > 0) {
      await sleep(this.#settings.delayMs, undefined, { signal })
    }
    if (!this.#isLineUp) throw new DeviceOffline('设备未连接')
  }

  #setLine(isUp: boolean): object {
    this.#isLineUp = isUp
    this.#context.setOnline(isUp, firmware)
    return { isLineUp: isUp }
  }

  #assertFloor(floor: string): void {
    const floors = this.#memory.items.get(settingsKey)?.data.floors
    if (!Array.isArray(floors)) throw new DriverFailure('电梯参数未下发，请稍后再试')
    if (!floors.includes(floor)) throw new DriverFailure(`电梯不停靠 ${floor} 层`)
  }

  async #press(number: string, floor: string): Promise<object> {
    const now = Date.now()
    const items = new Map([...this.#memory.items].map(([key, item]) => [key, item.data]))
    // The reader takes cards and the codes of visitors.
    const isCode = !items.has(`lift:card:${number}`) && items.has(`lift:qr:${number}`)
    const credential = `${isCode ? 'qr' : 'card'}:${number}`
    const isReleased = (this.#released.get(floor) ?? 0) > now
    const refusal = isReleased ? undefined : liftRefusal(items, credential, floor, siteMoment(now))
    await this.#record({
      method: isCode ? byCode : byCard,
      card: number,
      item: credential,
      to: floor,
      result: refusal === undefined ? 1 : 0,
      ...(refusal === undefined ? {} : { reason: refusal }),
    })
    return { isAllowed: refusal === undefined, reason: refusal }
  }

  /** Goes there where it was allowed; the number is on the disk before the event is. */
  async #record(call: JsonObject): Promise<void> {
    const key = String(++this.#memory.lastNo)
    const from = this.#memory.floor
    if (call.result === 1) {
      this.#memory.floor = String(call.to)
    }
    this.#memory.save()
    const at = new Date().toISOString()
    await this.#context.event({ type: 'liftCall', at, key, data: { ...call, key, from } })
  }

  async #alarm(about: JsonObject): Promise<object> {
    const key = String(++this.#memory.lastNo)
    this.#memory.save()
    const data = { alarm: 'trapped', key, ...about }
    await this.#context.event({
      type: 'liftAlarm',
      at: new Date().toISOString(),
      key,
      data,
      isCritical: true,
    })
    return data
  }

  /** Somebody whose card it holds goes to one of the own floors. */
  async #callByHolder(): Promise<void> {
    const cards = [...this.#memory.items].filter(([key]) => key.startsWith('lift:card:'))
    const [key, item] = cards[this.#memory.lastNo % Math.max(1, cards.length)] ?? []
    const [right] = Array.isArray(item?.data.rights) ? item.data.rights : []
    const floors = isObject(right) && Array.isArray(right.floors) ? right.floors : []
    if (key !== undefined && floors.length) {
      await this.#press(key.slice('lift:card:'.length), String(floors[0]))
    }
  }
}

export const driver: Driver = {
  commands: defined(driverCommands.lift),
  start: async context => new SimulatedLift(context),
}
