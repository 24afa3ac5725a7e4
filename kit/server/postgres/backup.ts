import { defined } from '#kit/domain/defined.ts'
import { createHash, type Hash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { writeArchive, type ArchiveWriter } from './archive.ts'
import {
  prepareFullAccess,
  listPartitions,
  listSequences,
  listTables,
  type Partition,
  type Sequence,
  type Table,
} from './catalogue.ts'
import { appliedMigrations } from './migrate.ts'
import { StartupError } from './startup-error.ts'

export const BACKUP_FORMAT = 1

/** The first entry: what a restore must know before the rows come. */
export interface BackupHeader {
  format: number
  made: string
  server: string
  migrations: { name: string; checksum: string }[]
  tables: Table[]
  partitions: Partition[]
  /** schemas left out on purpose */
  skipped: string[]
}

/** The last entry: what must have come. */
export interface BackupManifest {
  tables: Record<string, { rows: number; bytes: number; sha256: string }>
  sequences: Sequence[]
  files: { count: number; bytes: number }
}

export interface BackupSummary {
  tables: number
  rows: number
  files: number
  fileBytes: number
  skipped: string[]
}

const PART_BYTES = 8 * 2 ** 20
const NEWLINE = 0x0a

/** The part of a table's rows, as PostgreSQL's COPY text with whole lines. */
function partPath(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, '0')}.copy`
}

/**
 * Writes one file that holds every table as of one moment (one snapshot), sequences, and the uploaded files
 * below `filesDir` when it exists. Works beside a running server; the job queue's own schema is left out.
 */
export async function backup(
  url: string,
  file: string,
  { filesDir }: { filesDir?: string } = {},
): Promise<BackupSummary> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await prepareFullAccess(client)
    const about = await describeDatabase(client)
    if (about.migrations.length === 0) throw new StartupError('该数据库中没有安居的数据，没有可备份的内容。')
    const manifest: BackupManifest = { tables: {}, sequences: [], files: { count: 0, bytes: 0 } }
    await writeArchive(file, async archive => {
      await addJson(archive, 'about.json', about)
      for (const table of about.tables) {
        manifest.tables[table.name] = await addTable(client, archive, table)
      }
      // Sequences are outside snapshots: read late they are never behind the rows.
      manifest.sequences = await listSequences(client)
      if (filesDir && existsSync(filesDir)) {
        manifest.files = await addFiles(archive, filesDir)
      }
      await addJson(archive, 'manifest.json', manifest)
    })
    await client.query('commit')
    return summarizeBackup(about, manifest)
  } finally {
    await client.end()
  }
}

export function summarizeBackup(about: BackupHeader, manifest: BackupManifest): BackupSummary {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
  return {
    tables: about.tables.length,
    rows,
    files: manifest.files.count,
    fileBytes: manifest.files.bytes,
    skipped: about.skipped,
  }
}

async function describeDatabase(client: pg.Client): Promise<BackupHeader> {
  const server = await client.query<{ server_version: string }>('show server_version')
  const pgBossSchema = await client.query<{ exists: boolean }>(
    `select to_regnamespace('pgboss') is not null as exists`,
  )
  return {
    format: BACKUP_FORMAT,
    made: new Date().toISOString(),
    server: defined(server.rows[0]).server_version,
    migrations: [...(await appliedMigrations(client))]
      .map(([name, checksum]) => ({ name, checksum }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    tables: await listTables(client),
    partitions: await listPartitions(client),
    skipped: defined(pgBossSchema.rows[0]).exists ? ['pgboss'] : [],
  }
}

async function addJson(archive: ArchiveWriter, path: string, value: unknown): Promise<void> {
  const body = Buffer.from(JSON.stringify(value, null, 1))
  await archive.add(path, body.length, [body])
}

async function addTable(
  client: pg.Client,
  archive: ArchiveWriter,
  { name, columns }: Table,
): Promise<BackupManifest['tables'][string]> {
  const hash = createHash('sha256')
  const sum = { rows: 0, bytes: 0, part: 0 }
  const flush = async (pieces: Buffer[]) => {
    const size = pieces.reduce((total, piece) => total + piece.length, 0)
    if (size === 0) return
    for (const piece of pieces) {
      addToDigest(piece, hash, sum)
    }
    await archive.add(partPath(name, ++sum.part), size, pieces)
  }
  let pending: Buffer[] = []
  let size = 0
  // A query, because COPY of a partitioned table itself is refused.
  const rows = client.query(copyTo(`copy (select ${columns.join(', ') || ' '} from ${name}) to stdout`))
  for await (const piece of rows as AsyncIterable<Buffer>) {
    pending.push(piece)
    size += piece.length
    // In COPY text a line end inside a value is escaped: the byte always ends a row.
    const cut = size >= PART_BYTES ? piece.lastIndexOf(NEWLINE) : -1
    if (cut < 0) continue
    pending[pending.length - 1] = piece.subarray(0, cut + 1)
    await flush(pending)
    pending = cut + 1 < piece.length ? [piece.subarray(cut + 1)] : []
    size = piece.length - cut - 1
  }
  await flush(pending)
  return { rows: sum.rows, bytes: sum.bytes, sha256: hash.digest('hex') }
}

/** Adds a piece of COPY text to a table's digest and counts. */
export function addToDigest(piece: Buffer, hash: Hash, sum: { rows: number; bytes: number }): void {
  hash.update(piece)
  sum.bytes += piece.length
  for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) {
    sum.rows++
  }
}

async function addFiles(archive: ArchiveWriter, folder: string): Promise<BackupManifest['files']> {
  const total = { count: 0, bytes: 0 }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(() => undefined)
    // Deleted since it was listed.
    if (!found) continue
    const inside = relative(folder, path).replaceAll('\\', '/')
    // A file that still grows is taken as long as it was.
    const body = found.size ? (createReadStream(path, { end: found.size - 1 }) as AsyncIterable<Buffer>) : []
    await archive.add(`files/${inside}`, found.size, body)
    total.count++
    total.bytes += found.size
  }
  return total
}
