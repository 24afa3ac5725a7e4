import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { labelOf } from '#kit/contract/field.ts'
import { legalGround } from '#kit/contract/legal-ground.ts'
import type { App } from '#kit/server/app.ts'
import { safeName } from '#kit/server/company-data/manifest.ts'
import { ExportZip } from '#kit/server/company-data/zip-writer.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { isFileKey } from '#kit/server/files.ts'
import { writeSheets, type SheetToWrite } from '#kit/server/workbook/workbook-writer.ts'
import { erasureTreatment } from '../contract/choices.ts'
import { headingOf, isShownColumn, labelsOf } from './labels.ts'
import type { Person } from './person.ts'
import { reportCondition, reportPerson, type ReportLine } from './report.ts'
import { anyOf, ownConditions, type DeclaredTable } from './table-statements.ts'

const rowLimit = 5000

/** Content that no sheet can show. */
const isReadable = (table: DeclaredTable, column: string): boolean =>
  isShownColumn(column) && table.stored.columns.get(column)?.type !== 'bytea'

const readableColumns = (table: DeclaredTable): string[] =>
  Object.keys(table.declared.columns).filter(
    column => table.stored.columns.has(column) && isReadable(table, column),
  )

async function tableSheet(db: Db, table: DeclaredTable, person: Person, labels: ReturnType<typeof labelsOf>) {
  const condition = reportCondition(table, person)
  const columns = readableColumns(table)
  if (!condition || !columns.length) return undefined
  const time = table.stored.columns.has('create_time') ? ['create_time'] : []
  const cells = [...time, ...columns].map(column => sql`t.${sql.id(column)}::text`)
  const rows = await db.rows<{ cells: readonly (string | null)[] }>(sql`
    select array[${sql.join(cells)}] as cells
    from ${sql.table(table.name)} t
    where t.owner_id = ${person.ownerId} and ${condition}
    limit ${rowLimit}
  `)
  const known = labels.get(table.name)
  const sheet: SheetToWrite = {
    name: known?.label ?? table.name,
    columns: [...time.map(() => '时间'), ...columns.map(column => headingOf(known, column))].map(heading => ({
      heading,
    })),
    rows: [rows.map(row => row.cells)],
  }
  return rows.length ? sheet : undefined
}

const summarySheet = (lines: readonly ReportLine[]): SheetToWrite => ({
  name: '说明',
  columns: ['内容', '信息项', '条数', '最早', '目的', '依据', '保存至', '删除时'].map(heading => ({
    heading,
  })),
  rows: [
    lines.map(line => [
      line.label,
      line.columns,
      line.rowCount,
      line.since,
      line.purpose,
      labelOf(legalGround, line.ground),
      line.keptUntil ?? line.until,
      labelOf(erasureTreatment, line.treatment),
    ]),
  ],
})

/** The person's own files: photographs, evidence, what was attached. */
async function ownFileKeys(db: Db, tables: readonly DeclaredTable[], person: Person): Promise<string[]> {
  const keys: string[] = []
  for (const table of tables) {
    const own = ownConditions(table, person)
    const columns = Object.entries(table.declared.columns).filter(
      ([name, role]) => role === 'files' && table.stored.columns.has(name),
    )
    if (!own.length || !columns.length) continue
    const rows = await db.rows<{ files: readonly (string | readonly string[] | null)[] }>(sql`
      select json_build_array(${sql.join(columns.map(([name]) => sql`t.${sql.id(name)}`))}) as files
      from ${sql.table(table.name)} t
      where t.owner_id = ${person.ownerId} and ${anyOf(own)}
      limit ${rowLimit}
    `)
    keys.push(...rows.flatMap(row => row.files.flatMap(each => each ?? [])))
  }
  return [...new Set(keys.filter(isFileKey))]
}

async function addAttachments(
  zip: ExportZip,
  app: App,
  person: Person,
  keys: readonly string[],
): Promise<void> {
  const described = await app.files.describe(person.ownerId, keys)
  for (const [i, { key, name }] of described.entries()) {
    const file = await app.files.find(person.ownerId, key)
    const bytes = file && (await file.read())
    if (bytes) {
      await zip.add(`附件/${i + 1}-${safeName(name)}`, bytes as AsyncIterable<Buffer>, false)
    }
  }
}

/** A zip of a workbook and the attachments, removed from the disk when it has been read. */
export async function exportPersonFile(
  db: Db,
  app: App,
  person: Person,
  tables: readonly DeclaredTable[],
): Promise<FileResponse> {
  const labels = labelsOf(tables)
  const sheets: SheetToWrite[] = [summarySheet(await reportPerson(db, person, tables))]
  for (const table of tables) {
    const sheet = await tableSheet(db, table, person, labels)
    if (sheet) {
      sheets.push(sheet)
    }
  }
  const folder = join(app.dataDir, 'tmp')
  const path = join(folder, randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const zip = new ExportZip(createWriteStream(path, { mode: 0o600 }))
  try {
    const workbook = new PassThrough()
    await Promise.all([writeSheets(sheets, workbook), zip.add('个人信息.xlsx', workbook, false)])
    await addAttachments(zip, app, person, await ownFileKeys(db, tables, person))
    await zip.end()
  } catch (error) {
    zip.abort()
    await rm(path, { force: true })
    throw error
  }
  const body = createReadStream(path)
  body.once('close', () => void rm(path, { force: true }))
  return {
    name: `个人信息_${safeName(person.all.names[0] ?? '联系人')}.zip`,
    type: 'application/zip',
    size: (await stat(path)).size,
    body,
  }
}
