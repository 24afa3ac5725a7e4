import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, asDay, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, fromInstant, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { addHolidays } from '#modules/system/contract/holiday.ts'
import { listOrders } from '#modules/work-orders/contract/order-list.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getWorkCalendar, listWorkRates } from '../contract/overview.ts'
import { schedules, previewSchedule, setScheduleState } from '../contract/schedule.ts'
import { getStandardTree, taskStandards } from '../contract/standard.ts'
import type { WorkTask } from '../contract/task.ts'
import {
  countTasksOfStandard,
  disableTask,
  finishOwnTask,
  getTask,
  listOwnTasks,
  listTaskRecords,
  listTasks,
  reappointTask,
  signTask,
} from '../contract/task-calls.ts'
import { closeDue } from './close.ts'
import { generateDue } from './generate.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let owner: CallOptions
let standardId: Id
let people: { readonly id: Id; readonly as: CallOptions }[]
let uuid = 0

const now = (): Moment => fromInstant(t.app.clock())
const today = (): Day => dayOfMoment(now())

/** Turns the clock on to a time; nobody's session ends on the way. */
async function turnTo(at: Moment): Promise<void> {
  for (let rest = secondsBetween(now(), at); rest > 0; rest -= 4 * 3600) {
    t.advanceClock(Math.min(rest, 4 * 3600) * 1000)
    for (const as of [owner, ...people.map(({ as: own }) => own)]) {
      await t.call(listTasks, { size: 1 }, as)
    }
  }
}

async function addPerson(name: string) {
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
  people = [await addPerson('甲工'), await addPerson('乙工'), await addPerson('丙工')]
  const orderType = await t.database
    .reader(t.ownerId)
    .one<{ id: Id }>(sql`select id from work_order_type where type_code = 'RW' and owner_id = ${t.ownerId}`)
  const parent = await t.call(
    taskStandards.add,
    { standardName: '大堂', category: 'cleaning', sort: 0, state: 'on' },
    owner,
  )
  const standard = await t.call(
    taskStandards.add,
    {
      standardName: '大堂日常保洁',
      parentId: parent.id,
      category: 'cleaning',
      sort: 1,
      state: 'on',
      orderTypeId: defined(orderType).id,
      items: [
        { name: '地面', weight: 3 },
        { name: '玻璃', weight: 2, raisesOrder: true },
        { name: '水温', weight: 5, minValue: '40', maxValue: '60', unit: '℃' },
      ],
    },
    owner,
  )
  standardId = standard.id
})

afterAll(() => t?.close())

const draft = (more: object = {}) => ({
  projectCode,
  planName: `计划${++uuid}`,
  subjectId: standardId,
  cycleType: 'daily' as const,
  calendarRule: 'always' as const,
  times: [{ begin: '14:00', end: '15:00' }],
  staffMode: 'rotation' as const,
  staffIds: people.map(({ id }) => String(id)),
  beginDate: today(),
  remindMinutes: 0,
  lateEndMinutes: 30,
  state: 'enabled' as const,
  ...more,
})

const save = (more: object = {}) => t.call(schedules.add, draft(more), owner)
const tasksOf = async (planId: Id): Promise<readonly WorkTask[]> =>
  (await t.call(listTasks, { planId: [String(planId)], order: 'beginTime' }, owner)).rows
const see = (id: Id) => t.call(getTask, { id }, owner)
/** The figures of all tasks of some days. */
const wholeOf = async (span: { readonly from: Day; readonly to: Day }) => {
  const { sum = {} } = await t.call(listWorkRates, { ...span, by: 'day' }, owner)
  return {
    tasks: Number(sum.tasks),
    due: Number(sum.due),
    missed: Number(sum.missed),
    signedRate: String(sum.signedRate),
  }
}
const person = (i: number) => defined(people[i])
const only = <T>(rows: readonly T[]): T => {
  expect(rows).toHaveLength(1)
  return defined(rows[0])
}

const sign = (taskId: Id, stepId: Id, more: object = {}) => ({
  uuid: `u${++uuid}`,
  taskId,
  stepId,
  signType: 'manual' as const,
  deviceTime: now(),
  verdict: 'passed' as const,
  ...more,
})

/** A plan of one person whose task runs just now, with the ids of its steps. */
async function runningTask(more: object = {}, i = 0) {
  const begin = now().slice(11, 16)
  const end = addMinutes(now(), 60).slice(11, 16)
  const plan = await save({ times: [{ begin, end }], staffIds: [String(person(i).id)], ...more })
  const [task] = await tasksOf(plan.id)
  const { steps } = await see(defined(task).id)
  const stepId = (at: number): Id => defined(steps[at]).id
  return { plan, task: defined(task), steps: [stepId(0), stepId(1), stepId(2)] as const }
}

it('a saved plan makes the tasks of today and tomorrow, in turn, with the steps of its standard (PAT-3)', async () => {
  const plan = await save()
  const tasks = await tasksOf(plan.id)
  expect(tasks.map(task => [task.taskDate, task.staffName, task.stepTotal, task.state])).toEqual([
    [today(), '甲工', 3, 'waiting'],
    [addDays(today(), 1), '乙工', 3, 'waiting'],
  ])
  expect(tasks[0]?.closeTime).toBe(`${today()} 15:30:00`)
  const { steps } = await see(defined(tasks[0]).id)
  expect(steps.map(step => [step.stepName, step.weight, step.dueTime])).toEqual([
    ['地面', 3, `${today()} 15:00:00`],
    ['玻璃', 2, `${today()} 15:00:00`],
    ['水温', 5, `${today()} 15:00:00`],
  ])
  expect(plan).toMatchObject({ subjectName: '大堂日常保洁', schedule: '每天 14:00–15:00' })
})

it('made once more, also by two servers at once, nothing is new (PAT-3)', async () => {
  const plan = await save({ staffMode: 'everyone' })
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`delete from work_task where owner_id = ${t.ownerId} and plan_id = ${plan.id}`),
  )
  await Promise.all([generateDue(t.app), generateDue(t.app)])
  const made = await tasksOf(plan.id)
  expect(made).toHaveLength(6)
  await generateDue(t.app)
  expect((await tasksOf(plan.id)).map(({ id, version }) => [id, version])).toEqual(
    made.map(({ id, version }) => [id, version]),
  )
  const steps = await t.database
    .reader(t.ownerId)
    .one(
      sql`select count(*)::int as count from work_step where task_id = any(${made.map(({ id }) => id)}::bigint[])`,
    )
  expect(steps).toEqual({ count: 18 })
})

it('a preview says who does what in the next 14 days and writes nothing (PAT-3)', async () => {
  const rows = await t.call(
    previewSchedule,
    draft({ cycleType: 'everyDays', cycle: { everyDays: 5 } }),
    owner,
  )
  expect(rows.map(({ day, staffNames }) => [day, staffNames])).toEqual([
    [today(), '甲工'],
    [addDays(today(), 5), '乙工'],
    [addDays(today(), 10), '丙工'],
  ])
})

it('nobody left is 无人可派 with the reason, and found by its filter (PAT-3)', async () => {
  const departing = await addPerson('丁工')
  const plan = await save({ staffIds: [String(departing.id)] })
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update staff set state = 30 where owner_id = ${t.ownerId} and id = ${departing.id}`),
  )
  await generateDue(t.app)
  const [task] = await tasksOf(plan.id)
  expect(task).toMatchObject({ nobodyReason: '丁工已离职' })
  expect(task?.staffId).toBeUndefined()
  const found = await t.call(listTasks, { isNobody: true }, owner)
  expect(found.rows.map(({ planId }) => planId)).toContain(plan.id)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update staff set state = 10 where owner_id = ${t.ownerId} and id = ${departing.id}`),
  )
  await generateDue(t.app)
  expect((await tasksOf(plan.id))[0]).toMatchObject({ staffName: '丁工' })
})

it('a holiday is skipped where the plan says so (PAT-2)', async () => {
  const day = addDays(today(), 1)
  await t.call(addHolidays, { holidayDate: day, holidayName: '公司日', dayType: 'own' }, owner)
  const skipping = await save({ calendarRule: 'skipHolidays' })
  expect((await tasksOf(skipping.id)).map(({ taskDate }) => taskDate)).toEqual([today()])
  expect(await tasksOf((await save()).id)).toHaveLength(2)
})

it('an edit changes tasks that are not started, and the same task keeps its number (PAT-10)', async () => {
  const plan = await save()
  const before = await tasksOf(plan.id)
  await t.call(
    schedules.edit,
    {
      ...draft(),
      id: plan.id,
      version: plan.version,
      planName: '改名',
      times: [{ begin: '14:00', end: '16:00' }],
    },
    owner,
  )
  const after = await tasksOf(plan.id)
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(after[0]).toMatchObject({ planName: '改名', endTime: `${today()} 16:00:00` })
  const { steps } = await see(defined(after[0]).id)
  expect(steps[0]?.dueTime).toBe(`${today()} 16:00:00`)
})

it('what nobody has started follows its plan also after its begin: one task, of the new person (PAT-10)', async () => {
  const { plan, task } = await runningTask()
  t.advanceClock(3 * 60_000)
  const times = plan.times
  const staffed = await t.call(
    schedules.edit,
    { ...draft({ times, staffIds: [String(person(1).id)] }), id: plan.id, version: plan.version },
    owner,
  )
  const ofToday = async () => (await tasksOf(plan.id)).filter(row => row.taskDate === today())
  expect((await ofToday()).map(({ id, staffName }) => [id, staffName])).toEqual([[task.id, '乙工']])
  const moved = {
    ...draft({
      times: [{ begin: now().slice(11, 16), end: addMinutes(now(), 40).slice(11, 16) }],
      staffMode: 'everyone',
      staffIds: [String(person(2).id)],
    }),
    id: plan.id,
    version: staffed.version,
  }
  await t.call(schedules.edit, moved, owner)
  const next = only(await ofToday())
  expect([next.staffName, next.beginTime.slice(0, 16)]).toEqual(['丙工', now().slice(0, 16)])
  const rates = () => wholeOf({ from: today(), to: today() })
  const before = await rates()
  const { steps } = await see(next.id)
  const found = { verdict: 'passed', value: '50' }
  const signs = steps.map(({ id }) => sign(next.id, id, found))
  await t.call(signTask, { signs }, person(2).as)
  const after = await rates()
  expect([after.due - before.due, after.missed - before.missed]).toEqual([3, 0])
})

it('what nobody has started goes with its plan, also within its time and where nobody was left (PAT-10)', async () => {
  const { plan } = await runningTask()
  const { plan: stopped } = await runningTask()
  const departing = await addPerson('戊工')
  const setState = (state: number) =>
    t.database.tx(t.ownerId, tx =>
      tx.execute(
        sql`update staff set state = ${state} where owner_id = ${t.ownerId} and id = ${departing.id}`,
      ),
    )
  const { plan: unmanned } = await runningTask({ staffIds: [String(departing.id)] })
  await setState(30)
  await generateDue(t.app)
  expect((await tasksOf(unmanned.id))[0]).toMatchObject({ nobodyReason: '戊工已离职' })
  t.advanceClock(3 * 60_000)
  const ids = [plan, unmanned].map(({ id }) => String(id))
  await t.call(schedules.delete, { ids, reason: '重复' }, owner)
  await t.call(setScheduleState, { ids: [String(stopped.id)], state: 'disabled', reason: '暂停' }, owner)
  for (const { id } of [plan, unmanned, stopped]) {
    expect(await tasksOf(id)).toEqual([])
  }
})

it('a task that has started keeps its copy of the plan and of the standard (PAT-10)', async () => {
  const { plan, task, steps } = await runningTask()
  await t.call(signTask, { signs: [sign(task.id, steps[0])] }, person(0).as)
  await t.call(schedules.edit, { ...draft(), id: plan.id, version: plan.version, planName: '换了' }, owner)
  expect(await see(task.id)).toMatchObject({
    task: { planName: plan.planName, state: 'running', stepDone: 1 },
  })
  await t.call(setScheduleState, { ids: [String(plan.id)], state: 'disabled', reason: '暂停' }, owner)
  expect((await tasksOf(plan.id)).map(({ id }) => id)).toEqual([task.id])
})

it('passed, failed and out of range give the score; the failed one that asks for it becomes an order (PAT-8)', async () => {
  const { task, steps } = await runningTask()
  const answers = await t.call(
    signTask,
    {
      signs: [
        sign(task.id, steps[0]),
        sign(task.id, steps[1], { verdict: 'failed', remark: '有划痕' }),
        sign(task.id, steps[2], { value: '39' }),
      ],
    },
    person(0).as,
  )
  expect(answers.map(({ isKept, result }) => [isKept, result])).toEqual([
    [true, 'normal'],
    [true, 'normal'],
    [true, 'normal'],
  ])
  const found = await see(task.id)
  expect(found.task).toMatchObject({
    state: 'done',
    score: '30',
    normalCount: 3,
    abnormalCount: 2,
    staffName: '甲工',
  })
  expect(found.steps.map(({ verdict }) => verdict)).toEqual(['passed', 'failed', 'failed'])
  const { workOrderId } = defined(found.steps[1])
  const orders = await t.call(listOrders, {}, owner)
  expect(orders.rows.find(({ id }) => id === workOrderId)?.title).toContain('玻璃')
  expect(defined(found.steps[2]).workOrderId).toBeUndefined()
})

it('a day without a network, the clock 20 minutes off, twice and out of order: each step once (PAT-6)', async () => {
  const { task, steps } = await runningTask({}, 1)
  const begin = task.beginTime
  const offline = (stepId: Id, minutes: number, more: object = {}) =>
    sign(task.id, stepId, {
      deviceTime: addMinutes(begin, minutes + 20),
      isOffline: true,
      value: '50',
      ...more,
    })
  const signs = [offline(steps[2], 30), offline(steps[0], 10), offline(steps[1], 20), offline(steps[0], 12)]
  await turnTo(addMinutes(begin, 10 * 60))
  await closeDue(t.app)
  expect((await see(task.id)).task).toMatchObject({ state: 'missed', missCount: 3 })
  const send = () => t.call(signTask, { signs, sentTime: addMinutes(now(), 20) }, person(1).as)
  const answers = await send()
  expect(answers.map(({ isKept, extraReason, result }) => [isKept, extraReason, result])).toEqual([
    [true, undefined, 'normal'],
    [true, undefined, 'normal'],
    [true, undefined, 'normal'],
    [false, 'repeated', undefined],
  ])
  expect((await send()).map(({ isKept }) => isKept)).toEqual([true, true, true, false])
  const found = await see(task.id)
  expect(found.task).toMatchObject({ state: 'done', missCount: 0, stepDone: 3, score: '100' })
  expect(
    found.steps.map(({ signTime, clockOffset, isOffline }) => [signTime, clockOffset, isOffline]),
  ).toEqual([
    [addMinutes(begin, 10), 1200, true],
    [addMinutes(begin, 20), 1200, true],
    [addMinutes(begin, 30), 1200, true],
  ])
  expect(found.signs).toHaveLength(4)
})

it('another person, a scan of yesterday, a foreign step: words, kept beside it, never counted (PAT-6)', async () => {
  const { task, steps } = await runningTask()
  const other = await runningTask({}, 1)
  const answer = async (input: ReturnType<typeof sign>, as: CallOptions) =>
    only(await t.call(signTask, { signs: [input] }, as))
  expect(await answer(sign(task.id, steps[0]), person(1).as)).toMatchObject({
    isKept: false,
    extraReason: 'notAssigned',
  })
  const yesterday = { deviceTime: addMinutes(now(), -23 * 60), isOffline: true }
  expect(await answer(sign(task.id, steps[0], yesterday), person(0).as)).toMatchObject({
    extraReason: 'outsideTime',
  })
  const long = { deviceTime: addMinutes(now(), -25 * 60), isOffline: true }
  expect(await answer(sign(task.id, steps[0], long), person(0).as)).toMatchObject({ extraReason: 'tooOld' })
  expect(await answer(sign(task.id, other.steps[0]), person(0).as)).toMatchObject({
    extraReason: 'notInTask',
  })
  expect(await answer(sign(task.id, steps[2]), person(0).as)).toMatchObject({
    extraReason: 'incomplete',
    message: '请填写数值',
  })
  const found = await see(task.id)
  expect(found.task).toMatchObject({ state: 'waiting', stepDone: 0 })
  expect(found.signs.map(({ isKept }) => isKept)).toEqual([false, false, false, false, false])
})

it('any one of several takes a task by the first sign; two at once are one after the other (PAT-2)', async () => {
  const { task, steps } = await runningTask({
    staffMode: 'anyone',
    staffIds: people.map(({ id }) => String(id)),
  })
  expect(task).toMatchObject({ candidateNames: '甲工、乙工、丙工' })
  const answers = await Promise.all(
    [0, 1].map(i => t.call(signTask, { signs: [sign(task.id, steps[0])] }, person(i).as)),
  )
  expect(answers.filter(rows => only(rows).isKept)).toHaveLength(1)
  expect((await see(task.id)).task).toMatchObject({ state: 'running', stepDone: 1 })
})

it('what is not signed by the end is missed: partly done, with the score of the whole (PAT-4, PAT-7)', async () => {
  const { task, steps } = await runningTask()
  const { task: untouched } = await runningTask()
  await t.call(signTask, { signs: [sign(task.id, steps[0])] }, person(0).as)
  await turnTo(addMinutes(task.closeTime, 1))
  await Promise.all([closeDue(t.app), closeDue(t.app)])
  expect((await see(task.id)).task).toMatchObject({
    state: 'partial',
    missCount: 2,
    normalCount: 1,
    score: '30',
  })
  expect((await see(untouched.id)).task).toMatchObject({ state: 'missed', missCount: 3, score: '0' })
  const records = await t.call(listTaskRecords, { taskId: [String(untouched.id)] }, owner)
  expect(records.rows.map(({ result }) => result)).toEqual(['missed', 'missed', 'missed'])
})

it('the person may end a task before its time (PAT-7)', async () => {
  const { task, steps } = await runningTask()
  expect(await refusalTextOf(t.call(finishOwnTask, { id: task.id }, person(1).as))).toContain('只有执行人')
  expect(await refusalTextOf(t.call(finishOwnTask, { id: task.id }, person(0).as))).toContain('未开始')
  await t.call(signTask, { signs: [sign(task.id, steps[0])] }, person(0).as)
  expect(await t.call(finishOwnTask, { id: task.id }, person(0).as)).toMatchObject({
    state: 'partial',
    missCount: 2,
  })
})

it('a disabled task needs a reason and leaves every rate; a closed one is refused by itself (PAT-7, PAT-9)', async () => {
  const { task } = await runningTask()
  const { task: closed } = await runningTask()
  await turnTo(addMinutes(closed.closeTime, 1))
  const next = await runningTask()
  await closeDue(t.app)
  const ids = [task.id, next.task.id].map(String)
  const before = await wholeOf({ from: today(), to: today() })
  const answer = await t.call(disableTask, { ids, reason: '停电检修' }, owner)
  expect(answer).toMatchObject({ success: 1, fail: 1 })
  expect(answer.rows[0]?.reason).toContain('已结束')
  const after = await wholeOf({ from: today(), to: today() })
  expect(after.tasks).toBe(before.tasks - 1)
  expect((await see(next.task.id)).task).toMatchObject({ state: 'disabled', disableReason: '停电检修' })
  const answers = await t.call(signTask, { signs: [sign(next.task.id, next.steps[0])] }, person(0).as)
  expect(only(answers)).toMatchObject({ isKept: false, extraReason: 'taskClosed' })
})

it('a missed task is given to another person and time, linked to it (PAT-7)', async () => {
  const { task } = await runningTask()
  await turnTo(addMinutes(task.closeTime, 1))
  await closeDue(t.app)
  const beginTime = addMinutes(now(), 60)
  const asked = { id: task.id, staffId: person(2).id, beginTime, endTime: addMinutes(beginTime, 60) }
  const again = await t.call(reappointTask, asked, owner)
  expect(again).toMatchObject({
    fromTaskId: task.id,
    staffName: '丙工',
    state: 'waiting',
    stepTotal: 3,
    missCount: 0,
  })
  expect((await see(again.id)).steps.map(({ result }) => result)).toEqual([undefined, undefined, undefined])
  expect(await refusalTextOf(t.call(reappointTask, { ...asked, id: again.id }, owner))).toContain('重派')
  const past = { ...asked, beginTime: addMinutes(now(), -120), endTime: addMinutes(now(), -60) }
  expect(await refusalTextOf(t.call(reappointTask, past, owner))).toContain('已过')
})

it('a missed task is given to somebody once, also by two people at the same moment (PAT-7)', async () => {
  const { plan, task } = await runningTask()
  await turnTo(addMinutes(task.closeTime, 1))
  await closeDue(t.app)
  const beginTime = addMinutes(now(), 60)
  const asked = { id: task.id, staffId: person(2).id, beginTime, endTime: addMinutes(beginTime, 60) }
  const answers = await Promise.allSettled([0, 1].map(() => t.call(reappointTask, asked, owner)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const again = only((await tasksOf(plan.id)).filter(({ fromTaskId }) => fromTaskId === task.id))
  const text = `丙工 ${beginTime.slice(5, 16)}`
  expect((await see(task.id)).task.againText).toBe(text)
  expect(await refusalTextOf(t.call(reappointTask, asked, owner))).toContain(`已重派给${text}`)
  await t.call(disableTask, { ids: [String(again.id)], reason: '人员调整' }, owner)
  expect((await see(task.id)).task.againText).toBeUndefined()
  await t.call(reappointTask, { ...asked, staffId: person(1).id }, owner)
})

it('a batch that is sent twice at the same moment is stored once and answered twice (PAT-6)', async () => {
  const { task, steps } = await runningTask()
  const twice = sign(task.id, steps[0])
  const batches = [[twice], [twice, sign(task.id, steps[1])]]
  const answers = await Promise.all(batches.map(signs => t.call(signTask, { signs }, person(0).as)))
  expect(answers.map(rows => rows.map(({ isKept }) => isKept))).toEqual([[true], [true, true]])
  expect((await see(task.id)).task).toMatchObject({ stepDone: 2 })
  expect((await see(task.id)).signs).toHaveLength(2)
})

it('the own tasks come with their steps; nobody sees those of others there', async () => {
  const { task } = await runningTask({}, 2)
  const ownTasks = await t.call(listOwnTasks, {}, person(2).as)
  expect(ownTasks.find(row => row.task.id === task.id)?.steps).toHaveLength(3)
  const others = await t.call(listOwnTasks, {}, person(1).as)
  expect(others.some(row => row.task.id === task.id)).toBe(false)
})

it('the calendar gives all tasks of a span; rates go by person and by day (PAT-9)', async () => {
  const span = { from: addDays(today(), -3), to: today() }
  const all = await t.call(getWorkCalendar, span, owner)
  const ofOne = await t.call(getWorkCalendar, { ...span, staffIds: [String(person(1).id)] }, owner)
  expect(ofOne.total).toBeLessThan(all.total)
  expect(all.rows).toHaveLength(all.total)
  expect(
    await refusalTextOf(t.call(getWorkCalendar, { from: today(), to: addDays(today(), 42) }, owner)),
  ).toContain('42')
  const { rows: byStaff } = await t.call(listWorkRates, { ...span, by: 'staff' }, owner)
  const whole = await wholeOf(span)
  expect(byStaff.reduce((sum, row) => sum + row.due, 0)).toBe(whole.due)
  expect(byStaff.map(({ name }) => name)).toContain('甲工')
  expect(whole.signedRate).toMatch(/^\d+\.\d\d%$/)
})

it('standards are a tree without circles; one that plans use stays', async () => {
  const [root] = await t.call(getStandardTree, {}, owner)
  expect(root).toMatchObject({
    standardName: '大堂',
    children: [{ standardName: '大堂日常保洁', itemCount: 3 }],
  })
  const parent = await t.call(taskStandards.get, { id: defined(root).id }, owner)
  expect(
    await refusalTextOf(t.call(taskStandards.edit, { ...parent, parentId: standardId }, owner)),
  ).toContain('上级')
  expect(
    await refusalTextOf(t.call(taskStandards.delete, { ids: [String(standardId)], reason: '不用了' }, owner)),
  ).toContain('任务计划')
  await save()
  const used = await t.call(taskStandards.get, { id: standardId }, owner)
  expect(await faultTextsOf(t.call(taskStandards.edit, { ...used, items: [] }, owner))).toEqual({
    ItemsJson: expect.stringMatching(/检查项不能全部删除：还有任务计划 \d+ 个（/),
  })
  expect(await faultTextsOf(t.call(taskStandards.edit, { ...parent, state: 'off' }, owner))).toEqual({
    State: '任务标准不能停用：还有下级标准 1 个（大堂日常保洁），请先停用或更换',
  })
  const counts = await t.call(countTasksOfStandard, { templateId: standardId }, owner)
  expect(counts.total).toBeGreaterThan(0)
  // Those of a standard are those of its parent too.
  expect(await t.call(countTasksOfStandard, { templateId: parent.id }, owner)).toEqual(counts)
  expect(counts.total).toBe(counts.open + counts.done + counts.missed + counts.disabled)
})

it('a plan with several faults is refused with all of them at once', async () => {
  const faults = await faultTextsOf(
    t.call(
      schedules.add,
      draft({
        cycleType: 'weekly',
        subjectId: 999_999,
        staffIds: ['987654'],
        endDate: asDay('2020-01-01'),
        times: [
          { begin: '08:00', end: '09:00' },
          { begin: '08:00', end: '10:00' },
        ],
      }),
      owner,
    ),
  )
  expect(Object.values(faults).join()).toMatch(/星期/)
})

it('another company finds nothing of it', async () => {
  const stranger = await t.signedInAs(golden.second.owner)
  const { task } = await runningTask()
  expect(await refusalTextOf(t.call(getTask, { id: task.id }, stranger))).toContain('不存在')
  expect((await t.call(listTasks, {}, stranger)).rows).toEqual([])
})
