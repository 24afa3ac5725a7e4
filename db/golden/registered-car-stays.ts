import { addDays } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, momentAt, type Moment } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, findByIds, insertAll } from '#kit/server/table.ts'
import { carGroup, type CarGroup } from '#modules/parking/contract/car-group.ts'
import { car, type Car } from '#modules/parking/contract/car.ts'
import { parkPlace } from '#modules/parking/contract/park-place.ts'
import { hasMonthRight } from '#modules/parking/domain/car-state.ts'
import { parkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { stayMinutes } from '#modules/parking-lanes/domain/stay-minutes.ts'

const days = 7

export interface ParkLanes {
  readonly parkId: Id
  readonly inLaneId: Id
  readonly outLaneId: Id
}

const unpaid = { shouldPay: asFen(0), discount: asFen(0), paid: asFen(0), isTimeDoubtful: false } as const

interface Nights {
  readonly of: Car
  /** A number of its own, so that no two cars pass at the same minute. */
  readonly index: number
  readonly lanes: ParkLanes
  readonly groupId: Id | undefined
}

/** One night: in the evening home, in the morning away; still inside where that is to come. */
function nightOf({ of, index, lanes, groupId }: Nights, day: number, now: Moment) {
  const evening = addDays(dayOfMoment(now), -day)
  const inTime = addMinutes(momentAt(evening, '17:30'), (index * 17 + day * 29) % 190)
  const outTime = addMinutes(momentAt(addDays(evening, 1), '07:00'), (index * 13 + day * 7) % 130)
  if (inTime > now || (index + day) % 6 === 0) return []
  const { parkId, inLaneId, outLaneId } = lanes
  const { projectCode, plateNo, carKind } = of
  const entry = {
    projectCode,
    parkId,
    plateNo,
    carKind,
    groupId,
    passTime: inTime,
    inTime,
    inLaneId,
    ...unpaid,
  }
  if (outTime > now) return [{ ...entry, state: 'inside' as const }]
  const minutes = stayMinutes(inTime, outTime)
  return [
    { ...entry, outTime, outLaneId, stayMinutes: minutes, state: 'out' as const, exitKind: 'auto' as const },
  ]
}

/** Of a group only as many cars come as it has places: none of them pays. */
const isOfFirst = ({ plateNos, placeCount }: CarGroup, plateNo: string): boolean =>
  plateNos.indexOf(plateNo) < placeCount

/** Cars on the month right go to work in the morning and come home in the evening. */
export async function seedRegisteredCarStays(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  lanes: readonly ParkLanes[],
  now: Moment,
): Promise<void> {
  const [first] = lanes
  if (!first) return
  const found = await findAll(tx, car, scope, { projectCode })
  const registered = found.filter(row => row.carState === 'normal' && hasMonthRight(row.carKind))
  const groups = await findAll(tx, carGroup, scope, { projectCode })
  const placeIds = registered.flatMap(row => row.placeId ?? [])
  const places = new Map((await findByIds(tx, parkPlace, scope, placeIds)).map(row => [row.id, row.parkId]))
  const stays = registered.flatMap((row, index) => {
    const parkId = row.placeId === undefined ? undefined : places.get(row.placeId)
    const group = groups.find(each => each.plateNos.includes(row.plateNo))
    if (group && !isOfFirst(group, row.plateNo)) return []
    const nights = {
      of: row,
      index,
      lanes: lanes.find(each => each.parkId === parkId) ?? defined(first),
      groupId: group?.id,
    }
    return Array.from({ length: days }, (_, day) => nightOf(nights, days - 1 - day, now)).flat()
  })
  await insertAll(tx, parkingStay, scope, stays)
}
