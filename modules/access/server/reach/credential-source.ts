import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { cardNumberOf } from '#modules/residents/contract/card.ts'
import type { CredentialKind } from '../../contract/choices.ts'
import { selectColumns, type CredentialSelect } from './credential-columns.ts'
import type { OpenDecision } from './open-decision.ts'
import type { Holders, ReachQuery, Sql } from './query.ts'

/** A code before a reader that leads in. */
export interface CodeEntrance {
  readonly projectCode: string
  readonly number: string
  readonly doorwayId: Id
  readonly deviceId: Id
  /** The device's own number of the record; the passage has the same. */
  readonly recordKey: string
  /** Whether it opens the door at all: ACS-2. */
  readonly judge: () => Promise<OpenDecision>
}

export type EntranceDecision =
  | { readonly isOpen: true; readonly usedTimes: number }
  | { readonly isOpen: false; readonly reason: string }

/**
 * One kind of credential: cards and faces here; another module registers its own. Its holder is a resident or
 * one of the staff, or nobody: then the groups that it names are all its rights.
 */
export interface CredentialSource {
  readonly kind: CredentialKind
  /** Its records, by the name of their entity: a change of one reaches the devices. */
  readonly entity: string
  /** Those that are valid today or will be; of a moment those that open something at it. */
  readonly select: (query: ReachQuery) => readonly CredentialSelect[]
  /** `project_code` and `item_key` of everything that these people have or had. */
  readonly selectKeys: (ownerId: Id, holders: Holders) => Sql
  /** The same of some of its records. */
  readonly selectKeysOf: (ownerId: Id, ids: readonly Id[]) => Sql
  /** The same by what decides on them besides, by the entity of the records: a black list, a rule. */
  readonly selectKeysBy?: Readonly<Record<string, (ownerId: Id, ids: readonly Id[]) => Sql>>
  /**
   * Whose these are or were, in any state, one row each: `item_key`, `user_id`, `staff_id`, `number` and, of
   * what is neither a resident's nor of the staff, `holder_name`. Without it `select` says so of valid ones.
   */
  readonly selectHolders?: (ownerId: Id, projectCode: string, keys: readonly string[]) => Sql
  /** Why a credential opens nothing today; nothing where it is in order. */
  readonly explain: (db: Db, query: ReachQuery & { readonly key: string }) => Promise<string | undefined>
  /**
   * Why it opens nothing at a moment of its days: its hours, or how often it was used; `both`: at what is
   * neither a way in nor out (a lift).
   */
  readonly faultAt?: (
    db: Db,
    query: ReachQuery & { readonly key: string },
    at: Moment,
    /** `within`: of a door behind the gates; `heldExit`: a way out, as a device decides that holds it. */
    direction: 'exit' | 'entrance' | 'within' | 'both' | 'heldExit' | undefined,
  ) => Promise<string | undefined>
  /**
   * Of what lets in so many times: decides on an entrance and counts it, in one. No device holds it for doors
   * that lead in.
   */
  readonly countEntrance?: (tx: Tx, scope: Scope, entrance: CodeEntrance) => Promise<EntranceDecision>
}

const sources: CredentialSource[] = []

/** Once, as the module is loaded. */
export const registerCredentialSource = (source: CredentialSource): void => void sources.push(source)

export const credentialSources = (): readonly CredentialSource[] => sources

const isOfKind = (key: string, kind: CredentialKind): boolean => key.startsWith(`${kind}:`)

export const sourceOfCredential = (key: string): CredentialSource | undefined =>
  sources.find(({ kind }) => isOfKind(key, kind))

/** Whose entrances are counted. */
export const isCountedKey = (key: string): boolean => sourceOfCredential(key)?.countEntrance !== undefined

/** Those of the kinds that some keys name. */
export const sourcesOfCredentials = (keys: readonly string[]): readonly CredentialSource[] =>
  sources.filter(({ kind }) => keys.some(key => isOfKind(key, kind)))

const selectFrom = (some: readonly CredentialSource[], query: ReachQuery): Sql =>
  sql.join(
    some.flatMap(({ kind, select }) => select(query).map(part => selectColumns(kind, part))),
    sql` union all `,
  )

/** The valid credentials of one source, each with every column (`columnNames`). */
export const selectOfSource = (source: CredentialSource, query: ReachQuery): Sql =>
  selectFrom([source], query)

/** The same of all sources: where keys are named, only of their kinds, for each adds to every decision. */
export function selectCredentials(query: ReachQuery): Sql {
  const named = query.keys ? sourcesOfCredentials(query.keys) : sources
  // Of keys of no kind every source yields nothing.
  return selectFrom(named.length ? named : sources, query)
}

/** The kind is what a key begins with. */
export const keyOfCredential = (kind: CredentialKind, value: string | number): string =>
  `${kind}:${kind === 'card' ? cardNumberOf(String(value)) : value}`

/** What of these keys is of the kind, without it. */
export const valuesOfKind = (keys: readonly string[], kind: CredentialKind): string[] =>
  keys.flatMap(key => (isOfKind(key, kind) ? [key.slice(kind.length + 1)] : []))

/** Of a credential by its dates. */
export function dateFault(
  { beginDate, endDate }: { readonly beginDate?: Day | undefined; readonly endDate?: Day | undefined },
  today: Day,
): string | undefined {
  if (endDate !== undefined && endDate < today) return '凭证已过期'
  return beginDate !== undefined && beginDate > today ? '凭证尚未生效' : undefined
}
