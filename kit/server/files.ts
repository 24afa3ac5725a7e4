import { defined } from '#kit/domain/defined.ts'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { copyFile, link, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql, type Database } from './db.ts'
import { forEachCompany, listDueCompanies } from './directory.ts'
import type { Files } from './app.ts'

/**
 * Where bytes lie. This one is a folder; an object store offers the same three acts and fetches to a
 * temporary place for `at`.
 */
export interface FileStorage {
  put(
    owner: number,
    key: string,
    from: { readonly path: string; readonly stays?: boolean } | { readonly bytes: Uint8Array },
  ): Promise<void>
  /** A path to read it from. */
  pathOf(owner: number, key: string): Promise<string>
  remove(owner: number, key: string): Promise<void>
}

/** `files/1/3f/a2/3fa2…`: no folder grows beyond a few hundred entries before a million files. */
export function folderStorage(
  dataDir: string,
): FileStorage & { keys(owner: number): AsyncIterable<string>; owners(): Promise<number[]> } {
  const root = join(dataDir, 'files')
  const place = (owner: number, key: string): string =>
    join(root, String(owner), key.slice(0, 2), key.slice(2, 4), key)
  const walk = async function* (dir: string, depth: number): AsyncIterable<string> {
    const d = await opendir(dir).catch(() => undefined)
    if (d) {
      for await (const f of d) {
        if (depth > 0 && f.isDirectory()) {
          yield* walk(join(dir, f.name), depth - 1)
        } else if (depth === 0 && f.isFile()) {
          yield f.name
        }
      }
    }
  }
  return {
    put: async (owner, key, from) => {
      const to = place(owner, key)
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      if ('bytes' in from) {
        const f = await open(`${to}.new`, 'wx', 0o600)
        try {
          await f.writeFile(from.bytes)
          await f.sync()
        } finally {
          await f.close()
        }
        await rename(`${to}.new`, to)
        return
      }
      const f = await open(from.path, 'r+')
      try {
        await f.sync()
      } finally {
        await f.close()
      }
      if (from.stays) {
        await link(from.path, to).catch(() => copyFile(from.path, to))
        return
      }
      await rename(from.path, to).catch(async e => {
        if ((e as { code?: string }).code !== 'EXDEV') throw e
        await copyFile(from.path, to)
        await rm(from.path, { force: true })
      })
    },
    pathOf: async (owner, key) => place(owner, key),
    remove: (owner, key) => rm(place(owner, key), { force: true }),
    keys: owner => walk(join(root, String(owner)), 2),
    owners: async () => {
      const all: number[] = []
      const d = await opendir(root).catch(() => undefined)
      if (d) {
        for await (const f of d) {
          if (/^\d+$/.test(f.name)) {
            all.push(Number(f.name))
          }
        }
      }
      return all
    },
  }
}

const isFileKey = (key: string): boolean => /^[0-9a-f]{40}$/.test(key)

/** Shared by all server processes of an installation, made on first need. */
async function loadFileSecret(database: Database): Promise<string> {
  await database.tx('*', tx =>
    tx.execute(
      sql`
        insert into installation (key, value)
        values ('file-secret', ${randomBytes(32).toString('base64url')})
        on conflict (key) do nothing
      `,
    ),
  )
  return defined(
    await database
      .reader('*')
      .one<{ value: string }>(sql`select value from installation where key = 'file-secret'`),
  ).value
}

type FolderStorage = ReturnType<typeof folderStorage>

const sweepBatch = 500

/** Removes the expired files of one company, a batch in each transaction, the bytes after the rows. */
async function removeExpiredFiles(
  database: Database,
  storage: FolderStorage,
  ownerId: number,
  now: Date,
): Promise<void> {
  for (;;) {
    const expired = await database.tx(ownerId, tx =>
      tx.rows<{ key: string }>(
        sql`
          delete
          from file_store
          where owner_id = ${ownerId}
            and id in (
              select id from file_store where owner_id = ${ownerId} and expire_time < ${now} limit ${sweepBatch}
            )
          returning key
        `,
      ),
    )
    for (const { key } of expired) {
      await storage.remove(ownerId, key)
    }
    if (expired.length < sweepBatch) return
  }
}

/** Removes bytes of a company that have had no row for a day. */
async function removeStrayBytes(database: Database, storage: FolderStorage, ownerId: number): Promise<void> {
  let batch: string[] = []
  const checkBatch = async (): Promise<void> => {
    const rows = await database
      .reader(ownerId)
      .rows<{ key: string }>(
        sql`select key from file_store where owner_id = ${ownerId} and key = any(${batch})`,
      )
    const known = new Set(rows.map(row => row.key))
    for (const key of batch.filter(k => !known.has(k))) {
      const file = await stat(await storage.pathOf(ownerId, key)).catch(() => undefined)
      if (file && Date.now() - file.mtimeMs > 86_400_000) {
        await storage.remove(ownerId, key)
      }
    }
    batch = []
  }
  for await (const name of storage.keys(ownerId)) {
    if (isFileKey(name) && batch.push(name) >= 1000) {
      await checkBatch()
    }
  }
  if (batch.length) {
    await checkBatch()
  }
}

async function sweepFiles(database: Database, clock: () => number, storage: FolderStorage): Promise<void> {
  const now = new Date(clock())
  const due = await listDueCompanies(
    database,
    sql`select distinct owner_id from file_store where expire_time < ${now}`,
  )
  await forEachCompany(due, ownerId => removeExpiredFiles(database, storage, ownerId, now))
  await forEachCompany(await storage.owners(), ownerId => removeStrayBytes(database, storage, ownerId))
}

/**
 * Files on disk under `dataDir/files`, their names and kinds in `file_store`. Keys are 160 random bits, of
 * one company each.
 */
export async function openFiles(database: Database, clock: () => number, dataDir: string): Promise<Files> {
  const vault = folderStorage(dataDir)
  const secret = await loadFileSecret(database)
  const mark = (owner: number, key: string, until: number): string =>
    createHmac('sha256', secret).update(`${owner} ${key} ${until}`).digest('base64url').slice(0, 32)
  return {
    save: async (owner, operator, file, days, tx) => {
      const key = randomBytes(20).toString('hex')
      const size = 'bytes' in file ? file.bytes.byteLength : (await stat(file.path)).size
      // Bytes first: a row always has its file; a file without a row is swept away a day later.
      // Inside a transaction the file stays where it was: the work may run a second time (deadlock).
      await vault.put(owner, key, 'path' in file ? { path: file.path, stays: tx !== undefined } : file)
      const row = sql`
        insert into file_store (owner_id, key, name, type, size, expire_time, create_by)
        values (
          ${owner}, ${key}, ${file.name}, ${file.type}, ${size},
          ${days === undefined ? null : new Date(clock() + days * 86_400_000)}, ${operator}
        )
      `
      await (tx ? tx.execute(row) : database.tx(owner, t => t.execute(row)))
      return key
    },
    find: async (owner, key) => {
      if (!isFileKey(key)) return undefined
      const row = await database.reader(owner).one<{ name: string; type: string; size: number }>(
        sql`
            select name, type, size
            from file_store
            where owner_id = ${owner} and key = ${key} and (expire_time is null or expire_time > ${new Date(clock())})
          `,
      )
      return row && { ...row, path: await vault.pathOf(owner, key) }
    },
    describe: (owner, keys) =>
      database.reader(owner).rows(
        sql`
            select key, name, type, size
            from file_store
            where owner_id = ${owner}
              and key = any(${keys.filter(isFileKey)})
              and (expire_time is null or expire_time > ${new Date(clock())})
          `,
      ),
    signedUrl: (owner, key) => {
      const until = (Math.floor(clock() / 3600_000) + 2) * 3600
      return `/api/File/Get?Key=${key}&Owner=${owner}&Until=${until}&Sign=${mark(owner, key, until)}`
    },
    isValidSignature: (owner, key, until, sign) => {
      const right = Buffer.from(mark(owner, key, until))
      const given = Buffer.from(sign)
      return until * 1000 > clock() && right.length === given.length && timingSafeEqual(right, given)
    },
    sweep: () => sweepFiles(database, clock, vault),
  }
}
