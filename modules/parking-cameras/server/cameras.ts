import { fromInstant, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { keyOf, labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, SignInRequired, type AnonymousContext, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { requireById, update } from '#kit/server/table.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { parkCamera, parkCameras, renewCameraKey, type ParkCamera } from '../contract/camera.ts'
import { cameraPath } from './authenticate.ts'
import { encryptCameraKey, newCameraKey } from './camera-key.ts'

type Draft = Pick<ParkCamera, 'projectCode' | 'serialNo' | 'laneId' | 'way'>

interface Lane {
  readonly id: Id
  readonly laneName: string
  readonly direction: number
}

/** The lane that was chosen, or the one that names the camera. */
const findLane = (tx: Tx, { ownerId }: Scope, { projectCode, serialNo, laneId }: Draft) =>
  tx.one<Lane>(sql`
    select id, lane_name, direction
    from park_lane
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and ${laneId === undefined ? sql`device_no = ${serialNo}` : sql`id = ${laneId}`}
      and ${notDeleted()}
    for share
  `)

async function cameraFaults(draft: Draft, { tx, scope }: WriteContext): Promise<FieldFault[]> {
  const lane = await findLane(tx, scope, draft)
  if (!lane) {
    const message = draft.laneId ? '车道不存在，请重新选择' : '没有车道的「相机编号」与序列号相同，请选择车道'
    return [{ Field: 'GateID', Message: message }]
  }
  const direction = keyOf(passageDirection, lane.direction)
  return direction === 'both' && draft.way === undefined
    ? [
        {
          Field: 'Way',
          Message: `「${lane.laneName}」为${labelOf(passageDirection, 'both')}，请选择识别方向`,
        },
      ]
    : []
}

/** The lane, where the serial number alone tells it. */
const withLane = async (draft: Draft, { tx, scope }: WriteContext): Promise<object> => {
  if (draft.laneId !== undefined) return {}
  const lane = await findLane(tx, scope, draft)
  return lane ? { laneId: lane.id } : {}
}

/** Without a word for so long it counts as away: polls come at least every few seconds. */
const offlineSeconds = 45

const isOnline = ({ lastSeen, state }: Pick<ParkCamera, 'lastSeen' | 'state'>, now: Moment): boolean =>
  state === 'on' && lastSeen !== undefined && secondsBetween(lastSeen, now) <= offlineSeconds

export const cameraServer = crudHandlers(parkCameras, {
  unique: { park_camera_serial_live: '该序列号的相机已登记，请核对' },
  refusesChangeOf: ['projectCode', 'serialNo'],
  check: cameraFaults,
  beforeInsert: withLane,
  beforeUpdate: withLane,
  enrich: async (rows, { app }) => {
    const now = fromInstant(app.clock())
    return rows.map(row => ({ ...row, isOnline: isOnline(row, now) }))
  },
})

function scopeOfCaller({ caller, app, ip, requestId }: AnonymousContext): Scope {
  if (!caller) throw new SignInRequired()
  return { ...caller, projectCode: '', ip, requestId, time: new Date(app.clock()).toISOString() }
}

/** Opens its own transaction: the answer with the key is not kept for a repeated request. */
export const cameraHandlers = [
  anonymous(renewCameraKey, async ({ id }, c) => {
    const scope = scopeOfCaller(c)
    const { ownerId } = scope
    const secret = newCameraKey()
    const bytes = await encryptCameraKey(c.app, ownerId, id, secret)
    const camera = await c.app.database.tx(ownerId, async tx => {
      await requireById(tx, parkCamera, scope, id, { lock: true })
      await tx.execute(sql`
        update park_camera
        set run_key = ${bytes}
        where owner_id = ${ownerId} and id = ${id}
      `)
      // The audit row says that there is a new key, never which.
      return update(tx, parkCamera, scope, id, { keyTime: c.now }, { reason: '更换密钥' })
    })
    return { secret, address: cameraPath(camera.maker, String(ownerId), camera.serialNo) }
  }),
]
