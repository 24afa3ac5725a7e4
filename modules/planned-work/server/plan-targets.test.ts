import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { cleaningLocations } from '#modules/cleaning/contract/location.ts'
import { cleaningWork } from '#modules/cleaning/contract/work.ts'
import { greenAreas } from '#modules/landscaping/contract/green-area.ts'
import { greeningWork } from '#modules/landscaping/contract/work.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import type { WorkPlan } from '../contract/plan.ts'
import { previewSchedule, schedules, setScheduleState } from '../contract/schedule.ts'
import {
  addStaff,
  addSubjects,
  plainDraft,
  projectCode,
  savePlan,
  type Kind,
  type KindSubjects,
  type PlanDraft,
} from './kinds.fixtures.ts'

let t: GoldenApp
let owner: CallOptions
let staffId: Id
let setup: KindSubjects

beforeAll(async () => {
  t = await openGoldenApp()
  owner = await t.owner
  staffId = (await addStaff(t, '保洁甲')).id
  setup = await addSubjects(t, owner)
})

afterAll(() => t?.close())

const draftOf = (kind: Kind, more: Partial<PlanDraft> = {}): PlanDraft => ({
  ...plainDraft(kind, setup, [staffId], dayOfMoment(fromInstant(t.app.clock()))),
  ...more,
})

const stateCalls = {
  standard: setScheduleState,
  greening: greeningWork.setState,
  cleaning: cleaningWork.setState,
} as const
type PlacedKind = keyof typeof stateCalls

const enable = (kind: PlacedKind, { id }: WorkPlan) =>
  t.call(stateCalls[kind], { ids: [String(id)], state: 'enabled' }, owner)

async function switchOff(locationId: Id): Promise<void> {
  const {
    buildName: _building,
    qrCode: _code,
    ...place
  } = await t.call(cleaningLocations.get, { id: locationId }, owner)
  await t.call(cleaningLocations.edit, { ...place, state: 'off' }, owner)
}

const addPoint = async (locationName: string): Promise<Id> =>
  (
    await t.call(
      cleaningLocations.add,
      { projectCode, locationName, floorNum: 2, templateId: setup.subjects.cleaning, state: 'on' },
      owner,
    )
  ).id

const countTasks = async (planId: Id): Promise<number> => {
  const found = await t.database.reader(t.ownerId).one<{ n: number }>(sql`
    select count(*)::int as n
    from work_task
    where owner_id = ${t.ownerId} and plan_id = ${planId} and delete_tag = 0
  `)
  return defined(found).n
}

it('a plan over a point that is off is not enabled; saving and preview refuse it in the same words', async () => {
  const kept = defined(setup.targets.cleaning[0])
  const closed = await addPoint('封闭会所')
  const draft = draftOf('cleaning', { targetIds: [String(kept), String(closed)], state: 'disabled' })
  const plan = await savePlan(t, owner, 'cleaning', draft)
  await switchOff(closed)
  const words = '保洁点位「封闭会所」已停用或删除，请先启用或在计划中更换'
  expect(await refusalMessageOf(enable('cleaning', plan))).toBe(`「${plan.planName}」不能启用：${words}`)
  expect(await countTasks(plan.id)).toBe(0)
  const again = { ...draft, id: plan.id, version: plan.version }
  expect(await faultTextsOf(savePlan(t, owner, 'cleaning', again))).toEqual({ TargetIDs: words })
  expect(await faultTextsOf(t.call(cleaningWork.preview, again, owner))).toEqual({ TargetIDs: words })
  await savePlan(t, owner, 'cleaning', { ...again, targetIds: [String(kept)] })
  await enable('cleaning', plan)
  expect(await countTasks(plan.id)).toBeGreaterThan(0)
})

it('a plan over a deleted area is not enabled, also beside others; more than three are counted', async () => {
  const names = ['北坡', '南坡', '湖边', '门前']
  const areas = await Promise.all(
    names.map(areaName => t.call(greenAreas.save, { projectCode, areaName }, owner)),
  )
  const plan = await savePlan(
    t,
    owner,
    'greening',
    draftOf('greening', { targetIds: areas.map(({ id }) => String(id)), state: 'disabled' }),
  )
  await t.call(greenAreas.delete, { ids: areas.map(({ id }) => String(id)), reason: '改造' }, owner)
  expect(await refusalMessageOf(enable('greening', plan))).toMatch(
    /绿化区域(「..」、){2}「..」等 4 个已停用或删除/,
  )
})

it('a plan of a standard over a deleted object is not enabled', async () => {
  const point = await addPoint('临时堆场')
  const draft = draftOf('standard', {
    targetType: 'cleaningPoint',
    targetIds: [String(point)],
    state: 'disabled',
  })
  const plan = await savePlan(t, owner, 'standard', draft)
  await t.call(cleaningLocations.delete, { ids: [String(point)], reason: '拆除' }, owner)
  expect(await refusalMessageOf(enable('standard', plan))).toContain('保洁点位「临时堆场」已停用或删除')
  expect(await faultTextsOf(t.call(schedules.add, draft, owner))).toHaveProperty('TargetIDs')
  expect(await faultTextsOf(t.call(previewSchedule, draft, owner))).toHaveProperty('TargetIDs')
})

it('a plan of a kind that is done at places names one, at saving, in the preview and when it is enabled', async () => {
  const labels = { greening: '绿化区域', cleaning: '保洁点位' } as const
  for (const kind of ['greening', 'cleaning'] as const) {
    const { plans, preview } = { greening: greeningWork, cleaning: cleaningWork }[kind]
    const words = { TargetIDs: `${labels[kind]}不能为空` }
    for (const targetIds of [[], undefined]) {
      const draft = draftOf(kind, { targetIds })
      expect(await faultTextsOf(t.call(plans.add, draft, owner))).toEqual(words)
      expect(await faultTextsOf(t.call(preview, draft, owner))).toEqual(words)
    }
    expect(
      await faultTextsOf(t.call(plans.add, draftOf(kind, { subjectId: asId(0) }), owner)),
    ).toHaveProperty('TemplateID', expect.stringContaining('模板'))
    // One that was saved without places before stays off until it has some.
    const plan = await savePlan(t, owner, kind, draftOf(kind, { state: 'disabled' }))
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update work_plan set target_ids = null where owner_id = ${t.ownerId} and id = ${plan.id}
      `),
    )
    expect(await refusalMessageOf(enable(kind, plan))).toContain(`请选择${labels[kind]}`)
  }
  await savePlan(t, owner, 'standard', draftOf('standard'))
})
