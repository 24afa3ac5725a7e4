import { expect, it } from 'vitest'
import { fakePage } from './fixtures.ts'
import { keepUnwritten, takeUnwritten } from './unwritten-values.ts'

it('what was typed in the last moment of a page is there for the next, once', () => {
  fakePage()
  keepUnwritten(
    new Map<string, unknown>([
      ['3.1/draft/a', { values: { reason: '二手房过户', days: [1, null] }, version: undefined }],
      ['3.1/draft/gone', undefined],
    ]),
  )
  expect(takeUnwritten()).toEqual([
    ['3.1/draft/a', { values: { reason: '二手房过户', days: [1, null] } }],
    ['3.1/draft/gone', undefined],
  ])
  expect(takeUnwritten()).toEqual([])
})

it('what JSON would spoil, and what is large, is not put aside', () => {
  const { perWindow } = fakePage()
  keepUnwritten(new Map<string, unknown>([['photo', { file: new Blob(['x']) }]]))
  keepUnwritten(new Map<string, unknown>([['rows', 'x'.repeat(500_001)]]))
  expect(perWindow.length).toBe(0)
})

it('a store that is spoilt or forbidden does not hold the page up', () => {
  const { perWindow } = fakePage()
  perWindow.setItem('anju.unwritten', '{')
  expect(takeUnwritten()).toEqual([])
})
