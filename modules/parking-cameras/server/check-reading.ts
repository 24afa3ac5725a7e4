import { refuse } from '#kit/contract/wire.ts'
import { addDaysToMoment, addSeconds, startOfDay } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { contains, requireById, update } from '#kit/server/table.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { keepStayPhoto, reportCar, requestLaneOpen } from '#modules/parking-lanes/server/public.ts'
import { cameraReading, cameraReadings, checkReading } from '../contract/reading.ts'
import { sameCarSeconds } from '../domain/same-car.ts'
import { lapseStatement, lockLane } from './reading-rows.ts'

const defaultDays = 7

export const readingServer = crudHandlers(cameraReadings, {
  filter: ({ plateNo, readTimeFrom }, { today }) => [
    ...(plateNo === undefined ? [] : [contains(sql`t.plate_no`, normalizePlate(plateNo))]),
    ...(readTimeFrom === undefined
      ? [sql`t.read_time >= ${addDaysToMoment(startOfDay(today), -defaultDays)}::timestamptz`]
      : []),
  ],
  keyword: word => contains(sql`t.plate_no`, normalizePlate(word)),
})

type Input = NonNullable<typeof checkReading.input.T>

/** The car is decided as if the camera had read this plate, under the same key: once. */
async function check({ id, plateNo }: Input, { tx, scope, now }: WriteContext) {
  const found = await requireById(tx, cameraReading, scope, id)
  await tx.execute(lockLane({ ownerId: scope.ownerId, laneId: found.laneId }))
  const row = await requireById(tx, cameraReading, scope, id, { lock: true })
  if (row.state !== 'toCheck') refuse('该识别已处理或已过时，请刷新列表')
  const { laneId, passKey, way, readTime, picture } = row
  const answer = await reportCar(
    tx,
    scope,
    { laneId, passKey, way, passTime: readTime, ...(plateNo === undefined ? {} : { plateNo }) },
    now,
  )
  await update(tx, cameraReading, scope, id, {
    state: 'checked',
    checkedPlate: answer.plateNo,
    operatorName: scope.name,
    stayId: answer.stayId,
    reason: [answer.reason, answer.warning].filter(Boolean).join('；').slice(0, 200),
  })
  const { stayId } = answer
  if (stayId !== undefined && picture !== undefined) {
    await tx.execute(keepStayPhoto(scope, { stayId, way, photo: picture }))
  }
  if (answer.isOpen) {
    const { plateNo: plate } = answer
    await tx.execute(lapseStatement(scope, laneId, addSeconds(readTime, sameCarSeconds)))
    await requestLaneOpen(tx, scope, { laneId, stayId, plateNo: plate, origin: 'staff', reason: '核对车牌' })
  }
  return answer
}

export const readingHandlers = [writes(checkReading, check)]
