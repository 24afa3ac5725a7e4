import { expect, it } from 'vitest'
import { nextProjectCode } from './project-code.ts'

it('proposes a free code of at least eight characters (BASE-1)', () => {
  expect(nextProjectCode('XM', [])).toBe('XM000001')
  expect(nextProjectCode('XM', ['JXHY0001'])).toBe('XM000002')
  expect(nextProjectCode('XM', ['xm000002', 'A0000001'])).toBe('XM000003')
  expect(nextProjectCode('XM', ['XM000002'])).toBe('XM000003')
})
