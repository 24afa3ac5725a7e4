import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { selectCredentials, sourceOfCredential } from './credential-source.ts'
import type { ReachQuery } from './query.ts'

export interface CredentialHolder {
  readonly itemKey: string
  readonly userId?: Id
  readonly staffId?: Id
}

/** Whose some credentials are: of those that are valid. */
export const findCredentialHolders = (
  db: Db,
  query: ReachQuery & { readonly keys: readonly string[] },
): Promise<CredentialHolder[]> =>
  db.rows(sql`
    select c.item_key, c.user_id, c.staff_id
    from (${selectCredentials(query)}) c
  `)

/** Why a credential opens nothing in a project today; nothing where it is in order. */
export async function credentialFault(
  db: Db,
  query: ReachQuery & { readonly key: string },
): Promise<string | undefined> {
  const source = sourceOfCredential(query.key)
  return source ? source.explain(db, query) : '凭证类型无法识别'
}

/** Why one that is in order goes nowhere within a building at a moment: its hours are over, it is used up. */
export const stayFault = async (
  db: Db,
  query: ReachQuery & { readonly key: string },
  at: Moment,
): Promise<string | undefined> => sourceOfCredential(query.key)?.faultAt?.(db, query, at, 'both')
