import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { clockScope } from '#kit/server/scope.ts'

/** What a step of an invitation is done with, by one of the staff or by a host or visitor through a link. */
export type VisitContext = Pick<WriteContext, 'tx' | 'scope' | 'now' | 'today' | 'app'>

/** The same for what only asks. */
export type VisitQueryContext = Omit<VisitContext, 'tx'> & { readonly tx: Db }

/** Work in a company for somebody who came by a link: the whole domain, nobody's rights, under their name. */
export const inCompany = <T>(
  app: App,
  ownerId: Id,
  name: string,
  work: (c: VisitContext) => Promise<T>,
): Promise<T> =>
  app.database.tx(ownerId, (tx: Tx) => {
    const now = fromInstant(app.clock())
    return work({ tx, app, now, today: dayOfMoment(now), scope: { ...clockScope(app, ownerId), name } })
  })
