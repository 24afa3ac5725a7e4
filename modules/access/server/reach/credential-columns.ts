import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { credentialKind, type CredentialKind } from '../../contract/choices.ts'
import type { Sql } from './query.ts'

/** What is to be had of a credential; what a source does not name is nothing, of the right type. */
export interface CredentialColumns {
  readonly itemKey: Sql
  /** Of its record. */
  readonly id: Sql
  readonly groupIds: Sql
  readonly number?: Sql
  /** A file; of a finger what its template is fetched by. */
  readonly picture?: Sql
  readonly userId?: Sql
  readonly staffId?: Sql
  readonly beginDate?: Sql
  readonly endDate?: Sql
  /** Those of the doors that it opens, null for all, `both` also for what has none (a lift). */
  readonly directions?: Sql
  /** Until when on the last day, as a local moment. */
  readonly endTime?: Sql
  /** The same for what is no way out (a lift). */
  readonly stayEndTime?: Sql
  /** How often it lets in, `{ maxTimes, usedTimes, isInside }`, while each entrance is counted. */
  readonly entrances?: Sql
  /** Of what is nobody's the rooms that it leads to. */
  readonly roomIds?: Sql
}

/** One select of a source: `from` is everything behind its columns. */
export interface CredentialSelect {
  readonly columns: CredentialColumns
  readonly from: Sql
}

const columnNames = [
  ['itemKey', 'item_key', 'text'],
  ['id', 'credential_id', 'bigint'],
  ['groupIds', 'group_ids', 'bigint[]'],
  ['number', 'number', 'text'],
  ['picture', 'picture', 'text'],
  ['userId', 'user_id', 'bigint'],
  ['staffId', 'staff_id', 'bigint'],
  ['beginDate', 'begin_date', 'date'],
  ['endDate', 'end_date', 'date'],
  ['directions', 'directions', 'smallint[]'],
  ['endTime', 'end_time', 'text'],
  ['stayEndTime', 'stay_end_time', 'text'],
  ['entrances', 'entrances', 'jsonb'],
  ['roomIds', 'room_ids', 'bigint[]'],
] as const satisfies readonly (readonly [keyof CredentialColumns, name: string, type: string])[]

/** All columns of every source in one order, and of one type: they stand under each other in one union. */
export const selectColumns = (kind: CredentialKind, { columns, from }: CredentialSelect): Sql => sql`
  select ${code(credentialKind, kind)}::smallint as kind, ${sql.join(
    columnNames.map(
      ([key, name, type]) => sql`(${columns[key] ?? sql`null`})::${sql.raw(type)} as ${sql.ref(name)}`,
    ),
  )}
  ${from}
`
