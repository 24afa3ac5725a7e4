import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, addMinutes, dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { device } from '#modules/devices/contract/device.ts'
import { elevatorAlarm } from '#modules/elevators/contract/alarm.ts'
import { elevatorCall } from '#modules/elevators/contract/call-record.ts'
import { elevator } from '#modules/elevators/contract/elevator.ts'
import { parseFloors } from '#modules/elevators/contract/floors.ts'
import { elevatorMaintenance } from '#modules/elevators/contract/maintenance.ts'
import { elevatorCommand } from '#modules/elevators/contract/remote.ts'
import { elevatorRight } from '#modules/elevators/contract/right.ts'
import { seedMoment } from './seed-day.ts'

interface Tower {
  readonly buildCode: string
  readonly buildName: string
  readonly floorCount: number
}

/** The buildings that are high enough for a lift, the first ones. */
const findTowers = (tx: Tx, ownerId: Id, projectCode: string): Promise<Tower[]> =>
  tx.rows(sql`
    select b.code as build_code, b.name as build_name, max(u.floor_count)::integer as floor_count
    from building b
    join unit u on u.owner_id = ${ownerId} and u.project_code = b.project_code and u.build_code = b.code
    where b.owner_id = ${ownerId} and b.project_code = ${projectCode} and ${notDeleted('b')}
    group by b.code, b.name
    order by b.code
    limit 3
  `)

interface Resident {
  readonly userId: Id
}

const findResidents = (tx: Tx, ownerId: Id, projectCode: string): Promise<Resident[]> =>
  tx.rows(sql`
    select distinct l.user_id
    from user_room l
    where l.owner_id = ${ownerId} and l.project_code = ${projectCode} and ${notDeleted('l')}
    order by l.user_id
    limit 3
  `)

export interface LiftPlan {
  readonly projectCode: string
  /** What devices of the project begin their numbers with. */
  readonly mark: string
  readonly modelId: Id
  readonly gatewayId: Id
}

interface Card {
  readonly cardNo: string
  readonly userId: Id
}

const findCards = (tx: Tx, ownerId: Id, projectCode: string): Promise<Card[]> =>
  tx.rows(sql`
    select c.card_no, c.user_id
    from identity_card c
    where c.owner_id = ${ownerId}
      and c.project_code = ${projectCode}
      and c.user_id is not null
      and ${notDeleted('c')}
    order by c.id
    limit 5
  `)

/** A controller for each lift; the simulated ones are called now and then. */
const insertDevices = (tx: Tx, scope: Scope, plan: LiftPlan, towers: readonly Tower[]): Promise<Id[]> =>
  insertAll(
    tx,
    device,
    scope,
    towers.map(({ buildName }, i) => ({
      projectCode: plan.projectCode,
      name: `${buildName}梯控`,
      devNo: `${plan.mark}L${i + 1}`,
      modelId: plan.modelId,
      gatewayId: plan.gatewayId,
      location: '电梯机房',
      address: `192.168.1.${120 + i}:4370`,
      settings: [{ key: 'callEveryMs', value: String(90_000 * (i + 1)) }],
      state: 'normal' as const,
      isOnline: false,
      healthScore: 100,
    })),
  )

/** One is to be inspected soon, one to be maintained. */
const dueOf = (today: Day, i: number) => ({
  lastInspectDate: addDays(today, i ? -120 : -345),
  nextInspectDate: addDays(today, i ? 245 : 20),
  lastMaintainDate: addDays(today, i === 1 ? -16 : -5),
  nextMaintainDate: addDays(today, i === 1 ? -1 : 10),
})

async function insertLifts(
  tx: Tx,
  scope: Scope,
  plan: LiftPlan,
  towers: readonly Tower[],
  today: Day,
): Promise<Id[]> {
  const deviceIds = await insertDevices(tx, scope, plan, towers)
  return insertAll(
    tx,
    elevator,
    scope,
    towers.map(({ buildCode, buildName, floorCount }, i) => ({
      projectCode: plan.projectCode,
      elevatorNo: `DT${String(i + 1).padStart(4, '0')}`,
      name: `${buildName}客梯`,
      buildCode,
      registerCode: `31103101${plan.mark}${1000 + i}`,
      brand: '样例电梯',
      model: 'TKJ1000/1.75',
      loadKg: 1000,
      floors: `1~${floorCount}`,
      floorList: parseFloors(`1~${floorCount}`) ?? [],
      publicFloors: ['1'],
      closedFloors: [],
      factoryDate: '2019-05-10' as const,
      useDate: '2019-11-01' as const,
      maintainFirm: '样例电梯维保公司',
      maintainPhone: '400-800-1234',
      rescuePhone: '400-800-9119',
      maintainCycle: 15,
      ...dueOf(today, i),
      busyTimes: i
        ? []
        : [
            {
              weekDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const,
              begin: '07:30',
              end: '08:30',
              limit: 'hint' as const,
            },
          ],
      deviceId: deviceIds[i],
      state: 'running' as const,
    })),
  )
}

interface LiftOfProject {
  readonly projectCode: string
  readonly elevatorId: Id
}

/** What was done to lifts, and who went where. */
async function insertHistory(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  [first, second = first]: readonly [Id, ...Id[]],
  deviceId: Id,
  now: Moment,
): Promise<void> {
  const today = dayOfMoment(now)
  const common = { projectCode, elevatorId: first }
  await insertAll(
    tx,
    elevatorMaintenance,
    scope,
    [first, second].map((elevatorId, i) => ({
      projectCode,
      elevatorId,
      maintainType: 'halfMonth' as const,
      planDate: addDays(today, i ? -16 : -5),
      doneTime: addDaysToMoment(now, i ? -16 : -5),
      worker: '陈师傅',
      content: '清洁井道与底坑，检查门锁、制动器、钢丝绳，试运行正常',
      result: 'passed' as const,
    })),
  )
  const cards = await findCards(tx, scope.ownerId, projectCode)
  await insertAll(
    tx,
    elevatorCall,
    scope,
    Array.from({ length: 8 }, (_, i) => ({
      ...common,
      deviceId,
      callTime: addMinutes(now, -90 + i * 7),
      ...(cards.length ? cards[i % cards.length] : { cardNo: String(10_000 + i) }),
      fromFloor: '1',
      toFloor: String((i % 5) + 2),
      method: 'card' as const,
      result: i === 5 ? ('failed' as const) : ('done' as const),
      ...(i === 5 ? { reason: '无此楼层的权限' } : {}),
    })),
  )
}

/** An alarm that was a test, and a call from afar. */
async function insertEnded(tx: Tx, scope: Scope, common: LiftOfProject, now: Moment): Promise<void> {
  await insertAll(tx, elevatorAlarm, scope, [
    {
      ...common,
      alarmTime: addDaysToMoment(now, -20),
      lastTime: addDaysToMoment(now, -20),
      alarmCount: 1,
      floor: '3',
      stateBefore: 'running',
      state: 'resolved',
      acknowledgedBy: scope.name,
      acknowledgedTime: addDaysToMoment(now, -20),
      resolvedBy: scope.name,
      resolvedTime: addDaysToMoment(now, -20),
      resolution: 'test',
      resolveNote: '年检前的报警测试',
    },
  ])
  await insertAll(tx, elevatorCommand, scope, [
    {
      ...common,
      action: 'callLift',
      floor: '1',
      reason: '访客等候',
      operatorName: scope.name,
      state: 'done',
      endTime: addDaysToMoment(now, -2),
    },
  ])
}

/** Lifts of the first buildings with controllers and history, a right that runs and one expired. */
export async function seedElevators(tx: Tx, scope: Scope, plan: LiftPlan): Promise<void> {
  const { projectCode } = plan
  const now = seedMoment(scope)
  const today = dayOfMoment(now)
  const towers = await findTowers(tx, scope.ownerId, projectCode)
  const [first, ...others] = await insertLifts(tx, scope, plan, towers, today)
  if (first === undefined) return
  const bound = await tx.one<{ deviceId: Id }>(sql`
    select device_id from elevator where owner_id = ${scope.ownerId} and id = ${first}
  `)
  await insertHistory(tx, scope, projectCode, [first, ...others], defined(bound).deviceId, now)
  await insertEnded(tx, scope, { projectCode, elevatorId: first }, now)
  const [resident] = await findResidents(tx, scope.ownerId, projectCode)
  if (!resident) return
  await insertAll(tx, elevatorRight, scope, [
    {
      projectCode,
      userId: resident.userId,
      elevatorId: first,
      floors: [String(defined(towers[0]).floorCount)],
      beginDate: today,
      endDate: addDays(today, 60),
      remark: '顶层装修期间',
      state: 'valid',
    },
    {
      projectCode,
      userId: resident.userId,
      elevatorId: first,
      floors: [String(defined(towers[0]).floorCount)],
      beginDate: addDays(today, -40),
      endDate: addDays(today, -34),
      remark: '顶层看房',
      state: 'valid',
    },
  ])
}
