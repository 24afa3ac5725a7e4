/**
 * What a migration may not do to tables that the previous released version serves (docs/operation.md),
 * checked on PostgreSQL's own parse tree.
 */
export interface ReleaseUse {
  /** The tables of the release: those of this version alone may be changed at will. */
  readonly tables: ReadonlySet<string>
  /** Whether the program of the release writes this name of a table, column, view or function. */
  mentions(name: string): boolean
}

type Node = { readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const child = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce((node, key) => (isNode(node) ? node[key] : undefined), value)

const textAt = (value: unknown, ...keys: readonly string[]): string => String(child(value, ...keys) ?? '')

const nameOf = (list: unknown): string => textAt(listOf(list).at(-1), 'String', 'sval')

const contains = (tree: unknown, kind: string): boolean =>
  Array.isArray(tree)
    ? tree.some(each => contains(each, kind))
    : isNode(tree) && (kind in tree || Object.values(tree).some(each => contains(each, kind)))

/** Functions whose value is the same for all rows: the column is added without rewriting the table. */
const constantFunctions = new Set(['now', 'transaction_timestamp', 'statement_timestamp'])

function addColumnFault(column: unknown): string | undefined {
  const name = textAt(column, 'colname')
  const constraints = listOf(child(column, 'constraints')).map(each => child(each, 'Constraint'))
  const find = (type: string): unknown => constraints.find(each => textAt(each, 'contype') === type)
  const defaultValue = child(find('CONSTR_DEFAULT'), 'raw_expr')
  if (find('CONSTR_GENERATED') || find('CONSTR_IDENTITY')) return `adds ${name}, which writes the table again`
  if (
    contains(defaultValue, 'FuncCall') &&
    !constantFunctions.has(nameOf(child(defaultValue, 'FuncCall', 'funcname')))
  )
    return `adds ${name} with another default for each row, which writes the table again`
  if (find('CONSTR_NOTNULL') && defaultValue === undefined)
    return `adds ${name} not null without a default: the previous version inserts rows without it`
  const isChecked = ['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_FOREIGN'].find(find)
  return isChecked && `adds ${name} with a constraint that is checked while the table is locked`
}

function constraintFault(constraint: unknown): string | undefined {
  const type = textAt(constraint, 'contype')
  if (child(constraint, 'indexname') !== undefined) return undefined
  if (type === 'CONSTR_EXCLUSION') return 'adds an exclusion, whose index is built while the table is locked'
  if (type === 'CONSTR_UNIQUE' || type === 'CONSTR_PRIMARY')
    return 'adds a key whose index is built while the table is locked: build it concurrently, then `using index`'
  return child(constraint, 'skip_validation') === true
    ? undefined
    : 'adds a constraint that reads the table while it is locked: add it `not valid`, validate it in the next file'
}

function alterFault(command: unknown, use: ReleaseUse): string | undefined {
  const name = textAt(command, 'name')
  switch (textAt(command, 'subtype')) {
    case 'AT_AddColumn':
      return addColumnFault(child(command, 'def', 'ColumnDef'))
    case 'AT_AddConstraint':
      return constraintFault(child(command, 'def', 'Constraint'))
    case 'AT_DropColumn':
      return use.mentions(name) ? `drops ${name}, which the previous version uses` : undefined
    case 'AT_SetNotNull':
      return `sets ${name} not null: the previous version leaves it empty`
    case 'AT_AlterColumnType':
      return `changes the type of ${name}, which writes the table again`
    default:
      return undefined
  }
}

function dropFaults(drop: unknown, use: ReleaseUse): string[] {
  const kind = textAt(drop, 'removeType').replace('OBJECT_', '').toLowerCase()
  // An index is asked for by no name; the upgrade test finds an `on conflict` that lacks it.
  if (kind === 'index' || kind === 'policy') return []
  return listOf(child(drop, 'objects'))
    .map(each => nameOf(child(each, 'List', 'items') ?? child(each, 'ObjectWithArgs', 'objname')))
    .filter(name => use.mentions(name))
    .map(name => `drops the ${kind} ${name}, which the previous version uses`)
}

/** The faults of one statement. */
function statementFaults(statement: Node, use: ReleaseUse): string[] {
  const { AlterTableStmt: alter, RenameStmt: rename, DropStmt: drop, IndexStmt: index } = statement
  if (alter !== undefined && use.tables.has(textAt(alter, 'relation', 'relname')))
    return listOf(child(alter, 'cmds')).flatMap(each => alterFault(child(each, 'AlterTableCmd'), use) ?? [])
  if (rename !== undefined && use.tables.has(textAt(rename, 'relation', 'relname'))) {
    const isIndex = textAt(rename, 'renameType') === 'OBJECT_INDEX'
    return isIndex ? [] : [`renames ${textAt(rename, 'subname') || textAt(rename, 'relation', 'relname')}`]
  }
  if (drop !== undefined) return dropFaults(drop, use)
  if (index !== undefined && use.tables.has(textAt(index, 'relation', 'relname')))
    return child(index, 'concurrent') === true
      ? []
      : [`builds ${textAt(index, 'idxname')} while the table is locked: build it concurrently`]
  for (const kind of ['TruncateStmt', 'LockStmt']) {
    const locked = listOf(child(statement[kind], 'relations')).map(each =>
      textAt(each, 'RangeVar', 'relname'),
    )
    if (locked.some(name => use.tables.has(name))) return ['locks or empties a table of the previous version']
  }
  return []
}

const changedTables = (statements: readonly Node[], kinds: readonly string[]): string[] =>
  statements.flatMap(statement => kinds.map(kind => textAt(statement[kind], 'relation', 'relname')))

/** The statements of a file that break the previous version or block its callers. */
export function migrationFaults(
  statements: readonly Node[],
  use: ReleaseUse,
  { isTransaction }: { readonly isTransaction: boolean },
): string[] {
  const isOld = (name: string): boolean => use.tables.has(name)
  // A view that is dropped and made again is there at the end of the file.
  const views = new Set(statements.map(each => textAt(each.ViewStmt, 'view', 'relname')))
  const faults = statements
    .flatMap(statement => statementFaults(statement, use))
    .filter(fault => ![...views].some(view => view && fault.startsWith(`drops the view ${view},`)))
  const locked = changedTables(statements, ['AlterTableStmt']).filter(isOld)
  const written = changedTables(statements, ['UpdateStmt', 'DeleteStmt', 'InsertStmt']).filter(isOld)
  return isTransaction && locked.length && written.length
    ? [...faults, `writes ${written.join(', ')} while ${locked.join(', ')} is locked: write in the next file`]
    : faults
}

/** The names of the tables that statements create. */
export const tablesMade = (statements: readonly Node[]): string[] =>
  statements.map(each => textAt(each.CreateStmt, 'relation', 'relname')).filter(Boolean)
