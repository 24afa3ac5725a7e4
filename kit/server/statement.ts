import { defined } from '#kit/domain/defined.ts'
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  DummyDriver,
  type Compilable,
  type RawBuilder,
} from 'kysely'
import type { CompanyScope } from './company-scope.ts'
import { logStatement } from './statement-log.ts'

export type Statement<T = unknown> =
  | RawBuilder<T>
  | Compilable<T>
  | { readonly sql: string; readonly parameters: readonly unknown[] }

export interface CompiledStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

const compileOnlyKysely = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/**
 * Only compiles: statements run through the scoped pools of `db.ts`. Row types come from the entities of the
 * caller.
 */
export const queryBuilder = <T>(): Kysely<T> => compileOnlyKysely as unknown as Kysely<T>

/** The builder's frozen tree, as far as templates are made of it. */
interface SqlNode {
  readonly kind: string
  readonly sqlFragments?: readonly string[]
  readonly parameters?: readonly SqlNode[]
  readonly value?: unknown
  readonly immediate?: boolean
  readonly name?: string
  readonly table?: SqlNode
  readonly column?: SqlNode
  readonly schema?: SqlNode
  readonly identifier?: SqlNode
}

/**
 * Text of subtrees that hold no value: the long lists of columns are kept by their entities and written out
 * once.
 */
const constantTextCache = new WeakMap<SqlNode, string>()

/**
 * Writes a tree of templates out; false where something else is in it, which the builder's own compiler
 * knows.
 */
function writeNode(sqlNode: SqlNode, out: { text: string; readonly values: unknown[] }): boolean {
  switch (sqlNode.kind) {
    case 'RawNode': {
      const known = constantTextCache.get(sqlNode)
      if (known !== undefined) {
        out.text += known
        return true
      }
      const from = out.text.length
      const values = out.values.length
      const texts = defined(sqlNode.sqlFragments)
      const inner = defined(sqlNode.parameters)
      for (let i = 0; i < texts.length; i++) {
        out.text += texts[i]
        if (i < inner.length && !writeNode(defined(inner[i]), out)) return false
      }
      if (inner.length && out.values.length === values) {
        constantTextCache.set(sqlNode, out.text.slice(from))
      }
      return true
    }
    case 'ValueNode':
      if (sqlNode.immediate) return false
      out.values.push(sqlNode.value)
      out.text += `$${out.values.length}`
      return true
    case 'IdentifierNode':
      out.text += `"${defined(sqlNode.name).replaceAll('"', '""')}"`
      return true
    case 'ReferenceNode':
      if (sqlNode.table && !(writeNode(sqlNode.table, out) && writeDot(out))) return false
      return writeNode(defined(sqlNode.column), out)
    case 'ColumnNode':
      return writeNode(defined(sqlNode.column), out)
    case 'TableNode':
      return writeNode(defined(sqlNode.table), out)
    case 'SchemableIdentifierNode':
      if (sqlNode.schema && !(writeNode(sqlNode.schema, out) && writeDot(out))) return false
      return writeNode(defined(sqlNode.identifier), out)
    default:
      return false
  }
}

const writeDot = (out: { text: string }): true => {
  out.text += '.'
  return true
}

/**
 * A statement's text and values. Templates are written out here, an order of magnitude cheaper than by the
 * builder's visitors.
 */
export function compileStatement(query: Statement): CompiledStatement {
  if ('sql' in query) return query
  if (!('toOperationNode' in query && 'compile' in query)) return query.compile()
  const node = (query as unknown as { toOperationNode(): SqlNode }).toOperationNode()
  const out = { text: '', values: [] as unknown[] }
  if (node.kind === 'RawNode' && writeNode(node, out)) return { sql: out.text, parameters: out.values }
  return (query as { compile: (k: unknown) => CompiledStatement }).compile(compileOnlyKysely)
}

export const compileLogged = (statement: Statement, ownerId: CompanyScope): CompiledStatement => {
  const compiled = compileStatement(statement)
  logStatement?.(compiled.sql, compiled.parameters, ownerId)
  return compiled
}
