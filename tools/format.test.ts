import { expect, it } from 'vitest'
import { functionsOf, ternaryDepth } from './source-functions.ts'
import { readSource } from './source-files.ts'
import { childrenOf, lineAt, parsed, sourceFiles } from './syntax-tree.ts'

const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file)
const linesOf = (file: string): string[] => readSource(file).split('\n')
const count = (file: string): number => linesOf(file).length - 1

/** The formatter breaks all but texts, templates and patterns: a longer line must hold one. */
const width = 110
/** A linter's directive keeps its reason on the same line. */
const directive = /^\s*\/\/ oxlint-disable/
const textNodes = new Set(['Literal', 'TemplateElement', 'JSXText'])

it('no line is longer than the formatter can make it', () => {
  const long = sourceFiles.flatMap(file => {
    const tooLong = linesOf(file).flatMap((line, i) =>
      line.length > width && !directive.test(line) ? [i + 1] : [],
    )
    if (!tooLong.length) return []
    const text = readSource(file)
    const withText = new Set<number>()
    for (const node of parsed(file)) {
      if (!textNodes.has(node.type)) continue
      for (let line = lineAt(text, node.start); line <= lineAt(text, node.end); line++) {
        withText.add(line)
      }
    }
    return tooLong.filter(line => !withText.has(line)).map(line => `${file}:${line}`)
  })
  expect(long).toEqual([])
}, 120_000)

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
}, 120_000)

const longest = 300

it('a file is read in one sitting', () => {
  const long = sourceFiles.filter(file => !isTest(file) && count(file) > longest)
  expect(long.map(file => `${file}: ${count(file)}`)).toEqual([])
}, 120_000)

const isProduct = (file: string): boolean =>
  /^(apps|kit|modules|tools)\//.test(file) && !isTest(file) && !/fixtures|gallery/.test(file)

const maxFunctionLines = 60
const maxComponentLines = 120

it('a function has at most 60 lines, a component 120', () => {
  const long = sourceFiles.filter(isProduct).flatMap(file =>
    functionsOf(file)
      .filter(({ lines, isComponent }) => lines > (isComponent ? maxComponentLines : maxFunctionLines))
      .map(({ name, lines }) => ({ key: `${file} ${name}`, lines })),
  )
  expect(long.map(({ key, lines }) => `${key}: ${lines}`)).toEqual([])
}, 120_000)

it('at most two conditional expressions stand inside each other', () => {
  const deep = sourceFiles.flatMap(file =>
    [...parsed(file)]
      .filter(node => ternaryDepth(node) === 3)
      .map(node => `${file}:${lineAt(readSource(file), node.start)}`),
  )
  expect(deep).toEqual([])
}, 120_000)
