import { setTimeout as pause } from 'node:timers/promises'
import { fromInstant } from '#kit/domain/moment.ts'
import { drawLanePicture } from './lane-picture.ts'
import { stripEvent } from './lane-strip.ts'
import type { SimulatedAnswer, SimulatedCamera, SimulatedCar } from './simulated-camera.ts'

export interface SimulatedLane {
  readonly laneName: string
  readonly way: 'in' | 'out'
  readonly camera: SimulatedCamera
}

export interface LaneEvent {
  readonly time: string
  readonly laneName: string
  readonly plateNo: string
  readonly answer: string
}

/** How long after a fault a camera tries again. */
const retryMs = 5000
const listEveryMs = 300_000
const keptEvents = 50
/** Cars of its own that it remembers as inside. */
const keptInside = 20

function answerText({ status, isOpen, text }: SimulatedAnswer): string {
  const fault = status === 200 || status === 0 ? '' : `（${status}）`
  return [isOpen ? '开闸' : '不开闸', text, fault].filter(Boolean).join(' ')
}

/** Lanes with a camera each: they ask what to do, keep their list, and report the cars that come. */
export class LaneSimulator {
  readonly lanes: readonly SimulatedLane[]
  readonly #clock: () => number
  readonly #stop = new AbortController()
  readonly #events: LaneEvent[] = []
  #inside: string[] = []
  #turn = 0

  constructor(lanes: readonly SimulatedLane[], clock: () => number = Date.now) {
    this.lanes = lanes
    this.#clock = clock
  }

  get events(): readonly LaneEvent[] {
    return this.#events
  }

  /** A car every so often, or none where that is 0. */
  start(everyMs: number): void {
    for (const lane of this.lanes) {
      this.#repeat(0, () => this.#poll(lane))
      this.#repeat(listEveryMs, () => this.#fetchList(lane))
    }
    if (everyMs > 0) {
      this.#repeat(everyMs, () => this.#next())
    }
  }

  close(): void {
    this.#stop.abort()
  }

  /** What it does again and again must not end with a fault: the product may be starting. */
  #repeat(everyMs: number, work: () => Promise<unknown>): void {
    const { signal } = this.#stop
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        const wait = await work().then(
          () => everyMs,
          () => Math.max(everyMs, retryMs),
        )
        await pause(wait, undefined, { signal, ref: false })
      }
    }
    run().catch(() => {
      /* stopped */
    })
  }

  async #poll({ camera, laneName }: SimulatedLane): Promise<void> {
    if (camera.isOffline) {
      await pause(retryMs, undefined, { signal: this.#stop.signal, ref: false })
      return
    }
    const commands = await camera.poll()
    if (commands.length) {
      this.#note(laneName, '', '开闸指令，已开闸')
    }
  }

  async #fetchList({ camera }: SimulatedLane): Promise<void> {
    if (!camera.isOffline) {
      await camera.fetchList()
    }
  }

  async #next(): Promise<void> {
    const [entrance] = this.lanes.filter(({ way }) => way === 'in')
    const listed = entrance?.camera.listed ?? []
    const event = stripEvent(this.#turn++, {
      listed: listed.filter(plateNo => !this.#inside.includes(plateNo)),
      blocked: entrance?.camera.blocked ?? [],
      inside: this.#inside,
    })
    const lanes = this.lanes.filter(({ way }) => way === event.way)
    const lane = lanes[this.#turn % lanes.length]
    if (lane) {
      await this.send(lane, event.car, event.isDouble)
    }
  }

  #note(laneName: string, plateNo: string, answer: string): void {
    this.#events.unshift({ time: fromInstant(this.#clock()), laneName, plateNo, answer })
    this.#events.length = Math.min(this.#events.length, keptEvents)
  }

  #remember({ way }: SimulatedLane, { plateNo }: SimulatedCar, { isOpen }: SimulatedAnswer): void {
    if (plateNo === undefined) return
    this.#inside = this.#inside.filter(each => each !== plateNo)
    if (way === 'in' && isOpen) {
      this.#inside = [...this.#inside, plateNo].slice(-keptInside)
    }
  }

  /** A car comes to a lane; its picture goes with it. */
  async send(lane: SimulatedLane, car: SimulatedCar, isDouble = false): Promise<string> {
    const { camera, laneName } = lane
    const picture = car.picture ?? (await drawLanePicture(car.plateNo, fromInstant(this.#clock())))
    const answer = await camera.report({ ...car, picture }, isDouble)
    this.#remember(lane, car, answer)
    const text = answerText(answer)
    this.#note(laneName, car.plateNo ?? '无牌', text)
    return text
  }

  /** The line is cut, or there again: then what was kept is sent. */
  async setOffline({ camera, laneName }: SimulatedLane, isOffline: boolean): Promise<string> {
    camera.isOffline = isOffline
    if (isOffline) {
      this.#note(laneName, '', '断网')
      return '已断网，按名单放行'
    }
    const sent = await camera.sendKept()
    this.#note(laneName, '', `恢复，补报 ${sent} 条`)
    return `已恢复，补报 ${sent} 条`
  }
}
