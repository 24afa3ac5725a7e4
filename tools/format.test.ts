import { expect, it } from 'vitest'
import { shortNamesOf } from './short-names.ts'
import { functionsOf, ternaryDepth } from './source-functions.ts'
import { readSource } from './source-files.ts'
import { childrenOf, lineAt, parsed, sourceFiles } from './syntax-tree.ts'

const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file)
const linesOf = (file: string): string[] => readSource(file).split('\n')
const count = (file: string): number => linesOf(file).length - 1

/** The formatter breaks all but texts, templates and patterns: a longer line must be long because of one. */
const width = 110
/** A linter's directive keeps its reason on the same line. */
const directive = /^\s*\/\/ oxlint-disable/
const textNodes = new Set(['Literal', 'TemplateLiteral', 'JSXText'])
const codeInTemplates = new Set(['TemplateLiteral', 'ArrowFunctionExpression'])

/** The longest part of each line that is one text; a template with code inside is several. */
const longestTextByLine = (file: string): ReadonlyMap<number, number> => {
  const longestText = new Map<number, number>()
  const text = readSource(file)
  const nodes = [...parsed(file)]
  const nested = nodes.filter(node => codeInTemplates.has(node.type))
  const holdsCode = (outer: (typeof nodes)[number]): boolean =>
    nested.some(inner => inner.start > outer.start && inner.end < outer.end)
  const texts = nodes.filter(
    node =>
      node.type === 'TemplateElement' ||
      (textNodes.has(node.type) && !(node.type === 'TemplateLiteral' && holdsCode(node))),
  )
  for (const node of texts) {
    const first = lineAt(text, node.start)
    for (const [i, part] of text.slice(node.start, node.end).split('\n').entries()) {
      longestText.set(first + i, Math.max(longestText.get(first + i) ?? 0, part.length))
    }
  }
  return longestText
}

it('a line is longer than the formatter can make it only where it would fit without one of its texts', () => {
  const long = sourceFiles.flatMap(file => {
    const tooLong = linesOf(file).flatMap((line, i) =>
      line.length > width && !directive.test(line) ? [{ line: i + 1, length: line.length }] : [],
    )
    if (!tooLong.length) return []
    const longestText = longestTextByLine(file)
    return tooLong
      .filter(({ line, length }) => length - (longestText.get(line) ?? 0) > width)
      .map(({ line }) => `${file}:${line}`)
  })
  expect(long).toEqual([])
})

const leaves = new Set([
  'BlockStatement',
  'ReturnStatement',
  'ThrowStatement',
  'ContinueStatement',
  'BreakStatement',
  'EmptyStatement',
])
const refuses = /^(this\.#)?(refuse|wrong|fail\w*)\(/

// The first to parse every file: on a busy machine that takes a minute.
it('what follows an `if` or a loop is a block, unless it leaves the function or the loop', () => {
  const squeezed = sourceFiles.flatMap(file => {
    const text = readSource(file)
    return [...parsed(file)]
      .flatMap(node => childrenOf(node, ['consequent', 'body'], /^(If|For|While|DoWhile)\w*Statement$/))
      .filter(s => !leaves.has(s.type) && !refuses.test(text.slice(s.start, s.end)))
      .map(s => `${file}:${lineAt(text, s.start)}`)
  })
  expect(squeezed).toEqual([])
})

const longest = 300

it('a file is read in one sitting', () => {
  const long = sourceFiles.filter(file => !isTest(file) && count(file) > longest)
  expect(long.map(file => `${file}: ${count(file)}`)).toEqual([])
})

const hasLengthRule = (file: string): boolean =>
  /^(apps|bench|db|kit|modules|tools)\//.test(file) && !isTest(file) && !/fixtures|gallery/.test(file)

const maxFunctionLines = 60
const maxComponentLines = 120

it('a function has at most 60 lines, a component 120', () => {
  const long = sourceFiles.filter(hasLengthRule).flatMap(file =>
    functionsOf(file)
      .filter(({ lines, isComponent }) => lines > (isComponent ? maxComponentLines : maxFunctionLines))
      .map(({ name, lines }) => ({ key: `${file} ${name}`, lines })),
  )
  expect(long.map(({ key, lines }) => `${key}: ${lines}`)).toEqual([])
})

it('at most two conditional expressions are nested', () => {
  const deep = sourceFiles.flatMap(file =>
    [...parsed(file)]
      .filter(node => ternaryDepth(node) === 3)
      .map(node => `${file}:${lineAt(readSource(file), node.start)}`),
  )
  expect(deep).toEqual([])
})

const isProduct = (file: string): boolean =>
  /^(kit|modules)\//.test(file) && !isTest(file) && !/fixtures/.test(file)

/** A reader sees the declaration and every use at once. */
const maxNameLines = 5

// Here, not in a file of its own: another process would parse every file once more.
it('a name of one letter is known over five lines at most, but for the usual ones (docs/naming.md)', () => {
  const found = sourceFiles
    .filter(isProduct)
    .flatMap(file => shortNamesOf(file, maxNameLines).map(({ line, name }) => `${file}:${line} ${name}`))
  expect(found).toEqual([])
})
