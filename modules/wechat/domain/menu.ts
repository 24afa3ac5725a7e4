import type { MenuButton } from '../contract/menu.ts'

/** WX-1 */
export const maxButtons = 3
export const maxChildren = 5
const maxNameWidth = 8
const maxChildNameWidth = 14

type Action = Omit<MenuButton, 'children'>

/** A Chinese character is two wide, a letter or digit one: the platform counts so. */
const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + ((character.codePointAt(0) ?? 0) > 255 ? 2 : 1), 0)

const isSecureUrl = (url: string | undefined): boolean =>
  url !== undefined && /^https:\/\/[^\s"<>]+$/.test(url)

function actionFault(action: Action): string | undefined {
  switch (action.type) {
    case 'link':
      return isSecureUrl(action.url) ? undefined : '网址应以 https:// 开头'
    case 'keyword':
      return action.keyword?.trim() ? undefined : '请填写关键词'
    case 'mini':
      if (!/^wx[0-9a-f]{16}$/.test(action.appId ?? '')) return '小程序 AppID 应为 wx 开头的 18 位'
      if (!action.pagePath?.trim()) return '请填写小程序页面'
      return isSecureUrl(action.url) ? undefined : '请填写备用网址，以 https:// 开头（旧版微信打开）'
    default:
      return '请选择动作'
  }
}

function nameFault(name: string, isChild: boolean): string | undefined {
  if (!name.trim()) return '请填写名称'
  if (widthOf(name) <= (isChild ? maxChildNameWidth : maxNameWidth)) return undefined
  return isChild ? '子菜单名称不超过 7 个汉字' : '菜单名称不超过 4 个汉字'
}

function childFaults(button: MenuButton): string[] {
  const children = button.children ?? []
  const tooMany = children.length > maxChildren ? [`「${button.name}」最多 ${maxChildren} 个子菜单`] : []
  return [
    ...tooMany,
    ...children.flatMap(child => {
      const fault = nameFault(child.name, true) ?? actionFault(child)
      return fault === undefined ? [] : [`「${child.name}」${fault}`]
    }),
  ]
}

function buttonFaults(button: MenuButton): string[] {
  const name = nameFault(button.name, false)
  const own = name ?? (button.children?.length ? undefined : actionFault(button))
  return [...(own === undefined ? [] : [`「${button.name}」${own}`]), ...childFaults(button)]
}

/** What keeps a menu from being saved, as text for people. */
export const menuFaults = (buttons: readonly MenuButton[]): readonly string[] => [
  ...(buttons.length > maxButtons ? [`最多 ${maxButtons} 个一级菜单，现有 ${buttons.length} 个`] : []),
  ...buttons.flatMap(buttonFaults),
]

const platformAction = ({ type, name, url, keyword, appId, pagePath }: Action): object => {
  if (type === 'keyword') return { type: 'click', name, key: keyword }
  if (type === 'mini') return { type: 'miniprogram', name, url, appid: appId, pagepath: pagePath }
  return { type: 'view', name, url }
}

/** As `menu/create` takes it. */
export const platformMenu = (buttons: readonly MenuButton[]): object => ({
  button: buttons.map(button =>
    button.children?.length
      ? { name: button.name, sub_button: button.children.map(platformAction) }
      : platformAction(button),
  ),
})
