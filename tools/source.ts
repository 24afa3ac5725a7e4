import { parseSync, type Node } from 'oxc-parser'
import { filesUnder, readSource } from './source-files.ts'

const folders = ['apps', 'bench', 'db', 'e2e', 'kit', 'modules', 'tools']
const generated: ReadonlySet<string> = new Set(['kit/data/divisions-table.ts'])

/** Every hand-written TypeScript file of the product, its tests and its tools. */
export const sourceFiles: readonly string[] = folders
  .flatMap(folder => filesUnder(folder, /\.(ts|tsx|mjs)$/))
  .filter(file => !generated.has(file))

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) {
      for (const item of child) {
        if (isNode(item)) {
          yield* walk(item)
        }
      }
    } else if (isNode(child)) {
      yield* walk(child)
    }
  }
}

/** All nodes of a file's syntax tree, parents first. */
export function parsed(file: string): Iterable<Node> {
  return walk(parseSync(file, readSource(file)).program)
}

/** The nodes that a node of such a type holds under these names. */
export function childrenOf(node: Node, names: readonly string[], type: RegExp): Node[] {
  if (!type.test(node.type)) return []
  return Object.entries(node).flatMap(([name, child]) =>
    names.includes(name) && isNode(child) ? [child] : [],
  )
}

/** The line, from 1, on which a position lies. */
export const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length
