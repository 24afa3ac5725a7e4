import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { ClockedOrder } from './clock-bars.ts'
import { describeStages, findSuspensionEnds } from './event-times.ts'

type Time = `${number}:${number}`
const at = (time: Time): Moment => `2026-11-20 ${time}:00`

type Step = readonly [
  action: ClockedOrder['records'][number]['action'],
  to: ClockedOrder['state'],
  time: Time,
]

const recordsOf = (...steps: readonly Step[]): ClockedOrder['records'] =>
  steps.map(([action, toState, time], i) => ({ id: asId(i + 1), action, toState, actionTime: at(time) }))

it('WO-3: a suspension ends with the step that ends it, whatever was noted between them', () => {
  const records = recordsOf(
    ['suspend', 'suspended', '09:48'],
    ['note', 'suspended', '10:00'],
    ['resume', 'processing', '10:23'],
    ['suspend', 'suspended', '11:00'],
  )
  expect([...findSuspensionEnds(records.toReversed())]).toEqual([[1, at('10:23')]])
})

it('WO-2: a stage that is done says how long it took, beside what the type asks', () => {
  const order: ClockedOrder = {
    state: 'processing',
    registerTime: at('09:10'),
    acceptTime: at('09:22'),
    arriveTime: at('09:41'),
    finishTime: undefined,
    endTime: undefined,
    responseEntered: at('09:10'),
    arriveEntered: at('09:22'),
    finishEntered: at('09:10'),
    responseDeadline: at('09:40'),
    arriveDeadline: at('10:22'),
    finishDeadline: at('11:10'),
    respOvertime: false,
    arriveOvertime: false,
    finishOvertime: false,
    limits: { responseMinutes: 30, finishMinutes: 120 },
    records: recordsOf(['accept', 'processing', '09:22'], ['arrive', 'processing', '09:41']),
  }
  const stages = describeStages(order)
  expect(stages.get(`accept/${at('09:22')}`)).toBe('响应用时 12 分，时限 30 分')
  expect(stages.get(`arrive/${at('09:41')}`)).toBe('到场用时 19 分')
  expect(stages.size).toBe(3)
})
