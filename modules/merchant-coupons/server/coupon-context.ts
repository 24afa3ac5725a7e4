import { fromInstant, dayOfMoment } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { clockScope } from '#kit/server/scope.ts'

/** What a step of a coupon is done with, by staff, by a merchant or by a driver. */
export type CouponContext = Pick<WriteContext, 'tx' | 'scope' | 'now' | 'today'>

/** Work in a company for somebody who came by a link: the whole domain, nobody's rights, under their name. */
export const inCompany = <T>(
  app: App,
  ownerId: Id,
  name: string,
  work: (c: CouponContext) => Promise<T>,
): Promise<T> =>
  app.database.tx(ownerId, tx => {
    const now = fromInstant(app.clock())
    return work({ tx, now, today: dayOfMoment(now), scope: { ...clockScope(app, ownerId), name } })
  })
