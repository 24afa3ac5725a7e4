import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, list, money, ref, text } from '#kit/contract/field.ts'
import { noData, listOfRows, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { holdingState } from './labels.ts'

/** What a company took beside its edition, or switched off. No row: as the edition says. */
export const propertyApp = entity(
  'propertyApp',
  '应用',
  { table: 'property_app', tenancy: 'company', title: 'appName' },
  {
    productId: ref('产品', 'product', { required: true, immutable: true }),
    appName: text('应用', { required: true, max: 60, immutable: true }),
    appCode: text('编码', { required: true, max: 40, immutable: true }),
    enabled: flag('启用', { required: true, initial: true }),
    beginDate: day('开通日期'),
    expireDate: day('到期日期'),
  },
)

export type PropertyApp = Row<typeof propertyApp>

export const listApps = call({
  route: 'GET PropertyApp/Get',
  title: '公司应用',
  needs: menu.product.permissions.view,
  input: noData,
  output: listOfRows({
    productId: propertyApp.fields.productId,
    appName: propertyApp.fields.appName,
    appCode: propertyApp.fields.appCode,
    intro: text('简介', { required: true }),
    modules: list('包含模块'),
    enabled: propertyApp.fields.enabled,
    state: choice('开通状态', holdingState, { required: true }),
    included: flag('随版本赠送', { required: true }),
    expireDate: propertyApp.fields.expireDate,
    price: money('单价'),
  }),
})

/**
 * Puts an application that the company has out of use, or back: its screens and calls go and come for
 * everybody at once.
 */
export const setAppEnabled = call({
  route: 'POST PropertyApp/Post',
  title: '启用或停用应用',
  needs: menu.product.permissions.edit,
  affects: ['propertyApp', 'product'],
  input: shape({
    appCode: text('应用', { required: true, max: 40 }),
    enabled: flag('启用', { required: true }),
  }),
  output: noData,
})
