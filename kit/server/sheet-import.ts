import { defined } from '#kit/domain/defined.ts'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf, keyOf, type Choices, type Field, type Fields, type ValueOf } from '#kit/contract/field.ts'
import type { FileResponse } from '#kit/contract/shape.ts'
import { columnHelp, sheetLimits, type SheetSchema, type SheetColumn } from '#kit/contract/sheet.ts'
import {
  readSheet,
  findDuplicateLines,
  resolveReferences,
  type SheetLine,
  type SheetFault,
} from '#kit/contract/sheet-reader.ts'
import type { ImportCalls, ImportResult } from '#kit/contract/import-export.ts'
import { Refused, resultCode, refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { audit } from './audit.ts'
import { sql, type Db, type Tx } from './db.ts'
import { reads, writes, type Handler } from './handler.ts'
import { defineJob, type Job, type JobOutcome } from './jobs.ts'
import { requirePermission, requireProject, type Scope } from './scope.ts'
import { readWorkbook } from './workbook/workbook-reader.ts'
import { writeResult } from './workbook/result-writer.ts'
import { toRows, cellToText, type Worksheet as Workbook } from './workbook/worksheet.ts'
import { writeWorkbook, xlsxMediaType } from './workbook/workbook-writer.ts'

/** What an import is asked: by whom, for what, in which way; the mode as its table's key. */
export interface ImportRequest<X> {
  readonly scope: Scope
  readonly more: X
  readonly mode: string
  readonly today: Day
}

/** A line that may go in, with the record that is already there. */
export interface ReadyLine<T, E> {
  readonly line: number
  readonly row: T
  readonly existing: E | undefined
}

export interface LineResult {
  readonly did: 'added' | 'changed' | 'skipped' | 'failed'
  readonly says: string
}

/** A module's knowledge for one file, gathered in a few queries. */
export interface ImportSession<T, E> {
  /** All records that a reference's name may mean. */
  readonly findReferences: (key: string, name: string, row: Partial<T>) => readonly unknown[]
  /** A line as the records call its things (`1单元` is unit `1`), before it is compared with others. */
  readonly normalizeRow?: (row: Partial<T>) => Partial<T>
  /** The records that are already there, by line, in one query. */
  readonly findExisting: (lines: readonly SheetLine<T>[]) => Promise<ReadonlyMap<number, E>>
  /** Rules that need more than one cell; `column` is a key of the sheet. Pure. */
  readonly checkRow: (
    row: Partial<T>,
    there: E | undefined,
  ) => readonly { readonly column: string; readonly says: string; readonly remedy: string }[]
  /** What to say of a record that is already there; a plain word unless said. */
  readonly describeExisting?: (there: E) => { readonly says: string; readonly remedy: string }
  /** What a line should be looked at for, though it may go in. */
  readonly warnRow?: (
    row: Partial<T>,
  ) => readonly { readonly column: string; readonly says: string; readonly remedy: string }[]
  /** Writes all lines, in statements over sets; answers what became of each. */
  readonly apply: (tx: Tx, ready: readonly ReadyLine<T, E>[]) => Promise<ReadonlyMap<number, LineResult>>
}

export interface ImportDefinition<T = any, X extends Fields = any, E = any> {
  /** `rooms.room`: names its task and its files. */
  readonly kind: string
  readonly calls: ImportCalls<X>
  readonly sheet: SheetSchema<T>
  /** Columns that the template leaves out. */
  readonly hiddenInTemplate?: readonly string[]
  /**
   * With `lock` inside the writing transaction: what the lines refer to must not vanish, and no second import
   * of the same kind runs beside it.
   */
  readonly openSession: (
    db: Db,
    ask: ImportRequest<ValueOf<X>>,
    lines: readonly SheetLine<T>[],
    lock: boolean,
  ) => Promise<ImportSession<T, E>>
  /** Live pull-down lists for the template, by column key (IMP-7). */
  readonly templateOptions?: (
    db: Db,
    ask: ImportRequest<ValueOf<X>>,
  ) => Promise<Readonly<Record<string, readonly string[]>>>
}

interface ImportRow {
  id: number
  operatorId: number
  fileKey: string
  fileName: string
  more: Record<string, unknown>
  mode?: string
  taskId?: number
}

interface CheckedLines<T, E> {
  readonly ready: readonly ReadyLine<T, E>[]
  readonly faults: readonly SheetFault[]
  readonly repeats: readonly SheetFault[]
  readonly existing: readonly SheetFault[]
  readonly warnings: readonly SheetFault[]
}

/**
 * Every line is judged; everything wrong comes back, repeats inside the file apart from what is already there
 * (IMP-6).
 */
async function checkLines<T, X extends Fields, E>(
  x: ImportDefinition<T, X, E>,
  sheet: ReturnType<typeof readSheet<T>>,
  opened: ImportSession<T, E>,
): Promise<CheckedLines<T, E>> {
  const named = sheet.lines.map(l => resolveReferences(sheet, l, opened.findReferences))
  const { normalizeRow } = opened
  const settled = normalizeRow ? named.map(l => ({ ...l, row: normalizeRow(l.row) })) : named
  const there = await opened.findExisting(settled)
  const repeats = findDuplicateLines(x.sheet, settled)
  const twice = new Set(repeats.map(f => f.line))
  const heading = new Map(x.sheet.columns.map(c => [c.key, c]))
  const key = x.sheet.columns.filter(c => x.sheet.unique.includes(c.key))
  const ready: ReadyLine<T, E>[] = []
  const faults: SheetFault[] = []
  const existing: SheetFault[] = []
  const warnings: SheetFault[] = []
  for (const l of settled) {
    const e = there.get(l.line)
    const own = l.faults.length ? [] : opened.checkRow(l.row, e)
    faults.push(
      ...l.faults,
      ...own.map(f => ({
        line: l.line,
        column: heading.get(f.column)?.heading ?? '',
        value: displayedValue(l, f.column),
        says: f.says,
        remedy: f.remedy,
      })),
    )
    if (e) {
      existing.push({
        line: l.line,
        column: key.map(c => c.heading).join('、'),
        value: key.map(c => displayedValue(l, c.key)).join('、'),
        says: '系统里已有',
        remedy: '按所选的方式处理',
        ...opened.describeExisting?.(e),
      })
    }
    if (opened.warnRow && !l.faults.length && !own.length) {
      warnings.push(
        ...opened.warnRow(l.row).map(f => ({
          line: l.line,
          column: heading.get(f.column)?.heading ?? '',
          value: displayedValue(l, f.column),
          says: f.says,
          remedy: f.remedy,
        })),
      )
    }
    if (!l.faults.length && !own.length && !twice.has(l.line)) {
      ready.push({ line: l.line, row: l.row as T, existing: e })
    }
  }
  return { ready, faults, repeats, existing, warnings }
}

const displayedValue = (l: SheetLine, key: string): string =>
  l.referenceNames[key] ?? String((l.row as Record<string, string | undefined>)[key] ?? '')

const hashFile = async (path: string): Promise<string> => {
  const h = createHash('sha256')
  await pipeline(createReadStream(path), h)
  return h.digest('hex')
}

const importParameters = <X>(input: Readonly<Record<string, unknown>>): X => {
  const { importId: _, mode: __, ...more } = input
  return more as X
}

const checkDataDomain = (fields: Fields, more: Readonly<Record<string, unknown>>, scope: Scope): void => {
  for (const k in fields) {
    if (defined(fields[k]).dataDomain === 'project' && more[k] !== undefined) {
      requireProject(scope.domain, more[k] as string)
    }
  }
}

const modesOf = (calls: ImportCalls<any>): Choices => defined((calls.post.input.fields.mode as Field).choices)
const defaultMode = (calls: ImportCalls<any>): string => defined(Object.keys(modesOf(calls).rows)[0])

async function loadImport(
  db: Db,
  x: ImportDefinition,
  scope: Scope,
  importId: string,
  lock = false,
): Promise<ImportRow> {
  const row = /^\d{1,15}$/.test(importId)
    ? await db.one<ImportRow>(
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

async function openWorkbook(
  app: { readonly files: { find(o: number, k: string): Promise<{ path: string } | undefined> } },
  scope: Scope,
  k: ImportRow,
): Promise<Workbook> {
  const file = await app.files.find(scope.ownerId, k.fileKey)
  return file ? readWorkbook(file.path) : refuse('上传的文件已过期，请重新上传')
}

/** The three handlers of an import and the job behind it. */
export function importHandlers<T, X extends Fields, E>(
  x: ImportDefinition<T, X, E>,
): { handlers: readonly Handler[]; job: Job } {
  const headings = (w: Workbook, at: readonly (SheetColumn & { index: number })[], line: number) => {
    const cells = toRows(w)[line - 1] ?? []
    return cells
      .map((c, i) => ({
        heading: cellToText(c),
        label: at.find(a => a.index === i)?.heading,
        used: at.some(a => a.index === i),
      }))
      .filter(h => h.heading !== '')
      .map(({ label, ...h }) => ({ ...h, ...(label ? { label } : {}) }))
  }
  const preview = async (
    input: Readonly<Record<string, unknown>>,
    c: Parameters<Parameters<typeof writes>[1]>[1],
  ): Promise<ImportResult> => {
    const { upload, tx, scope, app, today } = c
    const file = upload ?? refuse('请选择要导入的文件')
    const hash = await hashFile(file.path)
    const workbook = await readWorkbook(file.path)
    const sheet = readSheet(x.sheet, toRows(workbook))
    const more = importParameters<ValueOf<X>>(input)
    const ask = { scope, more, mode: (input.mode as string | undefined) ?? defaultMode(x.calls), today }
    const judged = sheet.faults.length
      ? undefined
      : await checkLines(x, sheet, await x.openSession(tx, ask, sheet.lines, false))
    const before = await tx.one<{ at: Moment }>(
      sql`
        select max(done_time) as at
        from sheet_import
        where owner_id = ${scope.ownerId} and kind = ${x.kind} and hash = ${hash} and done_time is not null
      `,
    )
    const fileKey = await app.files.save(
      scope.ownerId,
      scope.operatorId,
      { name: file.name, type: file.type, path: file.path },
      sheetLimits.retentionDays,
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
    const first = <F>(all: readonly F[]): readonly F[] => all.slice(0, sheetLimits.maxListed)
    return {
      importId: String(defined(made).id),
      fileName: file.name,
      rows: sheet.lines.length,
      good: judged?.ready.length ?? 0,
      ...(before?.at ? { already: before.at } : {}),
      headings: headings(workbook, sheet.columns, sheet.headingIndex + 1),
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
  ): Promise<ImportResult> => {
    const { tx, scope, app } = c
    const k = await loadImport(tx, x, scope, importId, true)
    if (k.taskId) return { importId, taskId: k.taskId, fileName: k.fileName }
    const way = mode ?? defaultMode(x.calls)
    const taskId = await app.jobs.start(
      tx,
      scope,
      `import.${x.kind}`,
      `${x.calls.post.title}：${k.fileName}`,
      { importId },
    )
    await tx.execute(
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
      return said.importId ? begin(said.importId, said.mode, c) : preview(input, c)
    }),
    reads(x.calls.template, async (input, { db, scope, today }): Promise<FileResponse> => {
      const live =
        (await x.templateOptions?.(db, {
          scope,
          more: input,
          mode: defaultMode(x.calls),
          today,
        })) ?? {}
      const columns = x.sheet.columns
        .filter(c => !x.hiddenInTemplate?.includes(c.key))
        .map(c => ({ ...c, options: live[c.key] ?? c.options, note: columnHelp(c) }))
      const out = new PassThrough()
      writeWorkbook(columns, [], out, { sheetName: x.sheet.label }).catch(e => out.destroy(e as Error))
      return { name: `${x.sheet.label}导入模板.xlsx`, type: xlsxMediaType, body: out }
    }),
    reads(x.calls.faults, async ({ importId }, { db, scope, app, today }): Promise<FileResponse> => {
      const k = await loadImport(db, x, scope, importId)
      const workbook = await openWorkbook(app, scope, k)
      const sheet = readSheet(x.sheet, toRows(workbook))
      const ask = {
        scope,
        more: k.more as ValueOf<X>,
        mode: k.mode ? (keyOf(modesOf(x.calls), k.mode) ?? defaultMode(x.calls)) : defaultMode(x.calls),
        today,
      }
      const judged = sheet.faults.length
        ? undefined
        : await checkLines(x, sheet, await x.openSession(db, ask, sheet.lines, false))
      const wrong = faultTextByLine([...sheet.faults, ...(judged?.faults ?? []), ...(judged?.repeats ?? [])])
      const out = new PassThrough()
      writeResult(
        keepLines(workbook, l => wrong.has(l)),
        l => wrong.get(l) ?? '',
        out,
        sheet.headingIndex + 1,
      ).catch(e => out.destroy(e as Error))
      return { name: suffixFileName(k.fileName, '错误行'), type: xlsxMediaType, body: out }
    }),
  ]
  return { handlers, job: importJob(x) }
}

const faultTextByLine = (faults: readonly SheetFault[]): Map<number, string> =>
  new Map(
    [...Map.groupBy(faults, f => f.line)].map(([line, all]) => [
      line,
      all.map(f => `${f.column ? `「${f.column}」` : ''}${f.says}`).join('；'),
    ]),
  )

const keepLines = (w: Workbook, wanted: (line: number) => boolean): Workbook => ({
  ...w,
  lines: w.lines.filter(l => wanted(l.line)),
})

const suffixFileName = (name: string, what: string): string => `${name.replace(/\.[^.]*$/, '')}_${what}.xlsx`

/** What the task remembers once the lines are in: each saying with its lines. */
interface ImportCheckpoint {
  readonly success: number
  readonly skipped: number
  readonly fail: number
  readonly said: readonly (readonly [says: string, failed: boolean, lines: readonly number[]])[]
}

const importJob = <T, X extends Fields, E>(x: ImportDefinition<T, X, E>): Job =>
  defineJob<{ importId: string }>({
    kind: `import.${x.kind}`,
    type: 10,
    run: async ({ importId }, c): Promise<JobOutcome> => {
      const { scope, database, app } = c
      const owner = scope.ownerId
      requirePermission(scope, x.calls.post.needs as Parameters<typeof requirePermission>[1])
      const k = await loadImport(database.reader(owner), x, scope, importId)
      checkDataDomain(x.calls.post.input.fields, k.more, scope)
      c.reportProgress(0, undefined, '正在读取文件')
      const workbook = await openWorkbook(app, scope, k)
      const sheet = readSheet(x.sheet, toRows(workbook))
      if (sheet.faults.length) throw new Refused(resultCode.refused, defined(sheet.faults[0]).says)
      c.reportProgress(0, sheet.lines.length, '正在校验')
      const remembered =
        c.checkpoint.read<ImportCheckpoint>() ??
        (await database.tx(owner, async tx => {
          await tx.execute(
            sql`select pg_advisory_xact_lock(hashtextextended(${`import ${x.kind} ${owner}`}, 0))`,
          )
          const ask = {
            scope,
            more: k.more as ValueOf<X>,
            mode: keyOf(modesOf(x.calls), k.mode ?? '') ?? defaultMode(x.calls),
            today: dayOfMoment(fromInstant(app.clock())),
          }
          const session = await x.openSession(tx, ask, sheet.lines, true)
          const judged = await checkLines(x, sheet, session)
          c.signal.throwIfAborted()
          c.reportProgress(0, sheet.lines.length, '正在写入')
          const done = await session.apply(tx, judged.ready)
          const bad = faultTextByLine([...judged.faults, ...judged.repeats])
          const all = [
            ...[...bad].map(([line, says]) => ({ line, says: `未导入：${says}`, did: 'failed' })),
            ...[...done].map(([line, d]) => ({ line, ...d })),
          ]
          const n = (...did: string[]): number => all.filter(a => did.includes(a.did)).length
          const r: ImportCheckpoint = {
            success: n('added', 'changed'),
            skipped: n('skipped'),
            fail: n('failed'),
            said: [...Map.groupBy(all, a => `${a.did === 'failed'} ${a.says}`)].map(
              ([, g]) => [defined(g[0]).says, defined(g[0]).did === 'failed', g.map(a => a.line)] as const,
            ),
          }
          await tx.execute(
            sql`update sheet_import set done_time = ${scope.time}::timestamptz where owner_id = ${owner} and id = ${k.id}`,
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
      c.reportProgress(sheet.lines.length, sheet.lines.length, '正在写结果文件')
      const result = new Map(
        remembered.said.flatMap(([says, failed, lines]) => lines.map(l => [l, { says, failed }] as const)),
      )
      const save = async (w: Workbook, what: string) => {
        const dir = join(app.dataDir, 'tmp')
        const path = join(dir, randomUUID())
        await mkdir(dir, { recursive: true, mode: 0o700 })
        try {
          await writeResult(
            w,
            l => result.get(l)?.says ?? '',
            createWriteStream(path, { mode: 0o600 }),
            sheet.headingIndex + 1,
          )
          return await app.files.save(
            owner,
            scope.operatorId,
            { name: suffixFileName(k.fileName, what), type: xlsxMediaType, path },
            sheetLimits.retentionDays,
          )
        } finally {
          await rm(path, { force: true })
        }
      }
      const file = await save(workbook, '结果')
      const faultFile = remembered.fail
        ? await save(
            keepLines(workbook, l => result.get(l)?.failed === true),
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
          .toSorted((a, b) => b.count - a.count)
          .slice(0, 20),
      }
    },
  })
