import { expect, it } from 'vitest'
import { filesUnder, readSource } from './source-files.ts'

it('modules take colours from the theme by their meaning, never by number', () => {
  const named = filesUnder('modules', /\/web\/.*\.(ts|tsx|css)$/).flatMap(file =>
    readSource(file)
      .split('\n')
      .flatMap((line, at) =>
        /(['"`:\s,(])#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(rgba?|hsla?)\(/i.test(line)
          ? [`${file}:${at + 1} ${line.trim()}`]
          : [],
      ),
  )
  expect(named).toEqual([])
})
