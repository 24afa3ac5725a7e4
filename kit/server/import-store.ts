import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf, type Choices, type Field, type Fields } from '#kit/contract/field.ts'
import type { ImportCalls } from '#kit/contract/import-export.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { App } from './app.ts'
import { sql, type Db } from './db.ts'
import type { Scope } from './scope.ts'
import { readWorkbook } from './workbook/workbook-reader.ts'
import type { Worksheet } from './workbook/worksheet.ts'

/** An uploaded file, kept between the preview and the import itself. */
export interface ImportRow {
  readonly id: Id
  readonly operatorId: Id
  readonly fileKey: string
  readonly fileName: string
  /** Further input of the import: the project, the month. */
  readonly extraInput: Readonly<Record<string, unknown>>
  /** The code of the mode. */
  readonly mode?: string
  readonly taskId?: Id
}

export const modesOf = <X extends Fields>(calls: ImportCalls<X>): Choices => {
  const mode: Field = defined(calls.post.input.fields.mode)
  return defined(mode.choices)
}

export const defaultMode = <X extends Fields>(calls: ImportCalls<X>): string =>
  defined(Object.keys(modesOf(calls).rows)[0])

export const modeOf = <X extends Fields>(calls: ImportCalls<X>, row: ImportRow): string =>
  keyOf(modesOf(calls), row.mode ?? '') ?? defaultMode(calls)

export async function loadImport(
  db: Db,
  kind: string,
  scope: Scope,
  importId: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<ImportRow> {
  const row = /^\d{1,15}$/.test(importId)
    ? await db.one<ImportRow>(
        sql`
          select id, operator_id, file_key, file_name, more as extra_input, mode, task_id
          from sheet_import
          where owner_id = ${scope.ownerId}
            and id = ${Number(importId)}
            and kind = ${kind}
            and operator_id = ${scope.operatorId} ${lock ? sql`for update` : sql``}
        `,
      )
    : undefined
  return row ?? refuse('这次导入已过期，请重新上传文件')
}

export async function openImportedFile(
  app: Pick<App, 'files'>,
  scope: Scope,
  row: ImportRow,
): Promise<Worksheet> {
  const file = await app.files.find(scope.ownerId, row.fileKey)
  return file ? file.withPath(readWorkbook) : refuse('上传的文件已过期，请重新上传')
}

/** The sheet with the chosen lines only. */
export const keepLines = (worksheet: Worksheet, isKept: (line: number) => boolean): Worksheet => ({
  ...worksheet,
  lines: worksheet.lines.filter(({ line }) => isKept(line)),
})

/** `房间.xls` → `房间_结果.xlsx`. */
export const suffixFileName = (name: string, suffix: string): string =>
  `${name.replace(/\.[^.]*$/, '')}_${suffix}.xlsx`
