import { defined } from '#kit/domain/defined.ts'
import type { Node } from 'oxc-parser'
import { nodesOf } from './syntax-tree.ts'

/** The tables that the statements of a file name. */
interface NamedTables {
  readonly read: readonly string[]
  readonly written: readonly string[]
}

/** What a file may mean by `sql.table(…)`. */
interface TableNames {
  readonly isTable: (name: string) => boolean
  /** The table of an entity that the file imports under this name. */
  readonly tableOfEntity: (name: string) => string | undefined
}

const readWords: ReadonlySet<string> = new Set(['from', 'join', 'using'])
const writeWords: ReadonlySet<string> = new Set(['into', 'truncate', 'update'])
/** Words behind which a comma separates no tables. */
const listEnds: ReadonlySet<string> = new Set(
  'except for group having intersect limit offset order returning select set union values when where window'.split(
    ' ',
  ),
)

const tokenPattern = /\$\d+\$|[A-Za-z_]\w*|[(),.;]/g
const withoutTexts = (sql: string): string => sql.replaceAll(/--.*$|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/gm, ' ')

/** The words of a statement that are where a table does; `$0$` is the first value filled in. */
function wordsInTablePlace(sql: string): { readonly read: string[]; readonly written: string[] } {
  const tokens = withoutTexts(sql).match(tokenPattern) ?? []
  const read: string[] = []
  const written: string[] = []
  /** Whether a list of tables is open, for each bracket that is. */
  const openLists = [false]
  const setList = (isOpen: boolean): void => {
    openLists[openLists.length - 1] = isOpen
  }
  for (const [i, token] of tokens.entries()) {
    const word = token.toLowerCase()
    const before = tokens[i - 1]?.toLowerCase()
    const next = tokens[i + 1] ?? ''
    if (token === '(') {
      openLists.push(false)
    } else if (token === ')') {
      openLists.pop()
      if (!openLists.length) {
        openLists.push(false)
      }
    } else if (token === ';' || listEnds.has(word)) {
      setList(false)
    }
    if (writeWords.has(word) || (word === 'from' && before === 'delete')) {
      written.push(next)
    } else if (readWords.has(word) && before !== 'distinct') {
      setList(true)
      read.push(next)
    } else if (token === ',' && (openLists.at(-1) || i === 0) && tokens[i + 2] !== '.') {
      read.push(next)
    }
  }
  return { read, written }
}

/** The argument of `sql.table(…)`. */
function tableArgument(node: Node | undefined): Node | undefined {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined
  const { object, property } = node.callee
  const isTableCall =
    object.type === 'Identifier' &&
    object.name === 'sql' &&
    property.type === 'Identifier' &&
    property.name === 'table'
  return isTableCall ? node.arguments[0] : undefined
}

/**
 * The tables that an argument may mean. A parameter: those that the file names in a text or a type;
 * `entity.table` of a parameter: those of all entities that the file imports.
 */
function tablesOfArgument(
  argument: Node,
  nodes: readonly Node[],
  { isTable, tableOfEntity }: TableNames,
): string[] {
  const namedBy = (node: Node): string[] =>
    node.type === 'Literal' && typeof node.value === 'string' && isTable(node.value) ? [node.value] : []
  if (argument.type === 'Literal') return namedBy(argument)
  if (argument.type !== 'MemberExpression') return nodes.flatMap(namedBy)
  const table = argument.object.type === 'Identifier' ? tableOfEntity(argument.object.name) : undefined
  if (table !== undefined) return [table]
  return nodes.flatMap(node =>
    node.type === 'ImportSpecifier' ? (tableOfEntity(node.local.name) ?? []) : [],
  )
}

/** The statements of the code: templates with `$i$` for their i-th value, and plain texts. */
const statementsOf = (nodes: readonly Node[]): { readonly sql: string; readonly values: readonly Node[] }[] =>
  nodes.flatMap(node => {
    if (node.type === 'Literal' && typeof node.value === 'string') return [{ sql: node.value, values: [] }]
    if (node.type !== 'TemplateLiteral') return []
    const parts = node.quasis.map((part, i) => (i ? ` $${i - 1}$ ` : '') + part.value.raw)
    return [{ sql: parts.join(''), values: node.expressions }]
  })

/**
 * The tables that statements read and write: behind `from`, `join`, `update` and the like, after the commas
 * of a list, and by `sql.table(…)`.
 */
export function tablesNamedIn(file: string, text: string, names: TableNames): NamedTables {
  const nodes = file.endsWith('.sql') ? [] : nodesOf(file, text)
  const statements = file.endsWith('.sql') ? [{ sql: text, values: [] }] : statementsOf(nodes)
  const inStatements = new Set<Node>()
  const resolve = (word: string, values: readonly Node[]): string[] => {
    if (!word.startsWith('$')) return names.isTable(word) ? [word] : []
    const value = defined(values[Number(word.slice(1, -1))])
    const argument = tableArgument(value)
    if (!argument) return []
    inStatements.add(value)
    return tablesOfArgument(argument, nodes, names)
  }
  const read: string[] = []
  const written: string[] = []
  for (const { sql, values } of statements) {
    const words = wordsInTablePlace(sql)
    read.push(...words.read.flatMap(word => resolve(word, values)))
    written.push(...words.written.flatMap(word => resolve(word, values)))
  }
  // `const table = sql.table(…)`: what becomes of it is not followed.
  for (const node of nodes) {
    const argument = inStatements.has(node) ? undefined : tableArgument(node)
    if (argument) {
      const tables = tablesOfArgument(argument, nodes, names)
      read.push(...tables)
      written.push(...tables)
    }
  }
  return { read, written }
}
