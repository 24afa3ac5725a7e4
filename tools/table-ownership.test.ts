import { defined } from '#kit/domain/defined.ts'
import { dirname, posix } from 'node:path'
import { expect, it } from 'vitest'
import { modules } from '#modules/index.ts'
import { filesUnder, importsOf, readSource } from './source-files.ts'
import { parsed } from './syntax-tree.ts'
import { tablesNamedIn } from './tables-named.ts'

type ReadableTables = Readonly<Record<string, readonly string[]>>

/** What the kit keeps for every module: tasks, files, sessions, logs. Modules may read these. */
const kitTables = new Set([
  'audit_log',
  'audit_log_rest',
  'directory',
  'document_counter',
  'file_store',
  'idempotent_request',
  'installation',
  'operation_log',
  'operation_log_rest',
  'rate_count',
  'session_token',
  'sheet_import',
  'task_center',
  'upload_session',
])

const declared = new Map<string, ReadableTables>(
  await Promise.all(
    modules.map(async ({ name }) => {
      const { tables }: { tables: ReadableTables } = await import(`#modules/${name}/server/tables.ts`)
      return [name, tables] as const
    }),
  ),
)
const ownerOf = new Map(
  [...declared].flatMap(([module, tables]) => Object.keys(tables).map(t => [t, module])),
)
const existing = new Set(
  filesUnder('db/migrations', /\.sql$/).flatMap(file =>
    [...readSource(file).matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gm)].map(m =>
      defined(m[1]),
    ),
  ),
)
const serverFiles = filesUnder('modules', /\/server\/.*\.(ts|sql)$/).filter(
  file => !/\.test\.ts$|(^|[./])fixtures\.ts$|\/simulator\//.test(file),
)
const moduleOf = (file: string): string => defined(file.split('/')[1])

/** The tables of the entities that a file imports, by their names there. */
async function importedTables(file: string): Promise<ReadonlyMap<string, string>> {
  const tables = new Map<string, string>()
  if (file.endsWith('.sql')) return tables
  for (const node of parsed(file)) {
    if (node.type !== 'ImportDeclaration' || !/\/contract\//.test(node.source.value)) continue
    const from = node.source.value
    const target = from.startsWith('#') ? from : `#${posix.join(dirname(file), from)}`
    const exported: Readonly<Record<string, unknown>> = await import(target)
    for (const specifier of node.specifiers) {
      if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') continue
      const value = exported[specifier.imported.name]
      if (isEntity(value)) {
        tables.set(specifier.local.name, value.table)
      }
    }
  }
  return tables
}

const isEntity = (value: unknown): value is { readonly table: string } =>
  typeof value === 'object' && value !== null && 'table' in value && typeof value.table === 'string'

const namedByFile = new Map(
  await Promise.all(
    serverFiles.map(async file => {
      const entities = await importedTables(file)
      const names = {
        isTable: (name: string) => existing.has(name),
        tableOfEntity: (name: string) => entities.get(name),
      }
      return [file, tablesNamedIn(file, readSource(file), names)] as const
    }),
  ),
)

it('every table belongs to one module, or to the kit', () => {
  const known = [...ownerOf.keys(), ...kitTables]
  expect(known.toSorted()).toEqual([...existing].toSorted())
  expect(new Set(known).size).toBe(known.length)
})

it('a module writes only its own tables', () => {
  const foreign = serverFiles.flatMap(file =>
    defined(namedByFile.get(file))
      .written.filter(table => ownerOf.get(table) !== moduleOf(file))
      .map(table => `${file} writes ${table}`),
  )
  expect([...new Set(foreign)]).toEqual([])
})

/** The writing functions of kit/server/table.ts; the second argument is the entity. */
const writing =
  /\b(?:insert|insertAll|insertNew|update|updateAll|remove|upsert\w*|restore)\(\s*[\w.]+,\s*(\w+)\s*,/g

it('a module writes no entity of another module', () => {
  const foreign = serverFiles.flatMap(file => {
    const imported = new Map(
      [
        ...readSource(file).matchAll(/import \{([^}]*)\} from '#modules\/([\w-]+)\/contract\/[^']*'/g),
      ].flatMap(([, names, module]) =>
        defined(names)
          .split(',')
          .map(name => [name.trim().replace(/^.* as /, ''), defined(module)] as const),
      ),
    )
    return [...readSource(file).matchAll(writing)]
      .filter(
        ([, entity]) => imported.has(defined(entity)) && imported.get(defined(entity)) !== moduleOf(file),
      )
      .map(([, entity]) => `${file} writes ${entity}`)
  })
  expect([...new Set(foreign)]).toEqual([])
})

it('a module reads of another only the tables that it may, and no permission is left over', () => {
  const reads = new Set(
    serverFiles.flatMap(file =>
      defined(namedByFile.get(file))
        .read.filter(table => !kitTables.has(table) && ownerOf.get(table) !== moduleOf(file))
        .map(table => `${moduleOf(file)} reads ${table}`),
    ),
  )
  const allowed = new Set(
    [...declared.values()].flatMap(tables =>
      Object.entries(tables).flatMap(([table, readers]) => readers.map(reader => `${reader} reads ${table}`)),
    ),
  )
  expect([...reads].filter(read => !allowed.has(read)).toSorted()).toEqual([])
  expect([...allowed].filter(read => !reads.has(read)).toSorted()).toEqual([])
})

it('only server code reads the lists of tables', () => {
  const readers = filesUnder('modules', /\.tsx?$/).filter(file =>
    importsOf(file).some(to => to.endsWith('/server/tables.ts')),
  )
  expect(readers).toEqual([])
})
