import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listRecordHistory } from '#modules/accounts/contract/operation-log.ts'
import { previewSchedule, schedules, setScheduleState } from '../contract/schedule.ts'
import { taskStandards } from '../contract/standard.ts'
import { assignTask, listOwnTasks, listTasks, signTask } from '../contract/task-calls.ts'
import type { WorkTask } from '../contract/task.ts'
import { closeDue } from './close.ts'
import { generateDue } from './generate.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let owner: CallOptions
let standardId: Id
let made = 0

interface Person {
  readonly id: Id
  readonly as: CallOptions
}
let first: Person
let second: Person
let third: Person

const now = (): Moment => fromInstant(t.app.clock())

async function addPerson(name: string): Promise<Person> {
  const { loginCode, as } = await t.addClerk(['planned-work.plan.view', 'planned-work.plan.execute'])
  const [person] = await t.database.tx(t.ownerId, tx =>
    tx.rows<{ id: Id }>(sql`
      insert into staff (owner_id, name, staff_no, state, manager_id)
      select ${t.ownerId}::bigint, ${name}::text, ${loginCode}::text, 10, id
      from manager
      where owner_id = ${t.ownerId} and login_code = ${loginCode}
      returning id
    `),
  )
  return { id: defined(person).id, as }
}

beforeAll(async () => {
  t = await openGoldenApp()
  owner = await t.owner
  first = await addPerson('甲工')
  second = await addPerson('乙工')
  third = await addPerson('丙工')
  const items = [{ name: '地面', weight: 1 }]
  const draft = { standardName: '指派', category: 'cleaning', sort: 0, state: 'on', items } as const
  standardId = (await t.call(taskStandards.add, draft, owner)).id
})

afterAll(() => t?.close())

/** A plan of people of whom the first are out of the company, so that nobody does its task of today. */
async function addPlan(
  staff: readonly Person[],
  options: { readonly isNobody?: boolean; readonly plan?: object } = {},
) {
  const plan = await t.call(
    schedules.add,
    {
      projectCode,
      planName: `计划${++made}`,
      subjectId: standardId,
      cycleType: 'daily',
      calendarRule: 'always',
      times: [{ begin: now().slice(11, 16), end: addMinutes(now(), 60).slice(11, 16) }],
      staffMode: 'rotation',
      staffIds: staff.map(({ id }) => String(id)),
      beginDate: dayOfMoment(now()),
      remindMinutes: 15,
      lateEndMinutes: 30,
      state: 'enabled',
      ...options.plan,
    },
    owner,
  )
  if (options.isNobody) {
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update work_task
        set staff_id = null, candidate_ids = null, nobody_reason = '甲工请假'
        where owner_id = ${t.ownerId} and plan_id = ${plan.id}
      `),
    )
  }
  const [task] = await tasksOf(plan.id)
  return { plan, task: defined(task) }
}

const tasksOf = async (planId: Id): Promise<readonly WorkTask[]> =>
  (await t.call(listTasks, { planId: [String(planId)], order: 'beginTime' }, owner)).rows
const taskOf = async (planId: Id): Promise<WorkTask> => defined((await tasksOf(planId))[0])

const assign = (tasks: readonly WorkTask[], person: Person, replaces = false) =>
  t.call(assignTask, { ids: tasks.map(({ id }) => String(id)), staffId: person.id, replaces }, owner)

const sign = (task: WorkTask, person: Person) =>
  t.call(listOwnTasks, {}, person.as).then(own => {
    const { steps } = defined(own.find(each => each.task.id === task.id))
    const deviceTime = now()
    const one = { taskId: task.id, stepId: defined(steps[0]).id, signType: 'manual' as const, deviceTime }
    return t.call(signTask, { signs: [{ ...one, uuid: `s${++made}`, verdict: 'passed' }] }, person.as)
  })

it('a task that nobody does is given to a person, who does the same task; the log has who gave it', async () => {
  const { plan, task } = await addPlan([first], { isNobody: true })
  expect(await refusalMessageOf(assign([task], second, true))).toContain('请改用指派')
  expect(await assign([task], second)).toMatchObject({ success: 1, fail: 0 })
  const assigned = await taskOf(plan.id)
  expect(assigned).toMatchObject({ id: task.id, staffName: '乙工', state: 'waiting' })
  expect([assigned.nobodyReason, assigned.assignTime !== undefined]).toEqual([undefined, true])
  const logged = await t.call(listRecordHistory, { entity: 'workTask', entityId: task.id }, owner)
  expect(JSON.stringify(logged)).toContain('乙工')
  await sign(task, second)
  expect(await taskOf(plan.id)).toMatchObject({ id: task.id, state: 'done', stepDone: 1 })
})

it('who was assigned stays when the plan is read again, also where its own person is off by then (PAT-10)', async () => {
  const { plan, task } = await addPlan([first, third], { plan: { staffMode: 'everyone' } })
  await assign([task], second, true)
  await generateDue(t.app)
  expect((await tasksOf(plan.id)).map(each => each.staffId)).toContain(second.id)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(
      sql`update staff set state = 30 where owner_id = ${t.ownerId} and id = ${defined(task.staffId)}`,
    ),
  )
  await generateDue(t.app)
  expect((await tasksOf(plan.id)).find(({ id }) => id === task.id)).toMatchObject({ staffId: second.id })
  await t.database.tx(t.ownerId, tx =>
    tx.execute(
      sql`update staff set state = 10 where owner_id = ${t.ownerId} and id = ${defined(task.staffId)}`,
    ),
  )
})

/** Saves a plan otherwise than it was; the preview before it shows the same people at its times of today. */
async function change(planId: Id, values: object): Promise<string[]> {
  const {
    createTime: _made,
    updateTime: _changed,
    ...plan
  } = await t.call(schedules.get, { id: planId }, owner)
  const today = dayOfMoment(now())
  const shown = (await t.call(previewSchedule, { ...plan, ...values }, owner)).filter(
    ({ day }) => day === today,
  )
  await t.call(schedules.edit, { ...plan, ...values }, owner)
  const saved = (await tasksOf(planId)).filter(({ taskDate }) => taskDate === today)
  const names = saved.map(task => task.staffName ?? task.candidateNames ?? '').toSorted()
  expect(shown.map(({ staffNames }) => staffNames).toSorted()).toEqual(names)
  return names
}

it('a task given by hand takes its occasion, whatever becomes of the plan’s people (PAT-3, PAT-7)', async () => {
  const modes = [
    ['rotation', 'everyone', ['丙工', '乙工']],
    ['anyone', 'everyone', ['丙工', '乙工']],
    ['rotation', 'anyone', ['丙工']],
    ['anyone', 'rotation', ['丙工']],
    ['everyone', 'rotation', ['丙工']],
    ['everyone', 'anyone', ['丙工']],
  ] as const
  for (const [before, after, names] of modes) {
    const { plan, task } = await addPlan([first, second], { plan: { staffMode: before } })
    const own = (await tasksOf(plan.id)).find(each => each.staffId === first.id) ?? task
    await assign([own], third, true)
    expect(await change(plan.id, { staffMode: after }), `${before} ${after}`).toEqual(names)
    await generateDue(t.app)
    expect(await change(plan.id, { remark: '再次保存' }), `${before} ${after}`).toEqual(names)
  }
})

it('who was assigned and is then asked by the plan too has one task at the time (PAT-3)', async () => {
  const { plan } = await addPlan([first, second], { plan: { staffMode: 'everyone' } })
  const own = (await tasksOf(plan.id)).filter(
    task => task.staffId === first.id && task.taskDate === dayOfMoment(now()),
  )
  await assign(own, third, true)
  const staffIds = [first, second, third].map(({ id }) => String(id))
  expect(await change(plan.id, { staffIds })).toEqual(['丙工', '乙工'])
})

it('a moved time keeps its assignment, a stopped plan gets it back; what is lost is previewed (PAT-7)', async () => {
  const at = (minutes: number) => addMinutes(now(), minutes).slice(11, 16)
  const times = [
    { begin: at(0), end: at(60) },
    { begin: at(100), end: at(120) },
  ]
  const { plan, task } = await addPlan([first], { plan: { times } })
  await assign([task], third, true)
  const moved = [{ begin: at(5), end: at(60) }, ...times.slice(1)]
  expect(await change(plan.id, { times: moved })).toEqual(['丙工', '甲工'])
  expect(await taskOf(plan.id)).toMatchObject({ id: task.id, beginTime: addMinutes(task.beginTime, 5) })
  const setState = (state: 'enabled' | 'disabled') =>
    t.call(setScheduleState, { ids: [String(plan.id)], state, reason: '暂停' }, owner)
  await setState('disabled')
  expect(await tasksOf(plan.id)).toEqual([])
  await setState('enabled')
  expect(await taskOf(plan.id)).toMatchObject({ id: task.id, staffName: '丙工' })
  const own = await t.call(listOwnTasks, {}, third.as)
  expect(own.find(each => each.task.id === task.id)?.steps).toHaveLength(1)
  const {
    createTime: _made,
    updateTime: _changed,
    ...draft
  } = await t.call(schedules.get, { id: plan.id }, owner)
  const shown = await t.call(previewSchedule, { ...draft, times: times.slice(1) }, owner)
  expect(shown.map(({ absences }) => absences).join()).toContain('指派给丙工的任务取消')
})

it('a task that is started stays with its person; several are answered one by one', async () => {
  const begun = await addPlan([first])
  await sign(begun.task, first)
  expect(await refusalMessageOf(assign([begun.task], second, true))).toContain('已开始或已结束')
  const open = await addPlan([first])
  const both = await assign([begun.task, open.task], second, true)
  expect(both).toMatchObject({ success: 1, fail: 1 })
  expect((await taskOf(open.plan.id)).staffId).toBe(second.id)
  expect(await refusalMessageOf(assign([open.task], second, true))).toContain('已由此人执行')
  const everyone = await addPlan([first, third], { plan: { staffMode: 'everyone' } })
  const today = (await tasksOf(everyone.plan.id)).filter(each => each.taskDate === dayOfMoment(now()))
  expect(await assign(today, second, true)).toMatchObject({ success: 1, fail: 1 })
})

it('of two who assign the same task at once one hears that it has a person', async () => {
  const { plan, task } = await addPlan([first], { isNobody: true })
  const outcomes = await Promise.allSettled([assign([task], second), assign([task], third)])
  const failed = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
  expect(failed).toHaveLength(1)
  expect(failed[0]).toContain('任务已有执行人')
  expect([second.id, third.id]).toContain((await taskOf(plan.id)).staffId)
})

it('a task is closed or assigned, never closed and given to somebody afterwards', async () => {
  const cases = await Promise.all([1, 2, 3].map(() => addPlan([first], { isNobody: true })))
  t.advanceClock(91 * 60_000)
  const outcomes = await Promise.allSettled([
    closeDue(t.app),
    ...cases.map(({ task }) => assign([task], second)),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  await closeDue(t.app)
  for (const { plan } of cases) {
    expect(await taskOf(plan.id)).toMatchObject({ state: 'missed', nobodyReason: '甲工请假' })
  }
})
