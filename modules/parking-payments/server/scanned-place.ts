import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { clockScope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { park, type Park } from '#modules/parking/contract/park.ts'
import { parkLane, type ParkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { parkingStay, type ParkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { isInside } from '#modules/parking-lanes/server/public.ts'
import { invalidCode, readPayLink } from './pay-link.ts'

/** What a driver does by a printed code is done with: nobody's rights, in the company of the code. */
export type ScanContext = Pick<WriteContext, 'tx' | 'scope' | 'now' | 'today' | 'app'>

export interface ScannedPlace {
  readonly ownerId: Id
  readonly lot: Park
  readonly lane: ParkLane | undefined
}

export const inCompanyOf = <T>(app: App, ownerId: Id, work: (c: ScanContext) => Promise<T>): Promise<T> =>
  app.database.tx(ownerId, tx => {
    const now = fromInstant(app.clock())
    const scope = { ...clockScope(app, ownerId), name: '扫码缴费' }
    return work({ tx, app, now, today: dayOfMoment(now), scope })
  })

/** The car park, and the lane, of a printed code; one that is not in use any more opens nothing. */
export async function atScannedPlace<T>(
  app: App,
  code: string,
  work: (place: ScannedPlace, c: ScanContext) => Promise<T>,
): Promise<T> {
  const link = await readPayLink(app, code, ['park', 'lane'])
  if (!link) throw invalidCode()
  const { ownerId } = link
  return inCompanyOf(app, ownerId, async c => {
    const [lane] = link.kind === 'lane' ? await findByIds(c.tx, parkLane, c.scope, [link.id]) : []
    const parkId = link.kind === 'park' ? link.id : lane?.parkId
    const [lot] = parkId === undefined ? [] : await findByIds(c.tx, park, c.scope, [parkId])
    if (!lot || lot.state === 'off' || lane?.state === 'off') throw invalidCode()
    return work({ ownerId, lot, lane }, c)
  })
}

/** The car without a plate that a telephone brought into this car park, while it is inside. */
export async function findOwnStay(
  { lot, ownerId }: ScannedPlace,
  { tx, scope, app }: ScanContext,
  carKey: string | undefined,
): Promise<ParkingStay | undefined> {
  const link = carKey === undefined ? undefined : await readPayLink(app, carKey, ['car'])
  if (link?.ownerId !== ownerId) return undefined
  const [stay] = await findByIds(tx, parkingStay, scope, [link.id])
  return stay?.parkId === lot.id && isInside(stay) ? stay : undefined
}
