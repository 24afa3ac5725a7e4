import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { filesUnder, readSource } from '#tools/source-files.ts'
import { paletteGroups } from './palette-groups.ts'

it('every finder of a module belongs to a group of the palette', () => {
  const groups = paletteGroups.map(group => group.key)
  const used = filesUnder('modules', /\/web\/extensions\.ts$/).flatMap(file => {
    const { finders = '' } = /finders: \[(?<finders>[\s\S]*?)\n {2}\]/.exec(readSource(file))?.groups ?? {}
    return [...finders.matchAll(/\bgroup: '(\w+)'/g)].map(m => defined(m[1]))
  })
  expect(used.length).toBeGreaterThan(3)
  expect(used.filter(group => !groups.includes(group))).toEqual([])
})
