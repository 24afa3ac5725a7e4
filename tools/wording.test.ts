import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { readSource } from './source-files.ts'
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

it('no text of the product is in a form that the glossary forbids', () => {
  const found = sourceFiles
    .filter(isProduct)
    .flatMap(textsOf)
    .filter(({ text }) => forms.some(form => form.test(text)))
  expect(found.map(({ text, place }) => `${place} ${text.trim()}`)).toEqual([])
}, 120_000)
