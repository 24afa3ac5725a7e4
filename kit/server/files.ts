import type { Id } from '#kit/domain/id.ts'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { notFound } from '#kit/contract/wire.ts'
import type { Files, StoredFile } from './app.ts'
import { sql, type Database, type Tx } from './db.ts'
import { forEachCompany, listDueCompanies } from './directory.ts'
import { loadInstallationSecret } from './installation-secret.ts'
import { openFileStorage, type FileStorage } from './file-storage.ts'

/** Other texts in a file's field are addresses, or nothing of ours. */
export const isFileKey = (key: string): boolean => /^[0-9a-f]{40}$/.test(key)

const dayMs = 86_400_000
const sweepBatchSize = 500
const orphanBatchSize = 1000
/** A bucket takes its time for each. */
const removesAtOnce = 16

async function removeAll(
  storage: FileStorage,
  ownerId: Id,
  files: readonly { readonly key: string }[],
): Promise<void> {
  for (let at = 0; at < files.length; at += removesAtOnce) {
    await Promise.all(files.slice(at, at + removesAtOnce).map(({ key }) => storage.remove(ownerId, key)))
  }
}

/**
 * Deletes files of a company whose time has passed (those of `keys` alone), rows first: a row always has its
 * file.
 */
async function deleteExpired(
  database: Database,
  storage: FileStorage,
  ownerId: Id,
  now: Date,
  keys?: readonly string[],
): Promise<void> {
  const isChosen = keys ? sql`and key = any(${[...keys]}::text[])` : sql``
  for (;;) {
    const expired = await database.tx(ownerId, tx =>
      tx.rows<{ key: string }>(
        sql`
          delete
          from file_store
          where owner_id = ${ownerId}
            and id in (
              select id
              from file_store
              where owner_id = ${ownerId} and expire_time < ${now} ${isChosen}
              limit ${sweepBatchSize}
            )
          returning key
        `,
      ),
    )
    await removeAll(storage, ownerId, expired)
    if (expired.length < sweepBatchSize) return
  }
}

const isOlderThanADay = async (storage: FileStorage, ownerId: Id, key: string): Promise<boolean> => {
  const stored = await storage.describe(ownerId, key)
  return stored !== undefined && Date.now() - stored.modified.getTime() > dayMs
}

/** Deletes those of the keys that no row names; a file younger than a day may still get its row. */
async function deleteUnknown(
  database: Database,
  storage: FileStorage,
  ownerId: Id,
  keys: readonly string[],
): Promise<void> {
  const rows = await database
    .reader(ownerId)
    .rows<{ key: string }>(sql`select key from file_store where owner_id = ${ownerId} and key = any(${keys})`)
  const known = new Set(rows.map(row => row.key))
  for (const key of keys) {
    if (!known.has(key) && (await isOlderThanADay(storage, ownerId, key))) {
      await storage.remove(ownerId, key)
    }
  }
}

async function deleteOrphans(database: Database, storage: FileStorage, ownerId: Id): Promise<void> {
  let batch: string[] = []
  for await (const key of storage.keys(ownerId)) {
    if (isFileKey(key) && batch.push(key) >= orphanBatchSize) {
      await deleteUnknown(database, storage, ownerId, batch)
      batch = []
    }
  }
  if (batch.length) {
    await deleteUnknown(database, storage, ownerId, batch)
  }
}

/** Deletes expired files and bytes without a row, company by company. */
async function sweepFiles(database: Database, clock: () => number, storage: FileStorage): Promise<void> {
  const now = new Date(clock())
  const due = await listDueCompanies(
    database,
    sql`select distinct owner_id from file_store where expire_time < ${now}`,
  )
  await forEachCompany(due, ownerId => deleteExpired(database, storage, ownerId, now))
  await forEachCompany(await storage.owners(), ownerId => deleteOrphans(database, storage, ownerId))
}

/** Stores the bytes, then the row that names them. */
async function saveFile(
  database: Database,
  clock: () => number,
  storage: FileStorage,
  ...[ownerId, operator, file, days, tx]: Parameters<Files['save']>
): Promise<string> {
  const key = randomBytes(20).toString('hex')
  const size = 'bytes' in file ? file.bytes.byteLength : (await stat(file.path)).size
  // A row always has its file; a file without a row is deleted a day later.
  // Inside a transaction the file stays where it was: the work may run a second time (deadlock).
  await storage.put(ownerId, key, 'path' in file ? { path: file.path, isKept: tx !== undefined } : file)
  const row = sql`
    insert into file_store (owner_id, key, name, type, size, expire_time, create_by)
    values (
      ${ownerId}, ${key}, ${file.name}, ${file.type}, ${size},
      ${days === undefined ? null : new Date(clock() + days * dayMs)}, ${operator}
    )
  `
  await (tx ? tx.execute(row) : database.tx(ownerId, ownTx => ownTx.execute(row)))
  return key
}

/** Forgets files that nothing refers to any more; the next sweep removes their bytes. */
export const expireFiles = (tx: Tx, ownerId: Id, keys: readonly string[], now: Date): Promise<number> =>
  tx.execute(
    sql`
      update file_store
      set expire_time = ${now}
      where owner_id = ${ownerId} and key = any(${[...keys]}::text[])
    `,
  )

type UrlSigner = Pick<Files, 'signedUrl' | 'isValidSignature' | 'sign' | 'isSigned'>

/** Addresses that need no token: signed, and valid for one to two hours. */
function openUrlSigner(secret: string, clock: () => number): UrlSigner {
  const signatureOf = (message: string, until: number): string =>
    createHmac('sha256', secret).update(`${message} ${until}`).digest('base64url').slice(0, 32)
  const sign: Files['sign'] = message => {
    const until = (Math.floor(clock() / 3600_000) + 2) * 3600
    return { until, signature: signatureOf(message, until) }
  }
  const isSigned: Files['isSigned'] = (message, until, signature) => {
    const expected = Buffer.from(signatureOf(message, until))
    const receivedSignature = Buffer.from(signature)
    return (
      until * 1000 > clock() &&
      expected.length === receivedSignature.length &&
      timingSafeEqual(expected, receivedSignature)
    )
  }
  return {
    sign,
    isSigned,
    signedUrl: (ownerId, key) => {
      const { until, signature } = sign(`${ownerId} ${key}`)
      return `/api/File/Get?Key=${key}&Owner=${ownerId}&Until=${until}&Sign=${signature}`
    },
    isValidSignature: (ownerId, key, until, signature) => isSigned(`${ownerId} ${key}`, until, signature),
  }
}

/** Whether it has not expired at the clock's time. */
const isKept = (clock: () => number) => sql`(expire_time is null or expire_time > ${new Date(clock())})`

const storedFileOf = (
  storage: FileStorage,
  ownerId: Id,
  key: string,
  row: Pick<StoredFile, 'name' | 'type' | 'size'>,
): StoredFile => ({
  ...row,
  read: async range => {
    const bytes = await storage.read(ownerId, key, range)
    if (!bytes) throw notFound()
    return bytes
  },
  withPath: work => storage.withPath(ownerId, key, work),
})

/**
 * Files in the storage that `openFileStorage` chooses, their names and types in `file_store`. Keys are 160
 * random bits, of one company each.
 */
export async function openFiles(database: Database, clock: () => number, dataDir: string): Promise<Files> {
  const storage = await openFileStorage(dataDir)
  const secret = await loadInstallationSecret(database, 'file-secret')
  return {
    ...openUrlSigner(secret, clock),
    save: (...args) => saveFile(database, clock, storage, ...args),
    find: async (ownerId, key) => {
      if (!isFileKey(key)) return undefined
      const row = await database.reader(ownerId).one<{ name: string; type: string; size: number }>(
        sql`
            select name, type, size
            from file_store
            where owner_id = ${ownerId} and key = ${key} and ${isKept(clock)}
          `,
      )
      return row && storedFileOf(storage, ownerId, key, row)
    },
    discard: async (tx, ownerId, keys) => {
      if (!keys.length) return
      await expireFiles(tx, ownerId, keys, new Date(clock()))
      // What fails here is left to `sweep`.
      tx.onCommit(() => deleteExpired(database, storage, ownerId, new Date(clock() + 1), keys))
    },
    describe: (ownerId, keys) =>
      database.reader(ownerId).rows(
        sql`
            select key, name, type, size
            from file_store
            where owner_id = ${ownerId} and key = any(${keys.filter(isFileKey)}) and ${isKept(clock)}
          `,
      ),
    sweep: () => sweepFiles(database, clock, storage),
  }
}
