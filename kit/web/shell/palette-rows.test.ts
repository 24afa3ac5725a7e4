import { expect, it } from 'vitest'
import { matchPlain } from '../pinyin.ts'
import { matchScreen } from './palette-rows.tsx'

const everything = (): boolean => true

it('finds a screen by what is done there, by its title first', () => {
  const screen = { title: '入住与迁出', keywords: ['过户', '迁出'] }
  expect(matchScreen(screen, '迁出', matchPlain, everything)?.keyword).toBeUndefined()
  expect(matchScreen(screen, '过户', matchPlain, everything)?.keyword).toBe('过户')
  expect(matchScreen(screen, '退款', matchPlain, everything)).toBeUndefined()
})

it('shows the word of the product for another that people type', () => {
  const screen = {
    title: '住户管理',
    keywords: [{ text: '换手机号', label: '变更手机号', query: 'do=mobile' }],
  }
  const found = matchScreen(screen, '换手机', matchPlain, everything)
  expect(found).toEqual({ marks: [], keyword: '变更手机号', query: 'do=mobile' })
})

it('begins a task that is named, for those who may do it', () => {
  const screen = {
    title: '入住与迁出',
    keywords: [{ text: '过户', query: 'do=transfer', right: 'residents.link.transfer' }],
  }
  expect(matchScreen(screen, '过户', matchPlain, everything)?.query).toBe('do=transfer')
  expect(matchScreen(screen, '过户', matchPlain, () => false)).toBeUndefined()
})
