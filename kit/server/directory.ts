import type { Id } from '#kit/domain/id.ts'
import { sql, type Database, type Db, type Statement, type Tx } from './db.ts'

/**
 * What is looked up before a company is known and unique over the installation: `company` (its number),
 * `login` (a sign-in name), `session` (a token's digest, hex), `app_key`, `resident_wechat` (an invitation's
 * uuid), `gateway_key` (a public key's digest, hex), `gateway_code` (the keyed digest of a pairing code),
 * `api_key` (a key's digest, hex), `sign_in_page` (what the address of a company's own sign-in page names).
 */
export type DirectoryKind =
  | 'company'
  | 'login'
  | 'session'
  | 'app_key'
  | 'resident_wechat'
  | 'gateway_key'
  | 'gateway_code'
  | 'api_key'
  | 'sign_in_page'

export interface DirectoryEntry {
  readonly ownerId: Id
  readonly refId: Id
}

// Statements on the directory name no other table: it stays on one node when companies are spread over
// several.
const stored = (kind: DirectoryKind, key: string) => (kind === 'login' ? sql`lower(${key})` : sql`${key}`)

export const findEntry = (
  db: Pick<Db, 'one'>,
  kind: DirectoryKind,
  key: string,
): Promise<DirectoryEntry | undefined> =>
  db.one(sql`select owner_id, ref_id from directory where kind = ${kind} and key = ${stored(kind, key)}`)

/** In the transaction that writes what it points to. False when any company has the key. */
export const addEntry = async (
  tx: Pick<Tx, 'execute'>,
  kind: DirectoryKind,
  key: string,
  { ownerId, refId }: DirectoryEntry,
): Promise<boolean> =>
  (await tx.execute(sql`
    insert into directory (kind, key, owner_id, ref_id)
    values (${kind}, ${stored(kind, key)}, ${ownerId}, ${refId})
    on conflict do nothing
  `)) > 0

export const removeEntries = (
  tx: Pick<Tx, 'execute'>,
  kind: DirectoryKind,
  ownerId: Id,
  refIds: readonly Id[],
): Promise<number> =>
  tx.execute(sql`
    delete from directory where owner_id = ${ownerId} and kind = ${kind} and ref_id = any(${refIds}::bigint[])
  `)

export const removeKeys = (
  tx: Pick<Tx, 'execute'>,
  kind: DirectoryKind,
  keys: readonly string[],
): Promise<number> =>
  tx.execute(sql`delete from directory where kind = ${kind} and key = any(${keys}::text[])`)

/** True when any company was ever set up here, also a closed one. */
export const hasAnyCompany = async (db: Pick<Db, 'one'>): Promise<boolean> =>
  (await db.one(sql`select 1 as found from directory where kind = 'company' limit 1`)) !== undefined

/**
 * Work over all companies: `due` lists those that have something to do (`owner_id`, each once), then each has
 * a transaction of its own, so that none waits for another. Returns what the companies' work answered, in
 * order. One company's failure stops no other: the first error is thrown when all have had their turn.
 */
export const forEachDueCompany = async <T>(
  database: Database,
  due: Statement<{ ownerId: Id }>,
  work: (tx: Tx, ownerId: Id) => Promise<T>,
): Promise<T[]> =>
  forEachCompany(await listDueCompanies(database, due), ownerId =>
    database.tx(ownerId, tx => work(tx, ownerId)),
  )

/** The companies of a query over all of them. */
export const listDueCompanies = async (database: Database, due: Statement<{ ownerId: Id }>): Promise<Id[]> =>
  (await database.reader('*').rows(due)).map(row => row.ownerId)

/**
 * One company after the other, for work that needs several transactions of each; `signal` ends it between two
 * of them. Failures: see `forEachDueCompany`.
 */
export async function forEachCompany<T>(
  ownerIds: Iterable<Id>,
  work: (ownerId: Id) => Promise<T>,
  signal?: AbortSignal,
): Promise<T[]> {
  const answers: T[] = []
  const failures: unknown[] = []
  for (const ownerId of ownerIds) {
    signal?.throwIfAborted()
    try {
      answers.push(await work(ownerId))
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, `work failed for ${failures.length} companies`)
  if (failures.length) throw failures[0]
  return answers
}
