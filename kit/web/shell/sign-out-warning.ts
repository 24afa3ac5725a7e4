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
