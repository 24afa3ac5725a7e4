import { createHash, randomUUID } from 'node:crypto'
import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { installationSecretOf } from '#kit/server/installation-secret.ts'
import { sql, type Database, type Db, type Tx } from '#kit/server/db.ts'
import { personKinds } from '#kit/server/personal-data/registry.ts'
import { applicantKind } from '../contract/choices.ts'
import type { ErasureRequest } from '../contract/erasure.ts'
import type { MentionKey } from './confirmed-rows.ts'
import { createTimeOf, findPlaces, type Place } from './contact-places.ts'
import type { RowsToErase } from './erase.ts'
import { contactKind, type Person } from './person.ts'
import type { ReportLine } from './report.ts'
import type { DeclaredTable } from './table-statements.ts'

/** A record by its number, and by the moment it was made: numbers are given again after a restore. */
export interface JournalRecord {
  readonly entity: string
  readonly id: Id
  readonly createTime: string
}

/**
 * What an erasure is repeated by: which records were the person's, which rows somebody had confirmed, how
 * many rows of which table were found. Nothing in it tells who the person was.
 */
export interface JournalEntry {
  readonly format: 1
  readonly uid: string
  /** A company's numbers mean nothing in another installation. */
  readonly installation: string
  readonly ownerId: Id
  readonly time: string
  readonly request: JournalRecord & { readonly applicant: number; readonly personId: Id }
  readonly records: readonly JournalRecord[]
  /** Of somebody whom no entity records: where the telephone and the name stood. */
  readonly mobilePlaces: readonly Place[]
  readonly namePlaces: readonly Place[]
  readonly confirmed: readonly MentionKey[]
  readonly rowCounts: Readonly<Record<string, number>>
}

/** The secret with which every installation begins. */
const firstSecret = 'file-secret'

/** Tells installations apart, and nothing of the secret. */
export const installationOf = async (database: Database): Promise<string> =>
  createHash('sha256')
    .update(`erasures ${await installationSecretOf(database, firstSecret)}`)
    .digest('hex')
    .slice(0, 32)

const tableOfKind = (entity: string): string | undefined =>
  personKinds().find(kind => kind.entity === entity)?.table

/** These records with the moments they were made; those that are not there are left out. */
export async function readRecords(
  db: Db,
  ownerId: Id,
  records: readonly { readonly entity: string; readonly id: Id }[],
): Promise<JournalRecord[]> {
  const found: JournalRecord[] = []
  for (const [entity, of] of Map.groupBy(records, each => each.entity)) {
    const table = entity === 'erasureRequest' ? 'erasure_request' : tableOfKind(entity)
    if (table === undefined) continue
    const rows = await db.rows<{ id: Id; createTime: string }>(sql`
      select t.id, ${createTimeOf} as create_time
      from ${sql.table(table)} t
      where t.owner_id = ${ownerId} and t.id = any(${of.map(each => each.id)}::bigint[])
      order by t.id
    `)
    found.push(...rows.map(row => ({ entity, ...row })))
  }
  return found
}

interface Erasure {
  readonly request: ErasureRequest
  readonly person: Person
  readonly tables: readonly DeclaredTable[]
  readonly rows: RowsToErase
  readonly lines: readonly ReportLine[]
  readonly time: string
  readonly installation: string
}

/** To be read before the erasure: afterwards nothing stands where it stood. */
export async function readEntry(
  tx: Tx,
  { request, person, tables, rows, lines, time, installation }: Erasure,
): Promise<JournalEntry> {
  const { ownerId, records, all } = person
  const isContact = request.personKind === contactKind
  const [own] = await readRecords(tx, ownerId, [{ entity: 'erasureRequest', id: request.id }])
  const numbers = [...all.mobiles, ...all.idCards, ...all.emails, ...all.plates]
  const isPlain = ({ rowKey }: MentionKey): boolean => !numbers.some(number => rowKey.includes(number))
  const placesOf = (texts: readonly string[]): Promise<Place[]> =>
    isContact ? findPlaces(tx, ownerId, tables, rows, texts) : Promise.resolve([])
  return {
    format: 1,
    uid: randomUUID(),
    installation,
    ownerId,
    time,
    request: {
      entity: request.personKind,
      id: request.id,
      createTime: own?.createTime ?? '',
      applicant: Number(codeOf(applicantKind, request.applicant)),
      personId: request.personId,
    },
    records: await readRecords(tx, ownerId, records),
    mobilePlaces: await placesOf(all.mobiles),
    namePlaces: await placesOf(all.names),
    confirmed: [...person.confirmed]
      .flatMap(([tableName, keys]) => keys.map(rowKey => ({ tableName, rowKey })))
      .filter(isPlain),
    rowCounts: Object.fromEntries(lines.map(line => [line.tableName, line.rowCount])),
  }
}

/** All entries that the database has. */
export const readStoredEntries = async (db: Db): Promise<JournalEntry[]> => {
  const rows = await db.rows<{ entry: JournalEntry }>(sql`
    select run_journal as entry
    from erasure_request
    where run_journal is not null
    order by owner_id, id
  `)
  return rows.map(row => row.entry)
}
