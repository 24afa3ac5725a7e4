import { fromInstant } from '#kit/domain/moment.ts'
import { isObject, parseJson, type JsonObject } from '../../json.ts'
import type { CodeCount, CodeReading, DeviceContext } from '../driver.ts'
import { ControllerRefusal } from './client.ts'
import type { Controller } from './controller.ts'
import type { ItemStore, StoredItem } from './item-store.ts'
import { bothWays, outwards, readersOfDoorway, wayOf } from './readers.ts'
import { atDoorway, cardPassed, isRemoteOpen, keyOfRecord, unknownCard, type ReadRecord } from './records.ts'
import { countsAt, readRight } from './rights.ts'

interface AgentCodesOptions {
  readonly controller: Controller
  readonly store: ItemStore
  readonly context: Pick<DeviceContext, 'decide' | 'giveBack'>
  readonly doorNo: () => number
  readonly clock?: () => number
}

/** Later than this after the reading a door stays shut: nobody waits there any more. */
const freshMs = 8_000
/** The record of an opening follows that of the reading within this. */
const openingMs = 15_000
/** More than the records of one batch. */
const maxAttempts = 50

const exitOnly = '只能用于离开，请在出门读头上使用'
const tooLate = '读码后超过 8 秒，未开门，请重试'

const rightsOf = ({ data }: StoredItem, name: 'exitRights' | 'countedRights') => {
  const rights = data[name]
  return Array.isArray(rights) ? rights.map(readRight) : []
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

function countOf({ data: { count } }: StoredItem): CodeCount | undefined {
  if (!isObject(count)) return undefined
  return {
    maxTimes: numberOf(count.maxTimes),
    usedTimes: numberOf(count.usedTimes),
    gatewayId: numberOf(count.gatewayId),
    isInside: count.isInside === true,
    isInner: count.isInner === true,
  }
}

const timeOf = ({ time }: JsonObject): number => Date.parse(String(time))

/**
 * Codes that the controller does not have, so that it reports an unknown number: those whose entrances are
 * counted, and those that lead out alone, as it keeps rights by door and not by reader. The driver opens the
 * door; for an entrance once it was counted (VIS-2).
 */
export class AgentCodes {
  readonly #controller: Controller
  readonly #store: ItemStore
  readonly #context: AgentCodesOptions['context']
  readonly #doorNo: () => number
  readonly #clock: () => number

  constructor({ controller, store, context, doorNo, clock = Date.now }: AgentCodesOptions) {
    this.#controller = controller
    this.#store = store
    this.#context = context
    this.#doorNo = doorNo
    this.#clock = clock
  }

  /** Whether readings wait for this driver: its controller is asked for records more often then. */
  get areAny(): boolean {
    return this.#store.hasAgentCodes()
  }

  /**
   * What a record comes to, with what the driver does about it; nothing where it is the driver's own.
   * `later`: those that follow it.
   */
  async answer(record: JsonObject, later: readonly JsonObject[]): Promise<ReadRecord | undefined> {
    if (isRemoteOpen(record)) return this.#takeOwnOpening() ? undefined : record
    const item = this.#findItem(record)
    if (!item) return record
    const known = { ...record, employeeNoString: item.employeeNo }
    if (!this.#isOwnDoorway(record)) return known
    if (this.#isOutwards(record)) return this.#letOut(known, item)
    return rightsOf(item, 'countedRights').length
      ? this.#letIn(known, item, later)
      : { ...known, refusal: exitOnly }
  }

  #findItem({ major, minor, cardNo }: JsonObject): StoredItem | undefined {
    if (Number(major) !== atDoorway || Number(minor) !== unknownCard) return undefined
    const item = this.#store.ofNumber(String(cardNo ?? ''))
    const isAgents = item && (rightsOf(item, 'exitRights').length || rightsOf(item, 'countedRights').length)
    return isAgents ? item : undefined
  }

  #isOwnDoorway({ cardReaderNo }: JsonObject): boolean {
    return Math.ceil(Number(cardReaderNo) / readersOfDoorway) === this.#doorNo()
  }

  #isOutwards({ cardReaderNo }: JsonObject): boolean {
    return wayOf(Number(cardReaderNo), Number(this.#store.get('direction') ?? bothWays)) === outwards
  }

  #isFresh(record: JsonObject): boolean {
    return this.#clock() - timeOf(record) <= freshMs
  }

  async #letOut(record: JsonObject, item: StoredItem): Promise<ReadRecord> {
    const isAllowed = this.#isFresh(record) && countsAt(rightsOf(item, 'exitRights'), this.#clock())
    if (!isAllowed) return { ...record, refusal: exitOnly }
    await this.#open()
    return { ...record, minor: cardPassed }
  }

  async #letIn(record: JsonObject, item: StoredItem, later: readonly JsonObject[]): Promise<ReadRecord> {
    const reading = this.#readingOf(record, item)
    const { recordKey } = reading
    const opened = { ...record, minor: cardPassed, isDecided: true }
    const refuse = (refusal: string): ReadRecord => {
      this.#context.giveBack(recordKey)
      return { ...record, refusal, isDecided: true }
    }
    // This driver ended, or lost the line, as it opened the door: the controller's next record tells.
    if (this.#attempts.includes(recordKey)) {
      return this.#hasOpened(record, later) ? opened : refuse('开门时控制器断开，未开门，请重试')
    }
    if (!this.#isFresh(record)) return refuse(tooLate)
    const answer = await this.#context.decide(reading)
    if (!answer.isOpen) return { ...record, refusal: answer.reason ?? '不能通行', isDecided: true }
    if (!this.#isFresh(record)) return refuse(tooLate)
    this.#store.set('opening', JSON.stringify([...this.#attempts.slice(-maxAttempts), recordKey]))
    try {
      await this.#open()
    } catch (error) {
      if (!(error instanceof ControllerRefusal)) throw error
      this.#takeOwnOpening()
      return refuse('控制器拒绝开门，请门岗放行')
    }
    return opened
  }

  #readingOf(record: JsonObject, item: StoredItem): CodeReading {
    const count = this.#isItsTime(item) ? countOf(item) : undefined
    return {
      key: item.key,
      recordKey: keyOfRecord(record, { serial: this.#store.get('serial') ?? '' }),
      waitsUntil: timeOf(record) + freshMs,
      ...(count && { count }),
    }
  }

  /** By what the driver knows itself. */
  #isItsTime(item: StoredItem): boolean {
    const { endTime } = item.data
    const now = this.#clock()
    const isOver = typeof endTime === 'string' && fromInstant(now).replace(' ', 'T') > endTime
    return !isOver && countsAt(rightsOf(item, 'countedRights'), now)
  }

  #hasOpened(record: JsonObject, later: readonly JsonObject[]): boolean {
    const until = timeOf(record) + openingMs
    const hasOpened = later.some(next => isRemoteOpen(next) && timeOf(next) <= until)
    if (!hasOpened) {
      this.#takeOwnOpening()
    }
    return hasOpened
  }

  /** On the disk first: the record of the opening is the next one. */
  async #open(): Promise<void> {
    this.#countOpenings(this.#openings + 1)
    await this.#controller.control(this.#doorNo(), 'open')
  }

  /** Readings that the door was opened for, or was about to be: a batch of records may come again. */
  get #attempts(): readonly string[] {
    const keys = parseJson(this.#store.get('opening') ?? '[]')
    return Array.isArray(keys) ? keys.map(String) : []
  }

  get #openings(): number {
    return Number(this.#store.get('ownOpenings') ?? 0)
  }

  #countOpenings(count: number): void {
    this.#store.set('ownOpenings', count > 0 ? String(count) : undefined)
  }

  #takeOwnOpening(): boolean {
    const count = this.#openings
    this.#countOpenings(count - 1)
    return count > 0
  }
}
