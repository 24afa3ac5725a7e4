import type { Permission } from '#kit/contract/call.ts'
import type { CrudImport } from '#kit/contract/crud-sheet.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import {
  codeFaults,
  domainFaults,
  findExistingRows,
  indexBy,
  matchKeys,
  matchValue,
  type Values,
} from './crud-import-existing.ts'
import type { ImporterOptions, ImportFile } from './crud-import-options.ts'
import { writeLines } from './crud-import-write.ts'
import type { Db } from './db.ts'
import type { ImportDefinition, ImportRequest, ImportSession } from './import-definition.ts'
import { hasProject, outOfDomain } from './scope.ts'

export type { ImportFile, LineFault, WrittenLine } from './crud-import-options.ts'

/** The import of an entity for `crudHandlers`; `load`, `prepare` and `find` are before what uses them. */
export const defineImport = <F extends Fields, T, X extends Fields, C = unknown, P = unknown, E = ValueOf<F>>(
  _entity: { readonly entity: Entity<F> },
  calls: CrudImport<T, X>,
  options: Omit<ImporterOptions<F, T, X, C, P, E>, 'calls'>,
): ImporterOptions<F, T, X, C, P, E> => ({ ...options, calls })

type AnyOptions = ImporterOptions<any, any, any, any, any, any>

type AnyFile = ImportFile<any, any, any>

/** The file with the records of its lines and what the module prepares of them. */
async function readFile(entity: Entity<any>, about: AnyOptions, db: Db, base: AnyFile): Promise<AnyFile> {
  const { request, lines, isWriting } = base
  const rows = lines.flatMap(({ row }) => [row, ...(about.alsoFind?.(row) ?? [])]) as readonly Values[]
  const existing = await findExistingRows(db, entity, about, request, rows, isWriting)
  const columns = [...about.calls.schema.columns.map(column => column.key), ...(about.match ?? [])]
  const file: AnyFile = {
    ...base,
    existingBy: indexBy(existing, matchKeys(about), row => row),
    firstLineBy: indexBy(lines, columns, line => line.row as Values),
  }
  const prepared: unknown = await about.prepare?.(db, file)
  return prepared === undefined ? file : { ...file, data: { ...file.data, ...(prepared as object) } }
}

/** What is known of one file, read in a few queries. */
async function openSession(
  entity: Entity<any>,
  about: AnyOptions,
  db: Db,
  request: ImportRequest<any>,
  lines: readonly SheetLine[],
  isWriting: boolean,
): Promise<ImportSession<any, any>> {
  const { projectCode } = request.extraInput
  if (projectCode !== undefined && !hasProject(request.scope.domain, projectCode)) throw outOfDomain()
  const data = await about.load?.(db, request, isWriting, lines)
  let file: AnyFile = {
    request,
    lines,
    data,
    isWriting,
    existingBy: () => undefined,
    firstLineBy: () => undefined,
  }
  const { match = [], unique = [], find, describeExisting, normalizeRow, repeatRemedy, write } = about
  const findRecord = (row: Values): Values | undefined =>
    find
      ? find(row, file)
      : match.map(key => file.existingBy(key, matchValue(row, key))).find(found => found !== undefined)
  return {
    findReferences: (key, name) => about.references?.[key]?.(name, data) ?? [],
    ...(normalizeRow ? { normalizeRow: row => normalizeRow(row, data) } : {}),
    findExisting: async read => {
      file = await readFile(entity, about, db, { ...file, lines: read })
      return new Map(
        read.flatMap(({ line, row }) => {
          const found = findRecord(row)
          return found === undefined ? [] : [[line, found] as const]
        }),
      )
    },
    checkRow: (row, existing) => [
      ...(find ? [] : domainFaults(entity, [match[0] ?? []].flat()[0] ?? '', existing, file)),
      ...codeFaults(entity, unique, row, existing, file),
      ...(about.rules?.(row, existing, file) ?? []),
    ],
    ...(describeExisting ? { describeExisting } : {}),
    warnRow: row => about.warnings?.(row, file) ?? [],
    ...(repeatRemedy ? { repeatRemedy } : {}),
    isSkipped: line =>
      about.isSkipped ? about.isSkipped(line, file) : line.existing !== undefined && request.mode === 'skip',
    apply: (tx, ready) => (write ? write(tx, ready, file) : writeLines(tx, entity, about, ready, file)),
  }
}

/** The import of an entity: reads, names, matches, judges and writes by what these options say. */
export function importer<F extends Fields, T, X extends Fields, C = unknown, P = unknown, E = ValueOf<F>>(
  entity: Entity<F>,
  about: ImporterOptions<F, T, X, C, P, E>,
): ImportDefinition<T, X, E> {
  const { calls, hiddenInTemplate, missing, templateOptions } = about
  return {
    kind: about.kind ?? (calls.post.needs as Permission).menu,
    calls,
    sheet: calls.schema,
    ...(hiddenInTemplate ? { hiddenInTemplate } : {}),
    ...(missing ? { missing } : {}),
    ...(templateOptions ? { templateOptions } : {}),
    openSession: (db, request, lines, isWriting) =>
      openSession(entity, about as AnyOptions, db, request, lines, isWriting),
  }
}
