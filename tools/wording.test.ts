import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { filesUnder, readSource } from './source-files.ts'
import { lineAt, parsed, sourceFiles } from './syntax-tree.ts'

/**
 * The words of the product are those of the trade: docs/glossary.md lists the forms that it does not print.
 */
const forbiddenForms = (markdown: string): RegExp[] =>
  defined(markdown.split('## 屏幕用词')[1])
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...defined(/^\| (.*?) \| [^`|]*\|$/.exec(line)?.[1]).matchAll(/`([^`]+)`/g)])
    .map(match => new RegExp(defined(match[1]).replaceAll('\\|', '|')))

const forms = forbiddenForms(readFileSync('docs/glossary.md', 'utf8'))
const isProduct = (file: string): boolean =>
  /^(apps|kit|modules)\//.test(file) && !/\.(test|spec)\.tsx?$/.test(file) && !/\/fixtures?[./]/.test(file)

interface PrintedText {
  readonly text: string
  readonly place: string
}

/** Every text of a file that may be printed: literals, templates and the text between tags. */
function textsOf(file: string): PrintedText[] {
  const source = readSource(file)
  return [...parsed(file)].flatMap(node => {
    if (!['Literal', 'TemplateElement', 'JSXText'].includes(node.type)) return []
    const text = source.slice(node.start, node.end)
    return /[\u4E00-\u9FFF]/.test(text) ? [{ text, place: `${file}:${lineAt(source, node.start)}` }] : []
  })
}

it('the list of forms is read whole', () => {
  expect(forms.length).toBeGreaterThan(25)
  expect(forms.some(form => form.test('项目没有读到，请重试'))).toBe(true)
  expect(forms.some(form => form.test('没有保存，请重试'))).toBe(true)
  expect(forms.some(form => form.test('项目加载失败，请重试'))).toBe(false)
})

/** The words of the table, as its first column lists them: `仪表、抄表记录`. */
const glossaryWords = (markdown: string): string[] =>
  [...defined(markdown.split('## 屏幕用词')[0]).matchAll(/^\| (?!词 |---)([^|]+) \|/gm)].flatMap(row =>
    defined(row[1])
      .split(/、| \/ /)
      .map(word => word.trim()),
  )

it('the glossary gives each word one row', () => {
  const words = glossaryWords(readFileSync('docs/glossary.md', 'utf8'))
  expect(words.length).toBeGreaterThan(200)
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([])
})

/** Pages explain to developers and may speak freely; the nouns of the trade are the same there. */
const nounForms = ['商家', '滞纳金']

it('the pages call things by the nouns of the glossary', () => {
  const pages = ['modules', 'kit', 'docs']
    .flatMap(folder => filesUnder(folder, /\.md$/))
    .concat('README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md')
    .filter(page => page !== 'docs/glossary.md')
  expect(pages.length).toBeGreaterThan(50)
  const found = pages.flatMap(page =>
    nounForms.filter(form => readSource(page).includes(form)).map(form => `${page}: ${form}`),
  )
  expect(found).toEqual([])
})

it('no text of the product is in a form that the glossary forbids', () => {
  const found = sourceFiles
    .filter(isProduct)
    .flatMap(textsOf)
    .filter(({ text }) => forms.some(form => form.test(text)))
  expect(found.map(({ text, place }) => `${place} ${text.trim()}`)).toEqual([])
})
