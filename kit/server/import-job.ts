import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '#kit/domain/defined.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { Fields, FileKey, ValueOf } from '#kit/contract/field.ts'
import { readSheet } from '#kit/contract/sheet-reader.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { writeDiskFile } from './disk-file.ts'
import { audit } from './audit.ts'
import { formatThousands } from './export-count.ts'
import { sql, type Tx } from './db.ts'
import { checkLines, faultTextByLine, type CheckedLines } from './import-check.ts'
import type { ImportDefinition, LineResult } from './import-definition.ts'
import {
  keepLines,
  loadImport,
  modeOf,
  openImportedFile,
  suffixFileName,
  type ImportRow,
} from './import-store.ts'
import { defineJob, type Job, type JobContext, type JobOutcome } from './jobs.ts'
import { requirePermission, requireProject, type Scope } from './scope.ts'
import { writeResult } from './workbook/result-writer.ts'
import { toRows, type Worksheet } from './workbook/worksheet.ts'
import { xlsxMediaType } from './workbook/workbook-writer.ts'

/** What the task remembers once the lines have been written: each message with its lines. */
interface ImportCheckpoint {
  readonly success: number
  readonly skipped: number
  readonly fail: number
  /** What else lines did, with how many of them. */
  readonly alsoDid?: readonly (readonly [name: string, count: number])[]
  readonly messages: readonly (readonly [message: string, failed: boolean, lines: readonly number[]])[]
}

interface WriteStep<T, X extends Fields, E> {
  readonly definition: ImportDefinition<T, X, E>
  readonly context: JobContext
  readonly row: ImportRow
  readonly sheet: ReturnType<typeof readSheet<T>>
}

const assertAllowed = <T, X extends Fields, E>(
  { calls }: ImportDefinition<T, X, E>,
  scope: Scope,
  extraInput: ImportRow['extraInput'],
): void => {
  const { needs, input } = calls.post
  if (typeof needs === 'object') {
    requirePermission(scope, needs)
  }
  for (const [key, field] of Object.entries(input.fields)) {
    if (field.dataDomain === 'project' && extraInput[key] !== undefined) {
      requireProject(scope.domain, String(extraInput[key]))
    }
  }
}

/** Counts the results and groups the lines by message. */
function summarize<T, E>(
  checked: CheckedLines<T, E>,
  results: ReadonlyMap<number, LineResult>,
): ImportCheckpoint {
  const faultyLines = new Set(checked.faults.map(fault => fault.line))
  const faultTexts = faultTextByLine([...checked.faults, ...checked.repeats])
  const lines = [
    // A line that only repeats another is left out, as in the result of the check.
    ...[...faultTexts].map(([line, message]) => ({
      line,
      message: `未导入：${message}`,
      outcome: faultyLines.has(line) ? ('failed' as const) : ('skipped' as const),
    })),
    ...[...results].map(([line, result]) => ({ line, ...result })),
  ]
  const count = (...outcomes: LineResult['outcome'][]): number =>
    lines.filter(({ outcome }) => outcomes.includes(outcome)).length
  const furtherActions = [...results.values()].flatMap(({ alsoDid }) => alsoDid ?? [])
  const groups = Map.groupBy(lines, ({ outcome, message }) => `${outcome === 'failed'} ${message}`)
  return {
    success: count('added', 'changed'),
    skipped: count('skipped'),
    fail: count('failed'),
    alsoDid: [...Map.groupBy(furtherActions, name => name)].map(([name, all]) => [name, all.length] as const),
    messages: [...groups.values()].map(group => {
      const { message, outcome } = defined(group[0])
      return [message, outcome === 'failed', group.map(({ line }) => line)] as const
    }),
  }
}

/** Writes the lines in one transaction, with the checkpoint that keeps a restarted task from repeating it. */
async function writeLines<T, X extends Fields, E>(
  tx: Tx,
  { definition, context, row, sheet }: WriteStep<T, X, E>,
): Promise<ImportCheckpoint> {
  const { scope, app } = context
  const ownerId = scope.ownerId
  const { kind } = definition
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`import ${kind} ${ownerId}`}, 0))`)
  const request = {
    scope,
    extraInput: row.extraInput as ValueOf<X>,
    mode: modeOf(definition.calls, row),
    today: dayOfMoment(fromInstant(app.clock())),
  }
  const session = await definition.openSession(tx, request, sheet.lines, true)
  const checked = await checkLines(definition, sheet, session)
  context.signal.throwIfAborted()
  context.reportProgress(0, sheet.lines.length, '正在写入')
  const checkpoint = summarize(checked, await session.apply(tx, checked.ready))
  await tx.execute(
    sql`
      update sheet_import
      set done_time = ${scope.time}::timestamptz
      where owner_id = ${ownerId}
        and id = ${row.id}
    `,
  )
  const { success, skipped, fail } = checkpoint
  const { projectCode } = row.extraInput
  await audit(tx, scope, [
    {
      action: 'import',
      entity: kind,
      entityId: row.id,
      projectCode: projectCode === undefined ? undefined : String(projectCode),
      after: { file: row.fileName, success, skipped, fail },
    },
  ])
  await context.checkpoint.save(tx, checkpoint)
  return checkpoint
}

/** Saves a workbook with the result of each of its lines beside it. */
async function saveResultFile(
  { app, scope }: JobContext,
  name: string,
  worksheet: Worksheet,
  textOfLine: (line: number) => string,
  headingLine: number,
): Promise<FileKey> {
  const folder = join(app.dataDir, 'tmp')
  const path = join(folder, randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeResult(worksheet, textOfLine, writeDiskFile(path), headingLine)
    return await app.files.save(
      scope.ownerId,
      scope.operatorId,
      { name, type: xlsxMediaType, path },
      sheetLimits.retentionDays,
    )
  } finally {
    await rm(path, { force: true })
  }
}

/** The result of every line, and the failed lines alone to correct and import again (IMP-3). */
async function saveResultFiles(
  context: JobContext,
  row: ImportRow,
  worksheet: Worksheet,
  checkpoint: ImportCheckpoint,
  headingLine: number,
): Promise<Pick<JobOutcome, 'file' | 'faultFile'>> {
  const resultByLine = new Map(
    checkpoint.messages.flatMap(([message, failed, lines]) =>
      lines.map(line => [line, { message, failed }] as const),
    ),
  )
  const textOfLine = (line: number): string => resultByLine.get(line)?.message ?? ''
  const save = (kept: Worksheet, suffix: string): Promise<FileKey> =>
    saveResultFile(context, suffixFileName(row.fileName, suffix), kept, textOfLine, headingLine)
  const file = await save(worksheet, '结果')
  const failedLines = keepLines(worksheet, line => resultByLine.get(line)?.failed === true)
  return { file, faultFile: checkpoint.fail ? await save(failedLines, '错误行') : undefined }
}

const maxReasons = 20

/** The most frequent reasons why lines failed. */
const reasonsOf = ({ messages }: ImportCheckpoint): { reason: string; count: number }[] =>
  messages
    .filter(([, failed]) => failed)
    .map(([reason, , lines]) => ({ reason, count: lines.length }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, maxReasons)

const describeResult = ({ success, fail, skipped, alsoDid = [] }: ImportCheckpoint): string =>
  [['成功', success] as const, ['失败', fail] as const, ['跳过', skipped] as const, ...alsoDid]
    .map(([name, count]) => `${name} ${formatThousands(count)}`)
    .join('，')

/** The second step of an import: checks the lines again and writes those without faults. */
export const importJob = <T, X extends Fields, E>(definition: ImportDefinition<T, X, E>): Job =>
  defineJob<{ importId: string }>({
    kind: `import.${definition.kind}`,
    type: 10,
    run: async ({ importId }, context): Promise<JobOutcome> => {
      const { scope, database, app } = context
      const row = await loadImport(database.reader(scope.ownerId), definition.kind, scope, importId)
      assertAllowed(definition, scope, row.extraInput)
      context.reportProgress(0, undefined, '正在读取文件')
      const worksheet = await openImportedFile(app, scope, row)
      const sheet = readSheet(definition.sheet, toRows(worksheet))
      const [sheetFault] = sheet.faults
      if (sheetFault) throw new Refused(resultCode.refused, sheetFault.message)
      const lineCount = sheet.lines.length
      context.reportProgress(0, lineCount, '正在校验')
      const checkpoint =
        context.checkpoint.read<ImportCheckpoint>() ??
        (await database.tx(scope.ownerId, tx => writeLines(tx, { definition, context, row, sheet })))
      context.reportProgress(lineCount, lineCount, '正在写结果文件')
      const files = await saveResultFiles(context, row, worksheet, checkpoint, sheet.headingIndex + 1)
      const { success, skipped, fail } = checkpoint
      return {
        success,
        skipped,
        fail,
        ...files,
        message: describeResult(checkpoint),
        summary: reasonsOf(checkpoint),
      }
    },
  })
