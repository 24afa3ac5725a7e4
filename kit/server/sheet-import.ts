import { hashFile } from './file-hash.ts'
import type { Id } from '#kit/domain/id.ts'
import { PassThrough } from 'node:stream'
import { toError } from '#kit/domain/to-error.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, type Fields, type ValueOf } from '#kit/contract/field.ts'
import type { ImportResult } from '#kit/contract/import-export.ts'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { isOwnHeading, readSheet, type SheetFault } from '#kit/contract/sheet-reader.ts'
import { columnHelp, sheetLimits, type SheetColumn } from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from './db.ts'
import { reads, writes, type Handler, type WriteContext } from './handler.ts'
import { checkLines, faultTextByLine, type CheckedLines } from './import-check.ts'
import type { ImportDefinition, ImportRequest } from './import-definition.ts'
import { importJob } from './import-job.ts'
import {
  defaultMode,
  keepLines,
  loadImport,
  modeOf,
  modesOf,
  openImportedFile,
  suffixFileName,
} from './import-store.ts'
import type { Job } from './jobs.ts'
import { writeResult } from './workbook/result-writer.ts'
import { readWorkbook } from './workbook/workbook-reader.ts'
import { writeWorkbook, xlsxMediaType } from './workbook/workbook-writer.ts'
import { cellToText, toRows, type Worksheet } from './workbook/worksheet.ts'

export type {
  ImportDefinition,
  ImportRequest,
  ImportSession,
  LineResult,
  MissingRecords,
  ReadyLine,
} from './import-definition.ts'

/** The cells of the heading line, and which column of the sheet each is taken for. */
const describeHeadings = (
  worksheet: Worksheet,
  columns: readonly (SheetColumn & { readonly index: number })[],
  headingLine: number,
): NonNullable<ImportResult['headings']> =>
  (toRows(worksheet)[headingLine - 1] ?? [])
    .map((cell, i) => ({ heading: cellToText(cell), column: columns.find(({ index }) => index === i) }))
    .filter(({ heading }) => !isOwnHeading(heading))
    .map(({ heading, column }) => ({
      heading,
      used: column !== undefined,
      ...(column ? { label: column.heading } : {}),
    }))

/** Checks the lines against the records; nothing where the sheet itself cannot be read. */
const checkSheet = async <T, X extends Fields, E>(
  definition: ImportDefinition<T, X, E>,
  sheet: ReturnType<typeof readSheet<T>>,
  db: Db,
  request: ImportRequest<ValueOf<X>>,
): Promise<CheckedLines<T, E> | undefined> =>
  sheet.faults.length
    ? undefined
    : checkLines(definition, sheet, await definition.openSession(db, request, sheet.lines, false))

interface PreviewInput<X extends Fields> {
  readonly mode: string | undefined
  /** Adds what lines name and what does not exist, before they are checked. */
  readonly addMissing?: boolean | undefined
  readonly extraInput: ValueOf<X>
}

/** Keeps the uploaded file for the second step. Returns the import's id. */
async function storeUpload<T, X extends Fields, E>(
  { kind, calls }: ImportDefinition<T, X, E>,
  { mode, extraInput }: PreviewInput<X>,
  { upload, tx, scope, app }: WriteContext,
  hash: string,
): Promise<number> {
  const file = upload ?? refuse('请选择要导入的文件')
  const fileKey = await app.files.save(
    scope.ownerId,
    scope.operatorId,
    { name: file.name, type: file.type, path: file.path },
    sheetLimits.retentionDays,
    tx,
  )
  const created = await tx.one<{ id: Id }>(
    sql`
      insert into sheet_import (owner_id, kind, operator_id, file_key, file_name, hash, more, mode)
      values (
        ${scope.ownerId}, ${kind}, ${scope.operatorId}, ${fileKey}, ${file.name}, ${hash},
        ${JSON.stringify(extraInput)}::jsonb, ${mode === undefined ? null : String(codeOf(modesOf(calls), mode))}
      )
      returning id
    `,
  )
  return defined(created).id
}

/** When the same file was last imported (IMP-4). */
const findEarlierImport = (
  { tx, scope }: WriteContext,
  kind: string,
  hash: string,
): Promise<{ at?: Moment } | undefined> =>
  tx.one<{ at?: Moment }>(
    sql`
      select max(done_time) as at
      from sheet_import
      where owner_id = ${scope.ownerId} and kind = ${kind} and hash = ${hash} and done_time is not null
    `,
  )

const firstOnes = <F>(faults: readonly F[]): readonly F[] => faults.slice(0, sheetLimits.maxListed)

/** Lines, not faults: one with three faults is one that is not imported. */
const countLines = (faults: readonly SheetFault[], except: ReadonlySet<number> = new Set()): number =>
  new Set(faults.map(fault => fault.line).filter(line => !except.has(line))).size

const listFaults = <T, E>(
  sheet: ReturnType<typeof readSheet<T>>,
  checked: CheckedLines<T, E> | undefined,
): Partial<ImportResult> => {
  const errors: readonly SheetFault[] = [...sheet.faults, ...(checked?.faults ?? [])]
  const warnings: readonly SheetFault[] = [...sheet.warnings, ...(checked?.warnings ?? [])]
  const { repeats = [], existing = [] } = checked ?? {}
  return {
    // Headings that are missing are no lines.
    errorCount: sheet.faults.length + countLines(checked?.faults ?? []),
    warningCount: countLines(checked?.warnings ?? []),
    repeatedCount: countLines(repeats, new Set(checked?.faults.map(fault => fault.line))),
    existingCount: existing.length,
    skippedCount: checked?.skippedCount ?? 0,
    errors: firstOnes(errors),
    warnings: firstOnes(warnings),
    repeated: firstOnes(repeats),
    existing: firstOnes(existing),
  }
}

/** The first step: checks the file and writes none of its lines (IMP-1); at most what they refer to. */
async function previewImport<T, X extends Fields, E>(
  definition: ImportDefinition<T, X, E>,
  input: PreviewInput<X>,
  context: WriteContext,
): Promise<ImportResult> {
  const { upload, tx, scope, today } = context
  const file = upload ?? refuse('请选择要导入的文件')
  const hash = await hashFile(file.path)
  const worksheet = await readWorkbook(file.path)
  const sheet = readSheet(definition.sheet, toRows(worksheet))
  const mode = input.mode ?? defaultMode(definition.calls)
  const request = { scope, extraInput: input.extraInput, mode, today }
  if (input.addMissing) {
    await definition.missing?.add(tx, request, sheet.lines)
  }
  const checked = await checkSheet(definition, sheet, tx, request)
  const missing = await definition.missing?.find(tx, request, sheet.lines)
  const earlier = await findEarlierImport(context, definition.kind, hash)
  const id = await storeUpload(definition, input, context, hash)
  return {
    importId: String(id),
    fileName: file.name,
    rows: sheet.lines.length,
    good: checked ? checked.ready.length - checked.skippedCount : 0,
    ...(earlier?.at ? { already: earlier.at } : {}),
    headings: describeHeadings(worksheet, sheet.columns, sheet.headingIndex + 1),
    ...(missing?.length ? { missing: firstOnes(missing) } : {}),
    ...listFaults(sheet, checked),
  }
}

/** The second step: begins the task that writes the lines; a repeated request gets the same task. */
async function startImport<T, X extends Fields, E>(
  { kind, calls }: ImportDefinition<T, X, E>,
  importId: string,
  mode: string | undefined,
  { tx, scope, app }: WriteContext,
): Promise<ImportResult> {
  const row = await loadImport(tx, kind, scope, importId, { lock: true })
  const { fileName } = row
  if (row.taskId) return { importId, taskId: row.taskId, fileName }
  const title = `${calls.post.title}：${fileName}`
  const taskId = await app.jobs.start(tx, scope, `import.${kind}`, title, { importId })
  await tx.execute(
    sql`
      update sheet_import
      set mode = ${String(codeOf(modesOf(calls), mode ?? defaultMode(calls)))}, task_id = ${taskId}
      where owner_id = ${scope.ownerId} and id = ${row.id}
    `,
  )
  return { importId, taskId, fileName }
}

/** Ends a download with the error that stopped its writing. */
const failStream =
  (body: PassThrough) =>
  (error: unknown): void => {
    body.destroy(toError(error))
  }

/** An empty sheet with live drop-down lists (IMP-7). */
const templateHandler = <T, X extends Fields, E>(definition: ImportDefinition<T, X, E>): Handler =>
  reads(definition.calls.template, async (extraInput, { db, scope, today }): Promise<FileResponse> => {
    const { calls, hiddenInTemplate, missing, sheet, templateOptions } = definition
    const request = { scope, extraInput, mode: defaultMode(calls), today }
    const options = (await templateOptions?.(db, request)) ?? {}
    const columns = sheet.columns
      .filter(column => !hiddenInTemplate?.includes(column.key))
      .map(column => ({
        ...column,
        options: options[column.key] ?? column.options,
        suggestsOnly: missing?.columns[column.key] !== undefined,
        note: missing?.columns[column.key] ?? columnHelp(column),
      }))
    const body = new PassThrough()
    writeWorkbook(columns, [], body, { sheetName: sheet.label }).catch(failStream(body))
    return { name: `${sheet.label}导入模板.xlsx`, type: xlsxMediaType, body }
  })

/** The faulty lines of a file, each with what is wrong in it (IMP-3). */
const faultsHandler = <T, X extends Fields, E>(definition: ImportDefinition<T, X, E>): Handler =>
  reads(definition.calls.faults, async ({ importId }, { db, scope, app, today }): Promise<FileResponse> => {
    const row = await loadImport(db, definition.kind, scope, importId)
    const worksheet = await openImportedFile(app, scope, row)
    const sheet = readSheet(definition.sheet, toRows(worksheet))
    const mode = modeOf(definition.calls, row)
    const extraInput = row.extraInput as ValueOf<X>
    const checked = await checkSheet(definition, sheet, db, { scope, extraInput, mode, today })
    const faults = [...sheet.faults, ...(checked?.faults ?? []), ...(checked?.repeats ?? [])]
    const textByLine = faultTextByLine(faults)
    const body = new PassThrough()
    writeResult(
      keepLines(worksheet, line => textByLine.has(line)),
      line => textByLine.get(line) ?? '',
      body,
      sheet.headingIndex + 1,
    ).catch(failStream(body))
    return { name: suffixFileName(row.fileName, '错误行'), type: xlsxMediaType, body }
  })

/** The three handlers of an import and the job behind it. */
export const importHandlers = <T, X extends Fields, E>(
  definition: ImportDefinition<T, X, E>,
): { handlers: readonly Handler[]; job: Job } => ({
  handlers: [
    writes(definition.calls.post, ({ importId, mode, addMissing, ...extraInput }, context) =>
      importId
        ? startImport(definition, importId, mode, context)
        : previewImport(definition, { mode, addMissing, extraInput: extraInput as ValueOf<X> }, context),
    ),
    templateHandler(definition),
    faultsHandler(definition),
  ],
  job: importJob(definition),
})
