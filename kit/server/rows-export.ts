import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Writable } from 'node:stream'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { Day } from '#kit/domain/day.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { ExportCalls, ExportInput } from '#kit/contract/import-export.ts'
import { exportColumns, formatExportRow, sheetLimits, type SheetColumn } from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import { writeDiskFile } from './disk-file.ts'
import type { App } from './app.ts'
import { audit } from './audit.ts'
import type { Db, Tx } from './db.ts'
import { reads, writes, type Handler } from './handler.ts'
import { defineJob, type Job } from './jobs.ts'
import type { Scope } from './scope.ts'
import { checkCount, formatThousands } from './export-count.ts'
import { createTotals, exportHeaderLines } from './export-header-footer.ts'
import { writeWorkbook, xlsxMediaType } from './workbook/workbook-writer.ts'

interface Environment {
  readonly db: Db
  readonly scope: Scope
  readonly today: Day
  readonly now: Moment
}

/** An export of rows that a statement of the module's own makes, not an entity's list. */
export interface RowsExport<I, T> {
  /** `bills.debtor`: names its task. */
  readonly kind: string
  /** The file and the sheet: `欠费客户`. */
  readonly name: string
  readonly calls: ExportCalls<I>
  /** Of some filters they have other kinds or headings, such as the name of what rows are grouped by. */
  readonly columns: readonly SheetColumn[] | ((filter: I) => readonly SheetColumn[])
  /** What the log says was exported. */
  readonly entity: string
  readonly keyOf: (row: T) => string
  /** The first rows of a filter as they are stored, and how many there are. */
  readonly load: (
    filter: I,
    environment: Environment,
    limit: number,
  ) => Promise<{ readonly total: number; readonly rows: readonly T[] }>
}

type Request<I> = I & ExportInput

const withoutExportInput = <I>({
  columns: _columns,
  ids: _ids,
  expected: _expected,
  ...filter
}: Request<I>): I =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what remains is the list's own input
  filter as unknown as I

/** The rows of a request, counted against what the screen showed. */
async function loadRows<I, T>(
  definition: RowsExport<I, T>,
  input: Request<I>,
  environment: Environment,
  limit: number,
): Promise<{ total: number; rows: readonly T[] }> {
  const { ids } = input
  const found = await definition.load(
    withoutExportInput(input),
    environment,
    ids?.length ? sheetLimits.xlsxRows : limit,
  )
  const rows = ids?.length ? found.rows.filter(row => ids.includes(definition.keyOf(row))) : found.rows
  const total = checkCount(ids?.length ? rows.length : found.total, input)
  return { total, rows }
}

const headOf = <I, T>(
  { calls, name }: RowsExport<I, T>,
  input: Request<I>,
  context: { readonly db: Db; readonly scope: Scope; readonly app: App },
): Promise<readonly string[]> => exportHeaderLines(calls.get, name, input, context)

interface SheetTarget {
  readonly head: readonly string[]
  /** Whose file it is: personal data are masked for those who may not see them (EXP-4). */
  readonly scope: Scope
  readonly out: Writable
}

function writeRows<I, T extends object>(
  definition: RowsExport<I, T>,
  input: Request<I>,
  rows: readonly T[],
  { head, scope, out }: SheetTarget,
): Promise<unknown> {
  const { columns: declared } = definition
  const all = typeof declared === 'function' ? declared(input) : declared
  const chosen = all.filter(column => input.columns?.includes(column.key))
  const columns = exportColumns(chosen.length ? chosen : all)
  const lines = rows.map(row =>
    formatExportRow(columns, Object.fromEntries(Object.entries(row)), { mask: !scope.canSeePersonalData }),
  )
  const totals = createTotals(columns, definition.calls.sums)
  totals.add(lines)
  return writeWorkbook(columns, [lines], out, { sheetName: definition.name, head, totals: totals.row() })
}

const auditRows = <I, T>(
  tx: Tx,
  scope: Scope,
  { entity }: RowsExport<I, T>,
  filter: object,
  rows: number,
): Promise<void> =>
  audit(tx, scope, [
    {
      action: 'export',
      entity,
      entityId: 0,
      projectCode: scope.projectCode || undefined,
      after: { rows, filter },
    },
  ])

const fileName = (name: string, today: Day): string => `${name}_${today.replaceAll('-', '')}.xlsx`

const directHandler = <I, T extends object>(definition: RowsExport<I, T>): Handler =>
  reads(definition.calls.get, async (input, { db, scope, app, today, now }) => {
    const { total, rows } = await loadRows(
      definition,
      input,
      { db, scope, today, now },
      sheetLimits.directRows,
    )
    if (total > sheetLimits.directRows)
      return refuse(
        `共 ${formatThousands(total)} 条，超过 ${formatThousands(sheetLimits.directRows)} 条，请用后台导出，完成后在任务中心下载`,
      )
    await app.database.tx(scope.ownerId, tx => auditRows(tx, scope, definition, input, total))
    const body = new PassThrough()
    const head = await headOf(definition, input, { db, scope, app })
    writeRows(definition, input, rows, { head, scope, out: body }).catch((error: unknown) =>
      body.destroy(toError(error)),
    )
    return { name: fileName(definition.name, today), type: xlsxMediaType, body }
  })

const startHandler = <I, T>(definition: RowsExport<I, T>): Handler =>
  writes(definition.calls.start, async (input, { tx, scope, app, today, now }) => {
    const { total } = await loadRows(definition, input, { db: tx, scope, today, now }, 1)
    const { kind, name } = definition
    return app.jobs.start(tx, scope, `export.${kind}`, `导出${name} ${formatThousands(total)} 条`, input)
  })

const exportJob = <I, T extends object>(definition: RowsExport<I, T>): Job =>
  defineJob<Request<I>>({
    kind: `export.${definition.kind}`,
    type: 20,
    run: async ({ expected: _expected, ...input }, { app, database, scope }) => {
      const now = fromInstant(app.clock())
      const today = dayOfMoment(now)
      const environment = { db: database.reader(scope.ownerId), scope, today, now }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same request; the count was checked when it began
      const request = input as unknown as Request<I>
      const { rows } = await loadRows(definition, request, environment, sheetLimits.xlsxRows)
      const folder = join(app.dataDir, 'tmp')
      const path = join(folder, randomUUID())
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        const out = writeDiskFile(path)
        const head = await headOf(definition, request, { db: environment.db, scope, app })
        await writeRows(definition, request, rows, { head, scope, out })
        const file = await app.files.save(
          scope.ownerId,
          scope.operatorId,
          { name: fileName(definition.name, today), type: xlsxMediaType, path },
          sheetLimits.retentionDays,
        )
        await database.tx(scope.ownerId, tx => auditRows(tx, scope, definition, request, rows.length))
        return { success: rows.length, file, message: `已导出 ${formatThousands(rows.length)} 条` }
      } finally {
        await rm(path, { force: true })
      }
    },
  })

/** The handlers of such an export: up to 2,000 rows at once, more as a task (EXP-1, EXP-2, EXP-5). */
export const rowsExportHandlers = <I, T extends object>(
  definition: RowsExport<I, T>,
): { readonly handlers: readonly Handler[]; readonly job: Job } => ({
  handlers: [directHandler(definition), startHandler(definition)],
  job: exportJob(definition),
})
