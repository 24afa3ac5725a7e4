import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, type WriteContext } from '#kit/server/handler.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { listParkDevices, parkLane, parkLanes, pickLanes, type ParkLane } from '../contract/park-lane.ts'
import { stayState } from '../contract/choices.ts'
import { publishLanesWithdrawn } from './lane-event.ts'

async function laneFaults(
  { parkId, projectCode }: Pick<ParkLane, 'parkId' | 'projectCode'>,
  { tx, scope }: WriteContext,
): Promise<FieldFault[]> {
  const park = await tx.one<{ projectCode: string }>(sql`
    select project_code
    from park
    where owner_id = ${scope.ownerId} and id = ${parkId} and ${notDeleted()}
    for share
  `)
  return park?.projectCode === projectCode
    ? []
    : [{ Field: 'ParkID', Message: '停车场不存在或不属于该项目，请重新选择' }]
}

/** A car that came in by a lane is still inside: its record needs the lane's name. */
async function assertNobodyInside(lanes: readonly ParkLane[], { tx, scope }: WriteContext): Promise<void> {
  const used = await tx.one<{ laneId: number }>(sql`
    select in_lane_id as lane_id
    from parking_stay
    where owner_id = ${scope.ownerId}
      and in_lane_id = any(${lanes.map(lane => lane.id)}::bigint[])
      and state in ${codes(stayState, 'inside', 'paid')}
      and ${notDeleted()}
    limit 1
  `)
  const lane = lanes.find(({ id }) => id === used?.laneId)
  if (lane) {
    refuse(`还有从「${lane.laneName}」入场的车辆在场，请改为停用`)
  }
}

type LanePlace = Pick<ParkLane, 'state' | 'boothName'>

const isWithdrawn = (before: LanePlace, after: LanePlace): boolean =>
  before.state === 'on' && (after.state !== 'on' || (after.boothName ?? '') !== (before.boothName ?? ''))

export const laneServer = crudHandlers(parkLanes, {
  unique: {
    park_lane_name_live: '该停车场已有同名车道，请更换',
    park_lane_device_live: '该相机已在另一车道上，请先从那里取下',
  },
  refusesChangeOf: ['projectCode', 'parkId'],
  check: laneFaults,
  beforeUpdate: async (after, { tx, scope }, before) => {
    if (isWithdrawn(before, after)) {
      await publishLanesWithdrawn(tx, scope, [before])
    }
    return {}
  },
  beforeDelete: async (lanes, c) => {
    await assertNobodyInside(lanes, c)
    await publishLanesWithdrawn(c.tx, c.scope, lanes)
  },
  pickers: [pickLanes],
})

export const laneHandlers = [
  reads(listParkDevices, ({ projectCode, parkId }, { db, scope }) =>
    findAll(db, parkLane, scope, projectCode ? { projectCode } : {}, {
      where: parkId === undefined ? [] : [sql`t.park_id = ${parkId}`],
    }),
  ),
]
