import { log } from './exit-codes.ts'
import { droppedEvent, isDiskFull, recordedNow, type EventJournal, type NewEvent } from './journal.ts'

/** Events that wait in memory while the disk is full; those beyond are counted and reported later. */
const maxWaiting = 10_000
const fullRetryMs = 5000

interface Waiting {
  readonly event: NewEvent
  readonly onWritten: () => void
}

/** Writes events in the order in which they come; those of one turn of the event loop share one commit. */
export class EventWriter {
  readonly #journal: EventJournal
  readonly #onWritten: () => void
  #waiting: Waiting[] = []
  #lost = 0
  #isScheduled = false

  constructor(journal: EventJournal, onWritten: () => void) {
    this.#journal = journal
    this.#onWritten = onWritten
  }

  /** Resolves when the event is on the disk. */
  write(event: NewEvent): Promise<void> {
    return new Promise(onWritten => {
      if (this.#waiting.length >= maxWaiting) {
        this.#lost++
        onWritten()
        return
      }
      this.#waiting.push({ event: { ...event, recorded: recordedNow() }, onWritten })
      this.#schedule(0)
    })
  }

  #schedule(delay: number): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => {
      this.#isScheduled = false
      this.flush()
    }, delay)
  }

  flush(): void {
    if (this.#waiting.length === 0) return
    const batch = this.#waiting
    const lost = this.#lost > 0 ? [droppedEvent({ count: this.#lost })] : []
    try {
      this.#journal.append([...batch.map(({ event }) => event), ...lost])
    } catch (error) {
      if (!isDiskFull(error)) throw error
      log('磁盘空间不足，事件暂存内存，请清理此机器的磁盘')
      this.#schedule(fullRetryMs)
      return
    }
    this.#waiting = []
    this.#lost = 0
    for (const { onWritten } of batch) {
      onWritten()
    }
    this.#onWritten()
  }
}
