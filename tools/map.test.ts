import { expect, it } from 'vitest'
import { renderMap } from './map.ts'
import { readProductMap } from './product-map.ts'
import { readSource } from './source-files.ts'

const m = await readProductMap()
it('every declared call has its handler', () => expect(m.calls.filter(c => !c.implemented)).toEqual([]))

it('every declared screen has its file', () =>
  expect(m.screens.filter(s => !s.file).map(s => s.path)).toEqual([]))

it('every entity has its table in a migration', () =>
  expect(m.tables.filter(t => !t.migration).map(t => t.table)).toEqual([]))

it('docs/map.md is up to date', () =>
  expect(readSource('docs/map.md') === renderMap(m), 'run: npm run map').toBe(true))
