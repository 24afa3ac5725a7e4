import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { StartupError } from './startup-error.ts'
import { splitStatements } from './sql-split.ts'
import { errorCode, errorMessage } from '../database-error.ts'
import type { ReportShare } from '../startup/startup-progress.ts'

export interface Migration {
  name: string
  checksum: string
  sql: string
}

export const MIGRATIONS = fileURLToPath(new URL('../../../db/migrations', import.meta.url))

const NAME_PATTERN = /^\d{8}-\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/
// Any number, the same for every program that migrates this database.
const LOCK_ID = 7_246_011_520_611

/**
 * How long a file waits for a table: all who ask for the table then wait behind it, so it gives way and
 * tries again.
 */
const LOCK_TIMEOUT_MS = 1000
const ATTEMPTS = 60
const PAUSE_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * The files of a folder in order of application; a missing folder has none. Refuses a name out of pattern.
 */
export function readMigrations(dir: string): Migration[] {
  const names = existsSync(dir)
    ? readdirSync(dir)
        .filter(name => name.endsWith('.sql'))
        .toSorted()
    : []
  return names.map(name => {
    if (!NAME_PATTERN.test(name))
      throw new StartupError(`迁移文件名 ${name} 不合规则，应为 yyyymmdd-hhmm-name.sql。`)
    const sql = readFileSync(join(dir, name), 'utf8').replaceAll('\r\n', '\n')
    return { name, checksum: createHash('sha256').update(sql).digest('hex'), sql }
  })
}

/** What a database has already: name → checksum. */
export async function appliedMigrations(client: pg.ClientBase): Promise<Map<string, string>> {
  const existing = await client.query(`select to_regclass('public.schema_migration') is not null as ok`)
  if (!existing.rows[0].ok) return new Map()
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from public.schema_migration',
  )
  return new Map(rows.map(row => [row.name, row.checksum]))
}

export interface MigrateOptions {
  readonly dir?: string
  /** The names of the files that there are; all of the folder by default. */
  readonly upTo?: ReadonlySet<string> | undefined
  readonly report?: ReportShare
}

/**
 * Applies the pending files of the folder, each in one transaction (a first line `-- no transaction`:
 * statement by statement), one program at a time; returns their names. Refuses when an applied file has
 * changed. Files that the database knows and the folder lacks are no fault: the previous version still serves
 * while the next one has migrated.
 */
export async function migrate(
  target: string | pg.ClientBase,
  { dir = MIGRATIONS, upTo, report = () => {} }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = readMigrations(dir).filter(each => !upTo || upTo.has(each.name))
  if (typeof target !== 'string') return await applyLocked(target, migrations, report)
  const client = new pg.Client(target)
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new StartupError(`连接不上数据库：${errorMessage(error)}。请检查 DATABASE_URL 和数据库是否在运行。`)
  }
  try {
    return await applyLocked(client, migrations, report)
  } finally {
    await client.end()
  }
}

async function applyLocked(
  client: pg.ClientBase,
  migrations: Migration[],
  report: ReportShare,
): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [LOCK_ID])
  const { rows } = await client.query<{ owner: string }>(
    `select coalesce(current_setting('app.owner_id', true), '') as owner`,
  )
  const setOwner = (owner = '') => client.query(`select set_config('app.owner_id', $1, false)`, [owner])
  try {
    // Files change the rows of all companies; without it the policies of rows show them none.
    await setOwner('*')
    await client.query(`create table if not exists public.schema_migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const applied = await appliedMigrations(client)
    const changed = migrations.filter(
      ({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum,
    )
    if (changed.length) {
      const names = changed.map(each => each.name).join('、')
      throw new StartupError(`已执行过的迁移文件被改动：${names}。请还原这些文件，改动写成新的迁移文件。`)
    }
    const pending = migrations.filter(({ name }) => !applied.has(name))
    for (const [n, migration] of pending.entries()) {
      report(n / pending.length, `${n + 1} / ${pending.length}`)
      await applyMigration(client, migration)
    }
    return pending.map(({ name }) => name)
  } finally {
    await setOwner(rows[0]?.owner).catch(() => {})
    await client.query('select pg_advisory_unlock($1)', [LOCK_ID]).catch(() => {})
  }
}

/** Again while somebody's long transaction holds a table that the file changes. */
async function applyMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyOnce(client, migration)
    } catch (error) {
      if (!(error instanceof TableInUse) || attempt === ATTEMPTS) throw error
      await pause(PAUSE_MS)
    }
  }
}

class TableInUse extends StartupError {}

async function applyOnce(client: pg.ClientBase, { name, checksum, sql }: Migration): Promise<void> {
  const record = () =>
    client.query('insert into public.schema_migration (name, checksum) values ($1, $2)', [name, checksum])
  const alone = /^--\s*no transaction\b/.test(sql)
  let part = sql
  try {
    if (!alone) {
      await client.query('begin')
      // A file that a power cut takes back is applied again: no file waits for the disk.
      await client.query('set local synchronous_commit = off')
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    }
    // One at a time: a distributed engine hands the whole text on to its nodes with a statement of several.
    for (part of splitStatements(sql)) {
      await client.query(part)
    }
    await record()
    if (!alone) {
      await client.query('commit')
    }
  } catch (error) {
    if (!alone) {
      await client.query('rollback').catch(() => {})
    }
    if (!alone && errorCode(error) === LOCK_NOT_AVAILABLE)
      throw new TableInUse(
        `迁移 ${name} 没有执行：要改的表一直被占用。请结束长时间的查询或事务（如正在进行的备份、报表）后重新启动。`,
      )
    throw new StartupError(
      `迁移 ${name} ${alone ? '中途失败' : '失败，未作任何改动'}：${locateError(error as pg.DatabaseError, sql, part)}`,
    )
  }
}

function locateError(error: pg.DatabaseError, sql: string, part: string): string {
  const position = Number(error.position)
  if (!position) return error.message
  const line = sql.slice(0, sql.indexOf(part) + position).split('\n').length
  return `第 ${line} 行：${error.message}${error.hint ? `（${error.hint}）` : ''}`
}
