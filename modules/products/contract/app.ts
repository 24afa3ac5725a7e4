import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, list, money, ref, text } from '#kit/contract/field.ts'
import { nothing, rowsOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { holding } from './words.ts'

/** What a company took beside its edition, or switched off. No row: as the edition says. */
export const propertyApp = entity(
  'propertyApp',
  '应用',
  { table: 'property_app', reach: 'company', title: 'appName' },
  {
    productId: ref('产品', 'product', { required: true, fixed: true }),
    appName: text('应用', { required: true, max: 60, fixed: true }),
    appCode: text('编码', { required: true, max: 40, fixed: true }),
    enabled: flag('启用', { required: true, initial: true }),
    beginDate: day('开通日期'),
    expireDate: day('到期日期'),
  },
)

export type PropertyApp = Row<typeof propertyApp>

export const listApps = call({
  at: 'GET PropertyApp/Get',
  title: '公司应用',
  needs: menu.product.may.view,
  input: nothing,
  output: rowsOf({
    productId: propertyApp.fields.productId,
    appName: propertyApp.fields.appName,
    appCode: propertyApp.fields.appCode,
    intro: text('简介', { required: true }),
    modules: list('包含模块'),
    enabled: propertyApp.fields.enabled,
    state: choice('开通状态', holding, { required: true }),
    included: flag('随版本赠送', { required: true }),
    expireDate: propertyApp.fields.expireDate,
    price: money('单价'),
  }),
})

/**
 * Puts an application that the company has out of use, or back: its screens and calls go and come for
 * everybody at once.
 */
export const switchApp = call({
  at: 'POST PropertyApp/Post',
  title: '启用或停用应用',
  needs: menu.product.may.edit,
  affects: ['propertyApp', 'product'],
  input: shape({
    appCode: text('应用', { required: true, max: 40 }),
    enabled: flag('启用', { required: true }),
  }),
  output: nothing,
})
