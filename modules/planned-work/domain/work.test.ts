import { expect, it } from 'vitest'
import { asDay } from '#kit/domain/day.ts'
import { parseId } from '#kit/domain/id.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { occurrencesOf, spanOn, timesFault } from './occurrences.ts'
import { assign } from './people.ts'
import { unreachableText } from './reachable.ts'
import { isOutOfRange, judgeSteps, ratesOf, scoreOf, stateOf } from './result.ts'
import { clockOfSign, timeRefusal } from './signs.ts'

const at = (clock: string, day = '2026-11-02') => asMoment(`${day} ${clock}:00`)
const id = (n: number) => parseId(String(n))
const nobodyAway = () => undefined
const plan = {
  cycleType: 'daily',
  calendarRule: 'always',
  beginDate: asDay('2026-11-01'),
  times: [
    { begin: '22:00', end: '02:00' },
    { begin: '08:00', end: '09:00' },
  ],
} as const

it('a time that does not end after it begins ends on the next day (PAT-2)', () => {
  expect(spanOn(asDay('2026-12-31'), { begin: '22:00', end: '02:00' })).toEqual({
    begin: '2026-12-31 22:00:00',
    end: '2027-01-01 02:00:00',
  })
  expect(spanOn(asDay('2026-12-31'), { begin: '08:00', end: '08:00' }).end).toBe('2027-01-01 08:00:00')
})

it('the times of a day come in order, and turns count from the first of the plan (PAT-2)', () => {
  const found = occurrencesOf(plan, asDay('2026-11-02'), asDay('2026-11-03'), nobodyAway)
  expect(found.map(({ begin, turn }) => [begin, turn])).toEqual([
    ['2026-11-02 08:00:00', 2],
    ['2026-11-02 22:00:00', 3],
    ['2026-11-03 08:00:00', 4],
    ['2026-11-03 22:00:00', 5],
  ])
})

it('two times of a day begin at different minutes', () => {
  expect(timesFault(plan.times)).toBeUndefined()
  expect(timesFault([...plan.times, { begin: '08:00', end: '10:00' }])).toContain('相同')
})

it('everyone has a task of their own, and who is away has none (PAT-2, PAT-3)', () => {
  expect(assign('everyone', [id(1), id(2), id(3)], 0, person => (person === 2 ? '休息' : undefined))).toEqual(
    {
      tasks: [
        { slot: 1, staffId: 1 },
        { slot: 3, staffId: 3 },
      ],
      absences: [{ staffId: 2, reason: '休息' }],
      isNobody: false,
    },
  )
})

it('any one of those who are there may do it; the only one there has it (PAT-2)', () => {
  expect(assign('anyone', [id(1), id(2), id(3)], 0, nobodyAway).tasks).toEqual([
    { slot: 0, candidateIds: [1, 2, 3] },
  ])
  expect(assign('anyone', [id(1), id(2)], 0, person => (person === 1 ? '请假' : undefined)).tasks).toEqual([
    { slot: 0, staffId: 2 },
  ])
})

it('turns go round, and the next one stands in for somebody who is away (PAT-2)', () => {
  const whose = (turn: number, away?: number) =>
    assign('rotation', [id(7), id(8), id(9)], turn, person => (person === away ? '休息' : undefined)).tasks[0]
      ?.staffId
  expect([0, 1, 2, 3].map(turn => whose(turn))).toEqual([7, 8, 9, 7])
  expect(whose(2, 9)).toBe(7)
  expect(whose(3, 9)).toBe(7)
})

it('nobody left is 无人可派, with the reason of each (PAT-3)', () => {
  const all = assign('rotation', [id(7), id(8)], 1, person => `${person} 休息`)
  expect(all.isNobody).toBe(true)
  expect(all.tasks).toEqual([{ slot: 0 }])
  expect(all.absences.map(({ staffId }) => staffId)).toEqual([8, 7])
})

const task = { beginTime: at('20:00'), endTime: at('20:40'), inOrder: false }
const round = (...signs: (string | undefined)[]) =>
  signs.map((sign, i) => ({
    sort: i,
    dueTime: at(['20:10', '20:20', '20:35'][i] ?? '20:40'),
    tolerance: 5,
    signTime: sign === undefined ? undefined : at(sign),
  }))
const resultsOf = (steps: ReturnType<typeof round>, inOrder = false, isClosed = true) => [
  ...judgeSteps(steps, { ...task, inOrder }, isClosed).values(),
]

it('20:09 is normal, 20:26 is late, none is missed: the task is partly done (T-PAT-01)', () => {
  const results = resultsOf(round('20:09', '20:26', undefined))
  expect(results).toEqual(['normal', 'late', 'missed'])
  expect(stateOf(results, true)).toBe('partial')
})

it('the bounds of the tolerance belong to it (PAT-4)', () => {
  expect(resultsOf(round('20:05', '20:25', '20:29'))).toEqual(['normal', 'normal', 'early'])
  expect(resultsOf(round('20:04', '20:26', '20:40'))).toEqual(['early', 'late', 'normal'])
})

it('a point before an earlier unsigned one is out of order, whatever comes later (PAT-5)', () => {
  expect(resultsOf(round('20:21', '20:20', '20:35'), true)).toEqual(['late', 'disorder', 'normal'])
  expect(resultsOf(round('20:21', '20:20', '20:35'), false)).toEqual(['late', 'normal', 'normal'])
})

it('what is open has no result yet; all signed is done, none is missed (PAT-7)', () => {
  const open = resultsOf(round('20:10', undefined, undefined), false, false)
  expect(open).toEqual(['normal', undefined, undefined])
  expect(stateOf(open, false)).toBe('running')
  expect(stateOf(resultsOf(round(undefined, undefined, undefined), false, false), false)).toBe('waiting')
  expect(stateOf(resultsOf(round('20:10', '20:20', '20:35')), false)).toBe('done')
  expect(stateOf(resultsOf(round(undefined, undefined, undefined)), true)).toBe('missed')
})

it('without a tolerance a step is due until the end of the task (PAT-4)', () => {
  const [step] = round('20:39').map(({ tolerance: _, ...rest }) => rest)
  expect(step && [...judgeSteps([step], task, true).values()]).toEqual(['normal'])
})

it('the score is the passed weight of the whole, without what does not apply', () => {
  const step = (weight: number, verdict?: 'passed' | 'failed' | 'notApplicable') => ({
    weight,
    verdict,
    isScored: true,
  })
  expect(scoreOf([step(3, 'passed'), step(2, 'failed'), step(5, 'notApplicable')])).toBe('60')
  expect(scoreOf([step(1, 'passed'), step(2)])).toBe('33.33')
  expect(scoreOf([step(5, 'notApplicable')])).toBeUndefined()
  expect(scoreOf([{ weight: 5, isScored: false }])).toBeUndefined()
})

it('a value outside its bounds has failed', () => {
  expect(isOutOfRange('7.5', { minValue: '6', maxValue: '8' })).toBe(false)
  expect(isOutOfRange('5.9', { minValue: '6' })).toBe(true)
  expect(isOutOfRange('8.1', { maxValue: '8' })).toBe(true)
})

it('25 due, 20 normal, 3 late, 2 missed: 92.00 %, 80.00 %, 8.00 % (T-PAT-02)', () => {
  const counts = { due: 25, normal: 20, early: 0, late: 3, disorder: 0, missed: 2 }
  expect(ratesOf(counts)).toEqual({ signedRate: '92.00%', punctualRate: '80.00%', missedRate: '8.00%' })
  expect(ratesOf({ due: 0, normal: 0, early: 0, late: 0, disorder: 0, missed: 0 }).signedRate).toBe('--')
})

it('a clock that is more than five minutes off is flagged and taken off (PAT-6)', () => {
  const now = at('18:00')
  const offline = { deviceTime: at('10:20'), isOffline: true }
  expect(clockOfSign({ ...offline, sentTime: at('18:20') }, now)).toEqual({
    at: at('10:00'),
    offset: 1200,
    isOff: true,
  })
  expect(clockOfSign({ ...offline, sentTime: at('18:05') }, now)).toEqual({
    at: at('10:20'),
    offset: 300,
    isOff: false,
  })
  expect(clockOfSign({ deviceTime: at('18:20'), isOffline: false }, now)).toEqual({
    at: now,
    offset: 1200,
    isOff: true,
  })
  expect(clockOfSign({ deviceTime: at('19:00'), isOffline: true }, now).at).toBe(now)
})

it('a sign of yesterday, before the opening, after the close or a day late counts for nothing (PAT-6)', () => {
  const open = { state: 'running', beginTime: at('20:00'), closeTime: at('21:10') } as const
  expect(timeRefusal(open, at('19:30'), at('19:30'))).toBeUndefined()
  expect(timeRefusal(open, at('19:29'), at('19:29'))).toBe('outsideTime')
  expect(timeRefusal(open, at('21:11'), at('21:11'))).toBe('outsideTime')
  expect(timeRefusal(open, at('20:10', '2026-11-01'), at('20:00'))).toBe('outsideTime')
  expect(timeRefusal(open, at('20:10'), at('20:10', '2026-11-03'))).toBeUndefined()
  expect(timeRefusal(open, at('20:10'), at('20:11', '2026-11-03'))).toBe('tooOld')
  expect(timeRefusal({ ...open, state: 'disabled' }, at('20:10'), at('20:10'))).toBe('taskClosed')
})

it('a point is due while it can be signed, or the plan is refused with a message (PAT-4)', () => {
  const steps = [10, 35].map(offsetMinutes => ({ name: `点${offsetMinutes}`, offsetMinutes, tolerance: 5 }))
  const textAt = (begin: string, end: string, late: number) => unreachableText([{ begin, end }], late, steps)
  expect([textAt('20:00', '20:35', 0), textAt('20:00', '20:10', 25)]).toEqual([undefined, undefined])
  expect(textAt('20:00', '20:10', 0)).toBe('「点35」20:35 应到，时段 20:10 结束，请延后结束时间或缩短路线')
  expect(textAt('23:50', '00:10', 10)).toBe(
    '「点35」次日 00:25 应到，时段 次日 00:10 结束、签到截止 次日 00:20，请延后结束时间或缩短路线',
  )
  const untimed = [{ name: '地面', offsetMinutes: 60 }]
  expect(unreachableText([{ begin: '20:00', end: '20:10' }], 0, untimed)).toBeUndefined()
})
