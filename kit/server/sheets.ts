import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { Blob, Turn } from '#kit/contract/shape.ts'
import { sheetColumns, sheetLimits, writeLine, type SheetColumn } from '#kit/contract/sheet.ts'
import type { Export, ExportAsk } from '#kit/contract/transfer.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { audit } from './audit.ts'
import type { PoolClient } from 'pg'
import { builder, sql, type Db, type RawBuilder } from './db.ts'
import { reads, writes, type Handler } from './handle.ts'
import { job, type Job } from './jobs.ts'
import type { Scope } from './scope.ts'
import { rowOf } from './stored.ts'
import { count, rows, selecting, type Find, type Query } from './table.ts'
import { writeCsv } from './workbook/csv-file.ts'
import { writeWorkbook, xlsx } from './workbook/write.ts'
import type { World } from './world.ts'

type Asking = Turn & { readonly projectCode?: string }

/** How an export asks its list's own query: what `page` would be given, without the page. */
export interface Exporting<I> {
  /** `rooms.room`: names its task. */
  readonly kind: string
  /** The file: `房间`. */
  readonly name: string
  readonly calls: Export<I>
  readonly entity: Entity<any>
  /** All that it can show; those marked first stand there unless columns are chosen. */
  readonly columns: readonly SheetColumn[]
  readonly query: (
    input: I,
    who: { readonly scope: Scope; readonly today: Day },
  ) => { readonly q: Asking; readonly find: Find }
  /**
   * Adds what the list shows beside what is stored; `columns` may then name it too. Given whole rows, a batch
   * at a time.
   */
  readonly dress?: (
    rows: readonly Readonly<Record<string, unknown>>[],
    c: { readonly db: Db; readonly scope: Scope; readonly world: World },
  ) => Promise<readonly object[]>
}

/** What is read: the columns themselves, or the whole row where more is made of it. */
const read = (x: Exporting<any>, columns: readonly SheetColumn[]): string[] =>
  x.dress ? storedKeys(x.entity) : columns.map(c => c.key)

type Asked<I> = I & ExportAsk

const found = <I>(
  x: Exporting<I>,
  input: Asked<I>,
  scope: Scope,
  world: Pick<World, 'clock'>,
): { q: Query; find: Find } => {
  const { columns: _, ids, expected: __, ...rest } = input as Asked<object>
  const { q, find } = x.query(rest as I, { scope, today: dayOfMoment(fromInstant(world.clock())) })
  return {
    q: q as Query,
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
const chosen = <I>(x: Exporting<I>, input: Asked<I>): readonly SheetColumn[] =>
  picked(x, input).map(c => ({ ...c, required: false }))

const picked = <I>(x: Exporting<I>, input: Asked<I>): readonly SheetColumn[] =>
  input.columns?.length
    ? sheetColumns(
        x.entity.fields,
        input.columns.filter(k => x.entity.fields[k] && !x.entity.fields[k].notIn?.includes('detail')),
      )
    : x.columns

const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

/** The screen counted; what the filter finds now must be the same, or it asks again. */
const counted = (n: number, input: ExportAsk): number =>
  input.expected !== undefined && input.expected !== n
    ? refuse(
        `符合条件的数据现在有 ${grouped(n)} 条（刚才是 ${grouped(input.expected)} 条），请刷新后重新导出`,
      )
    : n || refuse('没有符合条件的数据，请调整筛选条件')

const fileName = (x: { readonly name: string }, world: World, end: string): string =>
  `${x.name}_${dayOfMoment(fromInstant(world.clock())).replaceAll('-', '')}.${end}`

const noted = (who: Scope, x: Exporting<any>, input: object, rows: number) => [
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
async function* batches(
  c: PoolClient,
  e: Entity<any>,
  keys: readonly string[],
  query: RawBuilder<unknown>,
  size = 400,
): AsyncGenerator<Readonly<Record<string, unknown>>[]> {
  const { sql: text, parameters } = query.compile(builder())
  await c.query({ text: `declare taken no scroll cursor for ${text}`, values: [...parameters] })
  const fetch = async (): Promise<unknown[][]> =>
    (await c.query<unknown[]>({ text: `fetch ${size} from taken`, rowMode: 'array' })).rows
  let next = fetch()
  for (;;) {
    const rows = await next
    if (rows.length === size) {
      next = fetch()
    }
    yield rows.map(r => rowOf(e, Object.fromEntries(keys.map((k, i) => [k, r[i]]))))
    if (rows.length < size) return
  }
}

/** The handlers of an export: up to 2,000 rows at once, more as a task (EXP-1, EXP-2, EXP-4, EXP-5). */
export function exportHandlers<I>(x: Exporting<I>): { handlers: readonly Handler[]; job: Job } {
  const total = async (
    db: Parameters<typeof count>[0],
    scope: Scope,
    world: World,
    input: Asked<I>,
  ): Promise<number> => {
    const { q, find } = found(x, input, scope, world)
    return counted(await count(db, x.entity, scope, q, find), input)
  }
  const handlers = [
    reads(x.calls.get, async (input, { db, scope, world }): Promise<Blob> => {
      const n = await total(db, scope, world, input)
      if (n > sheetLimits.direct)
        return refuse(
          `共 ${grouped(n)} 条，超过 ${grouped(sheetLimits.direct)} 条，请用后台导出，完成后在任务中心下载`,
        )
      const columns = chosen(x, input)
      const { q, find } = found(x, input, scope, world)
      const out = new PassThrough()
      const plain = (await rows(db, x.entity, scope, q, {
        ...find,
        keys: read(x, columns),
      })) as readonly Record<string, unknown>[]
      const taken = x.dress ? await x.dress(plain, { db, scope, world }) : plain
      await world.store.tx(scope.ownerId, tx => audit(tx, scope, noted(scope, x, input, n)))
      writeWorkbook(
        columns,
        [taken.map(r => writeLine(columns, r as Record<string, unknown>, !scope.privacy))],
        out,
        { sheetName: x.name },
      ).catch(e => out.destroy(e as Error))
      return { name: fileName(x, world, 'xlsx'), type: xlsx, body: out }
    }),
    writes(x.calls.start, async (input, { tx, scope, world }) => {
      const n = await total(tx, scope, world, input)
      return world.jobs.start(
        tx,
        scope,
        `export.${x.kind}`,
        `导出${x.name} ${grouped(n)} 条`,
        input as object,
      )
    }),
  ]
  const work = job<Asked<I>>({
    kind: `export.${x.kind}`,
    type: 20,
    run: async (input, c) => {
      const { expected: _, ...asked } = input as Asked<I> & ExportAsk
      const { q, find } = found(x, asked as Asked<I>, c.scope, c.world)
      const n = await count(c.store.reader(c.scope.ownerId), x.entity, c.scope, q, find)
      const columns = chosen(x, input)
      const csv = n > sheetLimits.xlsxRows
      const dir = join(c.world.dataDir, 'tmp')
      const path = join(dir, randomUUID())
      await mkdir(dir, { recursive: true, mode: 0o700 })
      try {
        const written = await c.store.bulk(c.scope.ownerId, async client => {
          let done = 0
          const keys = read(x, columns)
          const query = selecting(x.entity, c.scope, q, { ...find, keys })
          const lines = async function* () {
            for await (const some of batches(client, x.entity, keys, query)) {
              c.signal.throwIfAborted()
              const shown = x.dress
                ? await x.dress(some, { db: c.store.reader(c.scope.ownerId), scope: c.scope, world: c.world })
                : some
              yield shown.map(r => writeLine(columns, r as Record<string, unknown>, !c.scope.privacy))
              c.progress((done += some.length), n, '正在写入文件')
            }
          }
          const out = createWriteStream(path, { mode: 0o600 })
          return csv
            ? writeCsv(columns, lines(), out)
            : writeWorkbook(columns, lines(), out, { sheetName: x.name })
        })
        const file = await c.world.files.keep(
          c.scope.ownerId,
          c.scope.operatorId,
          {
            name: fileName(x, c.world, csv ? 'csv' : 'xlsx'),
            type: csv ? 'text/csv; charset=utf-8' : xlsx,
            path,
          },
          sheetLimits.days,
        )
        await c.store.tx(c.scope.ownerId, tx =>
          audit(tx, c.scope, noted(c.scope, x, input as object, written.rows)),
        )
        return { success: written.rows, file, message: `已导出 ${grouped(written.rows)} 条` }
      } finally {
        await rm(path, { force: true })
      }
    },
  })
  return { handlers, job: work }
}
