import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, fromInstant, momentAt } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { cleaningWork } from '#modules/cleaning/contract/work.ts'
import { greeningWork } from '#modules/landscaping/contract/work.ts'
import { listOwnRounds, sendPatrolSigns } from '#modules/patrol/contract/round.ts'
import { exportPatrolRecords, listPatrolRecords, listPatrolTasks } from '#modules/patrol/contract/task.ts'
import { getWorkQueues } from '#modules/system/contract/work-queue.ts'
import { readXlsx } from 'hucre/xlsx'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { exportTaskRecords } from '../contract/exports.ts'
import {
  exportWorkRates,
  getWorkCalendar,
  listAllRecords,
  listAllTasks,
  listWorkKinds,
  listWorkRates,
} from '../contract/overview.ts'
import type { WorkPlan } from '../contract/plan.ts'
import { listOwnTasks, listTaskRecords } from '../contract/task-calls.ts'
import { closeTasks } from './close.ts'
import {
  addStaff,
  addSubjects,
  kinds,
  plainDraft,
  savePlan,
  type Kind,
  type KindSubjects,
} from './kinds.fixtures.ts'

let t: GoldenApp
let owner: CallOptions
let guard: { readonly loginCode: string; readonly as: CallOptions; readonly id: Id }
let setup: KindSubjects
let plans: ReadonlyMap<Kind, WorkPlan>

const today = (): Day => dayOfMoment(fromInstant(t.app.clock()))
const patrolPlanId = (): Id => defined(plans.get('patrol')).id
const tomorrow = (): Day => addDays(today(), 1)
const span = () => ({ from: today(), to: tomorrow() })

/** Ends the tasks of tomorrow: half of each kind untouched, the rest with all of their steps signed. */
async function closeTomorrow(): Promise<void> {
  const at = momentAt(tomorrow(), '16:00')
  await t.database.tx(t.ownerId, async tx => {
    const rows = await tx.rows<{ id: Id; kind: number }>(sql`
      select id, kind from work_task where owner_id = ${t.ownerId} and task_date = ${tomorrow()} order by id
    `)
    const signed = [...Map.groupBy(rows, row => row.kind).values()].flatMap(([, ...others]) => others)
    const ids = signed.map(({ id }) => id)
    await tx.execute(sql`
      update work_step set result = 10, verdict = 10, sign_time = due_time
      where owner_id = ${t.ownerId} and task_id = any(${ids}::bigint[])
    `)
    await tx.execute(sql`
      update work_task set step_done = step_total, normal_count = step_total
      where owner_id = ${t.ownerId} and id = any(${ids}::bigint[])
    `)
    const all = rows.map(({ id }) => id)
    await closeTasks(tx, clockScope(t.app, t.ownerId), all, at)
  })
}

beforeAll(async () => {
  t = await openGoldenApp()
  owner = await t.owner
  const { loginCode, as } = await t.addClerk([
    'planned-work.overview.view',
    'patrol.task.view',
    'patrol.task.walk',
  ])
  guard = { loginCode, as, ...(await addStaff(t, '保安甲', { loginCode })) }
  setup = await addSubjects(t, owner)
  const other = await addStaff(t, '员工乙')
  const saved = await Promise.all(
    kinds.map(async kind => {
      const staffIds = kind === 'patrol' ? [guard.id] : [other.id]
      return [kind, await savePlan(t, owner, kind, plainDraft(kind, setup, staffIds, today()))] as const
    }),
  )
  plans = new Map(saved)
  // The same standard at a place: what is counted by object tells the two apart.
  const atPlace = {
    ...plainDraft('standard', setup, [other.id], today()),
    targetType: 'cleaningPoint' as const,
    targetIds: [String(setup.targets.cleaning[0])],
  }
  await savePlan(t, owner, 'standard', atPlace)
})

afterAll(() => t?.close())

it('the calendar has the tasks of every kind, or of those that are asked for', async () => {
  const all = await t.call(getWorkCalendar, { from: tomorrow(), to: tomorrow() }, owner)
  const counts = Map.groupBy(all.rows, task => task.kind)
  expect(kinds.map(kind => counts.get(kind)?.length)).toEqual([1, 2, 2, 2])
  const some = await t.call(
    getWorkCalendar,
    { from: tomorrow(), to: tomorrow(), kinds: ['patrol', 'cleaning'] },
    owner,
  )
  expect(new Set(some.rows.map(task => task.kind))).toEqual(new Set(['patrol', 'cleaning']))
  expect(some.total).toBe(3)
  const ofGuard = await t.call(getWorkCalendar, { ...span(), staffIds: [String(guard.id)] }, owner)
  expect(new Set(ofGuard.rows.map(task => task.planId))).toEqual(new Set([patrolPlanId()]))
})

it('a person without the right to a kind sees nothing of it, also when asking for it', async () => {
  const rights = await t.call(listWorkKinds, {}, guard.as)
  expect(rights.map(({ kind }) => kind)).toEqual(['patrol'])
  expect((await t.call(listWorkKinds, {}, owner)).map(({ kind }) => kind).toSorted()).toEqual(
    [...kinds].toSorted(),
  )
  const seen = await t.call(getWorkCalendar, span(), guard.as)
  expect(new Set(seen.rows.map(task => task.kind))).toEqual(new Set(['patrol']))
  expect((await t.call(getWorkCalendar, { ...span(), kinds: ['cleaning'] }, guard.as)).total).toBe(0)
  expect((await t.call(listAllTasks, { kinds: ['cleaning'] }, guard.as)).total).toBe(0)
  const rates = await t.call(listWorkRates, { ...span(), by: 'plan' }, guard.as)
  expect(rates.rows.map(row => row.planId)).toEqual([patrolPlanId()])
  const { as: cleaner } = await t.addClerk(['cleaning.plan.view'])
  expect(await refusalTextOf(t.call(getWorkCalendar, span(), cleaner))).toContain('任务日历与统计')
})

it('another company sees nothing of it', async () => {
  const stranger = await t.signedInAs(golden.second.owner)
  expect((await t.call(getWorkCalendar, span(), stranger)).total).toBe(0)
  expect((await t.call(listWorkRates, { ...span(), by: 'day' }, stranger)).rows).toEqual([])
})

it('rates by day, person, plan, object and content are of all kinds, with their score (PAT-9)', async () => {
  await closeTomorrow()
  const asked = { from: tomorrow(), to: tomorrow() }
  const by = async (key: NonNullable<typeof listWorkRates.input.T>['by']) =>
    t.call(listWorkRates, { ...asked, by: key }, owner)
  const day = defined((await by('day')).rows[0])
  expect(day).toMatchObject({ name: tomorrow(), tasks: 7, done: 3, missedTasks: 4, due: 8, normal: 3 })
  expect(day).toMatchObject({ signedRate: '37.50%', punctualRate: '37.50%', missedRate: '62.50%' })
  for (const key of ['staff', 'plan', 'target', 'subject'] as const) {
    const { rows, sum } = await by(key)
    expect(sum, key).toMatchObject({ tasks: 7, due: 8, signedRate: '37.50%' })
    expect(
      rows.reduce((total, row) => total + row.due, 0),
      key,
    ).toBe(8)
  }
  const places = (await by('target')).rows.map(row => [row.kind, row.name, row.score])
  expect(places).toContainEqual(['cleaning', '1 层 大厅', '0'])
  expect(places).toContainEqual(['cleaning', '1 层 走廊', '100'])
  expect(places).toContainEqual(['patrol', '夜巡', undefined])
  expect((await by('staff')).rows.map(row => row.name).toSorted()).toEqual(['保安甲', '员工乙'])
  const cleaned = await t.call(listWorkRates, { ...asked, by: 'day', kinds: ['cleaning'] }, owner)
  expect(cleaned.rows[0]).toMatchObject({ tasks: 2, done: 1, missedTasks: 1, score: '50' })
})

it('every figure opens a list of as many: tasks of each state, steps of each result (STAT-14)', async () => {
  const asked = { from: tomorrow(), to: tomorrow() }
  const dates = { taskDateFrom: tomorrow(), taskDateTo: tomorrow() }
  for (const key of ['staff', 'plan', 'target', 'subject'] as const) {
    const { rows } = await t.call(listWorkRates, { ...asked, by: key }, owner)
    expect(rows.length).toBeGreaterThan(1)
    for (const { kind, staffId, planId, subjectId, targetId, targetType, ...row } of rows) {
      const common = { ...(kind ? { kinds: [kind] } : {}), ...(targetType ? { targetType } : {}) }
      const ofTarget = {
        ...common,
        ...(targetId ? { targetId } : {}),
        ...(targetId === 0 ? { withoutTarget: true } : {}),
      }
      const tasks = {
        ...dates,
        ...ofTarget,
        isCounted: true,
        ...(staffId ? { staffId: [String(staffId)] } : {}),
        ...(planId ? { planId: [String(planId)] } : {}),
        ...(subjectId ? { subjectId } : {}),
      }
      const records = {
        ...dates,
        ...ofTarget,
        ...(staffId ? { taskStaffId: staffId } : {}),
        ...(planId ? { planId } : {}),
        ...(subjectId ? { workId: subjectId } : {}),
      }
      const countTasks = async (more: object = {}) =>
        (await t.call(listAllTasks, { ...tasks, ...more }, owner)).total
      const countRecords = async (more: object = {}) =>
        (await t.call(listAllRecords, { ...records, ...more }, owner)).total
      expect(
        [
          await countTasks(),
          await countTasks({ state: ['done'] }),
          await countTasks({ state: ['missed'] }),
          await countRecords(),
          await countRecords({ result: ['normal'] }),
          await countRecords({ result: ['missed'] }),
        ],
        `${key} ${row.name}`,
      ).toEqual([row.tasks, row.done, row.missedTasks, row.due, row.normal, row.missed])
    }
  }
})

it('records tell the place and the person of their task, also of what nobody signed, in list, search and sheet', async () => {
  const dates = { taskDateFrom: tomorrow(), taskDateTo: tomorrow() }
  const missed = { ...dates, result: ['missed' as const] }
  const records = await t.call(listAllRecords, missed, owner)
  const places = records.rows.map(step => [step.kind, step.targetName, step.assigneeNames, step.staffName])
  expect(places).toContainEqual(['cleaning', '1 层 大厅', '员工乙', undefined])
  expect(places).toContainEqual(['patrol', undefined, '保安甲', undefined])
  const found = await t.call(listAllRecords, { ...dates, keyword: '大厅' }, owner)
  expect(found.rows.map(({ targetName }) => targetName)).toEqual(['1 层 大厅', '1 层 大厅'])
  const ofKind = {
    standard: [listTaskRecords, exportTaskRecords],
    greening: [greeningWork.listRecords, greeningWork.exportRecords],
    cleaning: [cleaningWork.listRecords, cleaningWork.exportRecords],
  } as const
  for (const [kind, keyword] of [
    ['standard', '大厅'],
    ['greening', '西区'],
    ['cleaning', '走廊'],
  ] as const) {
    const [list, sheet] = ofKind[kind]
    const own = await t.call(list, { ...dates, keyword }, owner)
    expect(own.total, kind).toBe(1)
    expect(own.rows[0]).toMatchObject({
      targetName: expect.stringContaining(keyword),
      assigneeNames: '员工乙',
    })
    const { sheets } = await readXlsx(await readBody(await t.call(sheet.get, { ...dates, keyword }, owner)))
    const cells = defined(sheets[0]).rows.flat()
    expect(cells, kind).toEqual(
      expect.arrayContaining(['项目', '对象', '执行人', '员工乙', expect.stringContaining(keyword)]),
    )
  }
  const rounds = await t.call(listPatrolRecords, missed, owner)
  expect(rounds.rows.map(({ assigneeNames }) => assigneeNames)).toContain('保安甲')
  const { sheets } = await readXlsx(await readBody(await t.call(exportPatrolRecords.get, missed, owner)))
  expect(defined(sheets[0]).rows.flat()).toContain('保安甲')
})

it('the records of all kinds begin with the latest day', async () => {
  const earlier = addDays(today(), -3)
  const setDay = (from: Day, to: Day) =>
    t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update work_step set task_date = ${to}
        where owner_id = ${t.ownerId}
          and id = (select min(id) from work_step where owner_id = ${t.ownerId} and task_date = ${from} and result is not null)
      `),
    )
  // The one that was made first is of the earliest day: it comes last.
  await setDay(tomorrow(), earlier)
  const days = (await t.call(listAllRecords, {}, owner)).rows.map(({ taskDate }) => taskDate)
  expect(days.length).toBeGreaterThan(2)
  expect(days).toEqual(days.toSorted().toReversed())
  expect(days.at(-1)).toBe(earlier)
  await setDay(earlier, tomorrow())
})

it('an account that no staff record names learns why it has no tasks, in every kind', async () => {
  const { as } = await t.addClerk([
    'planned-work.plan.execute',
    'landscaping.plan.execute',
    'cleaning.plan.execute',
    'patrol.task.walk',
  ])
  const own = [listOwnTasks, greeningWork.listOwn, cleaningWork.listOwn, listOwnRounds] as const
  for (const call of own) {
    expect(await refusalMessageOf(t.call<object, unknown>(call, {}, as)), call.route).toBe(
      '当前账号未关联员工，请联系人事在通讯录中关联登录账号',
    )
  }
})

it('a task of another kind is unknown to the calls of a kind, beside those that it knows (PAT-6)', async () => {
  const tasks = (await t.call(listAllTasks, { taskDateFrom: tomorrow() }, owner)).rows
  const idOfKind = (kind: Kind): Id => defined(tasks.find(task => task.kind === kind)).id
  const signOf = (taskId: Id) => ({
    uuid: `kind-${taskId}`,
    taskId,
    signType: 'manual' as const,
    deviceTime: fromInstant(t.app.clock()),
  })
  const signs = [signOf(idOfKind('cleaning')), signOf(idOfKind('patrol'))]
  const answers = await t.call(sendPatrolSigns, { signs, sentTime: fromInstant(t.app.clock()) }, guard.as)
  expect(answers.map(({ message }) => message === '任务不存在或已被删除')).toEqual([true, false])
  const foreign = { ids: [String(idOfKind('patrol'))], staffId: guard.id }
  expect(await refusalMessageOf(t.call(cleaningWork.assign, foreign, owner))).toBe('数据不存在或已被删除')
})

it('the rates are exported as they are shown', async () => {
  const file = await t.call(
    exportWorkRates.get,
    { from: tomorrow(), to: tomorrow(), by: 'target', kinds: ['cleaning'] },
    owner,
  )
  const { sheets } = await readXlsx(await readBody(file))
  const cells = defined(sheets[0]).rows.flat()
  expect(cells).toEqual(expect.arrayContaining(['1 层 大厅', '1 层 走廊']))
})

it('what was missed waits for those who give it to others, in every kind; own tasks wait for each person', async () => {
  const waiting = await t.call(getWorkQueues, undefined, owner)
  const isAgain = ({ key }: { readonly key: string }) => /again|patrol.missed/.test(key)
  // A user who arranges several kinds has one row for all of them.
  const rounds = (await t.call(listPatrolTasks, { awaitsAgain: true }, owner)).total
  expect(waiting.queues.filter(isAgain)).toMatchObject([
    { key: 'planned-work.again', title: '任务待重派', count: 3 + rounds },
  ])
  const [row] = waiting.queues.filter(isAgain)
  expect(row?.path).toMatch(/figures\/tasks\?awaitsAgain=1&kinds=[^&]*cleaning[^&]*&view=again$/)
  expect((await t.call(listAllTasks, { awaitsAgain: true }, owner)).total).toBe(3 + rounds)
  expect((await t.call(cleaningWork.listTasks, { awaitsAgain: true }, owner)).total).toBe(1)
  const { as: head } = await t.addClerk([
    'planned-work.overview.view',
    'patrol.task.view',
    'cleaning.plan.view',
    'cleaning.plan.arrange',
  ])
  expect((await t.call(getWorkQueues, undefined, head)).queues.filter(isAgain)).toMatchObject([
    { key: 'planned-work.again.cleaning', title: '保洁任务待重派', count: 1 },
  ])
  const own = async () => {
    const { queues } = await t.call(getWorkQueues, undefined, guard.as)
    return queues.find(queue => queue.key === 'planned-work.own.patrol')?.count ?? 0
  }
  const before = await own()
  const now = fromInstant(t.app.clock())
  const times = [{ begin: now.slice(11, 16), end: addMinutes(now, 40).slice(11, 16) }]
  const running = { ...plainDraft('patrol', setup, [guard.id], today()), times, beginDate: today() }
  await savePlan(t, owner, 'patrol', running)
  expect(await own()).toBe(before + 1)
  const { queues } = await t.call(getWorkQueues, undefined, owner)
  expect(queues.some(queue => queue.key.startsWith('planned-work.own.'))).toBe(false)
})
