import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import type { CredentialKind } from '../../contract/choices.ts'
import type { Holders, ReachQuery, Sql } from './query.ts'

/**
 * One kind of credential: cards and faces here; another module registers its own. Its holder is a resident or
 * one of the staff, or nobody: then the groups that it names are all its rights.
 */
export interface CredentialSource {
  readonly kind: CredentialKind
  /** Its records, by the name of their entity: a change of one reaches the devices. */
  readonly entity: string
  /**
   * Those that are valid today or will be: `item_key`, `kind`, `credential_id`, `number`, `picture`,
   * `user_id`, `staff_id`, `group_ids`, `begin_date`, `end_date`.
   */
  readonly select: (query: ReachQuery) => Sql
  /** `project_code` and `item_key` of everything that these people have or had. */
  readonly selectKeys: (ownerId: Id, holders: Holders) => Sql
  /** The same of some of its records. */
  readonly selectKeysOf: (ownerId: Id, ids: readonly Id[]) => Sql
  /** Why a credential opens nothing today; nothing where it is in order. */
  readonly explain: (db: Db, query: ReachQuery & { readonly key: string }) => Promise<string | undefined>
}

const sources: CredentialSource[] = []

/** Once, as the module is loaded. */
export const registerCredentialSource = (source: CredentialSource): void => void sources.push(source)

export const credentialSources = (): readonly CredentialSource[] => sources

/** The kind is what a key begins with. */
export const keyOfCredential = (kind: CredentialKind, value: string | number): string => `${kind}:${value}`

/** What of these keys is of the kind, without it. */
export const valuesOfKind = (keys: readonly string[], kind: CredentialKind): string[] =>
  keys.flatMap(key => (key.startsWith(`${kind}:`) ? [key.slice(kind.length + 1)] : []))

/** Of a credential by its dates. */
export function dateFault(
  { beginDate, endDate }: { readonly beginDate?: Day | undefined; readonly endDate?: Day | undefined },
  today: Day,
): string | undefined {
  if (endDate !== undefined && endDate < today) return '凭证已过期'
  return beginDate !== undefined && beginDate > today ? '凭证尚未生效' : undefined
}
