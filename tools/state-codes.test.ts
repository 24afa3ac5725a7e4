import { expect, it } from 'vitest'
import { filesUnder, readSource } from './source-files.ts'
import { lineAt } from './syntax-tree.ts'

const files = filesUnder('modules', /\/server\/.*\.(ts|sql)$/)
  .concat(filesUnder('kit/server', /\.(ts|sql)$/))
  .filter(file => !/\.test\.ts$|(^|[./])fixtures\.ts$|\/fixtures\/|\/simulator\//.test(file))
  .concat(filesUnder('db/golden', /\.ts$/))
  .concat(filesUnder('bench', /\.ts$/))

/** A column that holds the code of a choice, compared with or set to a bare number. */
const bareCode =
  /\b(?:\w+\.)?((?:\w+_)?(?:state|status|kind|type|mode|level|channel|method|source|reason|relation|category|edition|role))(?:::\w+)?\s*(?:=|<>|!=|in \(|not in \()\s*\d/g

it('statements name the codes of states, kinds and types instead of writing digits', () => {
  const found = files.flatMap(file => {
    const text = readSource(file)
    return [...text.matchAll(bareCode)].map(match => `${file}:${lineAt(text, match.index)} ${match[0]}`)
  })
  expect(found).toEqual([])
})
