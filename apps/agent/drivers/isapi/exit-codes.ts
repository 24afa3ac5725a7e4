import type { JsonObject } from '../../json.ts'
import type { Controller } from './controller.ts'
import type { ItemStore, StoredItem } from './item-store.ts'
import { isOutwards, readersOfDoorway } from './readers.ts'
import { atDoorway, cardPassed, isRemoteOpen, unknownCard } from './records.ts'
import { countsAt, readRight } from './rights.ts'

interface ExitCodesOptions {
  readonly controller: Controller
  readonly store: ItemStore
  readonly doorNo: () => number
  readonly clock?: () => number
}

/** A record that is fetched later than this opens nothing: nobody waits there any more. */
const freshMs = 10_000

const exitRightsOf = ({ data: { exitRights } }: StoredItem) =>
  Array.isArray(exitRights) ? exitRights.map(readRight) : []

/**
 * Codes that open a door from within alone. A controller keeps rights by door, not by reader, so that it has
 * none of them: it reports an unknown number, and the driver opens the door where it was read within.
 */
export class ExitCodes {
  readonly #controller: Controller
  readonly #store: ItemStore
  readonly #doorNo: () => number
  readonly #clock: () => number

  constructor({ controller, store, doorNo, clock = Date.now }: ExitCodesOptions) {
    this.#controller = controller
    this.#store = store
    this.#doorNo = doorNo
    this.#clock = clock
  }

  /** What a record comes to, with what the driver does about it; nothing where it is the driver's own. */
  async answer(record: JsonObject): Promise<JsonObject | undefined> {
    if (isRemoteOpen(record)) return this.#takeOwnOpening() ? undefined : record
    const item = this.#findItem(record)
    if (!item) return record
    const known = { ...record, employeeNoString: item.employeeNo }
    if (!this.#canLeave(record, item)) return known
    // On the disk first: the record of the opening is the next one.
    this.#countOpenings(this.#openings + 1)
    try {
      await this.#controller.control(this.#doorNo(), 'open')
    } catch (error) {
      this.#takeOwnOpening()
      throw error
    }
    return { ...known, minor: cardPassed }
  }

  #findItem({ major, minor, cardNo }: JsonObject): StoredItem | undefined {
    if (Number(major) !== atDoorway || Number(minor) !== unknownCard) return undefined
    const item = this.#store.ofNumber(String(cardNo ?? ''))
    return item && exitRightsOf(item).length ? item : undefined
  }

  #canLeave({ cardReaderNo, time }: JsonObject, item: StoredItem): boolean {
    const reader = Number(cardReaderNo)
    const now = this.#clock()
    return (
      Math.ceil(reader / readersOfDoorway) === this.#doorNo() &&
      isOutwards(reader) &&
      now - Date.parse(String(time)) <= freshMs &&
      countsAt(exitRightsOf(item), now)
    )
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
