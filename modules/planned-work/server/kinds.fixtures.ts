import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { cleaningLocations } from '#modules/cleaning/contract/location.ts'
import { cleaningTemplates } from '#modules/cleaning/contract/template.ts'
import { cleaningWork } from '#modules/cleaning/contract/work.ts'
import { greenAreas } from '#modules/landscaping/contract/green-area.ts'
import { greenTemplates } from '#modules/landscaping/contract/template.ts'
import { greeningWork } from '#modules/landscaping/contract/work.ts'
import { patrolPlans } from '#modules/patrol/contract/plan.ts'
import { addRoad } from '#modules/patrol/contract/road.ts'
import { addPatrolArea, addPatrolPoint } from '#modules/patrol/server/patrol.fixtures.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import type { WorkPlan } from '../contract/plan.ts'
import { schedules } from '../contract/schedule.ts'
import { taskStandards } from '../contract/standard.ts'

export const projectCode = 'GOLD0001'

/** The kinds that modules of the product own. */
export const kinds = ['patrol', 'standard', 'greening', 'cleaning'] as const
export type Kind = (typeof kinds)[number]
export type PlanDraft = NonNullable<typeof schedules.add.input.T>

let made = 0

export async function addStaff(
  t: GoldenApp,
  name: string,
  { leaveDate, loginCode }: { readonly leaveDate?: Day; readonly loginCode?: string } = {},
): Promise<{ readonly id: Id; readonly name: string }> {
  const row = await t.database.tx(t.ownerId, tx =>
    tx.one<{ id: Id }>(sql`
      insert into staff (owner_id, name, staff_no, state, leave_date, manager_id)
      values (${t.ownerId}, ${name}, ${`P${++made}`}, 10, ${leaveDate ?? null}::date,
        (select id from manager where owner_id = ${t.ownerId} and login_code = ${loginCode ?? null}))
      returning id
    `),
  )
  return { id: defined(row).id, name }
}

const item = { name: '地面', weight: 1, raisesOrder: false, needsPhoto: false }

async function addRoadOfTwo(t: GoldenApp, owner: CallOptions): Promise<Id> {
  const area = await addPatrolArea(t, owner)
  const points = [await addPatrolPoint(t, owner, area), await addPatrolPoint(t, owner, area)]
  const road = await t.call(
    addRoad,
    {
      projectCode,
      roadName: '夜巡',
      inOrder: false,
      state: 'on',
      points: points.map(({ id }) => ({ pointId: id, legMinutes: 10, tolerance: 5 })),
    },
    owner,
  )
  return road.id
}

export interface KindSubjects {
  readonly subjects: Readonly<Record<Kind, Id>>
  readonly targets: Readonly<Record<Kind, readonly Id[]>>
}

/** What plans of each kind are made from: a road, a standard, a template with two places. */
export async function addSubjects(t: GoldenApp, owner: CallOptions): Promise<KindSubjects> {
  const standard = await t.call(
    taskStandards.add,
    { standardName: '巡视', category: 'cleaning', sort: 1, state: 'on', items: [item] },
    owner,
  )
  const green = await t.call(greenTemplates.save, { templateName: '修剪', state: 'on', items: [item] }, owner)
  const clean = await t.call(
    cleaningTemplates.add,
    { templateName: '检查', state: 'on', items: [item] },
    owner,
  )
  const areas = await Promise.all(
    ['东', '西'].map(name => t.call(greenAreas.save, { projectCode, areaName: `${name}区` }, owner)),
  )
  const places = await Promise.all(
    ['大厅', '走廊'].map(name =>
      t.call(
        cleaningLocations.add,
        { projectCode, locationName: name, floorNum: 1, templateId: clean.id, state: 'on' },
        owner,
      ),
    ),
  )
  return {
    subjects: {
      patrol: await addRoadOfTwo(t, owner),
      standard: standard.id,
      greening: green.id,
      cleaning: clean.id,
    },
    targets: {
      patrol: [],
      standard: [],
      greening: areas.map(({ id }) => id),
      cleaning: places.map(({ id }) => id),
    },
  }
}

/** A plan of every day, of each of the kind's places, from 14:00 to 15:00. */
export const plainDraft = (
  kind: Kind,
  { subjects, targets }: KindSubjects,
  staffIds: readonly Id[],
  today: Day,
): PlanDraft => ({
  projectCode,
  planName: `计划${++made}`,
  subjectId: subjects[kind],
  ...(targets[kind].length ? { targetIds: targets[kind].map(String) } : {}),
  cycleType: 'daily',
  calendarRule: 'always',
  times: [{ begin: '14:00', end: '15:00' }],
  staffMode: 'rotation',
  staffIds: staffIds.map(String),
  beginDate: addDays(today, -1),
  remindMinutes: 0,
  lateEndMinutes: 30,
  state: 'enabled',
})

const addCalls = {
  standard: schedules.add,
  patrol: patrolPlans.save,
  greening: greeningWork.plans.add,
  cleaning: cleaningWork.plans.add,
} as const
const editCalls = {
  standard: schedules.edit,
  patrol: patrolPlans.save,
  greening: greeningWork.plans.edit,
  cleaning: cleaningWork.plans.edit,
} as const

export const savePlan = (t: GoldenApp, owner: CallOptions, kind: Kind, draft: PlanDraft): Promise<WorkPlan> =>
  t.call((draft.id ? editCalls : addCalls)[kind], draft, owner)
