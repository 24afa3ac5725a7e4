import { parseId } from '#kit/domain/id.ts'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { toError } from '#kit/domain/to-error.ts'
import { storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import type { FileResponse } from '#kit/contract/file-response.ts'
import type { ListQuery } from '#kit/contract/shape.ts'
import { formatExportRow, sheetLimits, formatSheetRow, type SheetColumn } from '#kit/contract/sheet.ts'
import type { ExportCalls, ExportInput } from '#kit/contract/import-export.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { writeDiskFile } from './disk-file.ts'
import { audit } from './audit.ts'
import { sql, type Db, type RawBuilder, type Tx } from './db.ts'
import { reads, writes, type Handler } from './handler.ts'
import { defineJob, type Job, type JobContext } from './jobs.ts'
import type { Scope } from './scope.ts'
import { valuesByKey } from './column-storage.ts'
import { chooseColumns, enrichmentOf, keysToRead } from './sheet-export-columns.ts'
import { checkCount, formatThousands } from './export-count.ts'
import { readBatches } from './row-batches.ts'
import { exportHeaderLines, totalsRow } from './export-header-footer.ts'
import { countRows, findAll, findPage, selectStatement, type FindOptions, type TableQuery } from './table.ts'
import { writeCsv } from './workbook/csv-writer.ts'
import { writeWorkbook, xlsxMediaType } from './workbook/workbook-writer.ts'
import type { App } from './app.ts'

type ListInput = ListQuery & { readonly projectCode?: string }
type Row = Readonly<Record<string, unknown>>

interface ListConditions {
  readonly q: ListInput
  readonly find: FindOptions
}

/** What a module needs to add up the rows of an export. `selected` says which rows were selected. */
interface SumEnvironment<I> extends Pick<ReadEnvironment, 'db' | 'scope'> {
  readonly input: I
  readonly selected: readonly RawBuilder<unknown>[]
}

interface ReadEnvironment {
  readonly db: Db
  readonly scope: Scope
  readonly app: App
}

/** With what the list itself is asked. */
type RowEnvironment<I> = ReadEnvironment & { readonly input: I }

/** How an export asks its list's own query: what `page` would be given, without the page. */
export interface ExportDefinition<I, F extends Fields = Fields> {
  /** `rooms.room`: names its task. */
  readonly kind: string
  /** The file: `房间`. */
  readonly name: string
  readonly calls: ExportCalls<I>
  readonly entity: Entity<F>
  /** All columns it can export; the default choice. */
  readonly columns: readonly SheetColumn[]
  readonly query: (
    input: I,
    context: { readonly db: Db; readonly scope: Scope; readonly today: Day },
  ) => ListConditions | Promise<ListConditions>
  /** The list's totals where they are no sums of what the rows say; undefined: they are, in this case. */
  readonly loadSums?: (find: FindOptions, environment: SumEnvironment<I>) => Promise<Row> | undefined
  /**
   * Adds what the list shows beside what is stored, or shows it as the list's filter does; `columns` may then
   * name it too. Given whole rows, a batch at a time.
   */
  readonly enrichRows?: (
    rows: readonly ValueOf<F>[],
    environment: RowEnvironment<I>,
  ) => Promise<readonly object[]>
  /** Adds computed columns; called only where one of them is chosen. */
  readonly enrichComputed?: (
    rows: readonly ValueOf<F>[],
    environment: RowEnvironment<I>,
  ) => Promise<readonly object[]>
}

type ExportRequest<I> = I & ExportInput

interface ResolvedQuery<I> {
  readonly q: TableQuery
  readonly find: FindOptions
  /** What the list itself is asked. */
  readonly input: I
  readonly selected: readonly RawBuilder<unknown>[]
}

const resolveQuery = async <I, F extends Fields>(
  definition: ExportDefinition<I, F>,
  request: ExportRequest<I>,
  { db, scope, app }: ReadEnvironment,
): Promise<ResolvedQuery<I>> => {
  const { columns: _columns, ids, expected: _expected, ...filters } = request
  const today = dayOfMoment(fromInstant(app.clock()))
  // What remains of the request is the list's own input.
  const input = filters as I
  const { q, find } = await definition.query(input, { db, scope, today })
  const selected = ids?.length ? [sql`t.id = any(${ids.map(parseId)})`] : []
  return { q, find: { ...find, where: [...(find.where ?? []), ...selected] }, input, selected }
}

const exportFileName = (name: string, app: App, extension: string): string =>
  `${name}_${dayOfMoment(fromInstant(app.clock())).replaceAll('-', '')}.${extension}`

const auditExport = <I, F extends Fields>(
  tx: Tx,
  scope: Scope,
  { entity }: ExportDefinition<I, F>,
  input: object,
  rows: number,
): Promise<void> =>
  audit(tx, scope, [
    {
      action: 'export',
      entity: entity.name,
      entityId: 0,
      projectCode: scope.projectCode || undefined,
      after: { rows, filter: input },
    },
  ])

/**
 * The cells of rows as the file shows them; personal data masked for those who may not see it (PERM-7). A csv
 * has texts where a workbook has days.
 */
const formatRows = async <I, F extends Fields>(
  definition: ExportDefinition<I, F>,
  columns: readonly SheetColumn[],
  rows: readonly ValueOf<F>[],
  environment: RowEnvironment<I>,
  format = formatExportRow,
) => {
  const shown = (await enrichmentOf(definition, columns)?.(rows, environment)) ?? rows
  return shown.map(row => format(columns, valuesByKey(row), { mask: !environment.scope.canSeePersonalData }))
}

interface ExportTotals {
  readonly count: number
  readonly sum: Row
}

/** How many rows there are, and the list's own totals: what is no longer valid is shown and not summed. */
async function loadTotals<I, F extends Fields>(
  { entity, calls, loadSums }: ExportDefinition<I, F>,
  { q: query, find, input, selected }: ResolvedQuery<I>,
  { db, scope }: ReadEnvironment,
): Promise<ExportTotals> {
  const ownSums = await loadSums?.(find, { db, scope, input, selected })
  if (ownSums) return { count: await countRows(db, entity, scope, query, find), sum: ownSums }
  const stored = storedKeys(entity)
  const sums = calls.sums.filter(key => stored.includes(key))
  const oneRow = { ...query, page: 1, size: 1 }
  const { total, sum = {} } = await findPage(db, entity, scope, oneRow, { ...find, sums })
  return { count: total, sum }
}

const countRequested = async <I, F extends Fields>(
  definition: ExportDefinition<I, F>,
  input: ExportRequest<I>,
  environment: ReadEnvironment,
): Promise<ExportTotals> => {
  const query = await resolveQuery(definition, input, environment)
  const totals = await loadTotals(definition, query, environment)
  checkCount(totals.count, input)
  return totals
}

/** Returns up to 2,000 rows at once. */
const directHandler = <I, F extends Fields>(definition: ExportDefinition<I, F>): Handler =>
  reads(definition.calls.get, async (input, { db, scope, app }): Promise<FileResponse> => {
    const environment = { db, scope, app, input }
    const { count, sum } = await countRequested(definition, input, environment)
    if (count > sheetLimits.directRows)
      return refuse(
        `共 ${formatThousands(count)} 条，超过 ${formatThousands(sheetLimits.directRows)} 条，请用后台导出，完成后在任务中心下载`,
      )
    const { entity, name } = definition
    const columns = chooseColumns(definition, input)
    const { q: query, find } = await resolveQuery(definition, input, environment)
    const keys = keysToRead(definition, columns)
    const rows = await findAll(db, entity, scope, query, { ...find, keys })
    const lines = await formatRows(definition, columns, rows, environment)
    await app.database.tx(scope.ownerId, tx => auditExport(tx, scope, definition, input, count))
    const body = new PassThrough()
    const head = await exportHeaderLines(definition.calls.get, name, input, environment)
    const extras = { sheetName: name, head }
    writeWorkbook(columns, [lines], body, { ...extras, totals: totalsRow(columns, sum, count) }).catch(
      (e: unknown) => body.destroy(toError(e)),
    )
    return { name: exportFileName(name, app, 'xlsx'), type: xlsxMediaType, body }
  })

/** Begins the task that exports any number of rows. */
const startHandler = <I, F extends Fields>(definition: ExportDefinition<I, F>): Handler =>
  writes(definition.calls.start, async (input, { tx, scope, app }) => {
    const { count } = await countRequested(definition, input, { db: tx, scope, app })
    const { kind, name } = definition
    return app.jobs.start(tx, scope, `export.${kind}`, `导出${name} ${formatThousands(count)} 条`, input)
  })

/** Writes all rows that the request finds to `path`, and returns how many. */
async function writeExportFile<I, F extends Fields>(
  definition: ExportDefinition<I, F>,
  input: ExportRequest<I>,
  { app, database, scope, signal, reportProgress }: JobContext,
  path: string,
): Promise<{ rows: number; isCsv: boolean }> {
  const { entity, name } = definition
  const environment = { db: database.reader(scope.ownerId), scope, app, input }
  const resolved = await resolveQuery(definition, input, environment)
  const { q: tableQuery, find } = resolved
  const { count: total, sum } = await loadTotals(definition, resolved, environment)
  const columns = chooseColumns(definition, input)
  const isCsv = total > sheetLimits.xlsxRows
  const keys = keysToRead(definition, columns)
  const head = await exportHeaderLines(definition.calls.get, name, input, environment)
  const query = selectStatement(entity, scope, tableQuery, { ...find, keys })
  const { rows } = await database.bulk(scope.ownerId, async client => {
    let done = 0
    const lines = async function* () {
      for await (const batch of readBatches(client, entity, keys, query)) {
        signal.throwIfAborted()
        yield formatRows(definition, columns, batch, environment, isCsv ? formatSheetRow : formatExportRow)
        done += batch.length
        reportProgress(done, total, '正在写入文件')
      }
    }
    const out = writeDiskFile(path)
    if (isCsv) return writeCsv(columns, lines(), out)
    const totals = totalsRow(columns, sum, total)
    return writeWorkbook(columns, lines(), out, { sheetName: name, head, totals })
  })
  return { rows, isCsv }
}

const exportJob = <I, F extends Fields>(definition: ExportDefinition<I, F>): Job =>
  defineJob<ExportRequest<I>>({
    kind: `export.${definition.kind}`,
    type: 20,
    run: async (input, context) => {
      const { app, database, scope } = context
      const folder = join(app.dataDir, 'tmp')
      const path = join(folder, randomUUID())
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        const { rows, isCsv } = await writeExportFile(definition, input, context, path)
        const file = await app.files.save(
          scope.ownerId,
          scope.operatorId,
          {
            name: exportFileName(definition.name, app, isCsv ? 'csv' : 'xlsx'),
            type: isCsv ? 'text/csv; charset=utf-8' : xlsxMediaType,
            path,
          },
          sheetLimits.retentionDays,
        )
        await database.tx(scope.ownerId, tx => auditExport(tx, scope, definition, input, rows))
        return { success: rows, file, message: `已导出 ${formatThousands(rows)} 条` }
      } finally {
        await rm(path, { force: true })
      }
    },
  })

/** The handlers of an export: up to 2,000 rows at once, more as a task (EXP-1, EXP-2, EXP-4, EXP-5). */
export const exportHandlers = <I, F extends Fields = Fields>(
  definition: ExportDefinition<I, F>,
): { handlers: readonly Handler[]; job: Job } => ({
  handlers: [directHandler(definition), startHandler(definition)],
  job: exportJob(definition),
})
