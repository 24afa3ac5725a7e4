import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { formatDocumentNumber } from '#kit/domain/document-number.ts'
import { addMinutes, dayOfInstant, momentAt, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { doorwayGroup } from '#modules/access/contract/group.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { visitorCheckType } from '#modules/visitors/contract/check-type.ts'
import type { VisitState, VisitorKind } from '#modules/visitors/contract/choices.ts'
import { invitation } from '#modules/visitors/contract/invitation.ts'
import { visitorLocation } from '#modules/visitors/contract/location.ts'
import { inviteRule } from '#modules/visitors/contract/rule.ts'
import { visitorSetting } from '#modules/visitors/contract/setting.ts'
import { inviteVisitor } from '#modules/visitors/contract/visitor.ts'

interface DemoHost {
  readonly userId: Id
  readonly name: string
  readonly roomId: Id
}

const findHosts = (tx: Tx, ownerId: Id, projectCode: string, count: number): Promise<DemoHost[]> =>
  tx.rows(sql`
    select l.user_id, p.name, l.room_id
    from user_room l
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id
    where l.owner_id = ${ownerId}
      and l.project_code = ${projectCode}
      and l.status = ${code(residencyStatus, 'living')}
      and ${notDeleted('l')}
    order by l.id
    limit ${count}
  `)

interface DemoDoorway {
  readonly id: Id
  readonly doorwayName: string
}

const findMainDoorway = (tx: Tx, ownerId: Id, projectCode: string): Promise<DemoDoorway | undefined> =>
  tx.one(sql`
    select id, doorway_name
    from doorway
    where owner_id = ${ownerId} and project_code = ${projectCode} and ${notDeleted()}
      and doorway_name like '东门%'
    order by id
    limit 1
  `)

interface Plan {
  readonly visitorName: string
  readonly mobile: string
  readonly visitorKind: VisitorKind
  readonly reason: string
  /** Days from today, and the hours of the visit. */
  readonly offset: number
  readonly hours: readonly [string, string]
  readonly state: VisitState
  readonly plateNo?: string
  readonly personCount?: number
}

const plans: readonly Plan[] = [
  {
    visitorName: '周建国',
    mobile: '13810010001',
    visitorKind: 'friend',
    reason: '探亲',
    offset: 0,
    hours: ['08:00', '22:00'],
    state: 'passed',
  },
  {
    visitorName: '吴敏',
    mobile: '13810010002',
    visitorKind: 'viewing',
    reason: '看房',
    offset: 1,
    hours: ['14:00', '16:00'],
    state: 'pending',
  },
  {
    visitorName: '郑师傅',
    mobile: '13810010003',
    visitorKind: 'decoration',
    reason: '安装橱柜',
    offset: 1,
    hours: ['09:00', '17:00'],
    state: 'pending',
    plateNo: '粤B6K218',
    personCount: 3,
  },
  {
    visitorName: '冯丽',
    mobile: '13810010004',
    visitorKind: 'housekeeping',
    reason: '保洁',
    offset: -1,
    hours: ['09:00', '12:00'],
    state: 'left',
  },
  {
    visitorName: '陈志强',
    mobile: '13810010005',
    visitorKind: 'business',
    reason: '洽谈',
    offset: 2,
    hours: ['10:00', '11:30'],
    state: 'passed',
    plateNo: '粤BD12345',
  },
  {
    visitorName: '褚文',
    mobile: '13810010006',
    visitorKind: 'friend',
    reason: '聚会',
    offset: -2,
    hours: ['18:00', '22:00'],
    state: 'expired',
  },
]

async function seedRules(tx: Tx, scope: Scope, projectCode: string, groupIds: readonly Id[]): Promise<Id> {
  const common = {
    projectCode,
    doorwayGroupIds: groupIds.map(String),
    needsCert: false,
    needsFace: false,
    allowsCar: true,
    state: 'on' as const,
  }
  const ids = await insertAll(tx, inviteRule, scope, [
    {
      ...common,
      ruleName: '住户邀请',
      hostTypes: ['resident'],
      advanceDays: 7,
      maxHours: 24,
      maxTimes: 2,
      maxPersons: 10,
      checkType: 'exempt',
    },
    {
      ...common,
      ruleName: '企业与物业邀请',
      hostTypes: ['company', 'staff'],
      advanceDays: 14,
      maxHours: 12,
      maxTimes: 4,
      maxPersons: 50,
      checkType: 'exempt',
    },
    {
      ...common,
      ruleName: '装修施工',
      hostTypes: ['resident', 'company', 'staff'],
      visitorKinds: ['decoration'],
      advanceDays: 30,
      maxHours: 720,
      maxTimes: 60,
      maxPersons: 20,
      needsCert: true,
      checkType: 'property',
      questions: [
        { label: '施工单位', kind: 'text' as const, isRequired: true },
        { label: '是否动火', kind: 'flag' as const, isRequired: true },
      ],
    },
  ])
  const [resident = 0] = ids
  await insertAll(tx, visitorCheckType, scope, [
    { projectCode, visitorKind: 'viewing', checkType: 'property', isEnabled: true },
  ])
  return resident
}

async function seedGatehouses(tx: Tx, scope: Scope, projectCode: string): Promise<Id[]> {
  const doorway = await findMainDoorway(tx, scope.ownerId, projectCode)
  const doorwayIds = doorway ? [String(doorway.id)] : []
  await insertAll(tx, visitorLocation, scope, [
    { projectCode, locationName: '东门岗', doorwayIds, phone: '0755-83000001', state: 'on' },
    { projectCode, locationName: '地库岗亭', state: 'on' },
  ])
  await insertAll(tx, visitorSetting, scope, [
    {
      projectCode,
      overtimeMinutes: 30,
      keepDays: 180,
      asksPhoto: false,
      asksItems: true,
      asksTemperature: false,
      maxTemperature: '37.3',
      printsSlip: false,
      notice: '请从东门进入，车辆停放在地库访客区；请勿尾随他人进入单元门。',
    },
  ])
  if (!doorway) return []
  return insertAll(tx, doorwayGroup, scope, [
    { projectCode, groupName: '访客通行', doorwayIds, scopeType: 'manual', state: 'on' },
  ])
}

const timesOf = ({ offset, hours }: Plan, today: Day): readonly [Moment, Moment] => {
  const day = addDays(today, offset)
  return [momentAt(day, hours[0]), momentAt(day, hours[1])]
}

const isOver = ({ state }: Plan): boolean => state === 'left'

interface SeedPlace {
  readonly projectCode: string
  readonly ruleId: Id
  readonly groupIds: readonly Id[]
  readonly today: Day
  /** The index of the project in its company. */
  readonly place: number
}

const invitationOf = (
  plan: Plan,
  i: number,
  host: DemoHost,
  { projectCode, ruleId, groupIds, today, place }: SeedPlace,
) => {
  const [beginTime, endTime] = timesOf(plan, today)
  const awaitsProperty = plan.state === 'pending'
  return {
    projectCode,
    // Of yesterday, whose numbers nobody draws any more.
    invitationNo: formatDocumentNumber('FK', addDays(today, -1), place * 100 + i + 1),
    visitorKind: plan.visitorKind,
    visitorName: plan.visitorName,
    mobile: plan.mobile,
    plateNo: plan.plateNo,
    personCount: plan.personCount ?? 1,
    isGroup: false,
    hostType: 'resident' as const,
    hostUserId: host.userId,
    hostName: host.name,
    roomId: host.roomId,
    reason: plan.reason,
    beginTime,
    endTime,
    firstEndTime: endTime,
    ruleId,
    maxTimes: 2,
    doorwayGroupIds: groupIds.map(String),
    checkType: awaitsProperty ? ('property' as const) : ('exempt' as const),
    stage: awaitsProperty ? ('property' as const) : undefined,
    createName: host.name,
    arriveTime: isOver(plan) ? addMinutes(beginTime, 12) : undefined,
    leaveTime: isOver(plan) ? addMinutes(endTime, -8) : undefined,
    state: plan.state,
  }
}

const visitorOf = (row: ReturnType<typeof invitationOf>, invitationId: Id) => ({
  projectCode: row.projectCode,
  invitationId,
  inviteNo: String(48_210_377 + Number(invitationId) * 7_919),
  visitorName: row.visitorName,
  mobile: row.mobile,
  plateNo: row.plateNo,
  roomId: row.roomId,
  beginTime: row.beginTime,
  endTime: row.endTime,
  doorwayGroupIds: row.doorwayGroupIds,
  maxTimes: row.maxTimes,
  usedTimes: row.state === 'left' ? 1 : 0,
  exitTimes: row.state === 'left' ? 1 : 0,
  arriveTime: row.arriveTime,
  leaveTime: row.leaveTime,
  state: row.state,
})

async function seedVisits(tx: Tx, scope: Scope, seeded: SeedPlace): Promise<void> {
  const hosts = await findHosts(tx, scope.ownerId, seeded.projectCode, plans.length)
  const rows = plans.flatMap((plan, i) => {
    const host = hosts[i]
    return host ? [invitationOf(plan, i, host, seeded)] : []
  })
  const ids = await insertAll(tx, invitation, scope, rows)
  await insertAll(
    tx,
    inviteVisitor,
    scope,
    rows.map((row, i) => visitorOf(row, ids[i] ?? 0)),
  )
}

/** Rules, a gatehouse and some invitations of each state: the screens of visitors show something. */
export async function seedVisitors(tx: Tx, scope: Scope, projectCode: string, place: number): Promise<void> {
  const today = dayOfInstant(Date.now())
  const groupIds = await seedGatehouses(tx, scope, projectCode)
  const ruleId = await seedRules(tx, scope, projectCode, groupIds)
  await seedVisits(tx, scope, { projectCode, ruleId, groupIds, today, place })
}
