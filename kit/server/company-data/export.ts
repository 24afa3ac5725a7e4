import { createReadStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Entity } from '#kit/contract/entity.ts'
import { asId } from '#kit/domain/id.ts'
import { companyScopeSql } from '../company-scope.ts'
import { writeDiskFile } from '../disk-file.ts'
import type { FileStorage } from '../file-storage.ts'
import { listSequences } from '../postgres/catalogue.ts'
import { appliedMigrations } from '../postgres/migrate.ts'
import { AttachmentPaths, readAttachments } from './attachments.ts'
import { readCompanyTables, type StoredTable } from './catalogue.ts'
import { byteOrderMark, headerLine, RowEnds, withCrlf } from './csv-lines.ts'
import type { CompanyData, CompanyTables } from './declaration.ts'
import { kitTables } from './kit-tables.ts'
import {
  attachmentColumns,
  attachmentLine,
  attachmentListPath,
  companyExportFormat,
  manifestPath,
  readmePath,
  rowsOf,
  tablePath,
  type CompanyManifest,
  type ExportedTable,
} from './manifest.ts'
import { planExport, type ExportPlan, type PlannedTable } from './plan.ts'
import { writeReadme } from './readme.ts'
import { exportedValue, quoteName } from './values-sql.ts'
import { ExportZip } from './zip-writer.ts'

/** What the installed modules declare. */
export interface CompanyDeclarations {
  readonly entities: readonly Entity[]
  readonly modules: readonly CompanyData[]
}

export const declaredTables = ({ modules }: CompanyDeclarations): CompanyTables =>
  Object.assign({}, kitTables, ...modules.map(module => module.tables ?? {}))

export interface CompanyExport extends CompanyDeclarations {
  readonly databaseUrl: string
  readonly storage: FileStorage
  readonly company: { readonly id: number; readonly name: string }
  readonly product: string
  readonly productVersion: string
  /** Where it is written; there only when it is whole. */
  readonly file: string
  readonly exportTime: Date
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total: number, note: string) => void
}

async function* csvPieces(
  client: pg.Client,
  { name, columns, key, rows }: PlannedTable,
  ownerId: number,
  rowEnds: RowEnds,
): AsyncGenerator<Buffer> {
  yield byteOrderMark
  yield Buffer.from(headerLine(columns))
  const order = key.filter(each => each !== 'owner_id').map(each => `t.${quoteName(each)}`)
  const copy = client.query(
    copyTo(
      `copy (
        select ${columns.map(exportedValue).join(', ')}
        from ${quoteName(name)} t
        where ${rowsOf(ownerId, rows)}
        ${order.length ? `order by ${order.join(', ')}` : ''}
      ) to stdout with (format csv)`,
    ),
  )
  for await (const piece of copy as AsyncIterable<Buffer>) {
    yield withCrlf(piece, rowEnds)
  }
}

interface Snapshot {
  readonly client: pg.Client
  readonly stored: readonly StoredTable[]
  readonly plan: ExportPlan
}

async function addTables(
  zip: ExportZip,
  { client, plan }: Snapshot,
  { company, signal, onProgress }: CompanyExport,
): Promise<ExportedTable[]> {
  const exported: ExportedTable[] = []
  for (const table of plan.tables) {
    signal?.throwIfAborted()
    onProgress?.(exported.length, plan.tables.length + 1, table.label)
    const rowEnds = new RowEnds()
    const file = await zip.add(tablePath(table), csvPieces(client, table, company.id, rowEnds))
    const { name, label, columns } = table
    exported.push({ table: name, label, ...file, rows: rowEnds.rows, columns })
  }
  return exported
}

/** The files one by one; their list waits on the disk, for it is written behind them. */
async function addAttachments(
  zip: ExportZip,
  { client, stored }: Snapshot,
  { company, storage, entities, modules, file, signal }: CompanyExport,
): Promise<CompanyManifest['attachments']> {
  const listFile = `${file}.files`
  const list = writeDiskFile(listFile)
  const write = async (text: string | Buffer): Promise<void> => {
    if (!list.write(typeof text === 'string' ? Buffer.from(text) : text)) {
      await once(list, 'drain')
    }
  }
  const total = { count: 0, bytes: 0, missing: 0 }
  try {
    await write(byteOrderMark)
    await write(headerLine(attachmentColumns))
    const paths = new AttachmentPaths()
    const fileFolders = modules.flatMap(module => module.fileFolders ?? [])
    for await (const batch of readAttachments(client, company.id, {
      entities,
      tables: stored,
      fileFolders,
    })) {
      for (const attachment of batch) {
        signal?.throwIfAborted()
        const body = await storage.read(asId(company.id), attachment.key)
        if (!body) {
          total.missing++
          await write(attachmentLine({ key: attachment.key, path: '', bytes: 0, sha256: '' }))
          continue
        }
        const { path, bytes, sha256 } = await zip.add(paths.pathOf(attachment), body, false)
        total.count++
        total.bytes += bytes
        await write(attachmentLine({ key: attachment.key, path, bytes, sha256 }))
      }
    }
    list.end()
    await finished(list)
    return { list: await zip.add(attachmentListPath, createReadStream(listFile)), ...total }
  } finally {
    list.destroy()
    await rm(listFile, { force: true })
  }
}

async function openSnapshot(options: CompanyExport): Promise<Snapshot> {
  const client = new pg.Client(options.databaseUrl)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local datestyle = 'ISO, YMD'; set local timezone = 'Asia/Shanghai';
      set local intervalstyle = 'postgres'; set local bytea_output = 'hex'; set local extra_float_digits = 1;
      set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`)
    await client.query(companyScopeSql(options.company.id))
    const stored = await readCompanyTables(client)
    return { client, stored, plan: planExport(stored, options.entities, declaredTables(options)) }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function fillZip(zip: ExportZip, snapshot: Snapshot, options: CompanyExport): Promise<CompanyManifest> {
  const { client, plan } = snapshot
  const migrations = [...(await appliedMigrations(client))]
    .map(([name, checksum]) => ({ name, checksum }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const tables = await addTables(zip, snapshot, options)
  options.onProgress?.(plan.tables.length, plan.tables.length + 1, '附件')
  const attachments = await addAttachments(zip, snapshot, options)
  const { company, product, productVersion, exportTime } = options
  const about = {
    format: companyExportFormat,
    product,
    productVersion,
    exportTime: exportTime.toISOString(),
    company,
    migrations,
    tables,
    omitted: plan.omitted,
  }
  const readme = await zip.add(readmePath, [Buffer.from(writeReadme(about))])
  // Sequences are outside snapshots: read late they are never behind the rows.
  const sequences = (await listSequences(client)).flatMap(({ name, last }) =>
    last === null ? [] : [{ name, last }],
  )
  const manifest: CompanyManifest = { ...about, attachments, readme, sequences }
  await zip.add(manifestPath, [Buffer.from(JSON.stringify(manifest, null, 1))])
  await zip.end()
  return manifest
}

/**
 * Writes everything a company owns into one zip of open files: a CSV for each table, the uploaded files, a
 * list of what there is. All of it is of one moment; neither rows nor files are held in memory.
 */
export async function exportCompany(options: CompanyExport): Promise<CompanyManifest> {
  const draft = `${options.file}.part`
  const snapshot = await openSnapshot(options)
  const zip = new ExportZip(writeDiskFile(draft, { flush: true }))
  try {
    const manifest = await fillZip(zip, snapshot, options)
    await rename(draft, options.file)
    return manifest
  } catch (error) {
    zip.abort()
    await rm(draft, { force: true })
    throw error
  } finally {
    await snapshot.client.end()
  }
}
