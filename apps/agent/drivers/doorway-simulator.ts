import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '#kit/domain/defined.ts'
import type { DesiredItem, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { driverCommands } from '#modules/devices/contract/driver-commands.ts'
import type { JsonObject } from '../json.ts'
import type { DeviceConnection, DeviceContext, Driver } from './driver.ts'
import { IsapiConnection, readIsapiSettings } from './isapi/connection.ts'
import { employeeNoOf } from './isapi/credential.ts'
import { minor, SimulatedDoorway } from './simulated-controller/doorway.ts'
import { ControllerMemory } from './simulated-controller/memory.ts'
import type { ControllerState } from './simulated-controller/requests.ts'
import { SimulatedServer } from './simulated-controller/server.ts'

const user = 'admin'
const password = 'simulated'
const pollMs = '200'
const maxPassages = 10_000
const remoteWaitMs = 1500
const waitStepMs = 50

const textOf = (value: unknown): string => String(value ?? '').trim()

const numberOr = (value: unknown, other: number): number =>
  /^\d+$/.test(textOf(value)) ? Number(textOf(value)) : other

/**
 * A controller that is not there, driven as a real one: over HTTP, by the driver of real ones.
 *
 * Settings, all optional: `capacity` of people; `fingerCapacity` of each of `fingerReaders`; `delayMs` before
 * each answer; `eventEveryMs` between passages of somebody whom it knows; `isLineUp` false: it cannot be
 * reached; `refusedKeys` that it never takes.
 */
class SimulatedController implements DeviceConnection {
  readonly #memory: ControllerMemory
  readonly #state: ControllerState
  readonly #server: SimulatedServer
  #isapi: IsapiConnection | undefined
  #isLineUp: boolean
  #lineTimer: NodeJS.Timeout | undefined
  #passageTimer: NodeJS.Timeout | undefined
  #passages = 0

  constructor({ device: { settings }, folder }: DeviceContext) {
    this.#memory = new ControllerMemory(folder)
    this.#isLineUp = textOf(settings.isLineUp) !== 'false'
    this.#state = {
      memory: this.#memory,
      doorway: new SimulatedDoorway(this.#memory),
      capacity: numberOr(settings.capacity, 50_000),
      fingerCapacity: numberOr(settings.fingerCapacity, 5000),
      fingerReaders: numberOr(settings.fingerReaders, 1),
      refused: textOf(settings.refusedKeys).split(',').filter(Boolean).map(employeeNoOf),
      cardOnReader: undefined,
      isKeptOpen: false,
    }
    const delayMs = numberOr(settings.delayMs, 0)
    const isLineUp = (): boolean => this.#isLineUp
    this.#server = new SimulatedServer({ state: this.#state, user, password, delayMs, isLineUp })
    const everyMs = numberOr(settings.eventEveryMs, 0)
    if (everyMs > 0) {
      this.#passageTimer = setInterval(() => this.#makePassages(1), everyMs)
    }
  }

  async connect(context: DeviceContext): Promise<this> {
    const address = await this.#server.listen()
    const settings = readIsapiSettings({ pollMs, ...context.device.settings, user, password })
    this.#isapi = new IsapiConnection(context, address, settings)
    return this
  }

  async command(action: string, data: JsonObject, signal: AbortSignal): Promise<unknown> {
    const { doorway } = this.#state
    switch (action) {
      case 'swipe':
        return { isOpen: await this.#swipe(textOf(data.card), numberOr(data.reader, 1)) }
      case 'showFace':
        return {
          isOpen: doorway.showFace(employeeNoOf(`face:${textOf(data.face)}`), numberOr(data.reader, 1)),
        }
      case 'pressFinger':
        return {
          isOpen: doorway.pressFinger(
            employeeNoOf(`fingerprint:${textOf(data.finger)}`),
            numberOr(data.reader, 1),
          ),
        }
      case 'makePassages':
        return this.#makePassages(numberOr(data.count, 1))
      case 'placeCard':
        this.#state.cardOnReader = textOf(data.card)
        return {}
      case 'forceDoor':
        doorway.note(minor.forced)
        return {}
      case 'holdOpen':
        doorway.note(minor.openTooLong)
        return {}
      case 'closeDoor':
        doorway.note(minor.closed)
        return {}
      case 'listPeople':
        return {
          people: this.#memory.peopleNos(),
          cards: this.#memory.cardNos(),
          isKeptOpen: this.#state.isKeptOpen,
        }
      case 'replaceBox':
        return this.#replaceBox()
      case 'setLine':
        return this.#setLine(data.isUp !== false, numberOr(data.forMs, 0))
      default:
        return await defined(this.#isapi).command(action, data, signal)
    }
  }

  apply(items: readonly DesiredItem[]): Promise<readonly ReportedItem[]> {
    return defined(this.#isapi).apply(items)
  }

  async stop(): Promise<void> {
    clearInterval(this.#passageTimer)
    clearTimeout(this.#lineTimer)
    await this.#isapi?.stop()
    await this.#server.close()
    this.#memory.close()
  }

  /** What the controller refuses, its driver may open a moment later. */
  async #swipe(card: string, reader: number): Promise<boolean> {
    const { doorway } = this.#state
    const openings = doorway.remoteOpenings
    if (doorway.swipe(card, reader)) return true
    for (let waited = 0; waited < remoteWaitMs && doorway.remoteOpenings === openings; waited += waitStepMs) {
      await sleep(waitStepMs)
    }
    return doorway.remoteOpenings > openings
  }

  /** One after the other of those whom it knows, now and then somebody whom it does not. */
  #makePassages(count: number): object {
    const cards = this.#memory.cardNos()
    const { doorway } = this.#state
    for (let i = 0; i < Math.min(count, maxPassages); i++) {
      const card = cards[this.#passages++ % (cards.length + 1)]
      doorway.swipe(card ?? 'UNKNOWN')
    }
    return { passages: this.#passages }
  }

  /** The line breaks with it, as when somebody changes the box. */
  #replaceBox(): object {
    this.#memory.replace()
    this.#setLine(false, 500)
    return { serial: this.#memory.serial }
  }

  #setLine(isUp: boolean, forMs: number): object {
    clearTimeout(this.#lineTimer)
    this.#isLineUp = isUp
    if (forMs > 0) {
      this.#lineTimer = setTimeout(() => this.#setLine(!isUp, 0), forMs)
    }
    return { isLineUp: isUp }
  }
}

export const driver: Driver = {
  commands: defined(driverCommands.doorwaySimulator),
  start: context => new SimulatedController(context).connect(context),
}
