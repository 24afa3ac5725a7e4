import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, file, int, keyRef, lookup, text } from '#kit/contract/field.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { miniPosition } from './choices.ts'

/** A picture at a place of the company's mini program. */
export const wechatMiniImage = entity(
  'wechatMiniImage',
  '小程序图片',
  { table: 'wechat_mini_image', tenancy: 'company', title: 'title', order: ['position', 'sort', 'id'] },
  {
    title: text('名称', { required: true, max: 40, searchable: true, wire: 'Title' }),
    position: choice('位置', miniPosition, { required: true, initial: 'banner', wire: 'Position' }),
    image: file('图片', { required: true, wire: 'ImgUrl', help: 'JPG、PNG，不超过 2048 KB' }),
    linkUrl: text('链接', {
      max: 300,
      wire: 'LinkUrl',
      help: '小程序页面（/pages/…）或 https:// 开头的网址；不填则不跳转',
      hiddenIn: ['filter'],
    }),
    estateCode: keyRef('项目', 'estate', {
      wire: 'EstateCode',
      help: '不选为全部项目',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    estateName: lookup('项目', 'estateCode', 'name', { wire: 'EstateName' }),
    sort: int('排序', { min: 0, max: 9999, initial: 0, wire: 'Sort', hiddenIn: ['filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type WechatMiniImage = Row<typeof wechatMiniImage>

export const wechatMiniImages = crud(wechatMiniImage, {
  path: 'WxMiniImage',
  permissions: menu.miniImage.permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['position', 'estateCode', 'state'],
  save: { route: 'POST WxMiniImage/Post' },
})
