import { parseId } from '#kit/domain/id.ts'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { toError } from '#kit/domain/to-error.ts'
import { storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { FileResponse, ListQuery } from '#kit/contract/shape.ts'
import { sheetColumns, sheetLimits, formatSheetRow, type SheetColumn } from '#kit/contract/sheet.ts'
import type { ExportCalls, ExportInput } from '#kit/contract/import-export.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { audit } from './audit.ts'
import type { PoolClient } from 'pg'
import { queryBuilder, sql, type Db, type RawBuilder, type Tx } from './db.ts'
import { reads, writes, type Handler } from './handler.ts'
import { defineJob, type Job, type JobContext } from './jobs.ts'
import type { Scope } from './scope.ts'
import { toEntityRow, valuesByKey } from './column-storage.ts'
import { countRows, findAll, selectStatement, type FindOptions, type TableQuery } from './table.ts'
import { writeCsv } from './workbook/csv-writer.ts'
import { writeWorkbook, xlsxMediaType } from './workbook/workbook-writer.ts'
import type { App } from './app.ts'

type ListInput = ListQuery & { readonly projectCode?: string }
type Row = Readonly<Record<string, unknown>>

interface ListConditions {
  readonly q: ListInput
  readonly find: FindOptions
}

interface ReadEnvironment {
  readonly db: Db
  readonly scope: Scope
  readonly app: App
}

/** How an export asks its list's own query: what `page` would be given, without the page. */
export interface ExportDefinition<I> {
  /** `rooms.room`: names its task. */
  readonly kind: string
  /** The file: `房间`. */
  readonly name: string
  readonly calls: ExportCalls<I>
  readonly entity: Entity
  /** All columns it can export; the default choice. */
  readonly columns: readonly SheetColumn[]
  readonly query: (
    input: I,
    context: { readonly db: Db; readonly scope: Scope; readonly today: Day },
  ) => ListConditions | Promise<ListConditions>
  /**
   * Adds what the list shows beside what is stored; `columns` may then name it too. Given whole rows, a batch
   * at a time.
   */
  readonly enrichRows?: (rows: readonly Row[], environment: ReadEnvironment) => Promise<readonly object[]>
}

type ExportRequest<I> = I & ExportInput

/** What is read: the columns themselves, or the whole row where more is derived from it. */
const keysToRead = <I>(definition: ExportDefinition<I>, columns: readonly SheetColumn[]): string[] =>
  definition.enrichRows ? storedKeys(definition.entity) : columns.map(column => column.key)

const resolveQuery = async <I>(
  definition: ExportDefinition<I>,
  input: ExportRequest<I>,
  { db, scope, app }: ReadEnvironment,
): Promise<{ q: TableQuery; find: FindOptions }> => {
  const { columns: _columns, ids, expected: _expected, ...filters } = input
  const today = dayOfMoment(fromInstant(app.clock()))
  // What remains of the request is the list's own input.
  const { q, find } = await definition.query(filters as I, { db, scope, today })
  const selected = ids?.length ? [sql`t.id = any(${ids.map(parseId)})`] : []
  return { q, find: { ...find, where: [...(find.where ?? []), ...selected] } }
}

/** Columns of an export; unlike those of a template, none is marked as required. */
const chooseColumns = <I>(
  { entity, columns }: ExportDefinition<I>,
  { columns: keys }: ExportInput,
): readonly SheetColumn[] => {
  const chosen = keys?.length
    ? sheetColumns(
        entity.fields,
        keys.filter(key => entity.fields[key] && !entity.fields[key].hiddenIn?.includes('detail')),
      )
    : columns
  return chosen.map(column => ({ ...column, required: false }))
}

const formatThousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

/** The screen counted; where the filter now finds another number, the export is refused. */
const checkCount = (count: number, { expected }: ExportInput): number => {
  if (expected !== undefined && expected !== count)
    return refuse(
      `符合条件的数据现在有 ${formatThousands(count)} 条（刚才是 ${formatThousands(expected)} 条），请刷新后重新导出`,
    )
  return count || refuse('没有符合条件的数据，请调整筛选条件')
}

const exportFileName = (name: string, app: App, extension: string): string =>
  `${name}_${dayOfMoment(fromInstant(app.clock())).replaceAll('-', '')}.${extension}`

const auditExport = <I>(
  tx: Tx,
  scope: Scope,
  { entity }: ExportDefinition<I>,
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

/** The cells of rows as the file shows them; personal data masked for those who may not see it (PERM-7). */
const formatRows = async <I>(
  definition: ExportDefinition<I>,
  columns: readonly SheetColumn[],
  rows: readonly Row[],
  environment: ReadEnvironment,
) => {
  const shown = definition.enrichRows ? await definition.enrichRows(rows, environment) : rows
  return shown.map(row => formatSheetRow(columns, valuesByKey(row), !environment.scope.canSeePersonalData))
}

/**
 * Rows of a statement from a cursor, a batch at a time, the next one fetched while the last is used: memory
 * stays flat.
 */
export async function* readBatches(
  client: PoolClient,
  entity: Entity,
  keys: readonly string[],
  query: RawBuilder<unknown>,
  size = 400,
): AsyncGenerator<Row[]> {
  const { sql: text, parameters } = query.compile(queryBuilder())
  await client.query({ text: `declare export_rows no scroll cursor for ${text}`, values: [...parameters] })
  const fetchBatch = (): Promise<unknown[][]> => {
    const batch = client
      .query<unknown[]>({ text: `fetch ${size} from export_rows`, rowMode: 'array' })
      .then(result => result.rows)
    // A batch is awaited only when the one before it has been used, or never, when the reader stops there:
    // its failure must not end the process as an unhandled rejection.
    batch.catch(() => {})
    return batch
  }
  let next = fetchBatch()
  for (;;) {
    const rows = await next
    if (rows.length === size) {
      next = fetchBatch()
    }
    yield rows.map(row => toEntityRow(entity, Object.fromEntries(keys.map((key, i) => [key, row[i]]))))
    if (rows.length < size) return
  }
}

const countRequested = async <I>(
  definition: ExportDefinition<I>,
  input: ExportRequest<I>,
  environment: ReadEnvironment,
): Promise<number> => {
  const { q, find } = await resolveQuery(definition, input, environment)
  const { db, scope } = environment
  return checkCount(await countRows(db, definition.entity, scope, q, find), input)
}

/** Answers up to 2,000 rows at once. */
const directHandler = <I>(definition: ExportDefinition<I>): Handler =>
  reads(definition.calls.get, async (input, { db, scope, app }): Promise<FileResponse> => {
    const environment = { db, scope, app }
    const count = await countRequested(definition, input, environment)
    if (count > sheetLimits.directRows)
      return refuse(
        `共 ${formatThousands(count)} 条，超过 ${formatThousands(sheetLimits.directRows)} 条，请用后台导出，完成后在任务中心下载`,
      )
    const { entity, name } = definition
    const columns = chooseColumns(definition, input)
    const { q, find } = await resolveQuery(definition, input, environment)
    const keys = keysToRead(definition, columns)
    const rows = await findAll(db, entity, scope, q, { ...find, keys })
    const lines = await formatRows(definition, columns, rows, environment)
    await app.database.tx(scope.ownerId, tx => auditExport(tx, scope, definition, input, count))
    const body = new PassThrough()
    writeWorkbook(columns, [lines], body, { sheetName: name }).catch((e: unknown) => body.destroy(toError(e)))
    return { name: exportFileName(name, app, 'xlsx'), type: xlsxMediaType, body }
  })

/** Begins the task that exports any number of rows. */
const startHandler = <I>(definition: ExportDefinition<I>): Handler =>
  writes(definition.calls.start, async (input, { tx, scope, app }) => {
    const count = await countRequested(definition, input, { db: tx, scope, app })
    const { kind, name } = definition
    return app.jobs.start(tx, scope, `export.${kind}`, `导出${name} ${formatThousands(count)} 条`, input)
  })

/** Writes all rows that the request finds to `path`, and answers how many. */
async function writeExportFile<I>(
  definition: ExportDefinition<I>,
  input: ExportRequest<I>,
  { app, database, scope, signal, reportProgress }: JobContext,
  path: string,
): Promise<{ rows: number; isCsv: boolean }> {
  const { entity, name } = definition
  const environment = { db: database.reader(scope.ownerId), scope, app }
  const { q, find } = await resolveQuery(definition, input, environment)
  const total = await countRows(environment.db, entity, scope, q, find)
  const columns = chooseColumns(definition, input)
  const isCsv = total > sheetLimits.xlsxRows
  const keys = keysToRead(definition, columns)
  const query = selectStatement(entity, scope, q, { ...find, keys })
  const { rows } = await database.bulk(scope.ownerId, async client => {
    let done = 0
    const lines = async function* () {
      for await (const batch of readBatches(client, entity, keys, query)) {
        signal.throwIfAborted()
        yield formatRows(definition, columns, batch, environment)
        done += batch.length
        reportProgress(done, total, '正在写入文件')
      }
    }
    const out = createWriteStream(path, { mode: 0o600 })
    return isCsv ? writeCsv(columns, lines(), out) : writeWorkbook(columns, lines(), out, { sheetName: name })
  })
  return { rows, isCsv }
}

const exportJob = <I>(definition: ExportDefinition<I>): Job =>
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
export const exportHandlers = <I>(
  definition: ExportDefinition<I>,
): { handlers: readonly Handler[]; job: Job } => ({
  handlers: [directHandler(definition), startHandler(definition)],
  job: exportJob(definition),
})
