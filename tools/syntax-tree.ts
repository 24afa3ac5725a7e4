import { defined } from '#kit/domain/defined.ts'
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

/** The nodes directly below a node, in the order of the text. Asked for every node of every file. */
export function nodeChildren(node: Node): Node[] {
  const children: Node[] = []
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) {
        if (isNode(item)) {
          children.push(item)
        }
      }
    } else if (isNode(value)) {
      children.push(value)
    }
  }
  return children
}

function collect(node: Node, into: Node[]): Node[] {
  into.push(node)
  for (const child of nodeChildren(node)) {
    collect(child, into)
  }
  return into
}

/** All nodes of a text's syntax tree, parents first; the name says which language. */
export const nodesOf = (name: string, text: string): Node[] => collect(parseSync(name, text).program, [])

const nodesByFile = new Map<string, readonly Node[]>()

/** All nodes of a file's syntax tree, parents first; parsed once. */
export function parsed(file: string): readonly Node[] {
  const known = nodesByFile.get(file)
  if (known) return known
  const nodes = nodesOf(file, readSource(file))
  nodesByFile.set(file, nodes)
  return nodes
}

/** The nodes that a node of such a type holds under these names. */
export function childrenOf(node: Node, names: readonly string[], type: RegExp): Node[] {
  if (!type.test(node.type)) return []
  return Object.entries(node).flatMap(([name, child]) =>
    names.includes(name) && isNode(child) ? [child] : [],
  )
}

const lineStartsByText = new Map<string, readonly number[]>()

function lineStartsOf(text: string): readonly number[] {
  const known = lineStartsByText.get(text)
  if (known) return known
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) {
    starts.push(i + 1)
  }
  lineStartsByText.set(text, starts)
  return starts
}

/** The line, from 1, of a position; asked for every node of every file, so by binary search. */
export function lineAt(text: string, position: number): number {
  const starts = lineStartsOf(text)
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (defined(starts[middle]) <= position) {
      low = middle
    } else {
      high = middle
    }
  }
  return low + 1
}
