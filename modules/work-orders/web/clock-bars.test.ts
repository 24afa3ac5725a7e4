import { expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { asMoment, type Moment } from '#kit/domain/moment.ts'
import { clockBars, type ClockBar, type ClockedOrder } from './clock-bars.ts'
import { describeTimeLeft, formatMinutes } from './time-left.ts'

const at = (time: string): Moment => asMoment(`2026-11-20 ${time}:00`)

type Record = ClockedOrder['records'][number]
type Step = readonly [action: Record['action'], time: string, toState: Record['toState']]

const recordsOf = (...steps: readonly Step[]): Record[] =>
  steps.map(([action, time, toState], i) => ({ id: asId(i + 1), action, actionTime: at(time), toState }))

/** Registered at nine, accepted at 9:12, to be done by one o'clock. */
const accepted: ClockedOrder = {
  state: 'processing',
  registerTime: at('09:00'),
  responseEntered: at('09:00'),
  responseDeadline: at('09:30'),
  acceptTime: at('09:12'),
  finishEntered: at('09:00'),
  finishDeadline: at('13:00'),
  respOvertime: false,
  arriveOvertime: false,
  finishOvertime: false,
  limits: { responseMinutes: 30, finishMinutes: 240 },
  records: recordsOf(['register', '09:00', 'waiting'], ['accept', '09:12', 'processing']),
}

const barOf = (order: ClockedOrder, time: string, key: ClockBar['key']): ClockBar =>
  defined(clockBars(order, at(time)).find(bar => bar.key === key))

it('a stage that is over shows what it took', () => {
  expect(barOf(accepted, '10:00', 'response')).toMatchObject({
    state: 'done',
    tone: 'done',
    seconds: 12 * 60,
  })
})

it('a stage without a limit is not counted', () => {
  expect(barOf(accepted, '10:00', 'arrive')).toMatchObject({ state: 'off', stretches: [] })
})

it.each<readonly [time: string, tone: ClockBar['tone'], minutes: number]>([
  ['10:00', 'doing', 180],
  ['12:11', 'doing', 49],
  ['12:12', 'todo', 48],
  ['13:00', 'todo', 0],
  ['13:07', 'bad', -7],
])(
  'a running clock at %s is %s with %i minutes left: amber from a fifth, red once crossed (WO-3)',
  (time, tone, minutes) => {
    expect(barOf(accepted, time, 'finish')).toMatchObject({ tone, seconds: minutes * 60, state: 'running' })
  },
)

it('a suspended order stands still, and its pause is hatched (WO-2)', () => {
  const { finishDeadline: _deadline, ...rest } = accepted
  const order: ClockedOrder = {
    ...rest,
    state: 'suspended',
    records: [
      ...accepted.records,
      { ...defined(recordsOf(['suspend', '10:00', 'suspended'])[0]), id: asId(9) },
    ],
  }
  const bar = barOf(order, '11:00', 'finish')
  expect(bar).toMatchObject({ state: 'paused', tone: 'hold', pausedMinutes: 60, isLate: false })
  expect(bar.stretches).toEqual([
    { from: 0, to: 100, isPaused: false },
    { from: 50, to: 100, isPaused: true },
  ])
})

it('pauses that are over are taken off what the work took', () => {
  const order: ClockedOrder = {
    ...accepted,
    finishTime: at('12:00'),
    finishDeadline: at('13:35'),
    records: recordsOf(
      ['register', '09:00', 'waiting'],
      ['accept', '09:12', 'processing'],
      ['suspend', '09:48', 'suspended'],
      ['note', '10:00', 'suspended'],
      ['resume', '10:23', 'processing'],
      ['finish', '12:00', 'unrated'],
    ),
  }
  expect(barOf(order, '15:00', 'finish')).toMatchObject({
    state: 'done',
    seconds: (180 - 35) * 60,
    pausedMinutes: 35,
  })
})

it('an order that was closed before its time has no clock', () => {
  expect(barOf({ ...accepted, state: 'closed', endTime: at('10:00') }, '15:00', 'finish')).toMatchObject({
    state: 'off',
    isLate: false,
  })
})

it.each([
  [0, '0 分'],
  [59, '59 分'],
  [60, '1 小时'],
  [125, '2 小时 5 分'],
  [1440, '1 天'],
  [1565, '1 天 2 小时'],
])('%i minutes are %s', (minutes, text) => {
  expect(formatMinutes(minutes)).toBe(text)
})

it('a deadline that has passed counts up', () => {
  expect(describeTimeLeft(-44)).toEqual({ text: '超时 44 分', tone: 'bad' })
  expect(describeTimeLeft(30)).toEqual({ text: '剩 30 分', tone: 'todo' })
})
