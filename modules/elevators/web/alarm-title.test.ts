import { expect, it } from 'vitest'
import { withMark, withoutMark } from './alarm-title.ts'

it('the title of the tab is marked once, and is afterwards what the page made it (ELV-1)', () => {
  const marked = withMark('收银台')
  expect(marked).toBe('【困人报警】收银台')
  expect(withMark(marked)).toBe(marked)
  expect(withoutMark(marked)).toBe('收银台')
  expect(withoutMark('收银台')).toBe('收银台')
})
