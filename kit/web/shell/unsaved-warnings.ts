import { defined } from '#kit/domain/defined.ts'
import type { Tab } from './tabs.ts'

/** What signing out does to pages with changes: of some the draft stays, what the others hold is lost. */
export function signOutWarning(
  unsaved: readonly Pick<Tab, 'key' | 'title'>[],
  keepsDraft: (key: string) => boolean,
): { readonly text: string; readonly okLabel: string; readonly danger: boolean } {
  const lost = unsaved.filter(t => !keepsDraft(t.key))
  if (!lost.length) return { text: '草稿保留在本机，下次登录后可继续填写。', okLabel: '退出', danger: false }
  const others = lost.length < unsaved.length ? '；其余页面的草稿保留在本机' : ''
  return {
    text: `退出后，${lost.map(t => `「${t.title}」`).join('')}未保存的内容会丢失${others}。`,
    okLabel: '放弃修改并退出',
    danger: true,
  }
}

/** What closing pages with changes asks. */
export const closeWarning = (unsaved: readonly Pick<Tab, 'title'>[], canKeepDrafts: boolean) => ({
  title: `「${defined(unsaved[0]).title}」${unsaved.length > 1 ? `等 ${unsaved.length} 个页面` : ''}有未保存的修改`,
  cancelLabel: '继续编辑',
  danger: true,
  ...(canKeepDrafts
    ? {
        text: '保留草稿后，再次打开时可继续填写。',
        alternativeLabel: '保留草稿',
        okLabel: '放弃修改',
      }
    : { text: '关闭后，未保存的内容会丢失。', okLabel: '放弃修改并关闭' }),
})
