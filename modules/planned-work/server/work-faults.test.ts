import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '#kit/contract/call.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { ConnectionCut, cutAt } from '#kit/server/fixtures/fault-injection.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { openKillableServer, type KillableServer } from '#db/golden/killable-server.ts'
import { schedules } from '../contract/schedule.ts'
import { taskStandards } from '../contract/standard.ts'
import { finishOwnTask, getTask, listOwnTasks, signTask } from '../contract/task-calls.ts'
import { closeDue } from './close.ts'
import { generateDue } from './generate.ts'

let t: GoldenApp
let owner: CallOptions
let worker: { readonly id: Id; readonly as: CallOptions }
let standardId: Id
let server: KillableServer
let startsAt: string
let number = 0

const now = (): Moment => fromInstant(t.app.clock())

beforeAll(async () => {
  t = await openGoldenApp()
  owner = await t.owner
  const { loginCode, as } = await t.addClerk(['planned-work.plan.execute'])
  const person = await t.database.tx(t.ownerId, tx =>
    tx.one<{ id: Id }>(sql`
      insert into staff (owner_id, name, staff_no, state, manager_id)
      select ${t.ownerId}::bigint, '甲工', login_code, 10, id
      from manager
      where owner_id = ${t.ownerId} and login_code = ${loginCode}
      returning id
    `),
  )
  worker = { id: defined(person).id, as }
  const type = await t.database
    .reader(t.ownerId)
    .one<{ id: Id }>(sql`select id from work_order_type where owner_id = ${t.ownerId} and type_code = 'RW'`)
  const standard = await t.call(
    taskStandards.add,
    {
      standardName: '大堂',
      category: 'cleaning',
      sort: 1,
      state: 'on',
      orderTypeId: defined(type).id,
      items: [
        { name: '地面', weight: 3 },
        { name: '玻璃', weight: 1, raisesOrder: true },
      ],
    },
    owner,
  )
  standardId = standard.id
  startsAt = new Date(t.app.clock()).toISOString()
  await startServer()
})

afterAll(async () => {
  await server?.kill()
  await t?.close()
})

/** The first call of a process looks sessions up and notes them: no part of what is cut. */
async function startServer(): Promise<void> {
  server = await openKillableServer(t.database.url, t.dir, { startsAt })
  await server.send(listOwnTasks, {}, worker.as)
}

async function savePlan(): Promise<Id> {
  const plan = await t.call(
    schedules.add,
    {
      projectCode: 'GOLD0001',
      planName: `大堂保洁${++number}`,
      subjectId: standardId,
      cycleType: 'daily',
      calendarRule: 'always',
      times: [{ begin: now().slice(11, 16), end: addMinutes(now(), 60).slice(11, 16) }],
      staffMode: 'everyone',
      staffIds: [String(worker.id)],
      beginDate: dayOfMoment(now()),
      remindMinutes: 0,
      lateEndMinutes: 30,
      state: 'enabled',
    },
    owner,
  )
  return plan.id
}

interface OwnTask {
  readonly id: Id
  readonly steps: readonly Id[]
}

/** A task of the worker that runs now. */
async function startTask(): Promise<OwnTask> {
  const planId = await savePlan()
  const own = await t.call(listOwnTasks, {}, worker.as)
  const { task, steps } = defined(own.find(each => each.task.planId === planId))
  return { id: task.id, steps: steps.map(({ id }) => id) }
}

const signOf = ({ id, steps }: OwnTask, at: number, more: object = {}) => ({
  uuid: `${id}/${at}`,
  taskId: id,
  stepId: defined(steps[at]),
  signType: 'manual' as const,
  deviceTime: now(),
  verdict: 'passed' as const,
  ...more,
})

const batchOf = (task: OwnTask) => ({
  signs: [signOf(task, 0), signOf(task, 1, { verdict: 'failed', abnormal: '玻璃破损' })],
  sentTime: now(),
})

/** What stands of a task, its steps, its signs and the orders of what was found. */
async function readTask({ id, steps }: OwnTask) {
  const seen = await t.call(getTask, { id }, owner)
  const orders = await t.database.reader(t.ownerId).one<{ count: number }>(sql`
    select count(*)::int as count
    from work_order
    where owner_id = ${t.ownerId} and ref_type = 'workStep' and ref_id = any(${[...steps]}::bigint[])
  `)
  const { state, stepDone, normalCount, missCount, abnormalCount, score, finishTime } = seen.task
  return {
    task: { state, stepDone, normalCount, missCount, abnormalCount, score, isFinished: Boolean(finishTime) },
    steps: seen.steps.map(step => [step.result, step.verdict, step.workOrderId !== undefined]),
    signs: seen.signs.map(({ isKept }) => isKept),
    orders: defined(orders).count,
  }
}

/** Loses the database at every moment of a call, one after the other, until the whole of it is written. */
async function cutEverywhere(task: OwnTask, [call, input]: readonly [Call, object]): Promise<number> {
  const before = await readTask(task)
  for (let moment = 1; ; moment++) {
    await server.send(call, input, { ...worker.as, uuid: `c${task.id}/${moment}` }, `cut c ${moment}`)
    const state = await readTask(task)
    if (JSON.stringify(state) !== JSON.stringify(before)) return moment
  }
}

const signedWhole = {
  task: {
    state: 'done',
    stepDone: 2,
    normalCount: 2,
    missCount: 0,
    abnormalCount: 1,
    score: '75',
    isFinished: true,
  },
  steps: [
    ['normal', 'passed', false],
    ['normal', 'failed', true],
  ],
  signs: [true, true],
  orders: 1,
}

it('the database lost at any moment of a batch of signs leaves nothing or all, with one order (PAT-6, PAT-8)', async () => {
  const task = await startTask()
  const batch = batchOf(task)
  expect(await cutEverywhere(task, [signTask, batch])).toBeGreaterThan(10)
  expect(await readTask(task)).toEqual(signedWhole)
  const answers = await t.call(signTask, batch, worker.as)
  expect(answers.map(({ isKept }) => isKept)).toEqual([true, true])
  expect(await readTask(task)).toEqual(signedWhole)
})

it('the database lost at any moment of an end leaves the task running or ended (PAT-7)', async () => {
  const task = await startTask()
  await t.call(signTask, { signs: [signOf(task, 0)] }, worker.as)
  expect(await cutEverywhere(task, [finishOwnTask, { id: task.id }])).toBeGreaterThan(4)
  expect(await readTask(task)).toMatchObject({
    task: { state: 'partial', stepDone: 1, missCount: 1 },
    steps: [
      ['normal', 'passed', false],
      ['missed', undefined, false],
    ],
  })
})

it('a server killed while it signs has written nothing; the phone sends the same again (PAT-6)', async () => {
  const task = await startTask()
  const before = await readTask(task)
  const input = batchOf(task)
  const paused = server.send(signTask, input, { ...worker.as, uuid: 'k' }, 'hold k 5')
  await server.waitUntilHeld(['k'], [paused])
  await server.kill()
  await paused
  await startServer()
  expect(await readTask(task)).toEqual(before)
  await server.send(signTask, input, { ...worker.as, uuid: 'k' })
  expect(await readTask(task)).toEqual(signedWhole)
})

/** Runs a job with its database lost at each moment, until one run is through. */
async function cutJob(run: (app: App) => Promise<void>, check: () => Promise<void>): Promise<number> {
  for (let moment = 1; ; moment++) {
    try {
      await run({ ...t.app, database: cutAt(t.database, moment) })
      return moment
    } catch (error) {
      if (!(error instanceof ConnectionCut)) throw error
      await check()
    }
  }
}

/** Tasks that are not what their steps are. */
async function countHalf(): Promise<number> {
  const found = await t.database.reader(t.ownerId).one<{ count: number }>(sql`
    select count(*)::int as count
    from work_task t
    left join (
      select task_id, count(*) as steps, count(*) filter (where result is null) as open,
        count(*) filter (where result = 40) as missed
      from work_step
      where owner_id = ${t.ownerId}
      group by task_id
    ) s on s.task_id = t.id
    where t.owner_id = ${t.ownerId}
      and (s.steps is distinct from t.step_total
        or (t.state in (10, 20) and s.missed > 0)
        or (t.state in (30, 40, 50) and (s.open > 0 or s.missed <> t.miss_count)))
  `)
  return defined(found).count
}

const countTasks = async (planIds: readonly Id[]) =>
  t.database.reader(t.ownerId).rows(sql`
    select state, count(*)::int as count
    from work_task
    where owner_id = ${t.ownerId} and plan_id = any(${[...planIds]}::bigint[])
    group by state
    order by state
  `)

it('the night’s work cut off at any statement, and run again: each task whole and once (PAT-3)', async () => {
  const plans = [await savePlan(), await savePlan(), await savePlan()]
  await t.database.tx(t.ownerId, async tx => {
    const ofPlans = sql`owner_id = ${t.ownerId} and plan_id = any(${plans}::bigint[])`
    await tx.execute(
      sql`delete from work_step where owner_id = ${t.ownerId} and task_id in (select id from work_task where ${ofPlans})`,
    )
    await tx.execute(sql`delete from work_task where ${ofPlans}`)
  })
  const moments = await cutJob(generateDue, async () => expect(await countHalf()).toBe(0))
  expect(moments).toBeGreaterThan(8)
  expect(await countTasks(plans)).toEqual([{ state: 10, count: 6 }])
  expect(await countHalf()).toBe(0)
})

it('the closing of tasks cut off at any statement, and by two servers at once while one signs (PAT-4, PAT-7)', async () => {
  const plans = [await savePlan(), await savePlan()]
  const task = await startTask()
  const signed = batchOf(task)
  const late = {
    sentTime: addMinutes(now(), 120),
    signs: signed.signs.map(sign => ({ ...sign, isOffline: true })),
  }
  t.advanceClock(120 * 60_000)
  const moments = await cutJob(closeDue, async () => expect(await countHalf()).toBe(0))
  expect(moments).toBeGreaterThan(3)
  expect(await countTasks(plans)).toEqual([
    { state: 10, count: 2 },
    { state: 50, count: 2 },
  ])
  await Promise.all([closeDue(t.app), t.call(signTask, late, worker.as), closeDue(t.app)])
  expect(await readTask(task)).toEqual(signedWhole)
  expect(await countHalf()).toBe(0)
})
