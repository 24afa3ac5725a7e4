import { expect, it } from 'vitest'
import { written } from './map.ts'
import { mapOf } from './product.ts'
import { textOf } from './tree.ts'

const m = await mapOf()
it('every declared call has its handler', () => expect(m.calls.filter(c => !c.implemented)).toEqual([]))

it('every declared screen has its file', () =>
  expect(m.screens.filter(s => !s.file).map(s => s.path)).toEqual([]))

it('every entity has its table in a migration', () =>
  expect(m.tables.filter(t => !t.migration).map(t => t.table)).toEqual([]))

it('the map in the docs is the map of the house', () =>
  expect(textOf('docs/map.md') === written(m), 'run: npm run map').toBe(true))
