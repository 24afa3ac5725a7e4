import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { greenAreas } from '#modules/landscaping/contract/green-area.ts'
import { getTemplateOfPlan, greeningWork } from '#modules/landscaping/contract/work.ts'
import { greenTemplates } from '#modules/landscaping/contract/template.ts'
import { listOrders } from '#modules/work-orders/contract/order-list.ts'
import { cleaningLocations, importLocations } from '../contract/location.ts'
import { cleaningTemplates } from '../contract/template.ts'
import { cleaningWork } from '../contract/work.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let owner: CallOptions
let cleaner: { readonly id: Id; readonly as: CallOptions }
let uuid = 0

const now = () => fromInstant(t.app.clock())

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  owner = await t.owner
  const rights = ['cleaning.plan.view', 'cleaning.plan.execute', 'landscaping.plan.execute']
  const { loginCode, as } = await t.addClerk(rights)
  const [person] = await t.database.tx(t.ownerId, tx =>
    tx.rows<{ id: Id }>(sql`
      insert into staff (owner_id, name, staff_no, state, manager_id)
      select ${t.ownerId}::bigint, '保洁甲', ${loginCode}::text, 10, id
      from manager
      where owner_id = ${t.ownerId} and login_code = ${loginCode}
      returning id
    `),
  )
  cleaner = { id: defined(person).id, as }
})

afterAll(() => t?.close())

const planDraft = (subjectId: Id, targetId: Id, startIn = 0) => ({
  projectCode,
  planName: `计划${++uuid}`,
  subjectId,
  targetIds: [String(targetId)],
  cycleType: 'daily' as const,
  calendarRule: 'always' as const,
  times: [
    {
      begin: addMinutes(now(), startIn).slice(11, 16),
      end: addMinutes(now(), startIn + 60).slice(11, 16),
    },
  ],
  staffMode: 'rotation' as const,
  staffIds: [String(cleaner.id)],
  beginDate: dayOfMoment(now()),
  remindMinutes: 0,
  lateEndMinutes: 30,
  state: 'enabled' as const,
})

const item = (name: string, weight: number, raisesOrder = false) => ({
  name,
  weight,
  raisesOrder,
  needsPhoto: false,
})

async function addTemplate(templateName: string) {
  const type = await t.database
    .reader(t.ownerId)
    .one<{ id: Id }>(sql`select id from work_order_type where owner_id = ${t.ownerId} and type_code = 'RW'`)
  return t.call(
    cleaningTemplates.add,
    {
      templateName,
      state: 'on',
      orderTypeId: defined(type).id,
      items: [item('地面', 3), item('玻璃', 2, true), item('垃圾桶', 5)],
    },
    owner,
  )
}

async function inspectionOf(templateName: string, startIn = 0) {
  const template = await addTemplate(templateName)
  const point = await t.call(
    cleaningLocations.add,
    { projectCode, locationName: templateName, floorNum: 3, templateId: template.id, state: 'on' },
    owner,
  )
  const plan = await t.call(cleaningWork.plans.add, planDraft(template.id, point.id, startIn), owner)
  const own = await t.call(cleaningWork.listOwn, {}, cleaner.as)
  const { task, steps } = defined(own.find(each => each.task.planId === plan.id))
  return { template, point, plan, task, steps }
}

const sign = (taskId: Id, stepId: Id, verdict: 'passed' | 'failed' | 'notApplicable', more: object = {}) => ({
  uuid: `c${++uuid}`,
  taskId,
  stepId,
  verdict,
  signType: 'manual' as const,
  deviceTime: now(),
  ...more,
})

it('an inspection is scored by weight; what failed becomes a work order where its item says so (C13, PAT-8)', async () => {
  const { point, task, steps } = await inspectionOf('会所门厅')
  expect(task.targetName).toContain('会所门厅')
  expect(steps.map(step => [step.stepName, step.weight])).toEqual([
    ['地面', 3],
    ['玻璃', 2],
    ['垃圾桶', 5],
  ])
  const [floor, glass, bin] = [0, 1, 2].map(i => defined(steps[i]).id)
  const signs = [
    sign(task.id, defined(floor), 'passed', { signType: 'qr', code: point.qrCode }),
    sign(task.id, defined(glass), 'failed', { abnormal: '玻璃破损' }),
    sign(task.id, defined(bin), 'passed'),
  ]
  const answers = await t.call(cleaningWork.sign, { signs, sentTime: now() }, cleaner.as)
  expect(answers.map(({ isKept }) => isKept)).toEqual([true, true, true])
  const seen = await t.call(cleaningWork.getTask, { id: task.id }, owner)
  expect(seen.task).toMatchObject({ score: '80', state: 'done', abnormalCount: 1 })
  const orderNo = defined(seen.steps[1]?.workOrderNo)
  const orders = await t.call(listOrders, { keyword: orderNo }, owner)
  expect(orders.rows[0]?.title).toContain('玻璃')
  // Sent again: nothing new.
  await t.call(cleaningWork.sign, { signs, sentTime: now() }, cleaner.as)
  expect((await t.call(cleaningWork.getTask, { id: task.id }, owner)).signs).toHaveLength(3)
})

it('an item that raises no order raises none even with a description (PAT-8)', async () => {
  const { task, steps } = await inspectionOf('书吧')
  const [floor, glass] = [0, 1].map(i => defined(steps[i]).id)
  const signs = [
    sign(task.id, defined(floor), 'failed', { abnormal: '地面有水渍' }),
    sign(task.id, defined(glass), 'failed', { abnormal: '玻璃有印' }),
  ]
  await t.call(cleaningWork.sign, { signs, sentTime: now() }, cleaner.as)
  const seen = await t.call(cleaningWork.getTask, { id: task.id }, owner)
  expect(seen.steps.map(step => Boolean(step.workOrderNo))).toEqual([false, true, false])
})

it('what an enabled plan uses is not switched off or deleted, and the plans are named (BASE-5)', async () => {
  const { template, point, plan } = await inspectionOf('影音室', 120)
  const off = { state: 'off' } as const
  const { itemCount: _count, createTime: _made, updateTime: _changed, ...own } = template
  const switchTemplate = () => t.call(cleaningTemplates.edit, { ...own, ...off }, owner)
  expect(await faultTextsOf(switchTemplate())).toEqual({
    State: `保洁模板不能停用：还有保洁计划 1 个（${plan.planName}），请先停用或更换`,
  })
  const { buildName: _building, qrCode: _code, ...place } = point
  expect(await faultTextsOf(t.call(cleaningLocations.edit, { ...place, ...off }, owner))).toEqual({
    State: expect.stringContaining(`启用的计划 1 个（${plan.planName}）`),
  })
  const importOff = async (mode: 'skip' | 'update') => {
    const sheet = `名称,楼栋,楼层,保洁模板,备注,状态\n${place.locationName},,${place.floorNum ?? ''},,,停用\n`
    const bytes = new TextEncoder().encode(sheet)
    const upload = { ...t.upload('点位.csv', bytes), name: '点位.csv', type: 'text/csv' }
    const { importId } = await t.call(importLocations.post, { projectCode }, { ...owner, upload })
    const apply = { projectCode, importId: defined(importId), mode }
    const { taskId } = await t.call(importLocations.post, apply, owner)
    return t.waitForTask(defined(taskId))
  }
  expect(await importOff('update')).toMatchObject({ success: 0, skipped: 0, fail: 1 })
  // What a line is skipped for changes nothing.
  expect(await importOff('skip')).toMatchObject({ success: 0, skipped: 1, fail: 0 })
  const removed = t.call(cleaningTemplates.delete, { ids: [String(template.id)], reason: '不再使用' }, owner)
  expect(await refusalMessageOf(removed)).toContain(`保洁计划 1 个（${plan.planName}）`)
  const setState = (state: 'enabled' | 'disabled') =>
    t.call(cleaningWork.setState, { ids: [String(plan.id)], state, reason: '暂停执行' }, owner)
  await setState('disabled')
  await switchTemplate()
  // What is off is neither planned again nor taken up again.
  expect(await refusalMessageOf(setState('enabled'))).toContain('工作内容已停用')
  expect(
    await faultTextsOf(t.call(cleaningWork.plans.add, planDraft(template.id, point.id), owner)),
  ).toHaveProperty('SubjectID')
})

it('a plan that is enabled while its template is switched off: one of the two is refused', async () => {
  const template = await addTemplate('同时停用')
  const { point } = await inspectionOf('同时停用的点位')
  const { itemCount: _count, createTime: _made, updateTime: _changed, ...own } = template
  const outcomes = await Promise.allSettled([
    t.call(cleaningWork.plans.add, planDraft(template.id, point.id), owner),
    t.call(cleaningTemplates.edit, { ...own, state: 'off' }, owner),
  ])
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})

it('a point that is off is not planned; cleaner and state are listed and filtered', async () => {
  const { template, point } = await inspectionOf('停用点位', 180)
  const off = await t.call(
    cleaningLocations.add,
    { projectCode, locationName: '封闭区', floorNum: 9, staffId: cleaner.id, state: 'off' },
    owner,
  )
  expect(off.staffName).toBe('保洁甲')
  const faults = await faultTextsOf(t.call(cleaningWork.plans.add, planDraft(template.id, off.id), owner))
  expect(faults).toHaveProperty('TargetIDs')
  const find = async (query: object) =>
    (await t.call(cleaningLocations.list, { projectCode, size: 100, ...query }, owner)).rows.map(
      ({ id }) => id,
    )
  expect(await find({ staffId: [String(cleaner.id)] })).toEqual([off.id])
  expect(await find({ state: ['off'] })).toEqual([off.id])
  expect(await find({ state: ['on'] })).toContain(point.id)
})

it('plans, tasks and records are exported as their lists are filtered, with what is computed', async () => {
  const { plan, task, steps } = await inspectionOf('导出点位')
  await inspectionOf('不导出的点位')
  await t.call(
    cleaningWork.plans.edit,
    { ...planDraft(plan.subjectId, task.targetId), ...plan, staffMode: 'anyone' },
    owner,
  )
  const textOf = async (file: object) =>
    JSON.stringify((await readXlsx(await readBody(file))).sheets[0]?.rows)
  const planSheet = await textOf(
    await t.call(cleaningWork.exportPlans.get, { keyword: plan.planName }, owner),
  )
  expect(planSheet).toContain(`"${plan.planName}","导出点位"`)
  expect(planSheet).toContain('保洁甲')
  expect(planSheet).toMatch(/"项目","名称","模板","保洁点位"/)
  const ofPlan = { planId: [String(plan.id)] }
  const taskSheet = await textOf(await t.call(cleaningWork.exportTasks.get, ofPlan, owner))
  // The task is open to any of them: computed from the ids of the people.
  expect([taskSheet.includes('保洁甲'), taskSheet.includes('不导出')]).toEqual([true, false])
  const file = await t.call(cleaningWork.exportTasks.get, ofPlan, owner)
  expect(file.name).toMatch(/^保洁任务_\d{8}\.xlsx$/)
  await t.call(
    cleaningWork.sign,
    { signs: [sign(task.id, defined(steps[0]).id, 'passed')], sentTime: now() },
    cleaner.as,
  )
  const records = await t.call(cleaningWork.listRecords, { verdict: ['passed'], keyword: '地面' }, owner)
  expect(records.rows.map(({ taskId }) => taskId)).toContain(task.id)
  const recordSheet = await textOf(
    await t.call(cleaningWork.exportRecords.get, { verdict: ['passed'], keyword: '地面' }, owner),
  )
  expect([recordSheet.includes('地面'), recordSheet.includes('玻璃')]).toEqual([true, false])
  expect(await refusalMessageOf(t.call(cleaningWork.exportTasks.get, ofPlan, cleaner.as))).toContain('权限')
})

it('a place that an enabled plan or an open task is about stays, with what uses it (BASE-5)', async () => {
  const { point, plan } = await inspectionOf('棋牌室')
  const removePoint = () =>
    t.call(cleaningLocations.delete, { ids: [String(point.id)], reason: '已取消' }, owner)
  await expect(removePoint()).rejects.toThrow(/启用的计划 1 个（计划\d+）、未结束的任务 \d+ 个/)
  await t.call(cleaningWork.setState, { ids: [String(plan.id)], state: 'disabled', reason: '已取消' }, owner)
  const open = await t.call(cleaningWork.listTasks, { planId: [String(plan.id)] }, owner)
  if (open.rows.some(({ state }) => state === 'waiting' || state === 'running')) {
    await expect(removePoint()).rejects.toThrow('未结束的任务')
    const ids = open.rows.map(({ id }) => String(id))
    await t.call(cleaningWork.disable, { ids, reason: '已取消' }, owner)
  }
  await removePoint()
})

it('the label of another point, and one that is none, are kept beside the record (PAT-6)', async () => {
  const { task, steps } = await inspectionOf('健身房')
  const other = await inspectionOf('泳池')
  const [first] = steps
  const ofCode = (code: string) =>
    t.call(
      cleaningWork.sign,
      { signs: [sign(task.id, defined(first).id, 'passed', { signType: 'qr', code })], sentTime: now() },
      cleaner.as,
    )
  expect((await ofCode('forged'))[0]).toMatchObject({ isKept: false, extraReason: 'unknownCode' })
  expect((await ofCode(defined(other.point.qrCode)))[0]).toMatchObject({ isKept: false })
  expect((await t.call(cleaningWork.getTask, { id: task.id }, owner)).task.stepDone).toBe(0)
})

it('a changed template changes tasks that nobody has started; one with plans stays (PAT-10, BASE-5)', async () => {
  const { template, task } = await inspectionOf('茶室', 120)
  const { id, version, templateName, orderTypeId } = template
  const items = [item('桌面', 1)]
  await t.call(cleaningTemplates.edit, { id, version, templateName, state: 'on', items, orderTypeId }, owner)
  const own = await t.call(cleaningWork.listOwn, {}, cleaner.as)
  const changed = defined(own.find(each => each.task.planId === task.planId))
  expect(changed.steps.map(step => step.stepName)).toEqual(['桌面'])
  await expect(
    t.call(cleaningTemplates.delete, { ids: [String(id)], reason: '不再使用' }, owner),
  ).rejects.toThrow('保洁计划')
})

it('greening goes the same way under its own calls and rights', async () => {
  const area = await t.call(greenAreas.save, { projectCode, areaName: '屋顶花园' }, owner)
  const [template] = (await t.call(greenTemplates.list, {}, owner)).rows
  const { id } = defined(template)
  const plan = await t.call(greeningWork.plans.add, planDraft(id, area.id), owner)
  expect(plan).toMatchObject({ targetNames: '屋顶花园' })
  expect((await t.call(getTemplateOfPlan, { planId: plan.id }, owner)).id).toBe(id)
  const [own] = await t.call(greeningWork.listOwn, {}, cleaner.as)
  const { task, steps } = defined(own)
  const signs = steps.map(step => sign(task.id, step.id, 'notApplicable'))
  // A task of one kind is not signed under another's right.
  const unknown = await t.call(cleaningWork.sign, { signs, sentTime: now() }, cleaner.as)
  expect(new Set(unknown.map(({ isKept, message }) => `${isKept} ${message}`))).toEqual(
    new Set(['false 任务不存在或已被删除']),
  )
  expect((await t.call(greeningWork.listTasks, { planId: [String(plan.id)] }, owner)).total).toBeGreaterThan(
    0,
  )
  expect((await t.call(cleaningWork.plans.list, {}, owner)).rows.map(row => row.id)).not.toContain(plan.id)
})
