import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { MeterReading } from '../contract/meter.ts'
import {
  flushQueue,
  toQueuedReading,
  queueKeyOf,
  withQueued,
  type QueuedReading,
  type OfflineQueue,
} from './offline-queue.ts'

const createQueued = (text: string, overrides: Partial<QueuedReading> = {}): QueuedReading => ({
  project: 'P',
  month: '2026-11',
  day: '2026-11-20',
  text,
  rollover: false,
  uuid: `u${text}`,
  waits: true,
  place: {
    meterId: asId(Number(text)),
    meterNo: `M${text}`,
    meterKind: 'cold',
    meterState: 'active',
    multiple: '1',
    decimals: 0,
    isSmart: false,
    afterEstimate: false,
    carried: '0',
    recent: [],
    registersGoOn: false,
  },
  ...overrides,
})

it('equal values keep their idempotency key, others get a new one: a lost response repeats nothing', () => {
  const first = toQueuedReading(undefined, createQueued('12'))
  const again = toQueuedReading(first, createQueued('12'))
  const other = toQueuedReading(first, createQueued('13'))
  const shot = toQueuedReading(first, createQueued('12', { photo: 'x' }))
  expect([
    again.uuid === first.uuid,
    other.uuid === first.uuid,
    shot.uuid === first.uuid,
    first.waits,
  ]).toEqual([true, false, false, false])
})

const savedReading: MeterReading = {
  id: asId(9),
  projectCode: 'P',
  meterId: asId(1),
  meterNo: '1',
  meterKind: 'cold',
  month: '2026-11',
  readDate: '2026-11-21',
  curNum: '12',
  multiple: '1',
  loss: '0',
  replacedUsage: '0',
  isBase: false,
  isEstimate: false,
  isRollover: false,
  confirmed: true,
  source: 'office',
  state: 'open',
}

/** Queued readings of meters 1 to the number, kept as on a phone. */
function createStore(count: number) {
  let queue: OfflineQueue = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [keyOf(i + 1), createQueued(String(i + 1))]),
  )
  const change = (next: (before: OfflineQueue) => OfflineQueue): void => {
    queue = next(queue)
  }
  return { change, read: (): OfflineQueue => queue }
}
const keyOf = (meter: number): string => queueKeyOf('P', '2026-11', asId(meter))
const refusal = new Refused(resultCode.invalidInput, '有误', [{ Field: 'CurNum', Message: '小于上期' }])

it('queued readings are sent in order; a refused one keeps its reason; without a network the rest stays', async () => {
  const store = createStore(4)
  const asked: string[] = []
  const saved: string[] = []
  await flushQueue(
    Object.entries(store.read()),
    ({ text }) => {
      asked.push(text)
      if (text === '2') return Promise.reject(refusal)
      return text === '3' ? Promise.reject(new Error('网络错误')) : Promise.resolve(savedReading)
    },
    store,
    ({ text }) => saved.push(text),
  )
  expect([asked, saved]).toEqual([['1', '2', '3'], ['1']])
  const kept = Object.values(store.read())
  expect(kept.map(({ text, waits, why }) => [text, waits, why])).toEqual([
    ['3', true, undefined],
    ['4', true, undefined],
    ['2', false, '小于上期'],
  ])
  expect(defined(kept.at(-1)).uuid).not.toBe('u2')
})

it('a number that is typed over a reading while that is being sent is not lost, whatever comes of it', async () => {
  const store = createStore(3)
  const retype = (meter: number): void =>
    store.change(before => withQueued(before, keyOf(meter), createQueued(`${meter}0`, { waits: false })))
  const asked: string[] = []
  await flushQueue(
    Object.entries(store.read()),
    async ({ text }) => {
      asked.push(text)
      retype(Number(text))
      retype(3)
      if (text === '2') throw refusal
      return savedReading
    },
    store,
    () => {},
  )
  // The third was typed over before its turn: its older number is not sent.
  expect(asked).toEqual(['1', '2'])
  expect(Object.entries(store.read()).map(([key, { text, why }]) => [key, text, why])).toEqual([
    [keyOf(1), '10', undefined],
    [keyOf(2), '20', undefined],
    [keyOf(3), '30', undefined],
  ])
})
