import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { PeopleOfKind } from '#kit/server/personal-data/declaration.ts'
import type { Scope } from '#kit/server/scope.ts'
import { withdrawItems } from '#modules/devices/server/public.ts'
import { credentialSources } from '../reach/credential-source.ts'
import type { Holders, Sql } from '../reach/query.ts'
import { devicePlans } from './device-plans.ts'

/** What the devices of each module call a credential: its key behind these. */
const prefixes = (): string[] => ['', ...devicePlans().map(plan => plan.keyPrefix)]

/** Selects `project_code` and `item_key` of credentials, as every module's devices call them. */
export const deviceKeysOf = (selectKeys: Sql): Sql => sql`
  select k.project_code, p.prefix || k.item_key as item_key
  from (${selectKeys}) k
  cross join unnest(${prefixes()}::text[]) p(prefix)
`

export const holdersOf = (kind: 'resident' | 'staff', ids: PeopleOfKind['ids']): Holders =>
  kind === 'resident' ? { userIds: ids } : { staffIds: ids }

/** The same of everything that these people have or had. */
export const selectKeysOfHolders = (ownerId: Id, holders: Holders): Sql =>
  deviceKeysOf(
    sql.join(
      credentialSources().map(source => source.selectKeys(ownerId, holders)),
      sql` union all `,
    ),
  )

/** Takes credentials from all devices at once, while their records still stand. */
export async function withdrawCredentials(tx: Tx, scope: Scope, selectKeys: Sql): Promise<void> {
  const rows = await tx.rows<{ projectCode: string; itemKey: string }>(sql`${selectKeys}`)
  for (const [projectCode, some] of Map.groupBy(rows, row => row.projectCode)) {
    await withdrawItems(
      tx,
      scope,
      projectCode,
      some.map(({ itemKey }) => itemKey),
    )
  }
}
