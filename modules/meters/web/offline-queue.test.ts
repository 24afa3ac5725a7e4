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

it('queued readings are sent in order; a refused one keeps its reason; without a network the rest stays', async () => {
  let all: OfflineQueue = Object.fromEntries(
    ['1', '2', '3', '4'].map(t => [queueKeyOf('P', '2026-11', asId(Number(t))), createQueued(t)]),
  )
  const sent: string[] = []
  await flushQueue(
    Object.entries(all),
    h => {
      sent.push(h.text)
      return h.text === '2'
        ? Promise.reject(
            new Refused(resultCode.invalidInput, '有误', [{ Field: 'CurNum', Message: '小于上期' }]),
          )
        : h.text === '3'
          ? Promise.reject(new Error('网络错误'))
          : Promise.resolve(savedReading)
    },
    (at, h) => {
      all = withQueued(all, at, h)
    },
  )
  expect(sent).toEqual(['1', '2', '3'])
  expect(Object.values(all).map(h => [h.text, h.waits, h.why])).toEqual([
    ['3', true, undefined],
    ['4', true, undefined],
    ['2', false, '小于上期'],
  ])
  expect(defined(Object.values(all).at(-1)).uuid).not.toBe('u2')
})
