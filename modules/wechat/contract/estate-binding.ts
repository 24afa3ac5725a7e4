import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { idOf, list, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { bulkResult, byIdsWithReason, recordIdField, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

const { permissions } = menu.account

export const accountField = ref('公众号', 'wechatAccount', {
  required: true,
  immutable: true,
  wire: ['WxAccountID', 'WxAccountId'],
  hiddenIn: ['table', 'sheet', 'detail', 'filter', 'form'],
})

/** The account of an estate: one at most. */
export const wechatEstate = entity(
  'wechatEstate',
  '公众号绑定项目',
  { table: 'wechat_estate', tenancy: 'project', title: 'projectCode', order: ['projectCode'] },
  {
    projectCode: estateField(),
    projectName: lookup('项目', 'projectCode', 'name', { wire: 'ProjectName', searchable: true }),
    accountId: accountField,
    accountName: lookup('公众号', 'accountId', 'mpName', { wire: 'MpName' }),
    qrUrl: text('关注二维码', { max: 300, immutable: true, hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
    bindTime: moment('绑定时间', { required: true, immutable: true, hiddenIn: ['form', 'filter'] }),
  },
)

export type WechatEstate = Row<typeof wechatEstate>

export const wechatEstates = crud(wechatEstate, {
  path: 'Wxtoestate',
  permissions: {
    view: permissions.view,
    add: permissions.bind,
    edit: permissions.bind,
    del: permissions.bind,
  },
  operations: ['list'],
  filters: ['accountId'],
  list: { route: 'GET Wxtoestate/GetBindList', title: '查询公众号绑定项目' },
})

export const bindEstates = call({
  route: 'POST msgcenter/v1/WxSetting/BindEstates',
  aliases: ['Wxtoestate/BindEstate'],
  title: '绑定公众号项目',
  needs: permissions.bind,
  input: shape({
    accountId: idOf('公众号', { required: true, min: 1, wire: ['WxAccountID', 'WxAccountId'] }),
    projectCodes: {
      ...list('项目', { required: true, min: 1, max: 2000, dataDomain: 'project', wire: 'Projectcodes' }),
      target: 'estate',
      targetBy: 'key' as const,
    },
  }),
  output: bulkResult,
  affects: ['wechatEstate', 'wechatAccount'],
})

export const unbindEstates = call({
  route: 'DELETE msgcenter/v1/WxSetting/UnBindEstates',
  aliases: ['Wxtoestate/UnBindEstate'],
  title: '解除公众号项目绑定',
  needs: permissions.bind,
  input: byIdsWithReason,
  output: bulkResult,
  affects: ['wechatEstate', 'wechatAccount'],
})

/** The text of a code by which somebody follows the account, which then knows the estate. */
export const getEstateQr = call({
  route: 'GET Wxtoestate/GetQrCode',
  title: '公众号项目二维码',
  needs: permissions.view,
  perMinute: 60,
  input: shape({ id: recordIdField }),
  output: shape({
    url: text('二维码内容', { required: true }),
    projectName: text('项目'),
  }),
})
