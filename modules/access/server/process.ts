import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { credentialKind, rightSource } from '../contract/choices.ts'
import { doorwayDevice } from '../contract/doorway-device.ts'
import { doorway } from '../contract/doorway.ts'
import { getPassageProcess } from '../contract/process.ts'
import { publicTime } from '../contract/public-time.ts'
import { windowsText, type WeekWindow } from '#kit/domain/week-window.ts'
import { withStatus } from './doorway-device.ts'
import { reachCte } from './reach/reach.ts'
import type { ReachQuery } from './reach/query.ts'

interface StoredReason {
  readonly source: number
  readonly name?: string
  readonly windows?: readonly WeekWindow[]
  readonly people: number
  readonly credentials: number
}

/** A right counts from its first day on: those of later days are not passed with today. */
const begun = (today: Day) => sql`(r.from_date is null or r.from_date <= ${today}::date)`

/** Why a door opens today, and for how many: the rights by what they follow from. */
async function findReasons(db: Db, query: ReachQuery) {
  const rows = await db.rows<StoredReason>(sql`
    with ${reachCte(query)}
    select r.source, r.source_name as name, r.windows,
      (count(distinct r.user_id) + count(distinct r.staff_id))::integer as people,
      count(distinct r.item_key)::integer as credentials
    from reach r
    where ${begun(query.today)}
    group by r.source, r.source_name, r.windows
    order by r.source, r.source_name
  `)
  return rows.map(({ source, windows, ...row }) => ({
    ...row,
    source: defined(keyOf(rightSource, source)),
    windows: windowsText(windows),
  }))
}

async function countCredentials(db: Db, query: ReachQuery) {
  const rows = await db.rows<{ kind: number; count: number }>(sql`
    with ${reachCte(query)}
    select r.kind, count(distinct r.item_key)::integer as count
    from reach r
    where ${begun(query.today)}
    group by r.kind
    order by r.kind
  `)
  return rows.map(({ kind, count }) => ({ kind: defined(keyOf(credentialKind, kind)), count }))
}

const isInEffect = (today: Day) => sql`
  (t.effective_from is null or t.effective_from <= ${today}::date)
  and (t.effective_to is null or t.effective_to >= ${today}::date)
`

const ofDoorway = (doorwayId: Id) => sql`t.doorway_id = ${doorwayId}`

export const processHandlers = [
  reads(getPassageProcess, async ({ doorwayId }, { db, scope, today }) => {
    const { projectCode, state, ...shown } = await requireById(db, doorway, scope, doorwayId)
    const query = { ownerId: scope.ownerId, today, projectCode, doorwayIds: [doorwayId] }
    const links = await findAll(db, doorwayDevice, scope, { projectCode }, { where: [ofDoorway(doorwayId)] })
    const times = await findAll(
      db,
      publicTime,
      scope,
      { projectCode },
      { where: [ofDoorway(doorwayId), isInEffect(today)] },
    )
    return {
      doorwayName: shown.doorwayName,
      isInUse: state === 'on',
      direction: shown.direction,
      openSeconds: shown.openSeconds,
      credentials: await countCredentials(db, query),
      rights: await findReasons(db, query),
      freeTimes: times.map(({ weekDays, beginTime, endTime }) => ({
        windows: windowsText([{ weekDays, begin: beginTime, end: endTime }]),
      })),
      devices: (await withStatus(links, db, scope.ownerId)).map(link => ({
        deviceName: link.deviceName ?? '',
        direction: link.direction,
        isOnline: link.isOnline,
        wantedCount: link.wantedCount ?? 0,
        waitingCount: link.waitingCount ?? 0,
        failedCount: link.failedCount ?? 0,
        removingCount: link.removingCount ?? 0,
        missingReason: link.missingReason,
      })),
    }
  }),
]
