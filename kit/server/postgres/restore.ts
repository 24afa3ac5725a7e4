import { defined } from '#kit/domain/defined.ts'
import { createHash, type Hash } from 'node:crypto'
import { createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { errorMessage } from '../database-error.ts'
import { readArchive, type ArchiveEntry } from './archive.ts'
import {
  addToDigest,
  BACKUP_FORMAT,
  summarizeBackup,
  type BackupHeader,
  type BackupManifest,
  type BackupSummary,
} from './backup.ts'
import {
  hasRows,
  prepareFullAccess,
  listPartitions,
  listTables,
  listLoadBarriers,
  type Table,
} from './catalogue.ts'
import { appliedMigrations, migrate, MIGRATIONS, readMigrations } from './migrate.ts'
import { StartupError } from './startup-error.ts'

export interface RestoreOptions {
  /** where uploaded files go; without it they are left in the backup */
  filesDir?: string
  /** replace what is there */
  force?: boolean
  /** the program's migrations */
  migrations?: string
}

/**
 * Puts a backup's content in place of the database's: migrates to the backup's state, loads all rows in one
 * transaction, then migrates on. The whole file is checked before anything is touched. Refuses a damaged
 * file, one from a newer program, and (without force) a database or files folder that holds something.
 */
export async function restore(
  url: string,
  file: string,
  { filesDir, force = false, migrations = MIGRATIONS }: RestoreOptions = {},
): Promise<BackupSummary> {
  const { about, manifest } = await verifyBackup(file)
  refuseUnknownBackup(about, migrations)
  if (!force && filesDir && existsSync(filesDir) && readdirSync(filesDir).length) {
    throw new StartupError(`文件目录 ${filesDir} 里已有文件。确认要用备份替换它们，请加 --force。`)
  }
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  const incoming = filesDir ? `${resolve(filesDir)}.restoring` : undefined
  try {
    if (!force && (await hasData(client))) {
      throw new StartupError(
        '数据库中已有数据。确认要用备份替换全部数据，请加 --force（现有数据会被清除，建议先备份一份）。',
      )
    }
    const level = new Set(about.migrations.map(each => each.name))
    const ahead = [...(await appliedMigrations(client)).keys()].some(name => !level.has(name))
    if (ahead) {
      await clearDatabase(client)
    }
    await migrate(client, { dir: migrations, upTo: level })
    await loadRows(client, file, about, manifest, incoming)
    await migrate(client, { dir: migrations })
    if (filesDir && incoming && existsSync(incoming)) {
      await swapFolders(filesDir, incoming)
    }
    await client.query('analyze')
    return summarizeBackup(about, manifest)
  } finally {
    if (incoming) {
      rmSync(incoming, { recursive: true, force: true })
    }
    await client.end()
  }
}

/** Reads the whole backup and compares every digest and count; refuses a damaged one. */
export async function verifyBackup(file: string): Promise<{ about: BackupHeader; manifest: BackupManifest }> {
  if (!existsSync(file)) throw new StartupError(`未找到备份文件 ${file}。`)
  const found: { about?: BackupHeader; manifest?: BackupManifest } = {}
  const sums = new Map<string, { hash: Hash; rows: number; bytes: number }>()
  const files = { count: 0, bytes: 0 }
  try {
    await readArchive(file, async entry => {
      if (entry.path === 'about.json') {
        found.about = await readJson(entry)
      } else if (entry.path === 'manifest.json') {
        found.manifest = await readJson(entry)
      } else if (entry.path.startsWith('tables/')) {
        const table = dirname(entry.path).slice('tables/'.length)
        const sum = sums.get(table) ?? { hash: createHash('sha256'), rows: 0, bytes: 0 }
        sums.set(table, sum)
        for await (const piece of entry.body) {
          addToDigest(piece, sum.hash, sum)
        }
      } else {
        files.count++
        files.bytes += entry.size
      }
    })
  } catch (error) {
    throw new StartupError(`备份文件 ${file} 已损坏，未作任何改动（${errorMessage(error)}）。请换一份备份。`)
  }
  const { about, manifest } = found
  if (!about || !manifest) throw new StartupError(`${file} 不是安居的备份文件。`)
  if (about.format !== BACKUP_FORMAT)
    throw new StartupError(
      `${file} 的备份格式是 ${about.format}，本程序仅支持 ${BACKUP_FORMAT}。请用写出它的版本恢复。`,
    )
  const empty = createHash('sha256').digest('hex')
  const wrong = about.tables.find(({ name }) => {
    const sum = sums.get(name)
    const digest = sum?.hash.digest('hex') ?? empty
    const expected = manifest.tables[name]
    return (
      !expected ||
      expected.sha256 !== digest ||
      expected.rows !== (sum?.rows ?? 0) ||
      expected.bytes !== (sum?.bytes ?? 0)
    )
  })
  if (wrong)
    throw new StartupError(
      `备份文件 ${file} 中表 ${wrong.name} 的内容与校验不符，未作任何改动。请换一份备份。`,
    )
  if (files.count !== manifest.files.count || files.bytes !== manifest.files.bytes) {
    throw new StartupError(`备份文件 ${file} 中的上传文件不完整，未作任何改动。请换一份备份。`)
  }
  return { about, manifest }
}

/** A part of the backup, whose digests `verifyBackup` compares. */
async function readJson<T>(entry: ArchiveEntry): Promise<T> {
  const pieces: Buffer[] = []
  for await (const piece of entry.body) {
    pieces.push(piece)
  }
  return JSON.parse(Buffer.concat(pieces).toString())
}

function refuseUnknownBackup(about: BackupHeader, dir: string): void {
  const known = new Map(readMigrations(dir).map(each => [each.name, each.checksum]))
  const strange = about.migrations
    .filter(each => known.get(each.name) !== each.checksum)
    .map(each => each.name)
  if (strange.length)
    throw new StartupError(
      `备份来自更新或不同的程序版本（本程序没有迁移 ${strange.join('、')}）。请先升级程序再恢复。`,
    )
}

async function hasData(client: pg.Client): Promise<boolean> {
  await client.query('begin')
  await prepareFullAccess(client)
  const some = await hasRows(client)
  await client.query('rollback')
  return some
}

/** A database that has migrated beyond the backup starts from nothing. */
async function clearDatabase(client: pg.Client): Promise<void> {
  try {
    await client.query(`
      begin;
      set local lock_timeout = '15s';
      drop schema if exists pgboss cascade;
      drop schema public cascade;
      create schema public;
      commit
    `)
  } catch (error) {
    await client.query('rollback')
    throw new StartupError(
      `清空数据库失败：${errorMessage(error)}。请先停止使用它的安居服务，或恢复到一个新建的空库。`,
    )
  }
}

async function loadRows(
  client: pg.Client,
  file: string,
  about: BackupHeader,
  manifest: BackupManifest,
  incoming: string | undefined,
): Promise<void> {
  await client.query('begin')
  try {
    await prepareFullAccess(client)
    // Jobs of the replaced content would act on rows that are others now; the queue recreates its schema.
    await client.query('drop schema if exists pgboss cascade')
    await addPartitions(client, about)
    const loadBarriers = await listLoadBarriers(client)
    for (const statement of loadBarriers.dropStatements) {
      await client.query(statement)
    }
    const present = await listTables(client)
    if (present.length) {
      await client.query(`truncate ${present.map(table => table.name).join(', ')}`)
    }
    await copyRows(client, file, about, incoming)
    for (const { name } of about.tables) {
      const { rows } = await client.query<{ rows: number }>(`select count(*)::float8 as rows from ${name}`)
      if (defined(rows[0]).rows !== defined(manifest.tables[name]).rows)
        throw new Error(
          `表 ${name} 恢复了 ${defined(rows[0]).rows} 行，应为 ${defined(manifest.tables[name]).rows} 行`,
        )
    }
    for (const statement of loadBarriers.restoreStatements) {
      await client.query(statement)
    }
    for (const { name, last } of manifest.sequences) {
      await client.query(
        `
          select setval(to_regclass($1), coalesce($2, seqstart), $2 is not null)
          from pg_sequence
          where seqrelid = to_regclass($1)
        `,
        [name, last],
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (error instanceof StartupError) throw error
    throw new StartupError(
      `恢复失败，数据库未改动：${errorMessage(error)}。如果有安居服务正在使用该数据库，请先停止它。`,
    )
  }
}

async function addPartitions(client: pg.Client, about: BackupHeader): Promise<void> {
  const present = new Set((await listPartitions(client)).map(each => each.name))
  for (const { name, parent, bound, key } of about.partitions) {
    if (present.has(name)) continue
    await client.query(
      `create table ${name} partition of ${parent} ${bound}${key ? ` partition by ${key}` : ''}`,
    )
  }
}

async function copyRows(
  client: pg.Client,
  file: string,
  about: BackupHeader,
  incoming: string | undefined,
): Promise<void> {
  const tables = new Map(about.tables.map(table => [table.name, table]))
  if (incoming) {
    await rm(incoming, { recursive: true, force: true })
  }
  await readArchive(file, async entry => {
    const [kind] = entry.path.split('/')
    if (kind === 'tables') {
      await copyPart(client, defined(tables.get(dirname(entry.path).slice('tables/'.length))), entry)
    } else if (kind === 'files' && incoming) {
      await restoreFile(incoming, entry)
    }
  })
}

async function copyPart(client: pg.Client, { name, columns }: Table, entry: ArchiveEntry): Promise<void> {
  const into = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`))
  await pipeline(entry.body, into)
}

async function restoreFile(incoming: string, entry: ArchiveEntry): Promise<void> {
  const path = join(incoming, entry.path.slice('files/'.length))
  if (!path.startsWith(incoming + sep)) throw new Error(`${entry.path}: outside the files folder`)
  await mkdir(dirname(path), { recursive: true })
  await pipeline(entry.body, createWriteStream(path, { flush: true }))
}

async function swapFolders(filesDir: string, incoming: string): Promise<void> {
  const old = `${filesDir}.replaced`
  await rm(old, { recursive: true, force: true })
  if (existsSync(filesDir)) {
    await rename(filesDir, old)
  }
  await rename(incoming, filesDir)
  await rm(old, { recursive: true, force: true })
}
