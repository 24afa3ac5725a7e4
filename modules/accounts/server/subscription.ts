import type { ChoiceOf, Day } from '#kit/contract/field.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { companyState, edition } from '../contract/company.ts'
import { refreshSessionsOnCommit } from './granting.ts'

/** What a company has of the product; what is left out stays as it is. */
export interface Subscription {
  readonly ownerId: number
  readonly edition?: ChoiceOf<typeof edition>
  readonly expireDate?: Day
  readonly state?: ChoiceOf<typeof companyState>
  /** Modules it has not taken (PERM-2); none of them: everything is there. */
  readonly closedModules?: readonly string[]
}

/**
 * Writes what changed of many companies in one statement; whose modules changed, his people's sessions and
 * menus follow after the commit.
 */
export async function updateSubscriptions(tx: Tx, app: App, all: readonly Subscription[]): Promise<void> {
  if (!all.length) return
  const rows = all.map(s => ({
    owner: s.ownerId,
    edition: s.edition && codeOf(edition, s.edition),
    until: s.expireDate,
    state: s.state && codeOf(companyState, s.state),
    closed: s.closedModules,
  }))
  const changed = await tx.rows<{ ownerId: number; moved: boolean }>(sql`
    with was as (
      select p.owner_id, coalesce(p.closed_modules, '{}') as closed
      from property p
      where p.owner_id = any(${all.map(s => s.ownerId)}::bigint[])
      order by 1
      for update
    )
    update property p
    set edition = coalesce(r.edition, p.edition), expire_date = coalesce(r.until, p.expire_date),
      state = coalesce(r.state, p.state), closed_modules = coalesce(r.closed, p.closed_modules),
      version = p.version + 1, update_time = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      owner bigint, edition smallint, until date, state smallint, closed text[]
    ),
      was
    where p.owner_id = r.owner
      and p.id = r.owner
      and was.owner_id = p.owner_id
      and (
        coalesce(r.edition, p.edition), coalesce(r.until, p.expire_date), coalesce(r.state, p.state),
        coalesce(r.closed, p.closed_modules, '{}')
      ) is distinct from (p.edition, p.expire_date, p.state, coalesce(p.closed_modules, '{}'))
    returning p.owner_id, was.closed is distinct from coalesce(p.closed_modules, '{}') as moved
  `)
  for (const c of changed) {
    if (c.moved) {
      refreshSessionsOnCommit(tx, app, c.ownerId, 'all')
    }
  }
}
