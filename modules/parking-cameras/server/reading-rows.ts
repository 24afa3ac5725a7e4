import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { addSeconds, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Statement } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, touch } from '#kit/server/sql.ts'
import { plateColor } from '#modules/parking/contract/car-labels.ts'
import { passWay } from '#modules/parking-lanes/contract/passage.ts'
import { readingState, type ReadingState } from '../contract/choices.ts'
import { steadySeconds } from '../domain/clock.ts'
import { sameCarSeconds } from '../domain/same-car.ts'
import type { PlateReading } from './adapters/adapter.ts'
import type { CameraRow } from './camera-rows.ts'
import type { SavedPicture } from './pictures.ts'

/** The readings of a lane one after the other, whichever its camera: before the lock of the car park. */
export const lockLane = ({ ownerId, laneId }: Pick<CameraRow, 'ownerId' | 'laneId'>): Statement => sql`
  select pg_advisory_xact_lock(hashtextextended('parking-cameras/' || ${laneId}::text, ${ownerId}))::text
`

export interface RecentRow {
  readonly id: Id
  readonly cameraId: Id
  readonly recordKey: string
  readonly passKey: string
  readonly plateNo?: string
  readonly checkedPlate?: string
  readonly way: number
  readonly state: number
  readonly isOffline: boolean
  readonly readTime: Moment
}

/** The record of this number, and what the lane's cameras have just read; the latest first. */
export const recentStatement = (
  { ownerId, id, laneId }: CameraRow,
  recordKey: string,
  now: Moment,
): Statement<RecentRow> => sql<RecentRow>`
  select t.id, t.camera_id, t.record_key, t.pass_key, t.plate_no, t.checked_plate, t.way,
    t.state, t.is_offline, t.read_time
  from park_camera_reading t
  where t.owner_id = ${ownerId} and t.camera_id = ${id} and t.record_key = ${recordKey}
  union all
  (
    select r.id, r.camera_id, r.record_key, r.pass_key, r.plate_no, r.checked_plate, r.way,
      r.state, r.is_offline, r.read_time
    from park_camera_reading r
    where r.owner_id = ${ownerId}
      and r.lane_id = ${laneId}
      and r.read_time >= ${addSeconds(now, -sameCarSeconds)}::timestamptz
      and (r.camera_id <> ${id} or r.record_key <> ${recordKey})
    order by r.read_time desc, r.id desc
    limit 20
  )
`

/** When the camera's last live reading before this minute was made, by its clock, and when it came. */
export const findEarlierTimes = (db: Db, { ownerId, id, laneId }: CameraRow, now: Moment) =>
  db.one<{ readonly readTime: Moment; readonly deviceTime: Moment }>(sql`
    select r.read_time, r.device_time
    from park_camera_reading r
    where r.owner_id = ${ownerId}
      and r.lane_id = ${laneId}
      and r.camera_id = ${id}
      and r.read_time <= ${addSeconds(now, -steadySeconds)}::timestamptz
      and r.device_time is not null
      and not r.is_offline
    order by r.read_time desc, r.id desc
    limit 1
  `)

interface NewReading {
  readonly camera: CameraRow
  readonly reading: PlateReading
  readonly way: 'in' | 'out'
  readonly scope: Scope
  readonly now: Moment
}

interface Decided {
  readonly state: ReadingState
  readonly reason: string
  readonly passKey: string
  readonly stayId?: Id | undefined
}

const maxReason = 200

export const insertReading = (
  { camera, reading, way, scope, now }: NewReading,
  { state, reason, passKey, stayId }: Decided,
  { key, fault }: SavedPicture,
): Statement => sql`
  insert into park_camera_reading (
    owner_id, project_code, camera_id, lane_id, record_key, pass_key, read_time, plate_no, plate_color, confidence,
    way, device_time, is_offline, state, reason, picture, picture_fault, stay_id, create_by, update_by
  )
  values (
    ${scope.ownerId}, ${camera.projectCode}, ${camera.id}, ${camera.laneId}, ${reading.recordKey}, ${passKey},
    ${now}::timestamptz, ${reading.plateNo ?? null},
    ${reading.plateColor === undefined ? null : codeOf(plateColor, reading.plateColor)}, ${reading.confidence},
    ${codeOf(passWay, way)}, ${reading.deviceTime ?? null}::timestamptz, ${reading.isOffline},
    ${codeOf(readingState, state)}, ${reason.slice(0, maxReason)}, ${key ?? null}, ${fault ?? null},
    ${stayId ?? null}, ${scope.operatorId}, ${scope.operatorId}
  )
  returning id
`

/** A car has gone through: what the lane could not read before it is nobody's question any more. */
export const lapseStatement = (scope: Scope, laneId: Id, now: Moment): Statement => sql`
  update park_camera_reading
  set state = ${code(readingState, 'lapsed')}, ${touch(scope)}
  where owner_id = ${scope.ownerId}
    and lane_id = ${laneId}
    and state = ${code(readingState, 'toCheck')}
    and read_time <= ${now}::timestamptz
  returning id
`
