import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { companyScopeSql } from '../company-scope.ts'
import { errorMessage } from '../database-error.ts'
import { writeDiskFile } from '../disk-file.ts'
import type { FileStorage } from '../file-storage.ts'
import { appliedMigrations, migrate, MIGRATIONS } from '../postgres/migrate.ts'
import { StartupError } from '../postgres/startup-error.ts'
import { inLoadOrder, readCompanyTables, type StoredTable } from './catalogue.ts'
import { byteOrderMark, headerLine, splitHeader } from './csv-lines.ts'
import { declaredTables, type CompanyDeclarations } from './export.ts'
import type { CompanyManifest, ExportedTable } from './manifest.ts'
import type { CompanyTables } from './declaration.ts'
import { emptyValue, importedValue, quoteName } from './values-sql.ts'
import { listAttachments, verifyExport, type VerifiedExport } from './verify.ts'

export interface CompanyImport extends CompanyDeclarations {
  readonly databaseUrl: string
  readonly storage: FileStorage
  /** The folder of files on their way into the storage. */
  readonly dataDir: string
  readonly file: string
  readonly migrations?: string
  readonly onProgress?: (note: string) => void
}

export interface ImportedCompany {
  readonly manifest: CompanyManifest
  /** What the operator must know. */
  readonly notices: readonly string[]
}

/** A company is imported with its numbers, so nothing else may have been given any. */
async function refuseUsedInstallation(client: pg.Client): Promise<void> {
  const existing = await client.query<{ found: boolean }>(
    `select to_regclass('directory') is not null as found`,
  )
  if (!existing.rows[0]?.found) return
  const { rows } = await client.query<{ ownerId: string }>(
    `select owner_id as "ownerId" from directory where kind = 'company' order by owner_id limit 1`,
  )
  if (rows[0])
    throw new StartupError(
      `此处已有公司（编号 ${rows[0].ownerId}），不能导入。请用 --data 指定新的数据目录，或给出一个空的数据库。`,
    )
}

async function prepareSchema(
  client: pg.Client,
  { migrations: exported, product, productVersion }: CompanyManifest,
  dir: string,
): Promise<void> {
  const level = new Set(exported.map(each => each.name))
  const ahead = [...(await appliedMigrations(client)).keys()].filter(name => !level.has(name))
  if (ahead.length)
    throw new StartupError(
      `数据库的结构比导出文件（${product} ${productVersion}）新。请用 --data 指定新的数据目录，或给出一个空的数据库：导入时会先建到导出时的结构，再升级。`,
    )
  await migrate(client, { dir, upTo: level })
}

/** The columns of the file as columns of a table of texts that ends with the transaction. */
async function stageRows(client: pg.Client, { zip }: VerifiedExport, table: ExportedTable): Promise<void> {
  const columns = table.columns.map((_, i) => `c${i}`)
  await client.query(
    `create temp table stage (${columns.map(name => `${name} text`).join(', ')}) on commit drop`,
  )
  const { header, rest } = await splitHeader(zip.read(defined(zip.parts.get(table.path))))
  if (header !== `${byteOrderMark.toString()}${headerLine(table.columns)}`)
    throw new StartupError(`「${table.path}」的标题行与 manifest.json 不符，未作任何改动。`)
  await pipeline(
    rest,
    client.query(copyFrom(`copy stage (${columns.join(', ')}) from stdin with (format csv)`)),
  )
}

/** Of each column of the table that gets a value: its name, and the value as SQL. */
function importedColumns(
  stored: StoredTable,
  table: ExportedTable,
  imported: Readonly<Record<string, string>>,
): (readonly [name: string, value: string])[] {
  const indexByName = new Map(table.columns.map((column, i) => [column.name, i]))
  const strange = table.columns.find(column => !stored.columns.some(each => each.name === column.name))
  if (strange)
    throw new StartupError(`「${table.path}」的列 ${strange.name} 在本程序中不存在，未作任何改动。`)
  return stored.columns.flatMap(({ name, type, isRequired }) => {
    const fixed = imported[name]
    const i = indexByName.get(name)
    if (name === 'owner_id') return [[name, '$1::bigint'] as const]
    if (fixed !== undefined) return [[name, fixed] as const]
    if (i === undefined) return isRequired ? [[name, emptyValue(type)] as const] : []
    const { codes } = defined(table.columns[i])
    return [[name, importedValue({ type, ...(codes ? { codes } : {}) }, `c${i}`)] as const]
  })
}

async function loadTable(
  client: pg.Client,
  verified: VerifiedExport,
  {
    stored,
    table,
    imported,
  }: {
    readonly stored: StoredTable
    readonly table: ExportedTable
    readonly imported: Readonly<Record<string, string>>
  },
): Promise<void> {
  await stageRows(client, verified, table)
  const columns = importedColumns(stored, table, imported)
  const { rowCount } = await client.query(
    `insert into ${quoteName(stored.name)} (${columns.map(([name]) => quoteName(name)).join(', ')})
    overriding system value
    select ${columns.map(([, value]) => value).join(', ')}
    from stage`,
    [verified.manifest.company.id],
  )
  await client.query('drop table stage')
  if (rowCount !== table.rows)
    throw new Error(`表 ${table.label} 导入了 ${rowCount ?? 0} 行，应为 ${table.rows} 行`)
}

async function loadRows(
  client: pg.Client,
  verified: VerifiedExport,
  declarations: CompanyTables,
  onProgress: (note: string) => void,
): Promise<void> {
  const exportedByTable = new Map(verified.manifest.tables.map(table => [table.table, table]))
  const stored = await readCompanyTables(client)
  const strange = verified.manifest.tables.find(({ table }) => !stored.some(each => each.name === table))
  if (strange) throw new StartupError(`「${strange.path}」在本程序中没有对应的表，未作任何改动。`)
  for (const each of inLoadOrder(stored)) {
    const table = exportedByTable.get(each.name)
    if (!table) continue
    onProgress(`${table.label} ${table.rows} 行`)
    await loadTable(client, verified, {
      stored: each,
      table,
      imported: declarations[each.name]?.imported ?? {},
    })
  }
  for (const { name, last } of verified.manifest.sequences) {
    await client.query(
      `
        select setval(s.oid::regclass, greatest($2::bigint, pg_sequence_last_value(s.oid)))
        from pg_class s
        where s.oid = to_regclass($1) and s.relkind = 'S'
      `,
      [name, last],
    )
  }
}

/** Puts the files into the storage; those that got there are taken out again when one fails. */
async function storeFiles(
  verified: VerifiedExport,
  { storage, dataDir }: CompanyImport,
  stored: string[],
): Promise<void> {
  const { zip, manifest } = verified
  const folder = join(dataDir, 'tmp')
  const path = join(folder, randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    for await (const attachment of listAttachments(verified)) {
      if (!attachment.path) continue
      await pipeline(zip.read(defined(zip.parts.get(attachment.path))), writeDiskFile(path))
      stored.push(attachment.key)
      await storage.put(asId(manifest.company.id), attachment.key, { path })
    }
  } finally {
    await rm(path, { force: true })
  }
}

async function importInTransaction(
  client: pg.Client,
  verified: VerifiedExport,
  options: CompanyImport,
): Promise<string[]> {
  const ownerId = asId(verified.manifest.company.id)
  const { modules, storage, onProgress = () => {} } = options
  const storedKeys: string[] = []
  await client.query('begin')
  try {
    await client.query(`set local datestyle = 'ISO, YMD'; set local timezone = 'Asia/Shanghai';
      set local intervalstyle = 'postgres'; set local lock_timeout = '15s'; set local statement_timeout = 0;
      set local idle_in_transaction_session_timeout = 0`)
    await client.query(companyScopeSql(ownerId))
    // Nobody sets up a company in the meantime.
    await client.query('lock table directory in share row exclusive mode')
    await refuseUsedInstallation(client)
    await loadRows(client, verified, declaredTables(options), onProgress)
    const notices: string[] = []
    for (const { onImport } of modules) {
      notices.push(...((await onImport?.(client, ownerId)) ?? []))
    }
    onProgress(`附件 ${verified.manifest.attachments.count} 个`)
    await storeFiles(verified, options, storedKeys)
    await client.query('commit')
    return notices
  } catch (error) {
    await client.query('rollback').catch(() => {})
    for (const key of storedKeys) {
      await storage.remove(ownerId, key)
    }
    if (error instanceof StartupError) throw error
    throw new StartupError(`导入失败，未作任何改动：${errorMessage(error)}。`)
  }
}

/**
 * Imports a company's export, whole or not at all, with its numbers, into an installation that has no company
 * yet. The whole file is checked before anything is written; files are stored behind the rows and before
 * their commit, so that a killed import leaves at most bytes that no row names, which the server deletes.
 */
export async function importCompany(options: CompanyImport): Promise<ImportedCompany> {
  const { migrations = MIGRATIONS, onProgress = () => {} } = options
  onProgress('核对导出文件')
  const verified = await verifyExport(options.file, migrations)
  const client = new pg.Client(options.databaseUrl)
  client.on('error', () => {})
  try {
    await client.connect()
    await refuseUsedInstallation(client)
    await prepareSchema(client, verified.manifest, migrations)
    const notices = await importInTransaction(client, verified, options)
    await migrate(client, { dir: migrations })
    await client.query('analyze')
    return { manifest: verified.manifest, notices }
  } finally {
    await client.end()
    await verified.zip.close()
  }
}
