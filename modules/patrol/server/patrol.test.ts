import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import {
  addMinutes,
  dayOfMoment,
  fromInstant,
  momentAt,
  secondsBetween,
  type Moment,
} from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { WorkTask } from '#modules/planned-work/contract/task.ts'
import { closeDue } from '#modules/planned-work/server/close.ts'
import { countDue } from '#modules/planned-work/server/figures.ts'
import { listOrders } from '#modules/work-orders/contract/order-list.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listPatrolOfficers, patrolPlans, previewPatrolPlan, setPatrolPlanState } from '../contract/plan.ts'
import { patrolPoints, type PatrolPoint } from '../contract/point.ts'
import { getMissedPoints, getPatrolRates } from '../contract/rates.ts'
import { addRoad, editRoad, getRoad, patrolRoads } from '../contract/road.ts'
import { finishOwnRound, listOwnRounds, sendPatrolSigns } from '../contract/round.ts'
import {
  disablePatrolTasks,
  getPatrolTask,
  listPatrolRecords,
  listPatrolTasks,
  reassignPatrolTask,
} from '../contract/task.ts'
import { patrolTemplates } from '../contract/template.ts'
import { addPatrolArea, addPatrolPoint } from './patrol.fixtures.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let owner: CallOptions
let guards: { readonly id: Id; readonly as: CallOptions }[]
let made = 0

const now = (): Moment => fromInstant(t.app.clock())
const today = (): Day => dayOfMoment(now())
const guard = (i = 0) => defined(guards[i])

/** Turns the clock on to a time; nobody's session ends on the way. */
async function turnTo(at: Moment): Promise<void> {
  for (let rest = secondsBetween(now(), at); rest > 0; rest -= 4 * 3600) {
    t.advanceClock(Math.min(rest, 4 * 3600) * 1000)
    await t.call(patrolRoads.list, { size: 1 }, owner)
    for (const { as } of guards) {
      await t.call(listOwnRounds, {}, as)
    }
  }
}

/** To this time of day, today or tomorrow. */
const turnToClock = (clock: string): Promise<void> => {
  const at = momentAt(today(), clock)
  return turnTo(at > now() ? at : momentAt(addDays(today(), 1), clock))
}

const close = async (): Promise<void> => {
  await closeDue(t.app)
  await countDue(t.app)
}

async function addGuard(name: string) {
  const { loginCode, as } = await t.addClerk(['patrol.task.view', 'patrol.task.walk'])
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
  guards = [await addGuard('甲保安'), await addGuard('乙保安')]
})

afterAll(() => t?.close())

const codeOf = async ({ id }: Pick<PatrolPoint, 'id'>): Promise<string> =>
  defined(
    await t.database
      .reader('*')
      .one<{ code: string }>(sql`select run_qr_code as code from patrol_point where id = ${id}`),
  ).code

const orderType = async (): Promise<Id> =>
  defined(
    await t.database
      .reader(t.ownerId)
      .one<{ id: Id }>(
        sql`select id from work_order_type where type_code = 'RW' and owner_id = ${t.ownerId}`,
      ),
  ).id

interface RoundOptions {
  readonly legs?: readonly number[]
  readonly tolerance?: number
  readonly inOrder?: boolean
  readonly points?: readonly Partial<PatrolPoint>[]
  readonly road?: object
  readonly plan?: object
}

/** A road with its plan, whose round begins now or at the time that the plan says. */
async function startRound(options: RoundOptions = {}) {
  const { legs = [10, 10, 15], tolerance = 5, inOrder = false } = options
  const area = await addPatrolArea(t, owner)
  const points: PatrolPoint[] = []
  for (const [i] of legs.entries()) {
    points.push(await addPatrolPoint(t, owner, area, options.points?.[i]))
  }
  const road = await t.call(
    addRoad,
    {
      projectCode,
      roadName: `路线${++made}`,
      inOrder,
      state: 'on',
      points: points.map(({ id }, i) => ({ pointId: id, legMinutes: defined(legs[i]), tolerance })),
      ...options.road,
    },
    owner,
  )
  const begin = now().slice(11, 16)
  const plan = await t.call(
    patrolPlans.save,
    {
      projectCode,
      planName: `巡更${made}`,
      subjectId: road.id,
      cycleType: 'daily',
      calendarRule: 'always',
      times: [{ begin, end: addMinutes(now(), 40).slice(11, 16) }],
      staffMode: 'rotation',
      staffIds: [String(guard().id)],
      beginDate: today(),
      remindMinutes: 0,
      lateEndMinutes: 30,
      state: 'enabled',
      ...options.plan,
    },
    owner,
  )
  const tasks = await tasksOf(plan.id)
  const codes = await Promise.all(points.map(codeOf))
  return { area, points, codes, road, plan, task: defined(tasks[0]), tasks }
}

const tasksOf = async (planId: Id): Promise<readonly WorkTask[]> =>
  (await t.call(listPatrolTasks, { planId: [String(planId)], order: 'beginTime' }, owner)).rows

const see = (id: Id) => t.call(getPatrolTask, { id }, owner)
const resultsOf = async (id: Id) => (await see(id)).steps.map(step => step.result)

const scan = (taskId: Id, code: string | undefined, more: object = {}) => ({
  uuid: `s${++made}`,
  taskId,
  signType: 'qr' as const,
  ...(code === undefined ? {} : { code }),
  deviceTime: now(),
  ...more,
})

const send = (signs: readonly ReturnType<typeof scan>[], as = guard().as, sentTime: Moment = now()) =>
  t.call(sendPatrolSigns, { sentTime, signs }, as)

describe('results of a round', () => {
  it('on time, late and never: the task is done in part (T-PAT-01, PAT-4, PAT-7)', async () => {
    await turnToClock('20:00')
    const { task, codes } = await startRound()
    expect((await see(task.id)).steps.map(step => step.dueTime.slice(11, 16))).toEqual([
      '20:10',
      '20:20',
      '20:35',
    ])
    await turnToClock('20:09')
    expect(await send([scan(task.id, codes[0])])).toMatchObject([{ isKept: true, result: 'normal' }])
    await turnToClock('20:26')
    expect(await send([scan(task.id, codes[1])])).toMatchObject([{ isKept: true, result: 'late' }])
    await turnToClock('21:11')
    await close()
    expect(await resultsOf(task.id)).toEqual(['normal', 'late', 'missed'])
    expect(await see(task.id)).toMatchObject({ state: 'partial', normalCount: 1, lateCount: 1, missCount: 1 })
  })

  it('before the tolerance early; before an earlier point out of order, which may still follow (PAT-4, PAT-5)', async () => {
    const { task, codes } = await startRound({ legs: [10, 10, 0], inOrder: true })
    const start = now()
    await turnTo(addMinutes(start, 2))
    expect(await send([scan(task.id, codes[0])])).toMatchObject([{ result: 'early' }])
    await turnTo(addMinutes(start, 20))
    expect(await send([scan(task.id, codes[2])])).toMatchObject([{ result: 'disorder' }])
    await turnTo(addMinutes(start, 22))
    expect(await send([scan(task.id, codes[1])])).toMatchObject([{ result: 'normal' }])
    expect(await see(task.id)).toMatchObject({ state: 'done', stepDone: 3, disorderCount: 1 })
  })

  it('nothing signed is 漏巡; it is walked again by another person, linked (PAT-7)', async () => {
    const { task } = await startRound()
    await turnTo(addMinutes(task.closeTime, 1))
    await close()
    expect(await see(task.id)).toMatchObject({ state: 'missed', missCount: 3 })
    const beginTime = addMinutes(now(), 5)
    const again = await t.call(
      reassignPatrolTask,
      { id: task.id, staffId: guard(1).id, beginTime, endTime: addMinutes(beginTime, 60) },
      owner,
    )
    expect(again).toMatchObject({ fromTaskId: task.id, staffId: guard(1).id, state: 'waiting', stepTotal: 3 })
    expect((await t.call(listOwnRounds, {}, guard(1).as)).map(round => round.id)).toContain(again.id)
  })

  it('the person ends a round early: what is not signed is missed, until it is signed in time (PAT-7)', async () => {
    const { task, codes } = await startRound()
    expect(await refusalMessageOf(t.call(finishOwnRound, { id: task.id }, guard().as))).toContain('请先签到')
    await turnTo(addMinutes(now(), 10))
    await send([scan(task.id, codes[0])])
    expect(await refusalMessageOf(t.call(finishOwnRound, { id: task.id }, guard(1).as))).toContain(
      '只有执行人',
    )
    expect(await t.call(finishOwnRound, { id: task.id }, guard().as)).toEqual({
      state: 'partial',
      missCount: 2,
    })
    await turnTo(addMinutes(now(), 10))
    await send([scan(task.id, codes[1])])
    expect(await see(task.id)).toMatchObject({ stepDone: 2, normalCount: 2 })
  })

  it('a disabled round leaves numerator and denominator of every rate (PAT-7, PAT-9)', async () => {
    const { task, codes, road } = await startRound({ legs: [1, 1] })
    const other = await startRound({ legs: [1, 1] })
    await turnTo(addMinutes(now(), 1))
    await send([scan(task.id, codes[0])])
    const asked = { ids: [String(other.task.id), String(other.task.id + 1e6)], reason: '道路封闭' }
    expect(await t.call(disablePatrolTasks, asked, owner)).toMatchObject({ success: 1, fail: 1 })
    expect(await send([scan(other.task.id, other.codes[0])])).toMatchObject([
      { isKept: false, extraReason: 'taskClosed' },
    ])
    await turnTo(addMinutes(task.closeTime, 1))
    await close()
    const period = { from: task.taskDate, to: task.taskDate, projectCode }
    const { rows } = await t.call(getPatrolRates, { ...period, by: 'road' }, owner)
    expect(rows.find(row => row.id === road.id)).toMatchObject({
      due: 2,
      normal: 1,
      missed: 1,
      signedRate: '50.00%',
      missedRate: '50.00%',
    })
    expect(rows.some(row => row.id === other.road.id)).toBe(false)
    const counted = await t.call(listPatrolRecords, { roadId: other.road.id }, owner)
    expect(counted.total).toBe(0)
  })
})

describe('what phones send', () => {
  it('a made-up code, one of another company, another road, a place 3 km away: in words, kept as extra (PAT-6)', async () => {
    const gps = {
      signTypes: ['qr', 'gps'],
      longitude: '120.100000',
      latitude: '30.200000',
      radius: 50,
    } as const
    const { task, codes } = await startRound({ points: [gps] })
    const other = await startRound()
    const foreignOwner = await t.signedInAs(golden.second.owner)
    const foreignArea = await addPatrolArea(t, foreignOwner)
    const foreign = await codeOf(await addPatrolPoint(t, foreignOwner, foreignArea))
    const answers = await send([
      scan(task.id, 'forged'),
      scan(task.id, foreign),
      scan(task.id, other.codes[0]),
      scan(task.id, codes[0], { longitude: '120.100000', latitude: '30.227000' }),
    ])
    expect(answers.map(answer => [answer.isKept, answer.extraReason])).toEqual([
      [false, 'unknownCode'],
      [false, 'unknownCode'],
      [false, 'notInTask'],
      [false, 'tooFar'],
    ])
    expect(answers[3]?.message).toContain('3.0 公里')
    const seen = await see(task.id)
    expect(seen).toMatchObject({ stepDone: 0, state: 'waiting' })
    expect(seen.signs.filter(sign => !sign.isKept)).toHaveLength(4)
    expect(
      await send([scan(task.id, codes[0], { longitude: '120.100000', latitude: '30.200100' })]),
    ).toMatchObject([{ isKept: true }])
  })

  it('the first valid scan of a point counts; again, or by another person, is extra (PAT-6)', async () => {
    const { task, codes } = await startRound()
    const first = scan(task.id, codes[0])
    expect(await send([first])).toMatchObject([{ isKept: true }])
    expect(await send([first])).toMatchObject([{ isKept: true }])
    expect(await send([scan(task.id, codes[0])])).toMatchObject([{ extraReason: 'repeated' }])
    expect(await send([scan(task.id, codes[1])], guard(1).as)).toMatchObject([{ extraReason: 'notAssigned' }])
    // The number of another person's sign is no sign of one's own.
    expect(await send([{ ...scan(task.id, codes[1]), uuid: first.uuid }], guard(1).as)).toMatchObject([
      { isKept: false, message: '签到编号已用于其他签到，请重试' },
    ])
    const seen = await see(task.id)
    expect([seen.stepDone, seen.signs.length]).toEqual([1, 3])
    // Somebody who reads the round cannot sign the next one without walking it.
    expect(JSON.stringify(seen)).not.toContain(codes[0])
  })

  it('a day without a network, a clock 20 minutes off, twice and out of order: each once (PAT-6)', async () => {
    await turnToClock('08:00')
    const { task, codes, tasks } = await startRound({
      plan: { times: [{ begin: '08:00', end: '08:40' }] },
    })
    // The phone is 20 minutes ahead.
    const shownAt = (minutes: number): Moment => addMinutes(task.beginTime, minutes + 20)
    const walked = [10, 21, 35].map((minutes, i) =>
      scan(task.id, codes[i], { deviceTime: shownAt(minutes), isOffline: true }),
    )
    await turnTo(addMinutes(task.beginTime, 23 * 60))
    await close()
    expect(await see(task.id)).toMatchObject({ state: 'missed' })
    const sentTime = addMinutes(now(), 20)
    const answers = await send([...walked.toReversed(), ...walked], guard().as, sentTime)
    expect(answers.map(answer => answer.isKept)).toEqual(Array.from({ length: 6 }, () => true))
    await send(walked, guard().as, addMinutes(now(), 20))
    const seen = await see(task.id)
    expect(seen).toMatchObject({ state: 'done', stepDone: 3, normalCount: 3, missCount: 0 })
    expect(seen.signs).toHaveLength(3)
    expect(seen.steps.map(step => [step.signTime?.slice(11, 16), step.isOffline, step.clockOffset])).toEqual([
      ['08:10', true, 1200],
      ['08:21', true, 1200],
      ['08:35', true, 1200],
    ])
    expect(tasks.length).toBeGreaterThan(0)
  })

  it('a scan of yesterday counts for no round of today (PAT-6)', async () => {
    const { task, codes } = await startRound()
    const old = scan(task.id, codes[0], { deviceTime: addMinutes(now(), -25 * 60), isOffline: true })
    expect(await send([old])).toMatchObject([{ isKept: false, extraReason: 'tooOld' }])
    const early = scan(task.id, codes[0], { deviceTime: addMinutes(now(), -20 * 60), isOffline: true })
    expect(await send([early])).toMatchObject([{ isKept: false, extraReason: 'outsideTime' }])
    expect((await see(task.id)).stepDone).toBe(0)
  })

  it('a point that asks for a photo or checks is not signed without them', async () => {
    const { task, codes } = await startRound({
      points: [
        { signTypes: ['qr', 'photo'] },
        { items: [{ name: '压力', minValue: '0.2', maxValue: '0.4' }] },
      ],
    })
    expect(await send([scan(task.id, codes[0]), scan(task.id, codes[1])])).toMatchObject([
      { extraReason: 'incomplete' },
      { extraReason: 'incomplete' },
    ])
    const items = [{ name: '压力', verdict: 'passed', value: '0.3' }]
    expect(await send([scan(task.id, codes[1], { items })])).toMatchObject([{ isKept: true }])
  })
})

it('a finding is work for somebody by the type of the road; others are only written down (PAT-8)', async () => {
  const road = { orderTypeId: await orderType() }
  const items = [
    { name: '门锁', raisesOrder: true },
    { name: '灯', raisesOrder: false },
  ]
  const { task, codes, points } = await startRound({ road, points: [{ items }] })
  const failed = (name: string) =>
    items.map(item => ({ name: item.name, verdict: item.name === name ? 'failed' : 'passed' }))
  const answers = await send([
    scan(task.id, codes[0], { items: failed('门锁') }),
    scan(task.id, codes[1], { abnormal: '消防门常开' }),
  ])
  const { steps, abnormalCount } = await see(task.id)
  expect(abnormalCount).toBe(2)
  expect(steps.map(step => [step.isAbnormal, step.workOrderId !== undefined])).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ])
  const orders = await t.call(listOrders, { keyword: defined(steps[1]?.workOrderNo) }, owner)
  expect(orders.rows[0]).toMatchObject({
    source: 'patrol',
    title: `巡更异常：${points[1]?.pointName}`,
    reporterName: '甲保安',
  })
  expect(answers.map(({ workOrderNo }) => workOrderNo)).toEqual([
    steps[0]?.workOrderNo,
    steps[1]?.workOrderNo,
  ])
  const silent = await startRound({ points: [{ items }] })
  await send([scan(silent.task.id, silent.codes[0], { items: failed('灯') })])
  expect((await see(silent.task.id)).steps[0]).toMatchObject({ isAbnormal: true })
  expect((await see(silent.task.id)).steps[0]?.workOrderId).toBeUndefined()
})

it('a changed road changes rounds that are not started; one that is started keeps its copy (PAT-10)', async () => {
  const { plan, task, tasks, codes, road, points } = await startRound()
  await turnTo(addMinutes(now(), 10))
  await send([scan(task.id, codes[0])])
  const { version } = await t.call(getRoad, { id: road.id }, owner)
  const legs = points.slice(0, 2).map(({ id }) => ({ pointId: id, legMinutes: 12, tolerance: 3 }))
  await t.call(
    editRoad,
    { id: road.id, version, projectCode, roadName: road.roadName, inOrder: false, state: 'on', points: legs },
    owner,
  )
  const longer = legs.map(leg => ({ ...leg, legMinutes: 60 }))
  const again = await t.call(getRoad, { id: road.id }, owner)
  const slow = { id: road.id, version: again.version, projectCode, roadName: road.roadName, points: longer }
  expect(await faultTextsOf(t.call(editRoad, { ...slow, inOrder: false, state: 'on' }, owner))).toEqual({
    Points: expect.stringContaining(`启用的计划「${plan.planName}」时间不足`),
  })
  const next = defined(tasks[1])
  expect((await see(task.id)).steps).toHaveLength(3)
  expect((await see(next.id)).steps.map(step => step.tolerance)).toEqual([3, 3])
})

it('a changed point or check template changes rounds that are not started; a point out of use is walked past (PAT-10)', async () => {
  const template = await t.call(
    patrolTemplates.add,
    { templateName: `模板${++made}`, items: [{ name: '门锁' }], state: 'on' },
    owner,
  )
  const { plan, task, points } = await startRound({ points: [{}, {}, { templateId: template.id }] })
  const [first, second] = points
  const { steps: before } = await see(task.id)
  await t.call(
    patrolPoints.edit,
    { ...defined(first), pointName: '北门岗', signTypes: ['qr', 'photo'], items: [{ name: '照明' }] },
    owner,
  )
  await t.call(patrolTemplates.edit, { ...template, items: [{ name: '门锁' }, { name: '积水' }] }, owner)
  const { steps: changed } = await see(task.id)
  expect(changed[0]).toMatchObject({
    stepName: '北门岗',
    needs: { signKinds: ['qr', 'photo'], photo: true, items: [{ name: '照明' }] },
  })
  expect(changed[2]?.needs?.items?.map(({ name }) => name)).toEqual(['门锁', '积水'])
  const off = { ...defined(second), state: 'off' } as const
  expect(await faultTextsOf(t.call(patrolPoints.edit, off, owner))).toEqual({
    State: `巡更点位不能停用：还有启用的巡更计划 1 个（${plan.planName}），请先停用或更换`,
  })
  const ids = [String(plan.id)]
  const switchPlan = (state: 'enabled' | 'disabled') =>
    t.call(setPatrolPlanState, { ids, state, reason: '点位封闭' }, owner)
  await switchPlan('disabled')
  await t.call(patrolPoints.edit, off, owner)
  await switchPlan('enabled')
  const [again] = await tasksOf(plan.id)
  const { steps } = await see(defined(again).id)
  expect(steps.map(({ stepName }) => stepName)).toEqual(['北门岗', before[2]?.stepName])
  expect(steps[1]?.dueTime).toBe(before[2]?.dueTime)
  await switchPlan('disabled')
  const entrance = await t.call(patrolPoints.get, { id: defined(first).id }, owner)
  await t.call(patrolPoints.edit, { ...entrance, state: 'off' }, owner)
  expect(await refusalMessageOf(switchPlan('enabled'))).toContain('启用的点位不足 2 个')
})

it('a plan is previewed, stopped with a reason, and its road stays (PAT-3)', async () => {
  const { plan, road, tasks } = await startRound()
  const { id: _id, version: _version, createTime: _made, updateTime: _changed, ...draft } = plan
  const shown = await t.call(previewPatrolPlan, draft, owner)
  expect(shown).toHaveLength(14)
  expect(shown[0]).toMatchObject({ staffNames: '甲保安' })
  const ids = [String(plan.id)]
  expect(
    await t.call(setPatrolPlanState, { ids, state: 'disabled', reason: '路线调整' }, owner),
  ).toMatchObject({
    success: 1,
  })
  expect(
    await t.call(setPatrolPlanState, { ids, state: 'disabled', reason: '路线调整' }, owner),
  ).toMatchObject({
    fail: 1,
  })
  expect(tasks.length).toBeGreaterThan(await tasksOf(plan.id).then(rows => rows.length))
  const removal = t.call(patrolRoads.delete, { ids: [String(road.id)], reason: '录入有误' }, owner)
  expect(await refusalMessageOf(removal)).toContain('巡更计划 1 个')
  const short = { ...draft, planName: '来不及', times: [{ begin: '20:00', end: '20:10' }], lateEndMinutes: 0 }
  const late = { TimesJson: expect.stringContaining('20:35 应到，时段 20:10 结束') }
  expect(await faultTextsOf(t.call(patrolPlans.save, short, owner))).toEqual(late)
  expect(await faultTextsOf(t.call(previewPatrolPlan, short, owner))).toEqual(late)
  const foreign = { ...draft, projectCode: 'GOLD0002', planName: '别处的路线' }
  expect(await faultTextsOf(t.call(patrolPlans.save, foreign, owner))).toHaveProperty('SubjectID')
})

it('officers are shown with their rounds and what they lack', async () => {
  const { rows } = await t.call(listPatrolOfficers, { size: 100 }, owner)
  const first = rows.find(row => row.id === guard().id)
  expect(first).toMatchObject({ name: '甲保安', hasAccount: true, canWalk: true })
  expect(first?.planCount).toBeGreaterThan(3)
  expect(rows.some(row => !row.canWalk)).toBe(true)
})

it('rates of the day and the missed points agree with the records that they open (T-PAT-02, PAT-9)', async () => {
  const period = { from: addDays(today(), -10), to: today(), projectCode }
  await close()
  const { total, rows } = await t.call(getPatrolRates, { ...period, by: 'day' }, owner)
  const records = await t.call(
    listPatrolRecords,
    { taskDateFrom: period.from, taskDateTo: period.to, projectCode },
    owner,
  )
  const missed = await t.call(
    listPatrolRecords,
    { taskDateFrom: period.from, taskDateTo: period.to, projectCode, result: ['missed'] },
    owner,
  )
  expect(total[0]).toMatchObject({ due: records.total, missed: missed.total })
  expect(rows.reduce((sum, row) => sum + row.due, 0)).toBe(records.total)
  const points = await t.call(getMissedPoints, period, owner)
  expect(points.reduce((sum, point) => sum + point.missed, 0)).toBe(missed.total)
  const byPoint = await t.call(getPatrolRates, { ...period, by: 'point' }, owner)
  expect(byPoint.rows.reduce((sum, row) => sum + row.due, 0)).toBe(records.total)
  const byStaff = await t.call(getPatrolRates, { ...period, by: 'staff' }, owner)
  for (const row of byStaff.rows.filter(each => each.missed > 0)) {
    const opened = await t.call(
      listPatrolRecords,
      {
        taskDateFrom: period.from,
        taskDateTo: period.to,
        projectCode,
        result: ['missed'],
        taskStaffId: defined(row.id),
      },
      owner,
    )
    expect(opened.total, row.name).toBe(row.missed)
  }
  const { task } = await startRound()
  await turnTo(addMinutes(task.closeTime, 1))
  // The round is closed, and its points are not counted yet.
  await closeDue(t.app)
  const later = await t.call(getPatrolRates, { ...period, to: today(), by: 'point' }, owner)
  expect(later.total[0]?.due).toBe(later.rows.reduce((sum, row) => sum + row.due, 0))
  const byDay = await t.call(getPatrolRates, { ...period, to: today(), by: 'day' }, owner)
  expect(later.total).toEqual(byDay.total)
  const missedNow = await t.call(getMissedPoints, { ...period, to: today() }, owner)
  expect(missedNow.reduce((sum, point) => sum + point.missed, 0)).toBe(byDay.total[0]?.missed)
})

it('the phone learns no code, only what it needs to tell the points apart', async () => {
  const { task, codes } = await startRound()
  const rounds = await t.call(listOwnRounds, {}, guard().as)
  const round = defined(rounds.find(each => each.id === task.id))
  expect(round.points.map(point => point.codeHashes.length)).toEqual([1, 1, 1])
  expect(JSON.stringify(rounds)).not.toContain(codes[0])
  const listed = await t.call(patrolPoints.list, { projectCode, size: 50 }, owner)
  expect(JSON.stringify(listed)).not.toContain(codes[0])
})
