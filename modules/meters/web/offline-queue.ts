import type { Id } from '#kit/domain/id.ts'
import type { Day, Month } from '#kit/contract/field.ts'
import { sendInOrder } from '#kit/web/phone/resend.ts'
import { useStoredQueue, type StoredQueue } from '#kit/web/phone/use-stored-queue.ts'
import { newUuid } from '#kit/web/send.ts'
import type { MeterReading } from '../contract/meter.ts'
import type { MeterMonth } from '../contract/month-grid.ts'
import { messageOf, writeReading } from './reading-requests.ts'
import { toRegisterBoxes, checkEntry, type RegisterBox } from './registers.ts'

/**
 * A reading that was typed on the phone and that the server does not have yet. `waits`: it was saved, and
 * only the network was missing. Stored in the browser: the names of its members stay.
 */
export interface QueuedReading {
  readonly project: string
  readonly month: Month
  readonly day: Day
  readonly text: string
  readonly rollover: boolean
  readonly photo?: string | undefined
  readonly boxes?: readonly RegisterBox[] | undefined
  /**
   * Idempotency key, one for one set of values: a lost response cannot make it happen twice, and other values
   * do not get the old response.
   */
  readonly uuid: string
  readonly waits: boolean
  readonly why?: string | undefined
  readonly place: MeterMonth
}

export type OfflineQueue = Readonly<Record<string, QueuedReading>>
/** Phones have readings under this name. */
export const queueName = 'meters.pocket'
const emptyQueue: OfflineQueue = {}

export const queueKeyOf = (project: string, month: Month, meterId: Id): string =>
  `${project}/${month}/${meterId}`

/** The queue with one reading added, changed or removed. */
export const withQueued = (
  all: OfflineQueue,
  key: string,
  queued: QueuedReading | undefined,
): OfflineQueue => {
  const { [key]: _, ...rest } = all
  return queued ? { ...rest, [key]: queued } : rest
}

/** The same values keep their idempotency key; other values get a new one. */
export const toQueuedReading = (
  before: QueuedReading | undefined,
  values: Omit<QueuedReading, 'uuid' | 'waits' | 'why'>,
): QueuedReading => {
  const isSame =
    before &&
    before.text === values.text &&
    before.rollover === values.rollover &&
    before.photo === values.photo &&
    JSON.stringify(before.boxes) === JSON.stringify(values.boxes)
  return { ...values, waits: false, uuid: isSame ? before.uuid : newUuid() }
}

export const sendReading = (queued: QueuedReading): Promise<MeterReading> => {
  const { place: meter, boxes, text, rollover, day, month, photo, uuid, project } = queued
  const check = checkEntry(meter, text, boxes ?? toRegisterBoxes(meter), rollover, day)
  return writeReading(
    meter,
    {
      month,
      readDate: day,
      curNum: check.value ?? text,
      isRollover: rollover && check.rolls,
      ...(check.times?.sent ? { registers: check.times.sent } : {}),
      ...(photo ? { photo } : {}),
    },
    { quiet: true, uuid, project },
    true,
  )
}

/**
 * Sends queued readings one after the other: a refused one stays with the reason. A number that was typed
 * over one that is being sent is another reading: it stays, whatever comes of the older one.
 */
export const flushQueue = (
  waiting: readonly (readonly [string, QueuedReading])[],
  send: (queued: QueuedReading) => Promise<MeterReading>,
  { change, read }: Pick<StoredQueue<OfflineQueue>, 'change' | 'read'>,
  onSent: (queued: QueuedReading, reading: MeterReading) => void,
): Promise<boolean> => {
  const isCurrent = (all: OfflineQueue, key: string, { uuid }: QueuedReading): boolean =>
    all[key]?.uuid === uuid
  const replace = (key: string, sent: QueuedReading, next: QueuedReading | undefined): void =>
    change(before => (isCurrent(before, key, sent) ? withQueued(before, key, next) : before))
  return sendInOrder(
    waiting,
    async ([key, queued]) => {
      if (!isCurrent(read(), key, queued)) return
      const reading = await send(queued)
      replace(key, queued, undefined)
      onSent(queued, reading)
    },
    ([key, queued], refusal) =>
      replace(key, queued, { ...queued, waits: false, why: messageOf(refusal), uuid: newUuid() }),
  )
}

/** Readings of the signed-in person on this phone; phones hold some under this name already. */
export const useOfflineQueue = (): StoredQueue<OfflineQueue> => useStoredQueue(queueName, emptyQueue)
