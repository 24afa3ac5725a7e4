import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Db } from '#kit/server/db.ts'
import type { MonthRight } from '#modules/parking/contract/month-right.ts'
import { findMonthRight } from '#modules/parking/server/public.ts'
import type { ParkingStay } from '../contract/stay.ts'

type StayPlate = Pick<ParkingStay, 'projectCode' | 'parkId' | 'plateNo'>

/** The month rights of stays at a moment; each car park is asked once. */
export async function findStayRights(
  db: Db,
  ownerId: Id,
  stays: readonly StayPlate[],
  at: Moment,
): Promise<(stay: StayPlate) => MonthRight> {
  const found = await Promise.all(
    [...Map.groupBy(stays, stay => stay.parkId)].map(async ([parkId, inPark]) => {
      const { projectCode } = defined(inPark[0])
      const plates = inPark.map(stay => stay.plateNo)
      return [parkId, await findMonthRight(db, ownerId, projectCode, parkId, plates, at)] as const
    }),
  )
  const byPark = new Map(found)
  return ({ parkId, plateNo }) => defined(byPark.get(parkId)?.get(plateNo))
}
