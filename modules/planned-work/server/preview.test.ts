import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant, momentAt, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { keysOf } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { faultsOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { code } from '#kit/server/sql.ts'
import { applyState, applyType } from '#modules/attendance/contract/choices.ts'
import { cleaningWork } from '#modules/cleaning/contract/work.ts'
import { greeningWork } from '#modules/landscaping/contract/work.ts'
import { patrolPlans, previewPatrolPlan } from '#modules/patrol/contract/plan.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { calendarRule, cycleType, staffMode } from '../contract/choices.ts'
import type { WorkPlan } from '../contract/plan.ts'
import { previewSchedule } from '../contract/schedule.ts'
import {
  addStaff,
  addSubjects,
  kinds,
  plainDraft,
  projectCode,
  savePlan,
  type Kind,
  type KindSubjects,
  type PlanDraft,
} from './kinds.fixtures.ts'

let t: GoldenApp
let owner: CallOptions
let made = 0
let setup: KindSubjects
let staff: { readonly id: Id; readonly name: string }[]

const now = (): Moment => fromInstant(t.app.clock())
const today = (): Day => dayOfMoment(now())

/** A generator of numbers that is the same at every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const leave = (staffId: Id, begin: Moment, end: Moment): Promise<unknown> =>
  t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      insert into attendance_apply (owner_id, staff_id, apply_type, begin_time, end_time, reason, state)
      values (${t.ownerId}, ${staffId}, ${code(applyType, 'leave')}, ${begin}::timestamptz, ${end}::timestamptz, '家事',
        ${code(applyState, 'passed')})
    `),
  )

beforeAll(async () => {
  t = await openGoldenApp()
  owner = await t.owner
  staff = [await addStaff(t, '在岗甲'), await addStaff(t, '在岗乙'), await addStaff(t, '请假丙')]
  staff.push(await addStaff(t, '将离职丁', { leaveDate: today() }))
  await leave(defined(staff[2]).id, startOfDay(today()), momentAt(addDays(today(), 1), '12:00'))
  setup = await addSubjects(t, owner)
})

afterAll(() => t?.close())

interface Shown {
  readonly day: Day
  readonly begin: Moment
  readonly end: Moment
  readonly target: string
  readonly staff: string
  readonly nobody: string
}

const byKind = { greening: greeningWork, cleaning: cleaningWork } as const

/** What the preview of a kind shows, whatever its call names it. */
async function preview(kind: Kind, draft: PlanDraft): Promise<Shown[]> {
  const rows =
    kind === 'standard'
      ? (await t.call(previewSchedule, draft, owner)).map(({ day, begin, end, ...row }) => ({
          ...row,
          taskDate: day,
          beginTime: begin,
          endTime: end,
        }))
      : await t.call(kind === 'patrol' ? previewPatrolPlan : byKind[kind].preview, draft, owner)
  return rows.map(row => ({
    day: row.taskDate,
    begin: row.beginTime,
    end: row.endTime,
    target: ('targetName' in row ? row.targetName : undefined) ?? '',
    staff: row.staffNames ?? '',
    nobody: row.nobodyReason ?? '',
  }))
}

const save = (kind: Kind, draft: PlanDraft): Promise<WorkPlan> => savePlan(t, owner, kind, draft)

/** The tasks of a plan that ask something of somebody: those that nobody has started. */
async function askedOf(planId: Id): Promise<Shown[]> {
  const rows = await t.database.reader(t.ownerId).rows<
    Omit<Shown, 'staff'> & { readonly staffId?: Id; readonly candidateIds?: readonly string[] }
  >(sql`
    select task_date as day, begin_time as begin, end_time as "end", coalesce(target_name, '') as target, staff_id,
      candidate_ids, coalesce(nobody_reason, '') as nobody
    from work_task
    where owner_id = ${t.ownerId} and plan_id = ${planId} and state = 10 and close_time > ${now()}::timestamptz
  `)
  const nameOf = (id: string): string => defined(staff.find(person => String(person.id) === id)).name
  return rows.map(({ staffId, candidateIds, ...row }) => ({
    ...row,
    staff: (staffId ? [String(staffId)] : (candidateIds ?? [])).map(nameOf).join('、'),
  }))
}

const sorted = (rows: readonly Shown[]): string[] =>
  rows
    .map(({ day, begin, end, target, staff: names, nobody }) =>
      [day, begin, end, target, names, nobody].join('|'),
    )
    .toSorted()

const clockOf = (random: (below: number) => number): string =>
  `${String(random(24)).padStart(2, '0')}:${String(random(60)).padStart(2, '0')}`

function randomDraft(kind: Kind, random: (below: number) => number): PlanDraft {
  const pick = <T>(values: readonly T[]): T => defined(values[random(values.length)])
  const some = <T>(values: readonly T[]): T[] => values.filter(() => random(3) > 0)
  const chosen = some(staff)
  const places = setup.targets[kind]
  const chosenPlaces = some(places)
  const begins = [...new Set(Array.from({ length: 1 + random(3) }, () => clockOf(random)))]
  const type = pick(keysOf(cycleType))
  return {
    projectCode,
    planName: `计划${++made}`,
    subjectId: setup.subjects[kind],
    ...(places.length
      ? { targetIds: (chosenPlaces.length ? chosenPlaces : places.slice(0, 1)).map(String) }
      : {}),
    cycleType: type,
    cycle: {
      weekDays: Array.from({ length: 7 }, (_, i) => String(i + 1)).filter(
        () => random(2) > 0 || type !== 'weekly',
      ),
      monthDays: Array.from({ length: 31 }, (_, i) => String(i + 1)).filter(
        day => random(2) > 0 || day === '1',
      ),
      monthEndClamp: random(2) > 0,
      everyDays: 1 + random(4),
      dates: [addDays(today(), random(3) - 1), addDays(today(), 3)],
    },
    calendarRule: pick(keysOf(calendarRule)),
    times: begins.map(begin => ({ begin, end: clockOf(random) })),
    staffMode: pick(keysOf(staffMode)),
    staffIds: (chosen.length ? chosen : [pick(staff)]).map(({ id }) => String(id)),
    beginDate: addDays(today(), random(6) - 4),
    ...(random(3) ? {} : { endDate: addDays(today(), 2 + random(20)) }),
    remindMinutes: 0,
    // A road takes 20 minutes: less than that is refused.
    lateEndMinutes: Math.max(random(4) * 45, kind === 'patrol' ? 20 : 0),
    state: 'enabled',
  }
}

/** Some of a plan's tasks are started: they stay as they are. */
const beginSome = (planId: Id, keep: number): Promise<unknown> =>
  t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update work_task set state = 20, sign_time = ${now()}::timestamptz
      where owner_id = ${t.ownerId} and plan_id = ${planId} and id % 3 = ${keep}
    `),
  )

it('what the preview shows until tomorrow is exactly what saving makes, also of an edit, of every kind (PAT-3)', async () => {
  const random = randomOf(19)
  let nobody = 0
  let compared = 0
  for (let i = 0; i < 48; i++) {
    const kind = defined(kinds[i % kinds.length])
    const first = randomDraft(kind, random)
    if (first.cycleType === 'weekly' && !first.cycle?.weekDays?.length) continue
    const until = addDays(today(), 1)
    const soon = (rows: readonly Shown[]): Shown[] => rows.filter(({ day }) => day <= until)
    const shown = soon(await preview(kind, first))
    const plan = await save(kind, first)
    expect(sorted(await askedOf(plan.id)), JSON.stringify(first)).toEqual(sorted(shown))
    nobody += shown.filter(row => row.nobody !== '').length
    compared += shown.length
    await beginSome(plan.id, i % 3)
    const { subjectId, planName } = first
    const edited = { ...randomDraft(kind, random), subjectId, planName }
    if (edited.cycleType === 'weekly' && !edited.cycle?.weekDays?.length) continue
    const draft = { ...edited, id: plan.id, version: plan.version }
    const next = soon(await preview(kind, draft))
    await save(kind, draft)
    expect(sorted(await askedOf(plan.id)), JSON.stringify(draft)).toEqual(sorted(next))
    compared += next.length
    // Another time of day: every few plans the clock goes on.
    t.advanceClock(i % 4 === 3 ? 47 * 60_000 : 1000)
  }
  expect(nobody).toBeGreaterThan(5)
  expect(compared).toBeGreaterThan(100)
})

it('a round of today that is over is neither shown nor made; one that is still open is both (PAT-3)', async () => {
  const clock = now().slice(11, 16)
  const draft: PlanDraft = {
    ...randomDraft('standard', randomOf(7)),
    cycleType: 'daily',
    calendarRule: 'always',
    beginDate: today(),
    endDate: undefined,
    lateEndMinutes: 0,
    staffMode: 'rotation',
    staffIds: [String(defined(staff[0]).id)],
    times: [
      { begin: '00:00', end: '00:01' },
      { begin: clock, end: '23:59' },
    ],
  }
  const ofToday = (await preview('standard', draft)).filter(({ day }) => day === today())
  expect(ofToday.map(({ begin }) => begin.slice(11, 16))).toEqual([clock])
})

it('a plan is seen under the calls of its own kind alone', async () => {
  const plan = await save('standard', plainDraft('standard', setup, [defined(staff[0]).id], today()))
  for (const get of [patrolPlans.get, cleaningWork.plans.get, greeningWork.plans.get]) {
    expect(await refusedBy(t.call(get, { id: plan.id }, owner)), get.route).toContain('不存在')
  }
})

it('the preview refuses what saving refuses, in the same words', async () => {
  const draft = (kind: Kind): PlanDraft => ({
    ...randomDraft(kind, randomOf(3)),
    cycleType: 'daily',
    times: [{ begin: '08:00', end: '09:00' }],
    staffIds: [String(defined(staff[0]).id)],
    beginDate: today(),
    endDate: undefined,
  })
  const faulty: Partial<PlanDraft>[] = [
    { staffIds: [] },
    { staffIds: ['987654'] },
    { staffIds: [String(defined(staff[0]).id), String(defined(staff[0]).id)] },
    { endDate: addDays(today(), -1) },
    { endDate: addDays(today(), 4000) },
    { times: [] },
    {
      times: [
        { begin: '08:00', end: '09:00' },
        { begin: '08:00', end: '10:00' },
      ],
    },
    { times: [{ begin: '25:00', end: '09:00' }] },
    { cycleType: 'weekly', cycle: {} },
    { cycleType: 'dates', cycle: { dates: ['2026-02-30'] } },
    { subjectId: asId(999_999) },
    { planName: '' },
    { lateEndMinutes: 9999 },
    { state: 'ended' },
    { targetIds: ['999999'] },
    { projectCode: 'NONE0009' },
  ]
  for (const kind of kinds) {
    for (const fault of faulty) {
      const input = { ...draft(kind), ...fault }
      const saved = await refusedBy(save(kind, input))
      expect(saved, JSON.stringify(fault)).not.toEqual('')
      expect(await refusedBy(preview(kind, input)), `${kind} ${JSON.stringify(fault)}`).toEqual(saved)
    }
  }
})

/** The words of a refusal, by field. */
async function refusedBy(attempt: Promise<unknown>): Promise<string> {
  const [outcome] = await Promise.allSettled([attempt])
  if (outcome.status === 'fulfilled') return ''
  const reason: unknown = outcome.reason
  if (!(reason instanceof Refused)) throw new Error('the call was not refused', { cause: reason })
  return JSON.stringify([reason.message, faultsOf(reason)])
}
