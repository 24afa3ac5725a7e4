import { expect, it } from 'vitest'
import { weekday } from '#kit/domain/day.ts'
import { asMoment, type Moment } from '#kit/domain/moment.ts'
import { computeClocks, nextDeadline, warningTime, type ClockRow, type OrderClocks } from './clocks.ts'
import type { OrderAction, OrderState } from './order-actions.ts'
import type { ServiceCalendar } from './service-calendar.ts'

const calendar: ServiceCalendar = {
  hours: { is24h: false, workdaysOnly: true, serviceBegin: '08:00', serviceEnd: '18:00' },
  isWorkday: day => weekday(day) <= 5,
}
const limits = { responseMinutes: 30, arriveMinutes: 60, finishMinutes: 300, evaluateDays: 7 }
const at = (text: string): Moment => asMoment(`2026-11-${text}:00`)

type Step = readonly [action: OrderAction, to: OrderState, when: string, deadline?: string]

const rows = (steps: readonly Step[]): ClockRow[] =>
  steps.map(([action, to, when, deadline]) => ({
    action,
    to,
    at: at(when),
    ...(deadline ? { deadline: at(deadline) } : {}),
  }))

const clocks = (now: string, ...steps: readonly Step[]): OrderClocks =>
  computeClocks(rows(steps), limits, calendar, at(now))

const brief = (moment: Moment | undefined): string | undefined => moment?.slice(8, 16)

// 24 November 2026 is a Tuesday, the 27th a Friday.
const registered: Step = ['register', 'waiting', '24 09:00']
const dispatched: Step = ['dispatch', 'dispatched', '24 09:10']
const accepted: Step = ['accept', 'processing', '24 09:20']

it('WO-2 the response runs from 待派单 to the acceptance, finishing to the end of the work', () => {
  const waiting = clocks('24 09:05', registered)
  expect([brief(waiting.response.deadline), brief(waiting.finish.deadline)]).toEqual(['24 09:30', '24 14:00'])
  expect(brief(nextDeadline(waiting))).toBe('24 09:30')
  const working = clocks('24 09:30', registered, dispatched, accepted)
  expect(working.response).toMatchObject({ isRunning: false, lateAt: undefined })
  expect(brief(working.arrive.deadline)).toBe('24 10:20')
  expect(brief(nextDeadline(working))).toBe('24 10:20')
})

it('WO-2 where an order is audited the response runs from the registration, finishing from the audit', () => {
  const passed = clocks('24 10:00', ['register', 'pending', '24 09:00'], ['auditPass', 'waiting', '24 10:00'])
  expect([brief(passed.response.deadline), brief(passed.finish.deadline)]).toEqual(['24 09:30', '24 15:00'])
  expect(brief(passed.response.lateAt)).toBe('24 09:30')
})

it('WO-3 a crossing is that of the deadline, however late it is noticed, and is kept', () => {
  const late = clocks('27 17:00', registered, dispatched, ['accept', 'processing', '24 09:31'])
  expect(brief(late.response.lateAt)).toBe('24 09:30')
  expect(brief(late.arrive.lateAt)).toBe('24 10:31')
  const inTime = clocks('24 09:30', registered, dispatched, ['accept', 'processing', '24 09:30'])
  expect(inTime.response.lateAt).toBeUndefined()
})

it('WO-2 suspended over a weekend: the minutes of the weekend and of the suspension do not count', () => {
  const history: Step[] = [
    ['register', 'waiting', '27 15:00'],
    ['grab', 'processing', '27 15:00'],
    ['arrive', 'processing', '27 15:30'],
    ['suspend', 'suspended', '27 17:00'],
  ]
  const paused = clocks('29 12:00', ...history)
  expect(paused.finish).toMatchObject({ deadline: undefined, isRunning: false, secondsLeft: 180 * 60 })
  expect(nextDeadline(paused)).toBeUndefined()
  // 27 Friday 17:00 to 30 Monday 10:00: 65 wall-clock hours; 3 hours of work are left from 10:00.
  const resumed = clocks('30 10:30', ...history, ['resume', 'processing', '30 10:00'])
  expect(brief(resumed.finish.deadline)).toBe('30 13:00')
  expect(resumed.suspendMinutes).toBe(65 * 60)
  expect(resumed.finish.secondsLeft).toBe(150 * 60)
})

it('WO-2 suspended before arriving: the way to the door waits, too', () => {
  const resumed = clocks(
    '25 09:00',
    registered,
    dispatched,
    accepted,
    ['suspend', 'suspended', '24 09:50'],
    ['resume', 'processing', '25 08:30'],
  )
  expect(brief(resumed.arrive.deadline)).toBe('25 09:00')
})

it('C12.1 dispatched again after the acceptance: the next person responds again, the finish goes on', () => {
  const again = clocks('24 11:00', registered, dispatched, accepted, ['dispatch', 'dispatched', '24 10:00'])
  expect([brief(again.response.deadline), brief(again.finish.deadline)]).toEqual(['24 10:30', '24 14:00'])
  expect(again.arrive).toMatchObject({ deadline: undefined, isRunning: false })
  expect(brief(again.response.lateAt)).toBe('24 10:30')
})

it('C12.1 dispatched out of a suspension: what was left of the finish goes on', () => {
  const again = clocks(
    '24 12:00',
    registered,
    dispatched,
    accepted,
    ['suspend', 'suspended', '24 10:00'],
    ['dispatch', 'dispatched', '24 12:00'],
  )
  expect(brief(again.finish.deadline)).toBe('24 16:00')
  expect(again.suspendMinutes).toBe(120)
})

it('C12.1 denied before the acceptance: the requester has been waiting since the beginning', () => {
  const denied = clocks('24 09:25', registered, dispatched, ['deny', 'waiting', '24 09:20'])
  expect(brief(denied.response.deadline)).toBe('24 09:30')
})

it('C12.1 sent back: the work goes on with what was left when it was handed in', () => {
  const history: Step[] = [
    registered,
    dispatched,
    accepted,
    ['arrive', 'processing', '24 10:00'],
    ['finish', 'checking', '24 13:00'],
  ]
  const checking = clocks('25 17:00', ...history)
  expect(checking.finish).toMatchObject({ isRunning: false, lateAt: undefined })
  const rework = clocks('26 08:30', ...history, ['checkReject', 'processing', '26 08:00'])
  expect(brief(rework.finish.deadline)).toBe('26 09:00')
  expect(rework.finish.enteredAt).toBe(at('26 08:00'))
})

it('C12.1 handed in late and sent back: still late, with the crossing of the first time', () => {
  const rework = clocks(
    '26 10:00',
    registered,
    dispatched,
    accepted,
    ['finish', 'checking', '24 15:00'],
    ['checkReject', 'processing', '26 08:00'],
  )
  expect(brief(rework.finish.lateAt)).toBe('24 14:00')
  expect(brief(rework.finish.deadline)).toBe('24 14:00')
  expect(rework.finish.secondsLeft).toBe(0)
})

it('WO-2 suspended late and resumed: as late as before, unless it was extended before that', () => {
  const history: Step[] = [
    registered,
    dispatched,
    accepted,
    ['arrive', 'processing', '24 10:00'],
    ['suspend', 'suspended', '24 15:00'],
  ]
  const resumed = clocks('25 11:00', ...history, ['resume', 'processing', '25 10:00'])
  expect(brief(resumed.finish.deadline)).toBe('24 14:00')
  expect(brief(nextDeadline(resumed))).toBe('24 14:00')
  expect(resumed.finish).toMatchObject({ isRunning: true, secondsLeft: 0 })
  const extended = clocks(
    '25 11:00',
    ...history,
    ['extend', 'suspended', '24 16:00', '24 17:00'],
    ['resume', 'processing', '25 10:00'],
  )
  expect(brief(extended.finish.deadline)).toBe('25 11:00')
  expect(brief(extended.finish.lateAt)).toBe('24 14:00')
})

it('WO-2 suspended at the deadline itself is in time: nothing is left from when it is resumed', () => {
  const resumed = clocks(
    '25 10:00',
    registered,
    dispatched,
    accepted,
    ['suspend', 'suspended', '24 14:00'],
    ['resume', 'processing', '25 10:00'],
  )
  expect(brief(resumed.finish.deadline)).toBe('25 10:00')
})

it('C12.1 reopened: a new allowance from the day on which it is reopened', () => {
  const reopened = clocks(
    '26 09:00',
    registered,
    dispatched,
    accepted,
    ['finish', 'unrated', '24 11:00'],
    ['evaluate', 'completed', '25 09:00'],
    ['reopen', 'processing', '26 09:00'],
  )
  expect(brief(reopened.finish.deadline)).toBe('26 14:00')
  expect(reopened.response.isRunning).toBe(false)
  expect(reopened.evaluateDeadline).toBeUndefined()
})

it('WO-6 an extension moves the deadline and keeps the first for reports', () => {
  const history: Step[] = [registered, dispatched, accepted, ['extend', 'processing', '24 13:00', '25 10:00']]
  const extended = clocks('24 15:00', ...history, ['extend', 'processing', '24 14:30', '25 12:00'])
  expect([brief(extended.finish.deadline), brief(extended.originalFinishDeadline)]).toEqual([
    '25 12:00',
    '24 14:00',
  ])
  expect(extended.finish.lateAt).toBeUndefined()
})

it('WO-6 an extension of a suspended order is computed when it is resumed', () => {
  const resumed = clocks(
    '25 12:00',
    registered,
    dispatched,
    accepted,
    ['suspend', 'suspended', '24 10:00'],
    ['extend', 'suspended', '24 17:00', '25 10:00'],
    ['resume', 'processing', '25 11:00'],
  )
  // One hour to 18:00 and two of the next day are three hours from 11:00.
  expect(brief(resumed.finish.deadline)).toBe('25 14:00')
  expect(brief(resumed.originalFinishDeadline)).toBe('24 14:00')
})

it('WO-6 an extension after the deadline does not undo the crossing', () => {
  const extended = clocks('24 15:00', registered, dispatched, accepted, [
    'extend',
    'processing',
    '24 14:30',
    '25 10:00',
  ])
  expect(brief(extended.finish.lateAt)).toBe('24 14:00')
})

it('without limits nothing is late and nothing is next', () => {
  const free = computeClocks(rows([registered]), { evaluateDays: 7 }, calendar, at('30 09:00'))
  expect(nextDeadline(free)).toBeUndefined()
  expect(free.response.lateAt).toBeUndefined()
})

it('an ended order has no deadline to come', () => {
  expect(nextDeadline(clocks('25 09:00', registered, ['cancel', 'cancelled', '24 09:10']))).toBeUndefined()
  const closed = clocks(
    '26 09:00',
    registered,
    dispatched,
    accepted,
    ['suspend', 'suspended', '24 10:00'],
    ['close', 'closed', '24 12:00'],
  )
  expect([closed.suspendMinutes, nextDeadline(closed)]).toEqual([120, undefined])
})

it('WO-1 the rating is awaited so many days from when the order came to it', () => {
  const unrated = clocks('24 12:00', registered, dispatched, accepted, ['finish', 'unrated', '24 11:00'])
  expect(unrated.evaluateDeadline).toBe('2026-12-01 11:00:00')
})

it('WO-4 a warning is so many wall-clock minutes from its deadline', () => {
  expect(brief(warningTime(at('25 08:10'), -30))).toBe('25 07:40')
})
