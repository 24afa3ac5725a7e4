import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { filesUnder, readSource } from './source-files.ts'

const serverFiles = filesUnder('modules', /\/server\/.*\.(ts|sql)$/)
  .concat(filesUnder('kit/server', /\.(ts|sql)$/))
  .filter(file => !/\.test\.ts$|(^|[./])fixtures\.ts$|\/fixtures\/|\/simulator\//.test(file))

/** A column that holds the code of a choice, compared with or set to a bare number. */
const bareCode =
  /\b(?:\w+\.)?((?:\w+_)?(?:state|status|kind|type|mode|level|channel|method|source|reason|relation|category|edition|role))(?:::\w+)?\s*(?:=|<>|!=|in \(|not in \()\s*\d/g

/** Statements that still carry digits, by file; each number may only shrink. */
const stillBare: Readonly<Record<string, number>> = {}

it('statements name the codes of states, kinds and types instead of writing digits', () => {
  const counts = new Map<string, number>()
  for (const file of serverFiles) {
    const found = [...readSource(file).matchAll(bareCode)].length
    if (found) {
      counts.set(file, found)
    }
  }
  const grown = [...counts].filter(([file, found]) => found > (stillBare[file] ?? 0))
  expect(grown.map(([file, found]) => `${file}: ${found}`)).toEqual([])
  const mended = Object.keys(stillBare).filter(file => (counts.get(file) ?? 0) < defined(stillBare[file]))
  expect(mended, 'fewer than listed: lower these numbers').toEqual([])
})
