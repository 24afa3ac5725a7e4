import { addDays } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, fromInstant, momentAt, type Moment } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, insert, insertAll } from '#kit/server/table.ts'
import { patrolArea } from '#modules/patrol/contract/area.ts'
import { patrolDevice } from '#modules/patrol/contract/device.ts'
import { patrolPoint } from '#modules/patrol/contract/point.ts'
import { patrolRoad, patrolRoadPoint } from '#modules/patrol/contract/road.ts'
import { patrolTemplate } from '#modules/patrol/contract/template.ts'
import { totalMinutesOf } from '#modules/patrol/domain/road.ts'
import { assignCodes } from '#modules/patrol/server/point-codes.ts'
import { workPlan } from '#modules/planned-work/contract/plan.ts'
import { workTask, type WorkStep, type WorkTask } from '#modules/planned-work/contract/task.ts'
import { generateForPlans } from '#modules/planned-work/server/generate.ts'
import { writeResults } from '#modules/planned-work/server/sign-results.ts'
import { stepsOfTasks } from '#modules/planned-work/server/signs.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { pastPlan } from './past-plan.ts'

const areas = ['地下车库', '园区'] as const

/** Points by their area; of a road each is walked in this order. */
const points: readonly (readonly [area: number, name: string, checked?: true])[] = [
  [0, '车库入口'],
  [0, '配电房', true],
  [0, '生活泵房', true],
  [0, '车库出口'],
  [1, '东门岗亭'],
  [1, '中心花园'],
  [1, '儿童游乐场'],
  [1, '西门岗亭'],
]

const pastDays = 10

async function addPoints(tx: Tx, scope: Scope, projectCode: string): Promise<{ ids: Id[]; areaIds: Id[] }> {
  const areaIds = await insertAll(
    tx,
    patrolArea,
    scope,
    areas.map((areaName, i) => ({ projectCode, areaName, sort: i + 1 })),
  )
  const template = await insert(tx, patrolTemplate, scope, {
    templateName: '设备房巡查',
    items: [
      { name: '门锁完好', raisesOrder: true },
      { name: '室温', minValue: '5', maxValue: '40', unit: '℃', raisesOrder: true },
      { name: '无渗漏、无异响', raisesOrder: true },
    ],
    state: 'on',
  })
  const ids = await insertAll(
    tx,
    patrolPoint,
    scope,
    points.map(([area, pointName, checked], i) => ({
      projectCode,
      pointCode: `XG${String(i + 1).padStart(4, '0')}`,
      pointName,
      areaId: areaIds[area],
      signTypes: ['qr' as const],
      ...(checked ? { templateId: template.id } : {}),
      state: 'on' as const,
    })),
  )
  await assignCodes(tx, scope, ids)
  return { ids, areaIds }
}

async function addRoad(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  road: { readonly roadName: string; readonly areaId: Id | undefined; readonly pointIds: readonly Id[] },
): Promise<Id> {
  const legs = road.pointIds.map(pointId => ({ pointId, legMinutes: 8, tolerance: 5 }))
  const type = await tx.one<{ id: Id }>(sql`
    select id from work_order_type where owner_id = ${scope.ownerId} and type_code = 'RW' and ${notDeleted()}
  `)
  const { id } = await insert(tx, patrolRoad, scope, {
    projectCode,
    roadName: road.roadName,
    areaId: road.areaId,
    inOrder: true,
    totalMinutes: totalMinutesOf(legs),
    orderTypeId: type?.id,
    state: 'on',
  })
  await insertAll(
    tx,
    patrolRoadPoint,
    scope,
    legs.map((leg, i) => ({ projectCode, roadId: id, sort: i + 1, ...leg })),
  )
  return id
}

/** Most points were reached in time, some late, a few not at all. */
function walkedStep(step: WorkStep, task: WorkTask, i: number): WorkStep {
  const draw = (step.id * 11 + i) % 31
  if (draw < 2) return step
  const minutes = draw === 5 ? 8 : (step.id % 5) - 2
  return {
    ...step,
    signTime: addMinutes(step.dueTime, minutes),
    signType: 'qr',
    staffId: task.staffId,
    isAbnormal: draw === 9,
    ...(draw === 9 ? { abnormal: '照明灯不亮，已通知工程部' } : {}),
  }
}

async function walkPast(tx: Tx, scope: Scope, planIds: readonly Id[], now: Moment): Promise<void> {
  const where = [sql`t.plan_id = any(${[...planIds]}::bigint[])`, sql`t.close_time < ${now}::timestamptz`]
  const tasks = await findAll(tx, workTask, scope, {}, { where })
  const steps = Map.groupBy(
    await stepsOfTasks(
      tx,
      scope,
      tasks.map(({ id }) => id),
    ),
    step => step.taskId,
  )
  for (const task of tasks) {
    const before = steps.get(task.id) ?? []
    const after = task.staffId === undefined ? before : before.map((step, i) => walkedStep(step, task, i))
    await writeResults(tx, scope, task, { before, after, isClosed: true, now })
  }
}

/** Points, roads and plans of a project, with the rounds of the last days and those of today. */
export async function seedPatrol(database: Database, scope: Scope, projectCode: string): Promise<void> {
  const { ownerId } = scope
  const now = fromInstant(Date.now())
  await database.tx(ownerId, async tx => {
    const guards = await tx.rows<{ id: Id }>(sql`
      select id
      from staff
      where owner_id = ${ownerId}
        and position = '保安'
        and state <> ${code(staffState, 'left')}
        and ${notDeleted()}
      order by id
      limit 4
    `)
    const staffIds = guards.map(({ id }) => String(id))
    if (!staffIds.length) return
    const { ids, areaIds } = await addPoints(tx, scope, projectCode)
    const garage = await addRoad(tx, scope, projectCode, {
      roadName: '地库巡查',
      areaId: areaIds[0],
      pointIds: ids.slice(0, 4),
    })
    const garden = await addRoad(tx, scope, projectCode, {
      roadName: '园区巡查',
      areaId: areaIds[1],
      pointIds: ids.slice(4),
    })
    await insertAll(tx, patrolDevice, scope, [
      { projectCode, deviceNo: 'XGJ01', deviceName: '巡更手机一', staffId: guards[0]?.id, state: 'normal' },
      { projectCode, deviceNo: 'XGJ02', deviceName: '巡更手机二', state: 'broken' },
    ])
    const shared = {
      ...pastPlan(projectCode, now, pastDays),
      kind: 'patrol' as const,
      cycleType: 'daily' as const,
      staffMode: 'rotation' as const,
      staffIds,
    }
    const planIds = await insertAll(tx, workPlan, scope, [
      { ...shared, planName: '地库日巡', subjectId: garage, times: [{ begin: '10:00', end: '10:40' }] },
      { ...shared, planName: '园区夜巡', subjectId: garden, times: [{ begin: '22:00', end: '22:40' }] },
    ])
    const plans = await findByIds(tx, workPlan, scope, planIds)
    for (let back = pastDays; back > 0; back -= 2) {
      await generateForPlans(tx, scope, plans, momentAt(addDays(dayOfMoment(now), -back), '00:05'))
    }
    await generateForPlans(tx, scope, plans, now)
    await walkPast(tx, scope, planIds, now)
  })
}
