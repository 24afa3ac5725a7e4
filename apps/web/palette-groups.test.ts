import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { filesUnder, readSource } from '#tools/source-files.ts'

it('every finder of a module belongs to a group of the palette', () => {
  const groups = [...readSource('apps/web/host.ts').matchAll(/\{ key: '(\w+)', label: /g)].map(m => m[1])
  const used = filesUnder('modules', /\/web\/extensions\.ts$/).flatMap(file => {
    const { finders = '' } = /finders: \[(?<finders>[\s\S]*?)\n {2}\]/.exec(readSource(file))?.groups ?? {}
    return [...finders.matchAll(/\bgroup: '(\w+)'/g)].map(m => defined(m[1]))
  })
  expect(used.length).toBeGreaterThan(3)
  expect(used.filter(group => !groups.includes(group))).toEqual([])
})
