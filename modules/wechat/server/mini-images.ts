import type { FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { wechatMiniImages, type WechatMiniImage } from '../contract/mini-image.ts'

const isLink = (text: string): boolean =>
  /^\/[\w/-]+(\?[\w=&-]*)?$/.test(text) || /^https:\/\/[^\s"<>]+$/.test(text)

const linkFaults = ({ linkUrl }: Pick<WechatMiniImage, 'linkUrl'>): FieldFault[] =>
  linkUrl === undefined || isLink(linkUrl)
    ? []
    : [{ Field: 'LinkUrl', Message: '链接应为 /pages/… 的小程序页面，或以 https:// 开头的网址' }]

export const miniImageServer = crudHandlers(wechatMiniImages, {
  pictures: ['image'],
  check: (draft: Pick<WechatMiniImage, 'linkUrl'>) => linkFaults(draft),
})
