import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf, keyOf, type Choices, type Field, type Fields, type ValueOf } from '#kit/contract/field.ts'
import type { Blob } from '#kit/contract/shape.ts'
import { columnHelp, sheetLimits, type Sheet, type SheetColumn } from '#kit/contract/sheet.ts'
import { readSheet, repeated, settle, type Line, type SheetFault } from '#kit/contract/sheet-read.ts'
import type { Import, ImportAnswer } from '#kit/contract/transfer.ts'
import { Refused, code, refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { audit } from './audit.ts'
import { sql, type Db, type Tx } from './db.ts'
import { reads, writes, type Handler } from './handle.ts'
import { job, type Job, type Outcome } from './jobs.ts'
import { needs, within, type Scope } from './scope.ts'
import { readWorkbook } from './workbook/read.ts'
import { writeResult } from './workbook/result.ts'
import { rowsOf, textOf, type Sheet as Workbook } from './workbook/sheet.ts'
import { writeWorkbook, xlsx } from './workbook/write.ts'

/** What an import is asked: by whom, for what, in which way; the mode as its table's key. */
export interface Ask<X> {
  readonly scope: Scope
  readonly more: X
  readonly mode: string
  readonly today: Day
}

/** A line that may go in, with the record that is already there. */
export interface Ready<T, E> {
  readonly line: number
  readonly row: T
  readonly there: E | undefined
}

export interface Done {
  readonly did: 'added' | 'changed' | 'skipped' | 'failed'
  readonly says: string
}

/** A module's knowledge for one file, gathered in a few queries. */
export interface Opened<T, E> {
  /** All records that a reference's name may mean. */
  readonly find: (key: string, name: string, row: Partial<T>) => readonly unknown[]
  /** A line as the records call its things (`1单元` is unit `1`), before it is compared with others. */
  readonly proper?: (row: Partial<T>) => Partial<T>
  /** The records that are already there, by line, in one query. */
  readonly there: (lines: readonly Line<T>[]) => Promise<ReadonlyMap<number, E>>
  /** Rules that need more than one cell; `column` is a key of the sheet. Pure. */
  readonly check: (
    row: Partial<T>,
    there: E | undefined,
  ) => readonly { readonly column: string; readonly says: string; readonly remedy: string }[]
  /** What to say of a record that is already there; a plain word unless said. */
  readonly says?: (there: E) => { readonly says: string; readonly remedy: string }
  /** What a line should be looked at for, though it may go in. */
  readonly warn?: (
    row: Partial<T>,
  ) => readonly { readonly column: string; readonly says: string; readonly remedy: string }[]
  /** Writes all lines, in statements over sets; answers what became of each. */
  readonly apply: (tx: Tx, ready: readonly Ready<T, E>[]) => Promise<ReadonlyMap<number, Done>>
}

export interface Importer<T = any, X extends Fields = any, E = any> {
  /** `rooms.room`: names its task and its files. */
  readonly kind: string
  readonly calls: Import<X>
  readonly sheet: Sheet<T>
  /** Columns that the template leaves out. */
  readonly quiet?: readonly string[]
  /**
   * With `lock` inside the writing transaction: what the lines refer to must not vanish, and no second import
   * of the same kind runs beside it.
   */
  readonly open: (
    db: Db,
    ask: Ask<ValueOf<X>>,
    lines: readonly Line<T>[],
    lock: boolean,
  ) => Promise<Opened<T, E>>
  /** Live pull-down lists for the template, by column key (IMP-7). */
  readonly options?: (db: Db, ask: Ask<ValueOf<X>>) => Promise<Readonly<Record<string, readonly string[]>>>
}

interface Kept {
  id: number
  operatorId: number
  fileKey: string
  fileName: string
  more: Record<string, unknown>
  mode?: string
  taskId?: number
}

interface Judged<T, E> {
  readonly ready: readonly Ready<T, E>[]
  readonly faults: readonly SheetFault[]
  readonly repeats: readonly SheetFault[]
  readonly existing: readonly SheetFault[]
  readonly warnings: readonly SheetFault[]
}

/**
 * Every line is judged; everything wrong comes back, repeats inside the file apart from what is already there
 * (IMP-6).
 */
async function judge<T, X extends Fields, E>(
  x: Importer<T, X, E>,
  sheet: ReturnType<typeof readSheet<T>>,
  opened: Opened<T, E>,
): Promise<Judged<T, E>> {
  const named = sheet.lines.map(l => settle(sheet, l, opened.find))
  const { proper } = opened
  const settled = proper ? named.map(l => ({ ...l, row: proper(l.row) })) : named
  const there = await opened.there(settled)
  const repeats = repeated(x.sheet, settled)
  const twice = new Set(repeats.map(f => f.line))
  const heading = new Map(x.sheet.columns.map(c => [c.key, c]))
  const key = x.sheet.columns.filter(c => x.sheet.unique.includes(c.key))
  const ready: Ready<T, E>[] = []
  const faults: SheetFault[] = []
  const existing: SheetFault[] = []
  const warnings: SheetFault[] = []
  for (const l of settled) {
    const e = there.get(l.line)
    const own = l.faults.length ? [] : opened.check(l.row, e)
    faults.push(
      ...l.faults,
      ...own.map(f => ({
        line: l.line,
        column: heading.get(f.column)?.heading ?? '',
        value: shown(l, f.column),
        says: f.says,
        remedy: f.remedy,
      })),
    )
    if (e) {
      existing.push({
        line: l.line,
        column: key.map(c => c.heading).join('、'),
        value: key.map(c => shown(l, c.key)).join('、'),
        says: '系统里已有',
        remedy: '按所选的方式处理',
        ...opened.says?.(e),
      })
    }
    if (opened.warn && !l.faults.length && !own.length) {
      warnings.push(
        ...opened.warn(l.row).map(f => ({
          line: l.line,
          column: heading.get(f.column)?.heading ?? '',
          value: shown(l, f.column),
          says: f.says,
          remedy: f.remedy,
        })),
      )
    }
    if (!l.faults.length && !own.length && !twice.has(l.line)) {
      ready.push({ line: l.line, row: l.row as T, there: e })
    }
  }
  return { ready, faults, repeats, existing, warnings }
}

const shown = (l: Line, key: string): string =>
  l.named[key] ?? String((l.row as Record<string, string | undefined>)[key] ?? '')

const hashOf = async (path: string): Promise<string> => {
  const h = createHash('sha256')
  await pipeline(createReadStream(path), h)
  return h.digest('hex')
}

const told = <X>(input: Readonly<Record<string, unknown>>): X => {
  const { importId: _, mode: __, ...more } = input
  return more as X
}

const checkDomain = (fields: Fields, more: Readonly<Record<string, unknown>>, scope: Scope): void => {
  for (const k in fields) {
    if (fields[k]!.within === 'project' && more[k] !== undefined) {
      within(scope.domain, more[k] as string)
    }
  }
}

const modesOf = (calls: Import<any>): Choices => (calls.post.input.fields.mode as Field).choices!
const firstMode = (calls: Import<any>): string => Object.keys(modesOf(calls).rows)[0]!

async function kept(db: Db, x: Importer, scope: Scope, importId: string, lock = false): Promise<Kept> {
  const row = /^\d{1,15}$/.test(importId)
    ? await db.one<Kept>(
        sql`
          select id, operator_id, file_key, file_name, more, mode, task_id
          from sheet_import
          where owner_id = ${scope.ownerId}
            and id = ${Number(importId)}
            and kind = ${x.kind}
            and operator_id = ${scope.operatorId} ${lock ? sql`for update` : sql``}
        `,
      )
    : undefined
  return row ?? refuse('这次导入已过期，请重新上传文件')
}

async function opened(
  world: { readonly files: { find(o: number, k: string): Promise<{ path: string } | undefined> } },
  scope: Scope,
  k: Kept,
): Promise<Workbook> {
  const file = await world.files.find(scope.ownerId, k.fileKey)
  return file ? readWorkbook(file.path) : refuse('上传的文件已过期，请重新上传')
}

/** The three handlers of an import and the job behind it. */
export function importHandlers<T, X extends Fields, E>(
  x: Importer<T, X, E>,
): { handlers: readonly Handler[]; job: Job } {
  const headings = (w: Workbook, at: readonly (SheetColumn & { index: number })[], line: number) => {
    const cells = rowsOf(w)[line - 1] ?? []
    return cells
      .map((c, i) => ({
        heading: textOf(c),
        label: at.find(a => a.index === i)?.heading,
        used: at.some(a => a.index === i),
      }))
      .filter(h => h.heading !== '')
      .map(({ label, ...h }) => ({ ...h, ...(label ? { label } : {}) }))
  }
  const preview = async (
    input: Readonly<Record<string, unknown>>,
    c: Parameters<Parameters<typeof writes>[1]>[1],
  ): Promise<ImportAnswer> => {
    const { upload, tx, scope, world, today } = c
    const file = upload ?? refuse('请选择要导入的文件')
    const hash = await hashOf(file.path)
    const workbook = await readWorkbook(file.path)
    const sheet = readSheet(x.sheet, rowsOf(workbook))
    const more = told<ValueOf<X>>(input)
    const ask = { scope, more, mode: (input.mode as string | undefined) ?? firstMode(x.calls), today }
    const judged = sheet.faults.length
      ? undefined
      : await judge(x, sheet, await x.open(tx, ask, sheet.lines, false))
    const before = await tx.one<{ at: string }>(
      sql`
        select max(done_time) as at
        from sheet_import
        where owner_id = ${scope.ownerId} and kind = ${x.kind} and hash = ${hash} and done_time is not null
      `,
    )
    const fileKey = await world.files.keep(
      scope.ownerId,
      scope.operatorId,
      { name: file.name, type: file.type, path: file.path },
      sheetLimits.days,
      tx,
    )
    const made = await tx.one<{ id: number }>(
      sql`
        insert into sheet_import (owner_id, kind, operator_id, file_key, file_name, hash, more, mode)
        values (
          ${scope.ownerId}, ${x.kind}, ${scope.operatorId}, ${fileKey}, ${file.name}, ${hash},
          ${JSON.stringify(more)}::jsonb,
          ${input.mode === undefined ? null : String(codeOf(modesOf(x.calls), input.mode as string))}
        )
        returning id
      `,
    )
    const errors = [...sheet.faults, ...(judged?.faults ?? [])]
    const warnings = [...sheet.warnings, ...(judged?.warnings ?? [])]
    const first = <F>(all: readonly F[]): readonly F[] => all.slice(0, sheetLimits.listed)
    return {
      importId: String(made!.id),
      fileName: file.name,
      rows: sheet.lines.length,
      good: judged?.ready.length ?? 0,
      ...(before?.at ? { already: before.at } : {}),
      headings: headings(workbook, sheet.at, sheet.head + 1),
      errorCount: errors.length,
      warningCount: warnings.length,
      repeatedCount: judged?.repeats.length ?? 0,
      existingCount: judged?.existing.length ?? 0,
      errors: first(errors),
      warnings: first(warnings),
      repeated: first(judged?.repeats ?? []),
      existing: first(judged?.existing ?? []),
    }
  }
  const begin = async (
    importId: string,
    mode: string | undefined,
    c: Parameters<Parameters<typeof writes>[1]>[1],
  ): Promise<ImportAnswer> => {
    const { tx, scope, world } = c
    const k = await kept(tx, x, scope, importId, true)
    if (k.taskId) return { importId, taskId: k.taskId, fileName: k.fileName }
    const way = mode ?? firstMode(x.calls)
    const taskId = await world.jobs.start(
      tx,
      scope,
      `import.${x.kind}`,
      `${x.calls.post.title}：${k.fileName}`,
      { importId },
    )
    await tx.run(
      sql`
        update sheet_import
        set mode = ${String(codeOf(modesOf(x.calls), way))}, task_id = ${taskId}
        where owner_id = ${scope.ownerId} and id = ${k.id}
      `,
    )
    return { importId, taskId, fileName: k.fileName }
  }
  const handlers: Handler[] = [
    writes(x.calls.post, (input, c) => {
      const said = input as { importId?: string; mode?: string }
      return said.importId ? begin(said.importId, said.mode, c) : preview(input as Record<string, unknown>, c)
    }),
    reads(x.calls.template, async (input, { db, scope, today }): Promise<Blob> => {
      const live =
        (await x.options?.(db, { scope, more: input as ValueOf<X>, mode: firstMode(x.calls), today })) ?? {}
      const columns = x.sheet.columns
        .filter(c => !x.quiet?.includes(c.key))
        .map(c => ({ ...c, options: live[c.key] ?? c.options, note: columnHelp(c) }))
      const out = new PassThrough()
      writeWorkbook(columns, [], out, { sheetName: x.sheet.label }).catch(e => out.destroy(e as Error))
      return { name: `${x.sheet.label}导入模板.xlsx`, type: xlsx, body: out }
    }),
    reads(x.calls.faults, async ({ importId }, { db, scope, world, today }): Promise<Blob> => {
      const k = await kept(db, x, scope, importId)
      const workbook = await opened(world, scope, k)
      const sheet = readSheet(x.sheet, rowsOf(workbook))
      const ask = {
        scope,
        more: k.more as ValueOf<X>,
        mode: k.mode ? (keyOf(modesOf(x.calls), k.mode) ?? firstMode(x.calls)) : firstMode(x.calls),
        today,
      }
      const judged = sheet.faults.length
        ? undefined
        : await judge(x, sheet, await x.open(db, ask, sheet.lines, false))
      const wrong = words([...sheet.faults, ...(judged?.faults ?? []), ...(judged?.repeats ?? [])])
      const out = new PassThrough()
      writeResult(
        only(workbook, l => wrong.has(l)),
        l => wrong.get(l) ?? '',
        out,
        sheet.head + 1,
      ).catch(e => out.destroy(e as Error))
      return { name: marked(k.fileName, '错误行'), type: xlsx, body: out }
    }),
  ]
  return { handlers, job: work(x) }
}

const words = (faults: readonly SheetFault[]): Map<number, string> =>
  new Map(
    [...Map.groupBy(faults, f => f.line)].map(([line, all]) => [
      line,
      all.map(f => `${f.column ? `「${f.column}」` : ''}${f.says}`).join('；'),
    ]),
  )

const only = (w: Workbook, wanted: (line: number) => boolean): Workbook => ({
  ...w,
  lines: w.lines.filter(l => wanted(l.line)),
})

const marked = (name: string, what: string): string => `${name.replace(/\.[^.]*$/, '')}_${what}.xlsx`

/** What the task remembers once the lines are in: each saying with its lines. */
interface Remembered {
  readonly success: number
  readonly skipped: number
  readonly fail: number
  readonly said: readonly (readonly [says: string, failed: boolean, lines: readonly number[]])[]
}

const work = <T, X extends Fields, E>(x: Importer<T, X, E>): Job =>
  job<{ importId: string }>({
    kind: `import.${x.kind}`,
    type: 10,
    run: async ({ importId }, c): Promise<Outcome> => {
      const { scope, store, world } = c
      const owner = scope.ownerId
      needs(scope, x.calls.post.needs as Parameters<typeof needs>[1])
      const k = await kept(store.reader(owner), x, scope, importId)
      checkDomain(x.calls.post.input.fields, k.more, scope)
      c.progress(0, undefined, '正在读取文件')
      const workbook = await opened(world, scope, k)
      const sheet = readSheet(x.sheet, rowsOf(workbook))
      if (sheet.faults.length) throw new Refused(code.refused, sheet.faults[0]!.says)
      c.progress(0, sheet.lines.length, '正在校验')
      const remembered =
        c.checkpoint.read<Remembered>() ??
        (await store.tx(owner, async tx => {
          await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`import ${x.kind} ${owner}`}, 0))`)
          const ask = {
            scope,
            more: k.more as ValueOf<X>,
            mode: keyOf(modesOf(x.calls), k.mode ?? '') ?? firstMode(x.calls),
            today: dayOfMoment(fromInstant(world.clock())),
          }
          const session = await x.open(tx, ask, sheet.lines, true)
          const judged = await judge(x, sheet, session)
          c.signal.throwIfAborted()
          c.progress(0, sheet.lines.length, '正在写入')
          const done = await session.apply(tx, judged.ready)
          const bad = words([...judged.faults, ...judged.repeats])
          const all = [
            ...[...bad].map(([line, says]) => ({ line, says: `未导入：${says}`, did: 'failed' })),
            ...[...done].map(([line, d]) => ({ line, ...d })),
          ]
          const n = (...did: string[]): number => all.filter(a => did.includes(a.did)).length
          const r: Remembered = {
            success: n('added', 'changed'),
            skipped: n('skipped'),
            fail: n('failed'),
            said: [...Map.groupBy(all, a => `${a.did === 'failed'} ${a.says}`)].map(
              ([, g]) => [g[0]!.says, g[0]!.did === 'failed', g.map(a => a.line)] as const,
            ),
          }
          await tx.run(
            sql`update sheet_import set done_time = now() where owner_id = ${owner} and id = ${k.id}`,
          )
          await audit(tx, scope, [
            {
              action: 'import',
              entity: x.kind,
              entityId: k.id,
              projectCode: k.more.projectCode as string | undefined,
              after: { file: k.fileName, success: r.success, skipped: r.skipped, fail: r.fail },
            },
          ])
          await c.checkpoint.save(tx, r)
          return r
        }))
      c.progress(sheet.lines.length, sheet.lines.length, '正在写结果文件')
      const result = new Map(
        remembered.said.flatMap(([says, failed, lines]) => lines.map(l => [l, { says, failed }] as const)),
      )
      const save = async (w: Workbook, what: string) => {
        const dir = join(world.dataDir, 'tmp')
        const path = join(dir, randomUUID())
        await mkdir(dir, { recursive: true, mode: 0o700 })
        try {
          await writeResult(
            w,
            l => result.get(l)?.says ?? '',
            createWriteStream(path, { mode: 0o600 }),
            sheet.head + 1,
          )
          return await world.files.keep(
            owner,
            scope.operatorId,
            { name: marked(k.fileName, what), type: xlsx, path },
            sheetLimits.days,
          )
        } finally {
          await rm(path, { force: true })
        }
      }
      const file = await save(workbook, '结果')
      const faultFile = remembered.fail
        ? await save(
            only(workbook, l => result.get(l)?.failed === true),
            '错误行',
          )
        : undefined
      const { success, skipped, fail } = remembered
      return {
        success,
        skipped,
        fail,
        file,
        faultFile,
        message: `成功 ${success}，跳过 ${skipped}，失败 ${fail}`,
        summary: remembered.said
          .filter(s => s[1])
          .map(([reason, , lines]) => ({ reason, count: lines.length }))
          .sort((a, b) => b.count - a.count)
          .slice(0, 20),
      }
    },
  })
