import type { Node } from 'oxc-parser'
import { lineAt, nodeChildren, parsed } from './syntax-tree.ts'
import { readSource } from './source-files.ts'

export interface SourceFunction {
  readonly name: string
  readonly lines: number
  /** A function of a `.tsx` file whose name begins with a capital. */
  readonly isComponent: boolean
}

const functionTypes: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

const identifierName = (node: unknown): string | undefined =>
  typeof node === 'object' && node !== null && 'name' in node && typeof node.name === 'string'
    ? node.name
    : undefined

/** The name that a node gives to a function within it: its own, a variable's, a property's. */
const nameGivenBy = (node: Node): string | undefined => {
  if (functionTypes.has(node.type) && 'id' in node) return identifierName(node.id)
  if (node.type === 'VariableDeclarator') return identifierName(node.id)
  return node.type === 'Property' || node.type === 'MethodDefinition' ? identifierName(node.key) : undefined
}

/** Every function of a file; one without a name has that of the variable, property or function around it. */
export function functionsOf(file: string): SourceFunction[] {
  const text = readSource(file)
  const found: SourceFunction[] = []
  const visit = (node: Node, nameAround: string): void => {
    const name = nameGivenBy(node) ?? nameAround
    if (functionTypes.has(node.type)) {
      found.push({
        name,
        lines: lineAt(text, node.end) - lineAt(text, node.start) + 1,
        isComponent: file.endsWith('.tsx') && /^[A-Z]/.test(name),
      })
    }
    for (const child of nodeChildren(node)) {
      visit(child, name)
    }
  }
  const [program] = parsed(file)
  if (program) {
    visit(program, '')
  }
  return found
}

/** How many conditional expressions a conditional expression stands for: `a ? b : c ? d : e` is two. */
export function ternaryDepth(node: Node): number {
  if (node.type === 'ParenthesizedExpression') return ternaryDepth(node.expression)
  if (node.type !== 'ConditionalExpression') return 0
  return 1 + Math.max(ternaryDepth(node.consequent), ternaryDepth(node.alternate))
}
