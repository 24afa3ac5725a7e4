import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { clockScope, systemScope, type Scope } from '#kit/server/scope.ts'

/** What a step of an activity is done with, by staff or by a resident. */
export type ActivityContext = Pick<WriteContext, 'tx' | 'app' | 'scope' | 'now' | 'today'>

/** Work in a company for a resident: the whole domain, nobody's rights, under their name. */
export const inCompany = <T>(
  app: App,
  ownerId: Id,
  name: string,
  work: (c: ActivityContext) => Promise<T>,
): Promise<T> =>
  app.database.tx(ownerId, tx => {
    const now = fromInstant(app.clock())
    return work({ tx, app, now, today: dayOfMoment(now), scope: { ...clockScope(app, ownerId), name } })
  })

/** Who cancels may know nothing of bills, and the cashier nothing of activities: the product's own step. */
export const ownScope = (scope: Scope): Scope => ({
  ...systemScope(scope.ownerId, scope.time),
  operatorId: scope.operatorId,
  name: scope.name,
})
