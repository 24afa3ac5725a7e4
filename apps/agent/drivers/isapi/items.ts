import type { Day } from '#kit/domain/day.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { DesiredItem, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { objectOf, parseJson, type JsonObject } from '../../json.ts'
import { errorText } from '../../error-text.ts'
import { DeviceOffline, DriverFailure, type DeviceContext } from '../driver.ts'
import { ControllerRefusal } from './client.ts'
import type { Controller } from './controller.ts'
import { base64Template, credentialOf, employeeNoOf, isReadAsCard, type Credential } from './credential.ts'
import type { ItemStore, StoredItem } from './item-store.ts'
import { bothWays, directionNumber, readersOf, type Reader } from './readers.ts'
import { readRight, segmentOn, unionOf, readWindow, type Segment } from './rights.ts'
import { wholeWeek } from './week-plan.ts'

export const settingsKey = 'settings'

/** Templates of a controller that are the driver's; the first is that of the whole week. */
const lastPlanNo = 64

interface ItemsOptions {
  readonly controller: Controller
  readonly store: ItemStore
  readonly context: DeviceContext
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const numberOf = (value: unknown): number | undefined =>
  value === undefined || value === null || value === '' || Number.isNaN(Number(value))
    ? undefined
    : Number(value)

/** Brings a controller to hold what it has to, and keeps it so as days begin and end. */
export class ControllerItems {
  readonly #controller: Controller
  readonly #store: ItemStore
  readonly #context: DeviceContext

  constructor({ controller, store, context }: ItemsOptions) {
    this.#controller = controller
    this.#store = store
    this.#context = context
  }

  get doorNo(): number {
    return Number(this.#store.get('doorNo') ?? 1)
  }

  async apply(items: readonly DesiredItem[]): Promise<readonly ReportedItem[]> {
    const removed = items.filter(({ action }) => action === 'remove')
    await this.#remove(removed)
    const reported: ReportedItem[] = removed.map(({ key, version }) => ({ key, version, outcome: 'done' }))
    // The settings first: they decide on which door people have their rights.
    const put = items.filter(({ action }) => action === 'put')
    for (const item of put.toSorted(
      (a, b) => Number(b.key === settingsKey) - Number(a.key === settingsKey),
    )) {
      reported.push(await this.#put(item))
    }
    return reported
  }

  /** What counts differently since the day began. */
  async startDay(): Promise<void> {
    for (const item of this.#store.ended(today())) {
      await this.#renew(item)
    }
    const settings = this.#store.get('settings')
    if (settings !== undefined) {
      await this.#putFreeTimes(objectOf(parseJson(settings), settingsKey))
    }
  }

  /** What a power cut has left half done: the server sends it again. */
  async undoPending(): Promise<void> {
    const pending = this.#store.pending()
    await this.#controller.deletePeople(pending.map(({ employeeNo }) => employeeNo))
    this.#store.remove(pending.map(({ key }) => key))
  }

  async #remove(items: readonly DesiredItem[]): Promise<void> {
    const keys = items.flatMap(({ key }) => (key === settingsKey ? [] : [key]))
    if (keys.length < items.length) {
      this.#store.set('settings', undefined)
      await this.#controller.putFreeTimes(this.doorNo, [])
    }
    if (!keys.length) return
    await this.#controller.deletePeople(keys.map(employeeNoOf))
    this.#store.remove(keys)
  }

  async #put({ key, version, data = {} }: DesiredItem): Promise<ReportedItem> {
    try {
      if (key === settingsKey) {
        await this.#putSettings(data)
      } else {
        await this.#bring({ key, version, employeeNo: employeeNoOf(key), data })
      }
      return { key, version, outcome: 'done' }
    } catch (error) {
      if (error instanceof DeviceOffline || !(error instanceof DriverFailure)) throw error
      return { key, version, outcome: 'failed', reason: errorText(error) }
    }
  }

  /** What it refuses of a credential leaves nothing of it there. */
  async #bring(item: StoredItem): Promise<void> {
    const credential = credentialOf(item.key, item.data)
    this.#store.begin(item)
    try {
      const segment = segmentOf(item.data)
      if (segment) {
        await this.#putPerson(credential, segment)
      } else {
        await this.#controller.deletePeople([item.employeeNo])
      }
      this.#store.finish(item.key, segment?.end)
    } catch (error) {
      if (!(error instanceof DeviceOffline)) {
        await this.#controller.deletePeople([item.employeeNo])
        this.#store.remove([item.key])
      }
      throw error
    }
  }

  /** What is there already, with other days, times or door: its card and its face stay. */
  async #renew({ key, data, employeeNo }: StoredItem): Promise<void> {
    const segment = segmentOf(data)
    if (segment) {
      await this.#putRights(credentialOf(key, data), segment)
    } else {
      await this.#controller.deletePeople([employeeNo])
    }
    this.#store.finish(key, segment?.end)
  }

  async #putRights({ employeeNo, name, endTime }: Credential, segment: Segment): Promise<void> {
    const planNo = await this.#planNo(segment)
    await this.#controller.putPerson({ employeeNo, name, segment, endTime, planNo, doorNo: this.doorNo })
  }

  async #putPerson(credential: Credential, segment: Segment): Promise<void> {
    const { employeeNo, kind, number, pictureLink, templateLink } = credential
    await this.#putRights(credential, segment)
    if (isReadAsCard(kind)) {
      await this.#controller.putCard(employeeNo, number)
    } else if (kind === 'fingerprint') {
      if (templateLink === undefined) throw new DriverFailure('未收到指纹，请重新下发')
      const template = await this.#context.fetchFile(templateLink)
      await this.#putFinger(employeeNo, base64Template(template.toString('latin1')))
    } else if (pictureLink !== undefined) {
      await this.#controller.putFace(employeeNo, await this.#context.fetchFile(pictureLink))
    }
  }

  /** To the readers of the door that take fingers: of a terminal that is one, of a door with two both. */
  async #putFinger(employeeNo: string, template: string): Promise<void> {
    const failures: DriverFailure[] = []
    const readers = readersOf(this.doorNo, bothWays, bothWays)
    for (const { no } of readers) {
      try {
        await this.#controller.putFinger(employeeNo, template, no)
      } catch (error) {
        if (error instanceof DeviceOffline || !(error instanceof DriverFailure)) throw error
        failures.push(error)
      }
    }
    const [first] = failures
    if (first && failures.length === readers.length) throw first
  }

  async #planNo({ intervals = wholeWeek }: Segment): Promise<number> {
    const content = JSON.stringify(intervals)
    const known = this.#store.planNumber(content)
    if (known !== undefined) return known
    const used = new Set(this.#store.planNumbers())
    const no = Array.from({ length: lastPlanNo }, (_, i) => i + 1).find(number => !used.has(number))
    if (no === undefined) throw new DriverFailure(`设备最多 ${lastPlanNo} 种时间段，请合并门组的时间段`)
    await this.#controller.putPlan(no, intervals)
    this.#store.setPlan(no, content)
    return no
  }

  async #putSettings(data: JsonObject): Promise<void> {
    const before = this.doorNo
    const doorNo = numberOf(data.antennaNo) ?? 1
    this.#store.set('doorNo', String(doorNo))
    const direction = directionNumber(data.direction)
    this.#store.set('direction', String(direction))
    this.#store.set('settings', JSON.stringify(data))
    await this.#putReaders(readersOf(doorNo, direction, directionNumber(data.passage)))
    await this.#putFreeTimes(data)
    await this.#controller.putOpenSeconds(doorNo, Math.min(numberOf(data.openSeconds) ?? 5, 255))
    await this.#putParameters(data)
    if (doorNo === before) return
    for (const item of this.#store.all()) {
      await this.#renew(item)
    }
    await this.#askForFingers()
  }

  /** Fingers are at the readers of the door before, and the site keeps no template: they are sent again. */
  async #askForFingers(): Promise<void> {
    if (!this.#store.all().some(({ key }) => key.startsWith('fingerprint:'))) return
    await this.#context.event({ type: 'deviceReset', data: { serial: this.#store.get('serial') ?? '' } })
  }

  async #putFreeTimes({ freeTimes }: JsonObject): Promise<void> {
    const day = today()
    const counting = listOf(freeTimes).filter(time => {
      const { from, until } = readRight(time)
      return (from ?? day) <= day && (until ?? day) >= day
    })
    await this.#controller.putFreeTimes(this.doorNo, unionOf(counting.map(readWindow)))
  }

  /** A terminal has no second reader; what cannot turn off its own lets people pass the other way. */
  async #putReaders(readers: readonly Reader[]): Promise<void> {
    for (const [place, { no, isEnabled }] of readers.entries()) {
      try {
        await this.#controller.putReader(no, isEnabled)
      } catch (error) {
        if (!(error instanceof ControllerRefusal)) throw error
        const isOneWay = readers.some(reader => !reader.isEnabled)
        if (place === 0 && isOneWay) throw new DriverFailure('设备不能按方向停用读头，请将门的方向改为出入口')
        this.#context.log(`读头 ${no} 未设置：${error.subStatus}`)
      }
    }
  }

  /** A box without a loudspeaker or a camera has nothing to set there. */
  async #putParameters({ volume, threshold }: JsonObject): Promise<void> {
    const [level, likeness] = [numberOf(volume), numberOf(threshold)]
    try {
      if (level !== undefined) {
        await this.#controller.putVolume(level)
      }
      if (likeness !== undefined) {
        await this.#controller.putThreshold(likeness)
      }
    } catch (error) {
      if (!(error instanceof ControllerRefusal) || !/notsupport/i.test(error.subStatus)) throw error
      this.#context.log(`设备没有此参数：${error.subStatus}`)
    }
  }
}

const today = (): Day => dayOfInstant(Date.now())

const segmentOf = ({ rights }: JsonObject): Segment | undefined =>
  segmentOn(listOf(rights).map(readRight), today())
