import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, addMinutes, dayOfMoment, momentAt, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { visitorBlock } from '#modules/visitors/contract/block.ts'
import type { VisitorKind, VisitState } from '#modules/visitors/contract/choices.ts'
import { inviteValid } from '#modules/visitors/contract/invite-valid.ts'
import { invitation } from '#modules/visitors/contract/invitation.ts'
import { inviteTemplate } from '#modules/visitors/contract/template.ts'
import { visitRecord } from '#modules/visitors/contract/visit-record.ts'
import { inviteVisitor } from '#modules/visitors/contract/visitor.ts'
import { plainTemplate } from '#modules/visitors/domain/template.ts'
import { createNamer } from './names.ts'
import { seededRandom } from './random.ts'

interface Host {
  readonly userId: Id
  readonly hostName: string
  readonly roomId: Id
}

const findHosts = (tx: Tx, ownerId: Id, projectCode: string): Promise<Host[]> =>
  tx.rows(sql`
    select l.user_id, p.name as host_name, l.room_id
    from user_room l
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id
    where l.owner_id = ${ownerId}
      and l.project_code = ${projectCode}
      and l.room_id is not null
      and l.out_date is null
      and ${notDeleted('l')}
    order by l.id
    limit 60
  `)

interface Visit {
  readonly host: Host
  readonly visitorName: string
  readonly mobile: string
  readonly plateNo: string | undefined
  readonly visitorKind: VisitorKind
  readonly beginTime: Moment
  readonly endTime: Moment
  readonly state: VisitState
  readonly arriveTime: Moment | undefined
  readonly leaveTime: Moment | undefined
}

const kinds: readonly VisitorKind[] = [
  'friend',
  'friend',
  'delivery',
  'housekeeping',
  'decoration',
  'viewing',
]
const pastVisits = 40
const hoursOfVisit = 10

/** Visits of the last days, of today, and of the days to come; one who should have left has not. */
function planVisits(hosts: readonly Host[], now: Moment): Visit[] {
  const random = seededRandom(1128)
  const namer = createNamer(random, '139')
  const common = (i: number) => ({
    host: defined(hosts[i % hosts.length]),
    visitorName: namer.name(),
    mobile: namer.mobile(),
    plateNo: i % 4 ? undefined : `粤B${String(20_000 + i * 37)}`,
    visitorKind: defined(kinds[i % kinds.length]),
  })
  const past = Array.from({ length: pastVisits }, (_, i): Visit => {
    const beginTime = addMinutes(
      momentAt(dayOfMoment(addDaysToMoment(now, -1 - (i % 20))), '08:00'),
      random(600),
    )
    const came = i % 7 !== 3
    return {
      ...common(i),
      beginTime,
      endTime: addMinutes(beginTime, hoursOfVisit * 60),
      state: came ? 'left' : 'expired',
      arriveTime: came ? addMinutes(beginTime, 10 + random(60)) : undefined,
      leaveTime: came ? addMinutes(beginTime, 90 + random(240)) : undefined,
    }
  })
  const around = (i: number, from: number, to: number, arrived: number | undefined): Visit => ({
    ...common(pastVisits + i),
    beginTime: addMinutes(now, from),
    endTime: addMinutes(now, to),
    state: arrived === undefined ? 'passed' : 'arrived',
    arriveTime: arrived === undefined ? undefined : addMinutes(now, arrived),
    leaveTime: undefined,
  })
  return [
    ...past.toSorted((a, b) => (a.beginTime < b.beginTime ? -1 : 1)),
    around(0, -240, -75, -230),
    around(1, -60, 300, -40),
    around(2, -30, 240, -15),
    around(3, -20, 360, undefined),
    around(4, -10, 480, undefined),
    around(5, 1440, 1900, undefined),
  ]
}

const firstCode = 20_260_000

interface Placed {
  readonly projectCode: string
  readonly ruleId: Id
  readonly locationId: Id
  readonly guard: { readonly id: Id; readonly name: string }
}

/** Invitations with one visitor each. */
async function addInvited(tx: Tx, scope: Scope, visits: readonly Visit[], placed: Placed) {
  const { projectCode, ruleId } = placed
  const invitationIds = await insertAll(
    tx,
    invitation,
    scope,
    visits.map((visit, i) => ({
      projectCode,
      invitationNo: `YF${projectCode}${String(i + 1).padStart(6, '0')}`,
      visitorKind: visit.visitorKind,
      visitorName: visit.visitorName,
      mobile: visit.mobile,
      plateNo: visit.plateNo,
      personCount: 1,
      isGroup: false,
      hostType: 'resident' as const,
      hostUserId: visit.host.userId,
      hostName: visit.host.hostName,
      roomId: visit.host.roomId,
      beginTime: visit.beginTime,
      endTime: visit.endTime,
      firstEndTime: visit.endTime,
      ruleId,
      maxTimes: 1,
      checkType: 'exempt' as const,
      createName: visit.host.hostName,
      arriveTime: visit.arriveTime,
      leaveTime: visit.leaveTime,
      state: visit.state,
    })),
  )
  const visitorIds = await insertAll(
    tx,
    inviteVisitor,
    scope,
    visits.map((visit, i) => ({
      projectCode,
      invitationId: invitationIds[i],
      inviteNo: `${firstCode + Number(placed.ruleId) * 100 + i}`,
      visitorName: visit.visitorName,
      mobile: visit.mobile,
      plateNo: visit.plateNo,
      roomId: visit.host.roomId,
      beginTime: visit.beginTime,
      endTime: visit.endTime,
      maxTimes: 1,
      usedTimes: visit.arriveTime ? 1 : 0,
      exitTimes: visit.leaveTime ? 1 : 0,
      arriveTime: visit.arriveTime,
      leaveTime: visit.leaveTime,
      state: visit.state,
    })),
  )
  return visits.map((visit, i) => ({
    ...visit,
    invitationId: defined(invitationIds[i]),
    visitorId: defined(visitorIds[i]),
  }))
}

type Invited = Awaited<ReturnType<typeof addInvited>>[number]

/** The visitors' book, and what codes were worth at the gate. */
async function addRecords(tx: Tx, scope: Scope, invited: readonly Invited[], placed: Placed): Promise<void> {
  const { projectCode, locationId, guard } = placed
  const came = invited.filter(visit => visit.arriveTime !== undefined)
  await insertAll(
    tx,
    visitRecord,
    scope,
    came.map(visit => ({
      projectCode,
      invitationId: visit.invitationId,
      visitorId: visit.visitorId,
      visitorKind: visit.visitorKind,
      visitorName: visit.visitorName,
      mobile: visit.mobile,
      plateNo: visit.plateNo,
      personCount: 1,
      roomId: visit.host.roomId,
      hostName: visit.host.hostName,
      endTime: visit.endTime,
      inLocationId: locationId,
      inTime: visit.arriveTime,
      inGuardId: guard.id,
      inGuardName: guard.name,
      ...(visit.leaveTime
        ? { outLocationId: locationId, outTime: visit.leaveTime, outGuardName: guard.name }
        : {}),
      state: visit.leaveTime ? ('left' as const) : ('inside' as const),
    })),
  )
  const seen = { projectCode, locationId, guardId: guard.id, guardName: guard.name }
  const validations = came.flatMap(({ invitationId, visitorId, arriveTime, leaveTime }) => [
    { ...seen, invitationId, visitorId, direction: 'in' as const, validTime: arriveTime },
    ...(leaveTime
      ? [{ ...seen, invitationId, visitorId, direction: 'out' as const, validTime: leaveTime }]
      : []),
  ])
  await insertAll(
    tx,
    inviteValid,
    scope,
    validations
      .toSorted((a, b) => (a.validTime ?? '').localeCompare(b.validTime ?? ''))
      .map(validation => ({ ...validation, result: 'passed' as const })),
  )
}

/** The first gatehouse and the first rule of a project. */
const findPlace = (
  tx: Tx,
  ownerId: Id,
  projectCode: string,
): Promise<Pick<Placed, 'ruleId' | 'locationId'> | undefined> =>
  tx.one(sql`
    select min(r.id) as rule_id, min(l.id) as location_id
    from invite_rule r
    join visitor_location l on l.owner_id = ${ownerId} and l.project_code = r.project_code
    where r.owner_id = ${ownerId} and r.project_code = ${projectCode}
    having count(*) > 0
  `)

/** Visitors who came and went at the gatehouse of a project, after its rules. */
export async function seedVisits(tx: Tx, scope: Scope, projectCode: string, now: Moment): Promise<void> {
  const hosts = await findHosts(tx, scope.ownerId, projectCode)
  const place = await findPlace(tx, scope.ownerId, projectCode)
  if (!hosts.length || !place) return
  const placed: Placed = { projectCode, ...place, guard: { id: scope.operatorId, name: scope.name } }
  const invited = await addInvited(tx, scope, planVisits(hosts, now), placed)
  await addRecords(tx, scope, invited, placed)
  await insertAll(tx, visitorBlock, scope, [
    { projectCode, name: '周某', mobile: '13900007788', reason: '多次强行推销' },
    { projectCode, name: '陈某', plateNo: '粤B66W66', reason: '占用消防通道' },
  ])
  const published = { isDefault: true, state: 'published' as const }
  await insertAll(tx, inviteTemplate, scope, [
    { projectCode, templateName: '标准邀请函', ...plainTemplate, ...published },
  ])
}
