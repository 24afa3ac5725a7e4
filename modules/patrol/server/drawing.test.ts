import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { decimalOf } from '#kit/domain/decimal.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { patrolAreas } from '../contract/area.ts'
import { getAreaDrawing, savePlaces } from '../contract/drawing.ts'
import { patrolPlans } from '../contract/plan.ts'
import { patrolPoints } from '../contract/point.ts'
import { addRoad, editRoad, getRoad } from '../contract/road.ts'
import { getPatrolTask, listPatrolTasks } from '../contract/task.ts'
import { patrolTemplates } from '../contract/template.ts'
import { addPatrolArea, addPatrolPoint } from './patrol.fixtures.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function addDrawnArea() {
  const drawing = await t.app.files.save(t.ownerId, t.managerId, {
    name: '平面图.png',
    type: 'image/png',
    bytes: png,
  })
  const area = await addPatrolArea(t, me)
  return t.call(
    patrolAreas.edit,
    { id: area.id, version: area.version, projectCode, areaName: area.areaName, sort: 1, drawing },
    me,
  )
}

const place = (pointId: Id, x: number, y: number) => ({
  pointId,
  x: decimalOf(x),
  y: decimalOf(y),
})

async function addRoadOf(points: readonly { readonly id: Id }[], more: object = {}) {
  const legs = points.map(({ id }) => ({ pointId: id, legMinutes: 5, tolerance: 5 }))
  return t.call(
    addRoad,
    { projectCode, roadName: `路线${points[0]?.id}`, inOrder: true, state: 'on', points: legs, ...more },
    me,
  )
}

const addPlanOf = (roadId: Id) =>
  t.call(
    patrolPlans.save,
    {
      projectCode,
      planName: `巡更${roadId}`,
      subjectId: roadId,
      cycleType: 'daily',
      calendarRule: 'always',
      times: [{ begin: '23:00', end: '23:50' }],
      staffMode: 'rotation',
      staffIds: ['1'],
      beginDate: dayOfMoment(fromInstant(t.app.clock())),
      remindMinutes: 0,
      lateEndMinutes: 0,
      state: 'enabled',
    },
    me,
  )

it('points placed on the drawing of their area are drawn with their road and its rounds; edits keep them', async () => {
  const area = await addDrawnArea()
  const [first, second, third] = [
    await addPatrolPoint(t, me, area),
    await addPatrolPoint(t, me, area),
    await addPatrolPoint(t, me, area),
  ]
  const road = await addRoadOf([first, second, third])
  expect((await t.call(getRoad, { id: road.id }, me)).drawing).toBeUndefined()
  const places = [place(first.id, 10, 20), place(second.id, 90, 80)]
  await t.call(savePlaces, { id: area.id, places }, me)
  expect(await t.call(getAreaDrawing, { id: area.id }, me)).toMatchObject({ image: area.drawing, places })
  await t.call(patrolPoints.edit, { ...first, version: defined(first.version) + 1, remark: '门口' }, me)
  const { drawing } = await t.call(getRoad, { id: road.id }, me)
  expect(drawing).toMatchObject({ areaName: area.areaName, image: area.drawing, places })
  const plan = await addPlanOf(road.id)
  const [task] = (await t.call(listPatrolTasks, { planId: [String(plan.id)] }, me)).rows
  expect((await t.call(getPatrolTask, { id: defined(task).id }, me)).drawing).toMatchObject({ places })
  // One alone makes no way.
  await t.call(savePlaces, { id: area.id, places: places.slice(1) }, me)
  expect((await t.call(getRoad, { id: road.id }, me)).drawing).toBeUndefined()
})

it('a point of another area or company is not placed, nor the same one twice', async () => {
  const area = await addDrawnArea()
  const point = await addPatrolPoint(t, me, area)
  const elsewhere = await addPatrolPoint(t, me, await addPatrolArea(t, me))
  const places = [place(elsewhere.id, 1, 1), place(point.id, 1, 1), place(point.id, 2, 2)]
  expect(await faultTextsOf(t.call(savePlaces, { id: area.id, places }, me))).toEqual({
    'Places[0].LocationID': expect.stringContaining('不属于该区域'),
    'Places[2].LocationID': '同一点位重复',
  })
  const outside = t.call(savePlaces, { id: area.id, places: [place(point.id, 101, 1)] }, me)
  expect(await faultTextsOf(outside)).toHaveProperty('Places[0].X')
  const other = await t.signedInAs(golden.second.owner)
  await refusalMessageOf(t.call(getAreaDrawing, { id: area.id }, other))
  await refusalMessageOf(t.call(savePlaces, { id: area.id, places: [] }, other))
})

it('a road or template of an enabled plan is not switched off, and the plan is named', async () => {
  const area = await addPatrolArea(t, me)
  const items = [{ name: '门锁' }]
  const template = await t.call(patrolTemplates.add, { templateName: '水泵房', items, state: 'on' }, me)
  const points = [
    await addPatrolPoint(t, me, area, { templateId: template.id }),
    await addPatrolPoint(t, me, area),
  ]
  const road = await addRoadOf(points)
  const plan = await addPlanOf(road.id)
  const { id, version, templateName } = template
  const switchOff = t.call(patrolTemplates.edit, { id, version, templateName, items, state: 'off' }, me)
  expect(await faultTextsOf(switchOff)).toEqual({
    State: `巡更模板不能停用：还有启用的巡更计划 1 个（${plan.planName}），请先停用或更换`,
  })
  const legs = points.map(point => ({ pointId: point.id, legMinutes: 5, tolerance: 5 }))
  const draft = { projectCode, roadName: road.roadName, inOrder: true, points: legs }
  const closed = t.call(editRoad, { ...draft, id: road.id, version: road.version, state: 'off' }, me)
  expect(await faultTextsOf(closed)).toEqual({ State: expect.stringContaining(plan.planName) })
})
