import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, lines, moment, text } from '#kit/contract/field.ts'
import { recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { buttonType } from './choices.ts'
import { accountField } from './estate-binding.ts'

const { permissions } = menu.menu

const actionFields = {
  // Wider than the menu takes: how long a name is, it counts in its own way and refuses in its own words.
  name: text('名称', { required: true, max: 40 }),
  type: choice('动作', buttonType, { wire: 'ButtonType' }),
  url: text('网址', { max: 500 }),
  keyword: text('关键词', { max: 30 }),
  appId: text('小程序 AppID', { max: 40, wire: 'AppId' }),
  pagePath: text('小程序页面', { max: 200 }),
}

/** Up to three buttons, each with an action or up to five of its own (WX-1). */
const buttonsField = lines('菜单', { ...actionFields, children: lines('子菜单', actionFields) })

export const wechatMenu = entity(
  'wechatMenu',
  '公众号菜单',
  { table: 'wechat_menu', tenancy: 'company', title: 'accountId', order: ['id'] },
  {
    accountId: accountField,
    buttons: { ...buttonsField, wire: 'Menus' },
    publishTime: moment('发布时间', { immutable: true }),
  },
)

export type WechatMenu = Row<typeof wechatMenu>
export type MenuButton = NonNullable<WechatMenu['buttons']>[number]

export const accountIdField = idOf('公众号', { required: true, min: 1, wire: ['WxAccountID', 'WxAccountId'] })

/** What was saved last, published or not; empty at first. */
export const getWechatMenu = call({
  route: 'GET Wxmenu/GetOne',
  title: '查看公众号菜单',
  needs: permissions.view,
  input: shape({ accountId: accountIdField }),
  output: shape(
    {
      buttons: { ...buttonsField, wire: 'Menus' },
      publishTime: moment('发布时间'),
      isPublished: flag('与已发布的一致', { required: true }),
      version: int('版本', { required: true }),
    },
    { entity: 'wechatMenu' },
  ),
})

export const saveWechatMenu = call({
  route: 'POST ThePublicManagement/SaveThePublicMenus',
  title: '保存公众号菜单',
  needs: permissions.edit,
  input: shape({
    accountId: accountIdField,
    buttons: { ...buttonsField, wire: 'Menus' },
    version: int('版本', { required: true, min: 0, initial: 0 }),
  }),
  output: recordOf(wechatMenu),
  affects: ['wechatMenu'],
})

/** Makes what was saved the menu that followers see. */
export const publishWechatMenu = call({
  route: 'POST ThePublicManagement/PublishMenus',
  title: '发布公众号菜单',
  needs: permissions.publish,
  perMinute: 20,
  input: shape({ accountId: accountIdField }),
  output: shape({ publishTime: moment('发布时间', { required: true }) }),
  affects: ['wechatMenu'],
})
