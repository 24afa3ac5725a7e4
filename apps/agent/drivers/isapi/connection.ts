import { setTimeout as sleep } from 'node:timers/promises'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { DesiredItem, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { errorText } from '../../error-text.ts'
import type { JsonObject } from '../../json.ts'
import {
  DeviceOffline,
  DriverFailure,
  type DeviceConnection,
  type DeviceContext,
  type DriverEvent,
} from '../driver.ts'
import { AgentCodes } from './agent-codes.ts'
import { IsapiClient } from './client.ts'
import { Controller } from './controller.ts'
import { ItemStore } from './item-store.ts'
import { ControllerItems } from './items.ts'
import { eventOf, heldOpenAfter, type RecordContext } from './records.ts'

export interface IsapiSettings {
  readonly user: string
  readonly password: string
  readonly pollMs: number
  readonly timeoutMs: number
}

const textOf = (value: unknown): string => String(value ?? '').trim()

/** Settings are typed into a form: texts as a rule. */
export function readIsapiSettings(settings: JsonObject): IsapiSettings {
  const numberOr = (value: unknown, other: number): number =>
    /^\d+$/.test(textOf(value)) ? Number(textOf(value)) : other
  return {
    user: textOf(settings.user) || 'admin',
    password: textOf(settings.password),
    pollMs: Math.max(numberOr(settings.pollMs, 1000), 50),
    timeoutMs: Math.max(numberOr(settings.timeoutMs, 10_000), 500),
  }
}

/** A picture within an event, below what an event may be. */
const maxPictureBytes = 40_000
const maxRetryMs = 10_000
/** Between two polls while somebody may stand at the door who is let in by this driver alone. */
const waitingPollMs = 250
const readCardMs = 30_000

/**
 * One controller. What the driver asks of it goes one after the other: records are fetched in between, so
 * that a long list of credentials does not hold them up.
 */
export class IsapiConnection implements DeviceConnection {
  readonly #context: DeviceContext
  readonly #settings: IsapiSettings
  readonly #controller: Controller
  readonly #store: ItemStore
  readonly #items: ControllerItems
  readonly #agentCodes: AgentCodes
  readonly #end = new AbortController()
  readonly #polling: Promise<void>
  #last: Promise<unknown> = Promise.resolve()
  #isOnline = false
  #day = ''
  #closeTimer: NodeJS.Timeout | undefined

  constructor(context: DeviceContext, address: string, settings: IsapiSettings) {
    this.#context = context
    this.#settings = settings
    const { user, password, timeoutMs } = settings
    this.#controller = new Controller(new IsapiClient({ address, user, password, timeoutMs }))
    this.#store = new ItemStore(context.folder)
    this.#items = new ControllerItems({ controller: this.#controller, store: this.#store, context })
    this.#agentCodes = new AgentCodes({
      controller: this.#controller,
      store: this.#store,
      context,
      doorNo: () => this.#items.doorNo,
    })
    this.#polling = this.#poll()
  }

  async command(action: string, data: JsonObject, signal: AbortSignal): Promise<unknown> {
    switch (action) {
      case 'openDoor':
        return this.#open(data.seconds === undefined ? undefined : Number(data.seconds), signal)
      case 'status':
        return this.#status()
      case 'readCard':
        return { card: await this.#controller.readCard(readCardMs, signal) }
      default:
        throw new DriverFailure(`门禁控制器不支持 ${action}`)
    }
  }

  async apply(items: readonly DesiredItem[]): Promise<readonly ReportedItem[]> {
    if (!this.#isOnline) throw new DeviceOffline('设备未连接')
    return this.#inTurn(() => this.#items.apply(items))
  }

  async stop(): Promise<void> {
    this.#end.abort()
    clearTimeout(this.#closeTimer)
    await this.#polling
    await this.#last.catch(() => {})
    this.#store.close()
  }

  async #status(): Promise<object> {
    const [{ serial, firmware }, people] = await Promise.all([
      this.#controller.info(),
      this.#controller.countPeople(),
    ])
    return { isOnline: true, serial, firmware, people }
  }

  /** Opens for the time of the door's own setting, or for this many seconds. */
  async #open(seconds: number | undefined, signal: AbortSignal): Promise<object> {
    const { doorNo } = this.#items
    if (seconds === undefined) {
      await this.#controller.control(doorNo, 'open', signal)
      return { isOpen: true }
    }
    // On the disk first: a driver that ends in between closes the door when it starts again.
    this.#store.set('keptOpenUntil', String(Date.now() + seconds * 1000))
    await this.#controller.control(doorNo, 'alwaysOpen', signal)
    this.#closeTimer = setTimeout(() => void this.#closeAgain().catch(() => {}), seconds * 1000)
    return { isOpen: true, seconds }
  }

  async #closeAgain(): Promise<void> {
    const until = this.#store.get('keptOpenUntil')
    if (until === undefined || Number(until) > Date.now() + 100) return
    await this.#controller.control(this.#items.doorNo, 'resume')
    this.#store.set('keptOpenUntil', undefined)
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#last.catch(() => {}).then(run)
    this.#last = next
    return next
  }

  async #poll(): Promise<void> {
    const { signal } = this.#end
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.#pollOnce()
        failures = 0
      } catch (error) {
        this.#reportOffline(error)
        failures++
      }
      await sleep(this.#pauseMs(failures), undefined, { signal }).catch(() => {})
    }
  }

  /** Somebody at the door waits for the next poll where codes are decided here. */
  #pauseMs(failures: number): number {
    const { pollMs } = this.#settings
    if (failures === 0) return this.#agentCodes.areAny ? Math.min(pollMs, waitingPollMs) : pollMs
    return Math.max(Math.min(pollMs * 2 ** Math.min(failures, 8), maxRetryMs), pollMs)
  }

  async #pollOnce(): Promise<void> {
    if (!this.#isOnline) {
      await this.#inTurn(() => this.#connect())
    }
    await this.#inTurn(() => this.#beginDay())
    await this.#closeAgain()
    await this.#fetchRecords()
  }

  #reportOffline(error: unknown): void {
    if (!(error instanceof DeviceOffline)) {
      this.#context.log(errorText(error))
    }
    this.#isOnline = false
    this.#context.setOnline(false)
  }

  /**
   * Another box, or one that has lost its memory, holds what nobody has put there: it is emptied, and the
   * server is asked to send all of it.
   */
  async #connect(): Promise<void> {
    const { serial, firmware } = await this.#controller.info()
    await this.#controller.setClock()
    await this.#items.undoPending()
    const isKnown = this.#store.get('serial') === serial
    if (!isKnown || (await this.#controller.countPeople()) !== this.#store.countHeld()) {
      await this.#reset(serial, isKnown)
    }
    this.#isOnline = true
    this.#context.setOnline(true, firmware)
  }

  async #reset(serial: string, isKnown: boolean): Promise<void> {
    const cursor = isKnown ? this.#store.get('cursor') : undefined
    await this.#controller.deleteAll()
    const last = cursor ?? String(await this.#controller.lastSerialNo())
    this.#store.clear()
    await this.#context.event({ type: 'deviceReset', data: { serial } })
    this.#store.set('cursor', last)
    this.#store.set('serial', serial)
  }

  async #beginDay(): Promise<void> {
    const day = dayOfInstant(Date.now())
    if (day === this.#day) return
    if (this.#day) {
      await this.#controller.setClock()
    }
    await this.#items.startDay()
    this.#day = day
  }

  /** Until there are no more; each is on the disk here before the next are asked for. */
  async #fetchRecords(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const cursor = Number(this.#store.get('cursor') ?? 0)
      const records = await this.#controller.records(cursor + 1)
      const last = Math.max(cursor, ...records.map(({ serialNo }) => Number(serialNo)))
      if (last <= cursor) return
      const events: DriverEvent[] = []
      for (const [place, read] of records.entries()) {
        const record = await this.#agentCodes.answer(read, records.slice(place + 1))
        if (!record) continue
        const event = eventOf(record, this.#recordContext(), await this.#pictureOf(record))
        events.push(...(event ? [event] : []))
        this.#noteHeldOpen(record)
      }
      await Promise.all(events.map(event => this.#context.event(event)))
      this.#store.set('cursor', String(last))
    }
  }

  #noteHeldOpen(record: JsonObject): void {
    const isHeldOpen = heldOpenAfter(record)
    if (isHeldOpen !== undefined) {
      this.#store.set('heldOpen', isHeldOpen ? '1' : undefined)
    }
  }

  #recordContext(): RecordContext {
    return {
      serial: this.#store.get('serial') ?? '',
      direction: Number(this.#store.get('direction') ?? 30),
      keyOf: employeeNo => this.#store.keyOf(employeeNo),
      isHeldOpen: this.#store.get('heldOpen') !== undefined,
    }
  }

  async #pictureOf({ pictureURL }: JsonObject): Promise<string | undefined> {
    if (typeof pictureURL !== 'string' || !pictureURL) return undefined
    try {
      const bytes = await this.#controller.picture(pictureURL)
      return bytes.length <= maxPictureBytes ? bytes.toString('base64') : undefined
    } catch (error) {
      if (error instanceof DeviceOffline) throw error
      // The controller has written over it: the passage counts without.
      return undefined
    }
  }
}
