import { expect, it } from 'vitest'
import { emptySelection, isEmptySelection, proposeSelection } from './data-domain-picker.tsx'

const [east, west] = [{ code: 'EAST0001' }, { code: 'WEST0001' }]

it('a new account begins with the only project, or with the one that is open', () => {
  expect(proposeSelection([east], { code: '0' }, true).places).toEqual(new Map([['EAST0001', null]]))
  expect(proposeSelection([east, west], west, true).places).toEqual(new Map([['WEST0001', null]]))
  expect(proposeSelection([east, west], { code: '0' }, true)).toBe(emptySelection)
  expect(proposeSelection([], undefined, true)).toBe(emptySelection)
})

it('proposes nothing to somebody who may not grant a whole project (PERM-12)', () => {
  expect(proposeSelection([east], east, false)).toBe(emptySelection)
})

it('a data domain is empty without projects, unless it is all of them', () => {
  expect(isEmptySelection(emptySelection)).toBe(true)
  expect(isEmptySelection({ ...emptySelection, allProject: true })).toBe(false)
  expect(isEmptySelection(proposeSelection([east], east, true))).toBe(false)
})
