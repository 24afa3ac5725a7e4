import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Statement } from '#kit/server/db.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { minConfidenceSetting } from './settings.ts'

/** A camera as a request of it needs it. */
export interface CameraRow {
  readonly ownerId: Id
  readonly id: Id
  readonly projectCode: string
  readonly cameraName: string
  readonly serialNo: string
  readonly maker: number
  readonly authMode: number
  readonly state: number
  readonly laneId: Id
  readonly way?: number
  readonly opensBarrier: boolean
  readonly clockDiff?: number
  readonly runKey?: Buffer
  readonly laneDirection: number
  readonly parkId: Id
  readonly minConfidence?: string
}

/** Needs park_camera_serial_live. */
export const findCamera = (db: Db, ownerId: Id, serialNo: string): Promise<CameraRow | undefined> =>
  db.one<CameraRow>(sql`
    select c.owner_id, c.id, c.project_code, c.camera_name, c.serial_no, c.maker, c.auth_mode, c.state, c.lane_id,
      c.way, c.opens_barrier, c.clock_diff, c.run_key, g.direction as lane_direction, g.park_id,
      (
        select s.value
        from estate_setting s
        where s.owner_id = ${ownerId} and s.project_code = c.project_code and s.key = ${minConfidenceSetting.key}
      ) as min_confidence
    from park_camera c
    join park_lane g on g.owner_id = ${ownerId} and g.id = c.lane_id and ${notDeleted('g')}
    where c.owner_id = ${ownerId} and c.serial_no = ${serialNo} and ${notDeleted('c')}
  `)

/** What a camera does reaches no further than the project of its lane. */
export const cameraScope = (
  app: Pick<App, 'clock'>,
  { ownerId, projectCode, cameraName }: Pick<CameraRow, 'ownerId' | 'projectCode' | 'cameraName'>,
  ip: string,
): Scope => ({
  ...clockScope(app, ownerId),
  name: cameraName,
  projectCode,
  domain: { all: false, projects: new Map([[projectCode, null]]) },
  ip,
})

/** One request is taken once: no row where its nonce was used before. */
export const nonceStatement = (
  { ownerId, id, projectCode }: CameraRow,
  nonce: string,
  now: Date,
): Statement<{ cameraId: Id }> => sql<{ cameraId: Id }>`
  insert into park_camera_nonce (owner_id, project_code, camera_id, nonce, used_time)
  values (${ownerId}, ${projectCode}, ${id}, ${nonce}, ${now}::timestamptz)
  on conflict (owner_id, camera_id, nonce) do nothing
  returning camera_id
`

/** Seconds between two writes of when a camera was last heard. */
const seenEverySeconds = 10

/** It is there; with what its clock and its last message showed, where there was one. */
export const seenStatement = (
  { ownerId, id }: CameraRow,
  now: Date,
  shown?: { readonly clockDiff: number | undefined; readonly fault: string | undefined },
): Statement =>
  shown === undefined
    ? sql`
        update park_camera
        set last_seen = ${now}::timestamptz
        where owner_id = ${ownerId}
          and id = ${id}
          and (last_seen is null or last_seen < ${new Date(now.getTime() - seenEverySeconds * 1000)}::timestamptz)
        returning id
      `
    : sql`
        update park_camera
        set last_seen = ${now}::timestamptz, clock_diff = coalesce(${shown.clockDiff ?? null}::integer, clock_diff),
          fault = ${shown.fault ?? null}
        where owner_id = ${ownerId} and id = ${id}
        returning id
      `
