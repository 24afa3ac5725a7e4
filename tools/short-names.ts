import type { Node } from 'oxc-parser'
import { lineAt, nodeChildren, parsed } from './syntax-tree.ts'
import { readSource } from './source-files.ts'

const functionTypes: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])
const isScope = ({ type }: Node): boolean =>
  functionTypes.has(type) || type === 'BlockStatement' || type === 'Program' || type.startsWith('For')

/** A name that a parameter or a variable introduces. */
interface Binding {
  readonly name: string
  readonly start: number
  /** Its type, where it is written. */
  readonly type: string
  /** Within a pattern such as `[x, y]` or `{ row: r }`. */
  readonly isInPattern: boolean
}

function* bindingsOf(node: Node, text: string, isInPattern = false): Generator<Binding> {
  if (node.type === 'Identifier') {
    const annotation = 'typeAnnotation' in node ? node.typeAnnotation : undefined
    const type = annotation ? text.slice(annotation.start + 1, annotation.end).trim() : ''
    yield { name: node.name, start: node.start, type, isInPattern }
  } else if (node.type === 'ObjectPattern') {
    for (const property of node.properties) {
      yield* bindingsOf(property.type === 'RestElement' ? property.argument : property.value, text, true)
    }
  } else if (node.type === 'ArrayPattern') {
    for (const element of node.elements) {
      if (element) {
        yield* bindingsOf(element, text, true)
      }
    }
  } else if (node.type === 'AssignmentPattern') {
    yield* bindingsOf(node.left, text, isInPattern)
  } else if (node.type === 'RestElement') {
    yield* bindingsOf(node.argument, text, isInPattern)
  }
}

/** What a single letter may stand for (docs/naming.md). */
function isUsualLetter({ name, type, isInPattern }: Binding, isItem: boolean, beside: readonly string[]) {
  if (/^[ijk]$/.test(name)) return !isItem || type === 'number'
  if (/^[xy]$/.test(name)) return !isItem || isInPattern || type === 'number'
  if (/^[ab]$/.test(name)) return beside.includes('a') && beside.includes('b')
  if (name === 'e') return type === '' || /Event\b/.test(type)
  return name === 'c' && (type === '' || /Context\b/.test(type))
}

interface ShortName {
  readonly line: number
  readonly name: string
}

/** The parameters and variables of one letter that are known over more lines than these. */
export function shortNamesOf(file: string, maxLines: number): ShortName[] {
  const text = readSource(file)
  const found: ShortName[] = []
  const check = (bindings: readonly Binding[], isItem: boolean, end: number, start?: number): void => {
    const names = bindings.map(({ name }) => name)
    for (const binding of bindings.filter(({ name }) => /^[a-z]$/.test(name))) {
      const lines = lineAt(text, end) - lineAt(text, start ?? binding.start) + 1
      if (lines > maxLines && !isUsualLetter(binding, isItem, names)) {
        found.push({ line: lineAt(text, binding.start), name: binding.name })
      }
    }
  }
  const visit = (node: Node, scope: Node): void => {
    if (functionTypes.has(node.type) && 'params' in node && Array.isArray(node.params)) {
      const [first = [], ...others] = node.params.map(param => [...bindingsOf(param, text)])
      const isPair = first[0]?.name === 'a' && others[0]?.[0]?.name === 'b'
      check(isPair ? [] : first, true, node.end, node.start)
      check(isPair ? [] : others.flat(), false, node.end, node.start)
    }
    if (node.type === 'VariableDeclarator') {
      check(
        [...bindingsOf(node.id, text)],
        scope.type === 'ForOfStatement' && node.id.type === 'Identifier',
        scope.end,
      )
    }
    for (const child of nodeChildren(node)) {
      visit(child, isScope(node) ? node : scope)
    }
  }
  const [program] = parsed(file)
  if (program) {
    visit(program, program)
  }
  return found
}
