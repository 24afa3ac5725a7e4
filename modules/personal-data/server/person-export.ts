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
import { anyOf } from './column-values.ts'
import { givenColumns } from './given-columns.ts'
import { labelsOf, type TableLabels } from './labels.ts'
import type { Person } from './person.ts'
import { reportPerson, type ReportLine } from './report.ts'
import { ownConditions, type DeclaredTable } from './table-statements.ts'

const rowLimit = 5000

/** The person's own rows alone: what mentions the person in rows of others is theirs. */
async function tableSheet(db: Db, table: DeclaredTable, person: Person, labels: TableLabels | undefined) {
  const own = ownConditions(table, person)
  const columns = givenColumns(table, labels, person.ownerId)
  if (!own.length || !columns.length) return undefined
  const order = table.stored.columns.has('create_time') ? sql`order by t.create_time` : sql``
  const rows = await db.rows<{ cells: readonly (string | null)[] }>(sql`
    select array[${sql.join(columns.map(column => sql`(${column.value})::text`))}] as cells
    from ${sql.table(table.name)} t
    where t.owner_id = ${person.ownerId} and ${anyOf(own)}
    ${order}
    limit ${rowLimit}
  `)
  const sheet: SheetToWrite = {
    name: labels?.label ?? table.declared.purpose,
    columns: columns.map(({ heading, isAmount }) => ({ heading: isAmount ? `${heading}（元）` : heading })),
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

/** What a person is given, sheet by sheet. */
export async function personSheets(
  db: Db,
  person: Person,
  tables: readonly DeclaredTable[],
): Promise<SheetToWrite[]> {
  const labels = labelsOf(tables)
  const sheets: SheetToWrite[] = [summarySheet(await reportPerson(db, person, tables))]
  for (const table of tables) {
    const sheet = await tableSheet(db, table, person, labels.get(table.name))
    if (sheet) {
      sheets.push(sheet)
    }
  }
  return sheets
}

/** A zip of a workbook and the attachments, removed from the disk when it has been read. */
export async function exportPersonFile(
  db: Db,
  app: App,
  person: Person,
  tables: readonly DeclaredTable[],
): Promise<FileResponse> {
  const sheets = await personSheets(db, person, tables)
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
