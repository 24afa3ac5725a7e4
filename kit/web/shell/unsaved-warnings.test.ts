import { expect, it } from 'vitest'
import { signOutWarning } from './unsaved-warnings.ts'

const pages = [
  { key: '/a', title: '编辑房间' },
  { key: '/b', title: '收银台' },
]

it('says at sign-out which pages keep a draft and which lose what was typed', () => {
  expect(signOutWarning(pages, () => true)).toMatchObject({ okLabel: '退出', danger: false })
  expect(signOutWarning(pages, key => key === '/a').text).toBe(
    '退出后，「收银台」未保存的内容会丢失；其余页面的草稿保留在本机。',
  )
  expect(signOutWarning(pages, () => false).text).toBe('退出后，「编辑房间」「收银台」未保存的内容会丢失。')
})
