import type { Id } from '#kit/domain/id.ts'
import type { DesiredItem, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { retryDelay, type Timings } from '../timings.ts'

interface DesiredQueueOptions {
  readonly timings: Timings
  readonly isOnline: (deviceId: Id) => boolean
  /** Throws when the device could not be asked. */
  readonly apply: (deviceId: Id, items: readonly DesiredItem[]) => Promise<readonly ReportedItem[]>
  readonly report: (deviceId: Id, items: readonly ReportedItem[]) => void
}

interface DeviceQueue {
  readonly items: Map<string, DesiredItem>
  isBusy: boolean
  failures: number
  timer?: NodeJS.Timeout
}

const itemsAtOnce = 100

/**
 * What devices have yet to be brought to hold: the newest version of each key, kept while the device is away.
 * Not on the disk: the server sends what differs after each connection.
 */
export class DesiredQueue {
  readonly #options: DesiredQueueOptions
  readonly #queues = new Map<Id, DeviceQueue>()

  constructor(options: DesiredQueueOptions) {
    this.#options = options
  }

  add(deviceId: Id, items: readonly DesiredItem[]): void {
    const queue = this.#queues.get(deviceId) ?? { items: new Map(), isBusy: false, failures: 0 }
    this.#queues.set(deviceId, queue)
    for (const item of items) {
      const known = queue.items.get(item.key)
      if (!known || known.version <= item.version) {
        queue.items.set(item.key, item)
      }
    }
    this.flush(deviceId)
  }

  keepOnly(deviceIds: ReadonlySet<Id>): void {
    for (const [id, queue] of this.#queues) {
      if (!deviceIds.has(id)) {
        clearTimeout(queue.timer)
        this.#queues.delete(id)
      }
    }
  }

  stop(): void {
    this.keepOnly(new Set())
  }

  flush(deviceId: Id): void {
    const queue = this.#queues.get(deviceId)
    if (!queue || queue.isBusy || queue.items.size === 0 || !this.#options.isOnline(deviceId)) return
    queue.isBusy = true
    clearTimeout(queue.timer)
    void this.#applyNext(deviceId, queue)
  }

  async #applyNext(deviceId: Id, queue: DeviceQueue): Promise<void> {
    const items = [...queue.items.values()].slice(0, itemsAtOnce)
    try {
      const reported = await this.#options.apply(deviceId, items)
      queue.failures = 0
      for (const item of items) {
        // A newer version that came in between stays.
        if (queue.items.get(item.key) === item) {
          queue.items.delete(item.key)
        }
      }
      this.#options.report(deviceId, reported)
      queue.isBusy = false
      this.flush(deviceId)
    } catch {
      queue.isBusy = false
      queue.timer = setTimeout(
        () => this.flush(deviceId),
        retryDelay(queue.failures++, this.#options.timings),
      )
    }
  }
}
