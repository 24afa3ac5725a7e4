import { expect, it } from 'vitest'
import { matchPlain } from '../pinyin.ts'
import { matchScreen } from './palette-rows.tsx'

it('finds a screen by what is done there, by its title first', () => {
  const screen = { title: '入住与迁出', keywords: ['过户', '迁出'] }
  expect(matchScreen(screen, '迁出', matchPlain)?.keyword).toBeUndefined()
  expect(matchScreen(screen, '过户', matchPlain)?.keyword).toBe('过户')
  expect(matchScreen(screen, '退款', matchPlain)).toBeUndefined()
})
