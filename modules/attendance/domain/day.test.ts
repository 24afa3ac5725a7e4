import { defined } from '#kit/domain/defined.ts'
import { momentAt } from '#kit/domain/moment.ts'
import { asId } from '#kit/domain/id.ts'
import { describe, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { judgeDay, type Cover, type DayFigures } from './day.ts'
import { minuteOf, minuteOfMidnight } from './intervals.ts'
import { matchPunches } from './matching.ts'
import { planDay, type DayPlan, type GroupRules, type Holiday } from './plan.ts'
import { shiftFaults, workMinutesOf, type Shift } from './shift.ts'
import { explainDay } from './explanation.ts'
import { seededRandom } from '#db/golden/random.ts'

const dayShift: Shift = {
  id: asId(1),
  shiftName: '白班',
  segments: [{ in: '09:00', out: '18:00' }],
  rests: [{ in: '12:00', out: '13:00' }],
  lateGrace: 5,
  severeLate: 30,
  absentLate: 120,
  earlyGrace: 0,
  absentEarly: 120,
  flexMinutes: 0,
  earliestIn: 180,
  latestOut: 360,
  mustIn: true,
  mustOut: true,
}
const nightShift: Shift = {
  ...dayShift,
  id: asId(2),
  shiftName: '夜班',
  segments: [{ in: '22:00', out: '06:00', outNext: true }],
  rests: [],
}
const afternoonShift: Shift = {
  ...dayShift,
  id: asId(3),
  segments: [{ in: '14:00', out: '22:00' }],
  rests: [],
}
const shifts = new Map<number, Shift>([dayShift, nightShift, afternoonShift].map(shift => [shift.id, shift]))

const fixed: GroupRules = {
  groupType: 'fixed',
  week: new Map([1, 2, 3, 4, 5, 6, 7].map(n => [n, n > 5 ? 0 : 1])),
  dayCutMinutes: 0,
  minMinutes: 480,
  overtimeByPunches: false,
  missingIsAbsent: false,
  mendDays: 7,
}
const monday: Day = '2026-11-16'
const sunday: Day = '2026-11-22'

interface Case {
  readonly date?: Day
  readonly group?: GroupRules
  readonly scheduled?: Readonly<Record<Day, number>>
  readonly holiday?: Holiday
  readonly punches?: readonly string[]
  readonly covers?: readonly (readonly [from: string, to: string, kind?: Cover['kind']])[]
  readonly now?: number
  readonly shift?: Shift
}

const atMinute = (date: Day, clock: string): number => {
  const [days, time] = clock.startsWith('+1 ') ? [1, clock.slice(3)] : [0, clock]
  return minuteOf(momentAt(addDays(date, Number(days)), String(time)))
}

function judge({
  date = monday,
  group = fixed,
  scheduled = {},
  holiday,
  punches = [],
  ...more
}: Case): DayFigures & {
  readonly dates: ReadonlyMap<number, Day>
  readonly plan: DayPlan
} {
  const known = more.shift ? new Map<number, Shift>([[more.shift.id, more.shift]]) : shifts
  const plans = [-1, 0, 1].map(n => {
    const day = addDays(date, n)
    return planDay({
      date: day,
      group,
      scheduled: scheduled[day],
      holiday: n ? undefined : holiday,
      shifts: known,
    })
  })
  const plan = defined(plans[1])
  const minutes = punches.map(clock => atMinute(date, clock))
  const matched = matchPunches(plans, minutes, () => group.dayCutMinutes)
  const covers = (more.covers ?? []).map(([from, to, kind = 'leave']) => ({
    begin: atMinute(date, from),
    end: atMinute(date, to),
    kind,
    ...(kind === 'leave' ? { leaveType: 'personal' } : {}),
  }))
  const now = more.now ?? minuteOfMidnight(date) + 5 * 1440
  const figures = judgeDay({
    plan,
    matched: matched.days.get(date),
    covers,
    overtimes: [],
    rules: group,
    now,
  })
  return { ...figures, dates: matched.dateOf, plan }
}

describe('worked figures', () => {
  it('T-ATT-01 09:05 and 18:00 are on time', () => {
    expect(judge({ punches: ['09:05', '18:00'] })).toMatchObject({
      state: 'normal',
      lateMinutes: 0,
      workMinutes: 475,
    })
  })
  it('T-ATT-02 09:06 is six minutes late, counted from the beginning', () => {
    expect(judge({ punches: ['09:06', '18:01'] })).toMatchObject({
      state: 'late',
      lateMinutes: 6,
      earlyMinutes: 0,
    })
  })
  it('T-ATT-03 09:31 is severely late, 17:50 ten minutes early', () => {
    expect(judge({ punches: ['09:31', '17:50'] })).toMatchObject({
      state: 'lateAndEarly',
      lateMinutes: 31,
      isSevereLate: true,
      earlyMinutes: 10,
    })
  })
  it('T-ATT-04 11:01 is half a day absent', () => {
    expect(judge({ punches: ['11:01', '18:00'] })).toMatchObject({ state: 'absent', absentHalves: 1 })
  })
  it('ATT-5, ATT-6 half a day absent is neither late nor early as well', () => {
    expect(judge({ punches: ['11:01', '18:00'] })).toMatchObject({ lateMinutes: 0, isSevereLate: false })
    expect(judge({ punches: ['09:00', '15:59'] })).toMatchObject({ absentHalves: 1, earlyMinutes: 0 })
    expect(judge({ punches: ['09:31', '15:59'] })).toMatchObject({
      absentHalves: 1,
      lateMinutes: 31,
      isSevereLate: true,
      earlyMinutes: 0,
    })
  })
  it('T-ATT-07 both punches of a night belong to the day on which it began', () => {
    const scheduled = { [monday]: 2, [addDays(monday, 1)]: 3, [addDays(monday, -1)]: 0 }
    const day = judge({
      group: { ...fixed, groupType: 'schedule' },
      scheduled,
      punches: ['21:55', '+1 06:03'],
    })
    expect(day).toMatchObject({ state: 'normal', workMinutes: 480, absentHalves: 0 })
    expect([...day.dates.values()]).toEqual([monday, monday])
  })
  it('T-ATT-08 leave in the morning, there at 13:02', () => {
    const day = judge({ punches: ['13:02', '18:00'], covers: [['09:00', '12:00']] })
    expect(day).toMatchObject({ state: 'leave', leaveMinutes: 180, lateMinutes: 0, missingCount: 0 })
    expect(day.segments[0]?.inResult).toBe('normal')
  })
  it('T-ATT-09 nobody there on a Sunday that is worked', () => {
    const holiday = { name: '调休', kind: 'work' } as const
    expect(judge({ date: sunday, holiday })).toMatchObject({ state: 'absent', absentHalves: 2 })
    expect(judge({ date: sunday })).toMatchObject({ state: 'rest', absentHalves: 0 })
  })
})

describe('the plan of a day (ATT-2)', () => {
  it('a personal schedule goes before the holiday, the holiday before the week', () => {
    const holiday = { name: '国庆节', kind: 'rest' } as const
    expect(judge({ holiday }).state).toBe('rest')
    expect(judge({ holiday, scheduled: { [monday]: 1 }, punches: ['09:00', '18:00'] })).toMatchObject({
      state: 'normal',
    })
    expect(judge({ scheduled: { [monday]: 0 } }).state).toBe('rest')
    expect(judge({ holiday: { name: '厂庆', kind: 'own' } }).plan).toMatchObject({
      kind: 'rest',
      daySort: 'rest',
    })
  })
  it('a group by schedule without one is unscheduled (ATT-10)', () => {
    expect(judge({ group: { ...fixed, groupType: 'schedule' } }).state).toBe('unscheduled')
  })
})

describe('edges', () => {
  it('ATT-5 the graces hold to their minute: 09:30 late, 11:00 severely late', () => {
    expect(judge({ punches: ['09:30', '18:00'] })).toMatchObject({ lateMinutes: 30, isSevereLate: false })
    expect(judge({ punches: ['11:00', '18:00'] })).toMatchObject({ isSevereLate: true, absentHalves: 0 })
  })
  it('ATT-6 two hours and a minute early is half a day', () => {
    expect(judge({ punches: ['09:00', '15:59'] })).toMatchObject({ absentHalves: 1, state: 'absent' })
  })
  it('ATT-7 one punch missing; after the mend window it may count as half a day', () => {
    expect(judge({ punches: ['09:00'] })).toMatchObject({ state: 'missing', missingCount: 1 })
    const group = { ...fixed, missingIsAbsent: true }
    const closed = minuteOfMidnight(monday) + 8 * 1440
    expect(judge({ group, punches: ['09:00'], now: closed - 1 })).toMatchObject({ state: 'missing' })
    expect(judge({ group, punches: ['09:00'], now: closed })).toMatchObject({
      state: 'absent',
      absentHalves: 1,
    })
  })
  it('ATT-7 leave over the whole day leaves nothing to be absent from', () => {
    expect(judge({ covers: [['09:00', '18:00']] })).toMatchObject({ state: 'leave', leaveMinutes: 480 })
  })
  it('ATT-7 the afternoon without a punch after a morning of leave is half a day', () => {
    expect(judge({ covers: [['09:00', '13:00']] })).toMatchObject({ state: 'absent', absentHalves: 1 })
  })
  it('ATT-8 ten minutes late within the flexible ones move the end by ten', () => {
    const shift = { ...dayShift, flexMinutes: 15 }
    expect(judge({ shift, punches: ['09:10', '18:10'] })).toMatchObject({ state: 'normal', workMinutes: 480 })
    expect(judge({ shift, punches: ['09:10', '18:00'] })).toMatchObject({ state: 'early', earlyMinutes: 10 })
    expect(judge({ shift, punches: ['09:16', '18:00'] })).toMatchObject({ state: 'late', lateMinutes: 16 })
  })
  it('ATT-9 a trip covers the day without punches', () => {
    expect(judge({ covers: [['09:00', '18:00', 'trip']] })).toMatchObject({ state: 'trip', workMinutes: 480 })
  })
  it('ATT-9 who is away over the end or the begin of a shift needs no punch there', () => {
    const away = judge({ punches: ['09:00'], covers: [['15:00', '18:00', 'out']] })
    expect(away).toMatchObject({ state: 'trip', missingCount: 0, earlyMinutes: 0, workMinutes: 480 })
    expect(away.segments[0]).toMatchObject({ inResult: 'normal', outResult: 'excused', workMinutes: 300 })
    const before = judge({ punches: ['18:00'], covers: [['09:00', '12:30', 'trip']] })
    expect(before).toMatchObject({ state: 'trip', missingCount: 0, lateMinutes: 0, workMinutes: 480 })
    expect(judge({ punches: ['09:00'], covers: [['15:00', '18:00']] })).toMatchObject({
      state: 'leave',
      workMinutes: 300,
    })
    // The other point still needs its punch, and a cover that ends before the shift covers no point.
    expect(judge({ punches: ['15:00'], covers: [['15:00', '18:00', 'out']] })).toMatchObject({
      state: 'missing',
    })
    expect(judge({ punches: ['09:00'], covers: [['15:00', '17:00', 'out']] })).toMatchObject({
      state: 'missing',
    })
    expect(judge({ covers: [['15:00', '18:00', 'out']] })).toMatchObject({ state: 'absent' })
  })
  it('what may still come is not missing yet', () => {
    const now = atMinute(monday, '10:00')
    expect(judge({ now })).toMatchObject({ state: undefined, isOpen: true, absentHalves: 0 })
    expect(judge({ now, punches: ['09:20'] })).toMatchObject({ state: 'late', isOpen: true })
  })
  it('two presses at the door are one punch', () => {
    expect(judge({ punches: ['08:58', '09:01'] })).toMatchObject({ state: 'missing', missingCount: 1 })
  })
  it('free hours: short, enough, none (ATT-2)', () => {
    const group: GroupRules = { ...fixed, groupType: 'free', dayCutMinutes: 240 }
    expect(judge({ group, punches: ['11:00', '+1 02:00'] })).toMatchObject({
      state: 'normal',
      workMinutes: 900,
    })
    expect(judge({ group, punches: ['11:00', '18:00'] })).toMatchObject({ state: 'early', earlyMinutes: 60 })
    expect(judge({ group })).toMatchObject({ state: 'absent', absentHalves: 2 })
  })
  it('a day explains itself', () => {
    const { plan, ...figures } = judge({ punches: ['09:06', '18:01'] })
    const punches = ['09:06', '18:01'].map(clock => ({ minute: atMinute(monday, clock), source: '考勤机' }))
    expect(explainDay({ plan, figures, punches, covers: [], overtimes: [] })).toEqual([
      { label: '班次', text: '白班 09:00–18:00，休息 12:00–13:00' },
      { label: '依据', text: '周班表（周一）' },
      { label: '打卡', text: '09:06（考勤机）、18:01（考勤机）' },
      { label: '上班', text: '09:06，迟到 6 分钟' },
      { label: '下班', text: '18:01，正常' },
      { label: '工时', text: '应出勤 8 小时，实际 7.9 小时' },
    ])
  })
})

describe('the documents of an explained day', () => {
  const labelsOf = (shiftId: number, begin: string, end: string): string[] => {
    const { plan, ...figures } = judge({ scheduled: { [monday]: shiftId } })
    const time = { begin: atMinute(monday, begin), end: atMinute(monday, end) }
    const covers = [{ ...time, kind: 'leave' as const, label: '年假' }]
    return explainDay({ plan, figures, punches: [], covers, overtimes: [time] }).map(({ label }) => label)
  }
  it('those of the next day are not among them, except over a night', () => {
    expect(labelsOf(1, '09:00', '12:00')).toEqual(expect.arrayContaining(['年假', '加班']))
    expect(labelsOf(1, '+1 09:00', '+1 12:00')).not.toContain('年假')
    expect(labelsOf(1, '+1 09:00', '+1 12:00')).not.toContain('加班')
    expect(labelsOf(2, '+1 02:00', '+1 04:00')).toContain('年假')
    expect(labelsOf(2, '+1 09:00', '+1 12:00')).not.toContain('年假')
  })
})

describe('shifts (ATT-1)', () => {
  it('standard minutes are the segments less the rest', () => {
    expect(workMinutesOf(dayShift.segments, dayShift.rests)).toBe(480)
    expect(workMinutesOf(nightShift.segments, [])).toBe(480)
  })
  it('a shift of thirty hours, a rest outside, graces out of order are refused at their field', () => {
    const faultOf = (change: Partial<Shift>) => shiftFaults({ ...dayShift, ...change })[0]
    expect(faultOf({ segments: [{ in: '00:00', out: '06:00', outNext: true }], rests: [] })).toMatchObject({
      field: 'segments',
    })
    expect(faultOf({ segments: [{ in: '22:00', out: '06:00' }] })?.message).toContain('次日')
    expect(faultOf({ rests: [{ in: '18:00', out: '19:00' }] })).toMatchObject({ field: 'rests' })
    expect(faultOf({ severeLate: 3 })).toMatchObject({ field: 'severeLate' })
    expect(faultOf({})).toBeUndefined()
  })
})

/** The plain calculation: every minute of the days looked at one by one. */
function plainDay(shift: Shift, date: Day, punches: readonly number[], covers: readonly Cover[]) {
  const midnight = minuteOfMidnight(date)
  const minuteAt = (clock: string, isNext?: boolean): number =>
    midnight + Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)) + (isNext ? 1440 : 0)
  let late = 0
  let early = 0
  let work = 0
  let leave = 0
  let missing = 0
  const isRest = (minute: number): boolean =>
    shift.rests.some(r => minute >= minuteAt(r.in, r.inNext) && minute < minuteAt(r.out, r.outNext))
  const isCovered = (minute: number): boolean => covers.some(c => minute >= c.begin && minute < c.end)
  const ends = shift.segments.map(s => [minuteAt(s.in, s.inNext), minuteAt(s.out, s.outNext)] as const)
  const owner = (punch: number): number => {
    let found = -1
    ends.forEach(([begin, end], i) => {
      if (punch < begin - shift.earliestIn || punch > end + shift.latestOut) return
      const before = ends[found]
      if (!before || punch - before[1] > begin - punch) {
        found = i
      }
    })
    return found
  }
  ends.forEach(([begin, end], i) => {
    const due: number[] = []
    let isBeginCovered: boolean | undefined
    let isEndCovered = false
    for (let minute = begin; minute < end; minute++) {
      if (isRest(minute)) continue
      isEndCovered = isCovered(minute)
      isBeginCovered ??= isEndCovered
      if (isCovered(minute)) {
        leave++
      } else due.push(minute)
    }
    const own = punches.filter(punch => owner(punch) === i)
    const [first] = due
    if (first === undefined) return
    const last = (due.at(-1) ?? first) + 1
    const middle = (first + last) / 2
    const early1 = own.filter(punch => punch <= middle)
    const late1 = own.filter(punch => punch > middle)
    const isApart = (side: readonly number[]) => Math.max(...side) - Math.min(...side) >= 10
    const inPunch = early1[0] ?? (late1.length && isApart(late1) ? late1[0] : undefined)
    const outPunch =
      late1.at(-1) ??
      (early1.length && isApart(early1) && (early1.at(-1) ?? 0) > first ? early1.at(-1) : undefined)
    const missed = inPunch === undefined ? 0 : due.filter(minute => minute < inPunch).length
    const moved = missed <= shift.flexMinutes ? missed : 0
    const isLate = missed - moved > shift.lateGrace && missed - moved <= shift.absentLate
    if (inPunch !== undefined && isLate) {
      late += missed - moved
    }
    if (inPunch === undefined && outPunch === undefined) return
    const from = inPunch ?? (isBeginCovered ? first : undefined)
    const to = outPunch ?? (isEndCovered ? last : undefined)
    if (from === undefined || to === undefined) {
      missing++
    }
    if (outPunch === undefined) {
      work += from === undefined || to === undefined ? 0 : due.filter(m => m >= from && m < to).length
      return
    }
    let stayed = 0
    for (let minute = last; minute < outPunch && stayed < moved; minute++) {
      stayed++
    }
    const left = due.filter(minute => minute >= outPunch).length + moved - stayed
    if (left > shift.earlyGrace && left <= shift.absentEarly) {
      early += left
    }
    if (from !== undefined) {
      work += due.filter(minute => minute >= from && minute < outPunch).length + stayed
    }
  })
  return { late, early, work, leave, missing }
}

describe('against every minute looked at', () => {
  const clock = (minute: number) => {
    const inDay = minute % 1440
    return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`
  }
  const timeOf = (begin: number, end: number) => ({
    in: clock(begin),
    inNext: begin >= 1440,
    out: clock(end),
    outNext: end >= 1440,
  })
  it('ATT-4 to ATT-9 random shifts (night, split, flexible), punches and leave', () => {
    const random = seededRandom(18)
    for (let round = 0; round < 1500; round++) {
      const count = 1 + random(3)
      let begin = random(1300)
      const first = begin
      const segments: [number, number][] = []
      for (let i = 0; i < count; i++) {
        const end = Math.min(first + 1440, begin + 60 + random(500))
        if (end - begin < 30) break
        segments.push([begin, end])
        begin = end + 1 + random(120)
        if (begin >= first + 1410) break
      }
      const rests = segments.flatMap(([from, to]) =>
        to - from > 120 && random(2) ? [timeOf(from + 40, from + 40 + random(50) + 1)] : [],
      )
      const shift: Shift = {
        ...dayShift,
        segments: segments.map(([from, to]) => timeOf(from, to)),
        rests,
        lateGrace: random(10),
        flexMinutes: random(3) ? 0 : random(40),
        earlyGrace: random(5),
        earliestIn: 30 + random(200),
        latestOut: 30 + random(300),
      }
      expect(shiftFaults(shift)).toEqual([])
      const midnight = minuteOfMidnight(monday)
      const punches = [
        ...new Set(
          Array.from({ length: random(7) }, () => {
            const [from, to] = segments[random(segments.length)] ?? [0, 0]
            return midnight + (random(2) ? from : to) + random(160) - 80
          }),
        ),
      ].toSorted((a, b) => a - b)
      const covers: Cover[] = random(3)
        ? []
        : [0, 1].slice(random(2)).map(() => {
            const from = midnight + first + random(600)
            return { kind: 'leave', leaveType: 'sick', begin: from, end: from + 10 + random(400) }
          })
      const plan: DayPlan = { kind: 'shift', shift, date: monday, basis: 'week', daySort: 'weekday' }
      const figures = judgeDay({
        plan,
        matched: matchPunches([plan], punches).days.get(monday),
        covers,
        overtimes: [],
        rules: fixed,
        now: midnight + 9 * 1440,
      })
      const plain = plainDay(shift, monday, punches, covers)
      expect({
        late: figures.lateMinutes,
        early: figures.earlyMinutes,
        work: figures.workMinutes,
        leave: figures.leaveMinutes,
        missing: figures.missingCount,
      }).toEqual(plain)
    }
  })
  it('ATT-2, ATT-4 every punch has one day, whichever the neighbours and moved holidays', () => {
    const random = seededRandom(4)
    for (let round = 0; round < 300; round++) {
      const days = [0, 1, 2, 3].map(n => addDays(monday, n))
      const plans = days.map(date =>
        planDay({
          date,
          group: fixed,
          scheduled: random(2) ? random(4) : undefined,
          holiday: random(4) ? undefined : { name: '节', kind: random(2) ? 'work' : 'rest' },
          shifts,
        }),
      )
      const punches = Array.from({ length: 12 }, () => minuteOfMidnight(monday) + random(4 * 1440))
      const { dateOf, days: matched } = matchPunches(plans, punches)
      expect(dateOf.size).toBe(new Set(punches).size)
      const kept = [...matched.values()].flatMap(day => [...day.loose, ...[...day.bySegment.values()].flat()])
      expect(kept.toSorted((a, b) => a - b)).toEqual([...new Set(punches)].toSorted((a, b) => a - b))
      // A punch never goes to a shift that lies further from it than another whose window holds it.
      for (const [punch, date] of dateOf) {
        const gap = (plan: DayPlan): number => {
          if (plan.kind !== 'shift') return Infinity
          const [segment] = plan.shift.segments
          const begin = atMinute(plan.date, segment?.in ?? '00:00')
          const end = atMinute(plan.date, `${segment?.outNext ? '+1 ' : ''}${segment?.out ?? '00:00'}`)
          if (punch < begin - 180 || punch > end + 360) return Infinity
          return Math.max(begin - punch, punch - end, 0)
        }
        const best = Math.min(...plans.map(gap))
        const own = plans.find(plan => plan.date === date)
        if (best !== Infinity && own) {
          expect(gap(own)).toBe(best)
        }
      }
    }
  })
})
