import type { Id } from '#kit/domain/id.ts'
import { codeOf, type ChoiceOf, type Day } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { companyState, edition } from '../contract/company.ts'
import { refreshSessionsOnCommit } from './granting.ts'

/** What changes of a company's subscription; an absent member stays as it is. */
export interface Subscription {
  readonly ownerId: Id
  readonly edition?: ChoiceOf<typeof edition>
  readonly expireDate?: Day
  readonly state?: ChoiceOf<typeof companyState>
  /** The modules that it has not taken (PERM-2); an empty list opens all. */
  readonly closedModules?: readonly string[]
}

/**
 * Writes what differs; where the modules changed, the company's sessions and menus follow after the commit.
 */
export async function updateSubscription(tx: Tx, app: App, change: Subscription): Promise<void> {
  const { ownerId } = change
  const editionCode = change.edition === undefined ? null : codeOf(edition, change.edition)
  const stateCode = change.state === undefined ? null : codeOf(companyState, change.state)
  const closedModules = change.closedModules ? [...change.closedModules] : null
  const changed = await tx.one<{ modulesChanged: boolean }>(sql`
    with before as (
      select p.owner_id, coalesce(p.closed_modules, '{}') as closed_modules
      from property p
      where p.owner_id = ${ownerId} and p.id = ${ownerId}
      for update
    )
    update property p
    set edition = coalesce(${editionCode}::smallint, p.edition),
      expire_date = coalesce(${change.expireDate ?? null}::date, p.expire_date),
      state = coalesce(${stateCode}::smallint, p.state),
      closed_modules = coalesce(${closedModules}::text[], p.closed_modules),
      version = p.version + 1, update_time = ${new Date(app.clock())}
    from before
    where p.owner_id = ${ownerId}
      and p.id = ${ownerId}
      and before.owner_id = p.owner_id
      and (
        coalesce(${editionCode}::smallint, p.edition),
        coalesce(${change.expireDate ?? null}::date, p.expire_date),
        coalesce(${stateCode}::smallint, p.state),
        coalesce(${closedModules}::text[], p.closed_modules, '{}')
      ) is distinct from (p.edition, p.expire_date, p.state, coalesce(p.closed_modules, '{}'))
    returning before.closed_modules is distinct from coalesce(p.closed_modules, '{}') as modules_changed
  `)
  if (changed?.modulesChanged) {
    refreshSessionsOnCommit(tx, app, ownerId, 'all')
  }
}
