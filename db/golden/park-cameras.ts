import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { parkCamera } from '#modules/parking-cameras/contract/camera.ts'
import { cameraReading } from '#modules/parking-cameras/contract/reading.ts'
import type { ParkLanes } from './registered-car-stays.ts'

/** The serial number of the camera at a seeded lane. */
export const cameraSerial = (projectCode: string, parkNo: number, way: 'in' | 'out'): string =>
  `${projectCode}-${parkNo}${way === 'in' ? 'IN' : 'OUT'}`

interface SeededLane {
  readonly parkNo: number
  readonly way: 'in' | 'out'
  readonly laneId: Id
}

/** Readings of the last minutes at one lane: sure, unsure, kept while there was no line. */
const readingsOf = (projectCode: string, { parkNo, way, laneId }: SeededLane, cameraId: Id, now: Moment) => {
  const common = { projectCode, cameraId, laneId, way, plateColor: 'blue', isOffline: false } as const
  const at = (minutes: number, no: number) => {
    const time = addMinutes(now, -minutes)
    const recordKey = `${no}-${minutes}`
    const passKey = `${cameraSerial(projectCode, parkNo, way)}/${recordKey}`
    return { readTime: time, deviceTime: time, recordKey, passKey }
  }
  return [
    {
      ...common,
      ...at(95, 1),
      plateNo: '粤B20711',
      confidence: 97,
      isOffline: true,
      state: 'opened' as const,
      reason: '车辆已通过',
    },
    {
      ...common,
      ...at(40, 2),
      plateNo: '粤B38815',
      confidence: 99,
      state: 'opened' as const,
      reason: '临时车',
    },
    {
      ...common,
      ...at(12, 3),
      plateNo: '粤B6S210',
      confidence: 71,
      state: 'checked' as const,
      reason: '临时车',
      checkedPlate: '粤B65210',
      operatorName: '岗亭',
    },
    {
      ...common,
      ...at(31, 4),
      plateNo: '粤B1Z345',
      confidence: 58,
      // One that waits would lapse by itself while somebody looks.
      state: 'lapsed' as const,
      reason: '可信度 58%，请核对车牌',
    },
  ]
}

/** A camera at each lane of a project's car parks. They have no key: nobody reports with them. */
export async function seedParkCameras(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  parks: readonly ParkLanes[],
  now: Moment,
): Promise<void> {
  const lanes = parks.flatMap(({ inLaneId, outLaneId }, i): SeededLane[] => [
    { parkNo: i + 1, way: 'in', laneId: inLaneId },
    { parkNo: i + 1, way: 'out', laneId: outLaneId },
  ])
  const ids = await insertAll(
    tx,
    parkCamera,
    scope,
    lanes.map(({ parkNo, way, laneId }) => ({
      projectCode,
      cameraName: `${parkNo} 号车场${way === 'in' ? '入口' : '出口'}相机`,
      serialNo: cameraSerial(projectCode, parkNo, way),
      maker: 'vzenith' as const,
      authMode: 'signed' as const,
      laneId,
      opensBarrier: true,
      state: 'on' as const,
    })),
  )
  const [entrance] = lanes
  if (entrance) {
    await insertAll(tx, cameraReading, scope, readingsOf(projectCode, entrance, defined(ids[0]), now))
  }
}
