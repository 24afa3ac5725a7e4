import { expect, it } from 'vitest'
import { fitPathHead, splitPathText } from './path-text.ts'

it.each([
  ['商业街-商业-224', ['商业街-商业', '-224']],
  ['B2-A-071、2-1-1501', ['B2-A-071', '、2-1-1501']],
  ['B2-A-071、B2-A-072、2-1-1501', ['B2-A-071', ' 等 3 个']],
  ['2-1-1501、远方商业街南区-商业-224', ['2-1-1501', ' 等 2 个']],
  ['要求减免、延期-处理', ['要求减免、延期', '-处理']],
  ['杨建国、李明', undefined],
  ['1501', undefined],
])('%s is cut before its end', (text, parts) => expect(splitPathText(text)).toEqual(parts))

it('the head is cut to whole characters, so that nothing stands open before the tail', () => {
  const measure = (text: string): number => [...text].length * 10
  expect(fitPathHead(['商业街南区', '-101'], 80, measure)).toBe('商业街…')
  expect(fitPathHead(['商业街南区', '-101'], 79, measure)).toBe('商业…')
  expect(fitPathHead(['商业街南区', '-101'], 10, measure)).toBe('商…')
})
