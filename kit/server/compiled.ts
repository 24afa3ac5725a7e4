import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  DummyDriver,
  type Compilable,
  type RawBuilder,
} from 'kysely'

export type Ask<T = unknown> =
  | RawBuilder<T>
  | Compilable<T>
  | { readonly sql: string; readonly parameters: readonly unknown[] }

export interface Compiled {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

const bare = new Kysely<Record<string, never>>({
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
export const builder = <T>(): Kysely<T> => bare as unknown as Kysely<T>

/** The builder's frozen tree, as far as templates are made of it. */
interface Node {
  readonly kind: string
  readonly sqlFragments?: readonly string[]
  readonly parameters?: readonly Node[]
  readonly value?: unknown
  readonly immediate?: boolean
  readonly name?: string
  readonly table?: Node
  readonly column?: Node
  readonly schema?: Node
  readonly identifier?: Node
}

/**
 * Text of subtrees that hold no value: the long lists of columns are kept by their entities and written out
 * once.
 */
const fixed = new WeakMap<Node, string>()

/**
 * Writes a tree of templates out; false where something else stands in it, which the builder's own compiler
 * knows.
 */
function write(n: Node, out: { text: string; readonly values: unknown[] }): boolean {
  switch (n.kind) {
    case 'RawNode': {
      const known = fixed.get(n)
      if (known !== undefined) {
        out.text += known
        return true
      }
      const from = out.text.length
      const values = out.values.length
      const texts = n.sqlFragments!
      const inner = n.parameters!
      for (let i = 0; i < texts.length; i++) {
        out.text += texts[i]!
        if (i < inner.length && !write(inner[i]!, out)) return false
      }
      if (inner.length && out.values.length === values) {
        fixed.set(n, out.text.slice(from))
      }
      return true
    }
    case 'ValueNode':
      if (n.immediate) return false
      out.values.push(n.value)
      out.text += `$${out.values.length}`
      return true
    case 'IdentifierNode':
      out.text += `"${n.name!.replaceAll('"', '""')}"`
      return true
    case 'ReferenceNode':
      if (n.table && !(write(n.table, out) && dot(out))) return false
      return write(n.column!, out)
    case 'ColumnNode':
      return write(n.column!, out)
    case 'TableNode':
      return write(n.table!, out)
    case 'SchemableIdentifierNode':
      if (n.schema && !(write(n.schema, out) && dot(out))) return false
      return write(n.identifier!, out)
    default:
      return false
  }
}

const dot = (out: { text: string }): true => {
  out.text += '.'
  return true
}

/**
 * A statement's text and values. Templates are written out here, an order of magnitude cheaper than by the
 * builder's visitors.
 */
export function compiled(q: Ask<any>): Compiled {
  if ('sql' in q) return q
  if (!('toOperationNode' in q && 'compile' in q)) return (q as Compilable).compile()
  const node = (q as unknown as { toOperationNode(): Node }).toOperationNode()
  const out = { text: '', values: [] as unknown[] }
  if (node.kind === 'RawNode' && write(node, out)) return { sql: out.text, parameters: out.values }
  return (q as { compile: (k: unknown) => Compiled }).compile(bare)
}
