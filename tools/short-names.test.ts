import { expect, it } from 'vitest'
import { shortNamesOf } from './short-names.ts'
import { sourceFiles } from './syntax-tree.ts'

const isProduct = (file: string): boolean =>
  /^(kit|modules)\//.test(file) && !/\.(test|spec)\.tsx?$|fixtures/.test(file)

/** A reader sees the declaration and every use at once. */
const maxLines = 5

it('a name of one letter is known over five lines at most, but for the usual ones (docs/naming.md)', () => {
  const found = sourceFiles
    .filter(isProduct)
    .flatMap(file => shortNamesOf(file, maxLines).map(({ line, name }) => `${file}:${line} ${name}`))
  expect(found).toEqual([])
}, 120_000)
