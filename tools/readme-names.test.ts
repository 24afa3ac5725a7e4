import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { filesUnder, readSource } from './source-files.ts'

const folders = ['apps', 'kit', 'modules', 'tools', 'db', 'e2e', 'bench', 'docs', 'deploy', '.ci']
const files = folders.flatMap(folder =>
  filesUnder(folder, /\.(?:tsx?|mjs|sql|css|md|json|service)$|Containerfile$|\.ci\/run$/),
)
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/scale.md',
  'docs/pos-protocol.md',
  ...files.filter(file => file.endsWith('/README.md')),
]

const codeWords = new Set(
  files
    .filter(file => /\.(?:tsx?|mjs|sql|css)$/.test(file))
    .flatMap(file => readSource(file).match(/[A-Za-z_$][\w$]*/g) ?? []),
)

/** Every ending of every path: `domain/units.ts` stands for `modules/estates/domain/units.ts`. */
const pathEndings = new Set(
  [...files, 'package.json', 'LICENSE'].flatMap(file => {
    const parts = file.split('/')
    return parts.flatMap((_, from) =>
      parts.slice(from).map((__, to) => parts.slice(from, from + to + 1).join('/')),
    )
  }),
)

const isName = (quoted: string): boolean => /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(\))?$/.test(quoted)
const isPath = (quoted: string): boolean =>
  /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(quoted) && /\/|\.\w+$/.test(quoted)
const namesOf = (quoted: string): string[] => quoted.match(/[A-Za-z_$][\w$]*/g) ?? []

const isKnown = (quoted: string): boolean =>
  (isPath(quoted) && pathEndings.has(quoted.replace(/\/$/, ''))) ||
  namesOf(quoted).every(name => codeWords.has(name))

it('every name and file that a page quotes is in the code', () => {
  const unknown = pages.flatMap(page => {
    const text = readSource(page).replace(/```[\s\S]*?```/g, '')
    const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(match => defined(match[1]))
    return quoted
      .filter(each => (isName(each) || isPath(each)) && !isKnown(each))
      .map(each => `${page}: ${each}`)
  })
  expect(unknown).toEqual([])
})
