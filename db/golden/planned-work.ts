import { parseId, type Id } from '#kit/domain/id.ts'
import { addDays } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant, momentAt, type Moment } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { findAll, findByIds, insert, insertAll } from '#kit/server/table.ts'
import { workPlan } from '#modules/planned-work/contract/plan.ts'
import { taskStandard, type TaskStandard } from '#modules/planned-work/contract/standard.ts'
import { workTask, type WorkStep, type WorkTask } from '#modules/planned-work/contract/task.ts'
import { generateForPlans } from '#modules/planned-work/server/generate.ts'
import { writeResults } from '#modules/planned-work/server/sign-results.ts'
import { stepsOfTasks } from '#modules/planned-work/server/signs.ts'
import { seedGroundWork } from './ground-work.ts'
import { pastPlan } from './past-plan.ts'

type Items = NonNullable<TaskStandard['items']>

const item = (name: string, weight: number, more: Partial<Items[number]> = {}): Items[number] => ({
  name,
  weight,
  ...more,
})

const standards: readonly (readonly [
  name: string,
  category: TaskStandard['category'],
  cycle: string,
  items: Items,
])[] = [
  [
    '大堂日常保洁',
    'cleaning',
    '每天两次',
    [
      item('地面无污渍、无积水', 3),
      item('玻璃门明亮无手印', 2),
      item('垃圾桶清空并擦拭', 2),
      item('绿植无枯叶', 1),
    ],
  ],
  [
    '电梯轿厢保洁',
    'cleaning',
    '每天',
    [item('轿厢地面与四壁', 3), item('按键面板消毒', 2), item('门槽清理', 1)],
  ],
  [
    '生活水箱巡检',
    'device',
    '每周',
    [
      item('箱盖上锁', 2),
      item('余氯', 5, { minValue: '0.05', maxValue: '0.3', unit: 'mg/L', raisesOrder: true }),
      item('通气孔防虫网完好', 1, { raisesOrder: true }),
    ],
  ],
  [
    '消防通道检查',
    'order',
    '每天',
    [item('通道无堆放', 3, { raisesOrder: true }), item('常闭防火门关闭', 2), item('应急照明有效', 2)],
  ],
]

/** How many days of tasks have been done when the demo begins. */
const pastDays = 7

async function addStandards(tx: Tx, scope: Scope): Promise<Id[]> {
  const parent = await insert(tx, taskStandard, scope, {
    standardName: '现场作业标准',
    category: 'cleaning',
    sort: 0,
    state: 'on',
  })
  const type = await tx.one<{ id: Id }>(sql`
    select id from work_order_type where owner_id = ${scope.ownerId} and type_code = 'RW' and delete_tag = 0
  `)
  return insertAll(
    tx,
    taskStandard,
    scope,
    standards.map(([standardName, category, cycle, items], i) => ({
      parentId: parent.id,
      standardName,
      category,
      cycle,
      items,
      orderTypeId: type?.id,
      sort: (i + 1) * 10,
      state: 'on' as const,
    })),
  )
}

interface Seeded {
  readonly standardIds: readonly Id[]
  readonly staffIds: readonly Id[]
  readonly guardIds: readonly Id[]
  /** Who has the account that shows the demo. */
  readonly ownIds: readonly Id[]
  readonly areaIds: readonly Id[]
}

const sharedOf = (projectCode: string, now: Moment) => ({
  ...pastPlan(projectCode, now, pastDays),
  kind: 'standard' as const,
})

const plansOf = (
  projectCode: string,
  now: Moment,
  { standardIds, staffIds, guardIds, ownIds, areaIds }: Seeded,
) => {
  const shared = sharedOf(projectCode, now)
  const people = (from: number, to: number): string[] => staffIds.slice(from, to).map(String)
  const areas = areaIds.length
    ? { targetType: 'publicArea' as const, targetIds: areaIds.slice(0, 1).map(String) }
    : {}
  return [
    {
      ...shared,
      ...areas,
      calendarRule: 'workdays' as const,
      planName: '大堂保洁',
      subjectId: standardIds[0],
      cycleType: 'daily' as const,
      times: [
        { begin: '09:30', end: '10:30' },
        { begin: '14:00', end: '16:00' },
      ],
      staffMode: 'rotation' as const,
      staffIds: people(0, 3),
    },
    {
      ...shared,
      planName: '电梯轿厢保洁',
      subjectId: standardIds[1],
      cycleType: 'daily' as const,
      times: [{ begin: '10:00', end: '11:30' }],
      staffMode: 'anyone' as const,
      staffIds: [...people(0, 3), ...ownIds.map(String)],
    },
    {
      ...shared,
      planName: '水箱周检',
      subjectId: standardIds[2],
      cycleType: 'weekly' as const,
      cycle: { weekDays: ['1', '4'] },
      calendarRule: 'skipHolidays' as const,
      times: [{ begin: '09:00', end: '12:00' }],
      staffMode: 'rotation' as const,
      staffIds: people(1, 3),
    },
    {
      ...shared,
      planName: '消防通道夜检',
      subjectId: standardIds[3],
      cycleType: 'daily' as const,
      times: [{ begin: '22:00', end: '01:00' }],
      staffMode: 'rotation' as const,
      staffIds: guardIds.map(String),
    },
  ]
}

/** Most of the steps were signed in time, some were late or found something, a few were missed. */
function doneStep(step: WorkStep, task: WorkTask, i: number): WorkStep {
  const draw = (step.id * 7 + i) % 29
  if (draw === 0) return step
  const hasFailed = draw === 5
  return {
    ...step,
    signTime: draw === 3 ? addMinutes(task.endTime, 10) : addMinutes(task.beginTime, 20 + i * 5),
    signType: 'manual',
    staffId: task.staffId,
    verdict: hasFailed ? 'failed' : 'passed',
    isAbnormal: hasFailed,
    ...(hasFailed ? { remark: '已现场整改' } : {}),
    ...(step.needs?.minValue === undefined ? {} : { value: '0.12' }),
  }
}

async function finishPast(tx: Tx, scope: Scope, planIds: readonly Id[], now: Moment): Promise<void> {
  const tasks = await findAll(
    tx,
    workTask,
    scope,
    {},
    {
      where: [sql`t.plan_id = any(${[...planIds]}::bigint[])`, sql`t.close_time < ${now}::timestamptz`],
    },
  )
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
    const [first] = task.candidateIds ?? []
    const staffId = task.staffId ?? (first === undefined ? undefined : parseId(first))
    const done = staffId === undefined ? task : { ...task, staffId }
    const after = done.staffId === undefined ? before : before.map((step, i) => doneStep(step, done, i))
    await writeResults(tx, scope, task, {
      before,
      after,
      isClosed: true,
      now,
      patch: { staffId: done.staffId },
    })
  }
}

async function findPeople(
  tx: Tx,
  ownerId: Id,
  positions: readonly string[],
  count: number,
): Promise<readonly Id[]> {
  const rows = await tx.rows<{ id: Id }>(sql`
    select id
    from staff
    where owner_id = ${ownerId}
      and position = any(${[...positions]}::text[])
      and state <> ${code(staffState, 'left')}
      and delete_tag = 0
    order by position, id
    limit ${count}
  `)
  return rows.map(({ id }) => id)
}

/** Standards and plans of a project, with what was done in the last days and what is to be done today. */
export async function seedPlannedWork(
  database: Database,
  scope: Scope,
  projectCode: string,
  /** The account with greening and cleaning tasks. */
  login: string,
): Promise<void> {
  const { ownerId } = scope
  const now = fromInstant(Date.now())
  await database.tx(ownerId, async tx => {
    const standardIds = await addStandards(tx, scope)
    const staffIds = await findPeople(tx, ownerId, ['保洁员', '水暖工'], 3)
    const own = await tx.rows<{ id: Id }>(sql`
      select id from staff where owner_id = ${ownerId} and manager_id = ${scope.operatorId} and delete_tag = 0
    `)
    const guardIds = await findPeople(tx, ownerId, ['保安'], 6)
    const areas = await tx.rows<{ id: Id }>(sql`
      select id from public_area
      where owner_id = ${ownerId} and project_code = ${projectCode} and delete_tag = 0
      order by id
      limit 1
    `)
    const ids = await insertAll(
      tx,
      workPlan,
      scope,
      plansOf(projectCode, now, {
        standardIds,
        staffIds,
        guardIds,
        ownIds: own.map(({ id }) => id),
        areaIds: areas.map(({ id }) => id),
      }),
    )
    const plans = await findByIds(tx, workPlan, scope, ids)
    for (let back = pastDays; back >= 0; back -= 2) {
      const day = addDays(dayOfMoment(now), -back)
      await generateForPlans(tx, scope, plans, back ? momentAt(day, '00:05') : now)
    }
    await generateForPlans(tx, scope, plans, now)
    await finishPast(tx, scope, ids, now)
  })
  await seedGroundWork(database, scope, projectCode, login)
}
