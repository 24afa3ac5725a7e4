import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { FileResponse, ListQuery } from '#kit/contract/shape.ts'
import { sheetColumns, sheetLimits, formatSheetRow, type SheetColumn } from '#kit/contract/sheet.ts'
import type { ExportCalls, ExportInput } from '#kit/contract/import-export.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { audit } from './audit.ts'
import type { PoolClient } from 'pg'
import { queryBuilder, sql, type Db, type RawBuilder } from './db.ts'
import { reads, writes, type Handler } from './handler.ts'
import { defineJob, type Job } from './jobs.ts'
import type { Scope } from './scope.ts'
import { toEntityRow } from './column-storage.ts'
import { countRows, findAll, selectStatement, type FindOptions, type TableQuery } from './table.ts'
import { writeCsv } from './workbook/csv-writer.ts'
import { writeWorkbook, xlsxMediaType } from './workbook/workbook-writer.ts'
import type { App } from './app.ts'

type ListInput = ListQuery & { readonly projectCode?: string }

interface ListConditions {
  readonly q: ListInput
  readonly find: FindOptions
}

/** How an export asks its list's own query: what `page` would be given, without the page. */
export interface ExportDefinition<I> {
  /** `rooms.room`: names its task. */
  readonly kind: string
  /** The file: `房间`. */
  readonly name: string
  readonly calls: ExportCalls<I>
  readonly entity: Entity<any>
  /** All that it can show; those marked first stand there unless columns are chosen. */
  readonly columns: readonly SheetColumn[]
  readonly query: (
    input: I,
    c: { readonly db: Db; readonly scope: Scope; readonly today: Day },
  ) => ListConditions | Promise<ListConditions>
  /**
   * Adds what the list shows beside what is stored; `columns` may then name it too. Given whole rows, a batch
   * at a time.
   */
  readonly enrichRows?: (
    rows: readonly Readonly<Record<string, unknown>>[],
    c: { readonly db: Db; readonly scope: Scope; readonly app: App },
  ) => Promise<readonly object[]>
}

/** What is read: the columns themselves, or the whole row where more is made of it. */
const keysToRead = (x: ExportDefinition<any>, columns: readonly SheetColumn[]): string[] =>
  x.enrichRows ? storedKeys(x.entity) : columns.map(c => c.key)

type ExportRequest<I> = I & ExportInput

const resolveQuery = async <I>(
  x: ExportDefinition<I>,
  input: ExportRequest<I>,
  db: Db,
  scope: Scope,
  app: Pick<App, 'clock'>,
): Promise<{ q: TableQuery; find: FindOptions }> => {
  const { columns: _, ids, expected: __, ...rest } = input as ExportRequest<object>
  const { q, find } = await x.query(rest as I, { db, scope, today: dayOfMoment(fromInstant(app.clock())) })
  return {
    q: q,
    find: {
      ...find,
      where: [
        ...(find.where ?? []),
        ...(ids?.length ? [sql`t.id = any(${ids.map(Number).filter(Number.isSafeInteger)})`] : []),
      ],
    },
  }
}

/** What is exported is no form: nothing in it is asked for. */
const chooseColumns = <I>(x: ExportDefinition<I>, input: ExportRequest<I>): readonly SheetColumn[] =>
  pickColumns(x, input).map(c => ({ ...c, required: false }))

const pickColumns = <I>(x: ExportDefinition<I>, input: ExportRequest<I>): readonly SheetColumn[] =>
  input.columns?.length
    ? sheetColumns(
        x.entity.fields,
        input.columns.filter(k => x.entity.fields[k] && !x.entity.fields[k].hiddenIn?.includes('detail')),
      )
    : x.columns

const formatThousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

/** The screen counted; what the filter finds now must be the same, or it asks again. */
const checkCount = (n: number, input: ExportInput): number =>
  input.expected !== undefined && input.expected !== n
    ? refuse(
        `符合条件的数据现在有 ${formatThousands(n)} 条（刚才是 ${formatThousands(input.expected)} 条），请刷新后重新导出`,
      )
    : n || refuse('没有符合条件的数据，请调整筛选条件')

const exportFileName = (x: { readonly name: string }, app: App, end: string): string =>
  `${x.name}_${dayOfMoment(fromInstant(app.clock())).replaceAll('-', '')}.${end}`

const auditEntriesOf = (who: Scope, x: ExportDefinition<any>, input: object, rows: number) => [
  {
    action: 'export' as const,
    entity: x.entity.name,
    entityId: 0,
    projectCode: who.projectCode || undefined,
    after: { rows, filter: input },
  },
]

/**
 * Rows of a statement from a cursor, a batch at a time, the next one fetched while the last is used: memory
 * stays flat.
 */
export async function* readBatches(
  c: PoolClient,
  e: Entity<any>,
  keys: readonly string[],
  query: RawBuilder<unknown>,
  size = 400,
): AsyncGenerator<Readonly<Record<string, unknown>>[]> {
  const { sql: text, parameters } = query.compile(queryBuilder())
  await c.query({ text: `declare taken no scroll cursor for ${text}`, values: [...parameters] })
  const fetch = (): Promise<unknown[][]> => {
    const page = c
      .query<unknown[]>({ text: `fetch ${size} from taken`, rowMode: 'array' })
      .then(result => result.rows)
    // Nobody waits for a page while the one before it is used, or ever, when that one was the last that the
    // reader took: its failure is then known to nobody, and would end the process.
    page.catch(() => {})
    return page
  }
  let next = fetch()
  for (;;) {
    const rows = await next
    if (rows.length === size) {
      next = fetch()
    }
    yield rows.map(r => toEntityRow(e, Object.fromEntries(keys.map((k, i) => [k, r[i]]))))
    if (rows.length < size) return
  }
}

/** The handlers of an export: up to 2,000 rows at once, more as a task (EXP-1, EXP-2, EXP-4, EXP-5). */
export function exportHandlers<I>(x: ExportDefinition<I>): { handlers: readonly Handler[]; job: Job } {
  const total = async (
    db: Parameters<typeof countRows>[0],
    scope: Scope,
    app: App,
    input: ExportRequest<I>,
  ): Promise<number> => {
    const { q, find } = await resolveQuery(x, input, db, scope, app)
    return checkCount(await countRows(db, x.entity, scope, q, find), input)
  }
  const handlers = [
    reads(x.calls.get, async (input, { db, scope, app }): Promise<FileResponse> => {
      const n = await total(db, scope, app, input)
      if (n > sheetLimits.directRows)
        return refuse(
          `共 ${formatThousands(n)} 条，超过 ${formatThousands(sheetLimits.directRows)} 条，请用后台导出，完成后在任务中心下载`,
        )
      const columns = chooseColumns(x, input)
      const { q, find } = await resolveQuery(x, input, db, scope, app)
      const out = new PassThrough()
      const plain = (await findAll(db, x.entity, scope, q, {
        ...find,
        keys: keysToRead(x, columns),
      })) as readonly Record<string, unknown>[]
      const taken = x.enrichRows ? await x.enrichRows(plain, { db, scope, app: app }) : plain
      await app.database.tx(scope.ownerId, tx => audit(tx, scope, auditEntriesOf(scope, x, input, n)))
      writeWorkbook(
        columns,
        [taken.map(r => formatSheetRow(columns, r as Record<string, unknown>, !scope.canSeePersonalData))],
        out,
        { sheetName: x.name },
      ).catch(e => out.destroy(e as Error))
      return { name: exportFileName(x, app, 'xlsx'), type: xlsxMediaType, body: out }
    }),
    writes(x.calls.start, async (input, { tx, scope, app }) => {
      const n = await total(tx, scope, app, input)
      return app.jobs.start(tx, scope, `export.${x.kind}`, `导出${x.name} ${formatThousands(n)} 条`, input)
    }),
  ]
  const work = defineJob<ExportRequest<I>>({
    kind: `export.${x.kind}`,
    type: 20,
    run: async (input, c) => {
      const { expected: _, ...asked } = input as ExportRequest<I> & ExportInput
      const db = c.database.reader(c.scope.ownerId)
      const { q, find } = await resolveQuery(x, asked as ExportRequest<I>, db, c.scope, c.app)
      const n = await countRows(db, x.entity, c.scope, q, find)
      const columns = chooseColumns(x, input)
      const csv = n > sheetLimits.xlsxRows
      const dir = join(c.app.dataDir, 'tmp')
      const path = join(dir, randomUUID())
      await mkdir(dir, { recursive: true, mode: 0o700 })
      try {
        const written = await c.database.bulk(c.scope.ownerId, async client => {
          let done = 0
          const keys = keysToRead(x, columns)
          const query = selectStatement(x.entity, c.scope, q, { ...find, keys })
          const lines = async function* () {
            for await (const some of readBatches(client, x.entity, keys, query)) {
              c.signal.throwIfAborted()
              const shown = x.enrichRows
                ? await x.enrichRows(some, {
                    db: c.database.reader(c.scope.ownerId),
                    scope: c.scope,
                    app: c.app,
                  })
                : some
              yield shown.map(r =>
                formatSheetRow(columns, r as Record<string, unknown>, !c.scope.canSeePersonalData),
              )
              c.reportProgress((done += some.length), n, '正在写入文件')
            }
          }
          const out = createWriteStream(path, { mode: 0o600 })
          return csv
            ? writeCsv(columns, lines(), out)
            : writeWorkbook(columns, lines(), out, { sheetName: x.name })
        })
        const file = await c.app.files.save(
          c.scope.ownerId,
          c.scope.operatorId,
          {
            name: exportFileName(x, c.app, csv ? 'csv' : 'xlsx'),
            type: csv ? 'text/csv; charset=utf-8' : xlsxMediaType,
            path,
          },
          sheetLimits.retentionDays,
        )
        await c.database.tx(c.scope.ownerId, tx =>
          audit(tx, c.scope, auditEntriesOf(c.scope, x, input as object, written.rows)),
        )
        return { success: written.rows, file, message: `已导出 ${formatThousands(written.rows)} 条` }
      } finally {
        await rm(path, { force: true })
      }
    },
  })
  return { handlers, job: work }
}
