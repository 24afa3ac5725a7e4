import { expect, it } from 'vitest'
import { addDays, asDay, dayOf, type Day } from '#kit/domain/day.ts'
import { keysOf } from '#kit/contract/field.ts'
import { calendarRule, cycleType } from '../contract/choices.ts'
import { dueDays, dueDaysBefore, isDueOn, type Calendar, type PlanDays } from './cycle.ts'

const from = asDay('2020-01-01')
const to = asDay('2030-01-10')

/** A generator of numbers that is the same at every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Every day of the span as JavaScript's own calendar knows it. */
function* everyDay(): Generator<{ day: Day; utc: Date }> {
  for (let ms = Date.UTC(2020, 0, 1); ms <= Date.UTC(2030, 0, 10); ms += 86_400_000) {
    const utc = new Date(ms)
    yield { day: asDay(utc.toISOString().slice(0, 10)), utc }
  }
}

const days = [...everyDay()]

/** 国庆、元旦 and the like: some days of each year off, some weekends worked. */
const calendar: Calendar = day => {
  const date = day.slice(5)
  if (date === '01-01' || (date >= '10-01' && date <= '10-07') || date === '02-29') return 'rest'
  return date === '09-28' || date === '10-11' ? 'work' : undefined
}

/** The same rule written down day by day, without arithmetic of months or of days between. */
function computeByDay(plan: PlanDays): Day[] {
  const { cycle = {} } = plan
  let untilNext = 0
  return days.flatMap(({ day, utc }) => {
    if (day < plan.beginDate) return []
    const isNth = untilNext === 0
    untilNext = isNth ? (cycle.everyDays ?? 1) - 1 : untilNext - 1
    if (plan.endDate && day > plan.endDate) return []
    const isLast = new Date(utc.getTime() + 86_400_000).getUTCDate() === 1
    const dates = (cycle.monthDays ?? []).map(Number)
    const byCycle = {
      daily: true,
      weekly: (cycle.weekDays ?? []).map(Number).includes(utc.getUTCDay() || 7),
      monthly:
        dates.includes(utc.getUTCDate()) ||
        (cycle.monthEndClamp === true && isLast && dates.some(date => date > utc.getUTCDate())),
      everyDays: isNth,
      dates: (cycle.dates ?? []).includes(day),
    }[plan.cycleType]
    const kind = calendar(day)
    const isWeekend = utc.getUTCDay() === 0 || utc.getUTCDay() === 6
    const byCalendar = {
      always: true,
      skipHolidays: kind !== 'rest',
      workdays: kind === 'work' || (kind === undefined && !isWeekend),
    }[plan.calendarRule]
    return byCycle && byCalendar ? [day] : []
  })
}

function randomPlan(seed: number): PlanDays {
  const random = randomOf(seed)
  const types = keysOf(cycleType)
  const rules = keysOf(calendarRule)
  const beginDate = addDays(from, random(2000))
  return {
    cycleType: types[random(types.length)] ?? 'daily',
    calendarRule: rules[random(rules.length)] ?? 'always',
    cycle: {
      weekDays: Array.from({ length: 1 + random(4) }, () => String(1 + random(7))),
      monthDays: [...Array.from({ length: 1 + random(3) }, () => String(1 + random(31))), '31'],
      monthEndClamp: random(2) === 1,
      everyDays: 1 + random(40),
      dates: Array.from({ length: 20 }, () => addDays(from, random(3600))),
    },
    beginDate,
    ...(random(2) ? { endDate: addDays(beginDate, random(2500)) } : {}),
  }
}

it('the days of a cycle are those of a calculation day by day over ten years (PAT-2)', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const plan = randomPlan(seed)
    expect(dueDays(plan, from, to, calendar), JSON.stringify(plan)).toEqual(computeByDay(plan))
  }
})

it('a span gives the same days as the whole, and turns count those before it (PAT-2)', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const plan = randomPlan(seed)
    const random = randomOf(seed * 7)
    const first = addDays(from, random(3000))
    const last = addDays(first, random(90))
    const whole = computeByDay(plan)
    expect(dueDays(plan, first, last, calendar)).toEqual(whole.filter(day => day >= first && day <= last))
    expect(dueDaysBefore(plan, first, calendar)).toBe(whole.filter(day => day < first).length)
  }
})

it('a plan that is changed in between keeps its days before and has those of the change after (PAT-10)', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const before = randomPlan(seed)
    const after = { ...randomPlan(seed + 1000), beginDate: before.beginDate }
    const changed = addDays(from, 400 + seed * 20)
    const made: Day[] = []
    // Each day at 00:05 for today and tomorrow; the days that are not started follow the plan as it is then.
    for (let today = from; today <= to; today = addDays(today, 1)) {
      const plan = today < changed ? before : after
      const tomorrow = addDays(today, 1)
      made.splice(
        0,
        made.length,
        ...made.filter(day => day < today),
        ...dueDays(plan, today, tomorrow, calendar),
      )
    }
    expect(made.filter(day => day <= to)).toEqual([
      ...computeByDay(before).filter(day => day < changed),
      ...computeByDay(after).filter(day => day >= changed),
    ])
  }
})

const monthly = (monthDays: string[], monthEndClamp: boolean): PlanDays => ({
  cycleType: 'monthly',
  cycle: { monthDays, monthEndClamp },
  calendarRule: 'always',
  beginDate: from,
})

it('the 31st is the last day of shorter months only where the plan says so (PAT-2)', () => {
  const ofFebruary = (plan: PlanDays, year: number) =>
    dueDays(plan, dayOf(year, 2, 1), dayOf(year, 3, 1), () => undefined)
  expect(ofFebruary(monthly(['31'], true), 2024)).toEqual(['2024-02-29'])
  expect(ofFebruary(monthly(['31'], true), 2025)).toEqual(['2025-02-28'])
  expect(ofFebruary(monthly(['31'], false), 2025)).toEqual([])
  expect(ofFebruary(monthly(['29'], false), 2024)).toEqual(['2024-02-29'])
})

it('several days that become the same last day are one day (PAT-2)', () => {
  const plan = monthly(['28', '29', '30', '31'], true)
  expect(dueDays(plan, asDay('2025-02-01'), asDay('2025-02-28'), () => undefined)).toEqual(['2025-02-28'])
})

it('a holiday is skipped, not moved, and a worked Saturday is a working day (PAT-2)', () => {
  const plan = { cycleType: 'daily', calendarRule: 'workdays', beginDate: from } as const
  expect(isDueOn(plan, asDay('2025-10-01'), calendar)).toBe(false)
  expect(isDueOn(plan, asDay('2025-10-08'), calendar)).toBe(true)
  expect(isDueOn(plan, asDay('2025-10-11'), calendar)).toBe(true)
  expect(isDueOn(plan, asDay('2025-10-12'), calendar)).toBe(false)
  expect(isDueOn({ ...plan, calendarRule: 'skipHolidays' }, asDay('2025-10-12'), calendar)).toBe(true)
})
