import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { hasPermission, type Caller } from '#kit/server/scope.ts'
import { codes } from '#kit/server/sql.ts'
import { loadActiveCallers } from '#modules/accounts/server/public.ts'
import { orderState } from '../contract/choices.ts'
import { menu } from '../module.ts'

export type Person = Pick<Caller, 'operatorId' | 'domain'>

/** Orders `t` that are with somebody, who works on them or has to accept them. */
export const isWorking = sql`t.state in ${codes(orderState, 'dispatched', 'processing', 'suspended')}`

/**
 * Orders `t` that one of these people handles and sees: the place is in their data domain. One of no
 * building is for those who have the whole project, as in lists. Set-based: the orders may be many.
 */
export function isInDomainOfHandler(people: readonly Person[]): RawBuilder<unknown> {
  const everywhere = people.filter(person => person.domain.all).map(person => person.operatorId)
  const projects = people.flatMap(({ operatorId, domain }) =>
    [...domain.projects].map(([project, buildings]) => ({ operatorId, project, buildings })),
  )
  const whole = projects.filter(row => row.buildings === null)
  const single = projects.flatMap(({ operatorId, project, buildings }) =>
    [...(buildings ?? [])].map(building => ({ operatorId, project, building })),
  )
  return sql`(
    t.handler_id = any(${everywhere}::bigint[])
    or (t.handler_id, t.project_code) in (
      select *
      from unnest(${whole.map(row => row.operatorId)}::bigint[], ${whole.map(row => row.project)}::text[])
    )
    or (t.handler_id, t.project_code, t.build_code) in (
      select *
      from unnest(
        ${single.map(row => row.operatorId)}::bigint[], ${single.map(row => row.project)}::text[],
        ${single.map(row => row.building)}::text[]
      )
    )
  )`
}

/**
 * Orders `t` whose handler cannot go on with them: switched off, without the right, or with a data domain
 * that was narrowed since. Others have to be given them.
 */
export async function hasLostHandler(db: Pick<Db, 'rows'>, ownerId: Id): Promise<RawBuilder<unknown>> {
  const callers = await loadActiveCallers(db, ownerId)
  const able = callers.filter(caller => hasPermission(caller, menu.order.permissions.handle))
  return sql`(${isWorking} and ${isInDomainOfHandler(able)} is not true)`
}
