import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choices, decimal, flag, idOf, keyRef, list, money, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  extendShape,
  byId,
  byIdsWithReason,
  draftOf,
  listOf,
  noData,
  recordOf,
  pageOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { goodState, invoiceChannel, invoiceKind, prestoreMode } from './choices.ts'
import { taxNoRule } from './tax-no.ts'

const { permissions } = menu.setting
const hiddenInList = { hiddenIn: ['table', 'filter'] } as const

/**
 * Who sells and by which platform: the whole company's, or one project's own. Secrets go in and never come
 * out.
 */
export const invoiceSetting = entity(
  'invoiceSet',
  '开票设置',
  { table: 'invoice_set', tenancy: 'company', title: 'companyName', order: ['estateCode', 'id'] },
  {
    estateCode: keyRef('适用项目', 'estate', {
      dataDomain: 'project',
      immutable: true,
      help: '不选为全公司；项目有自己的设置时用项目的',
    }),
    companyName: text('销方名称', { required: true, max: 80 }),
    taxNo: text('销方税号', { required: true, max: 20, rule: taxNoRule }),
    address: text('地址电话', { max: 120, ...hiddenInList }),
    bank: text('开户行账号', { max: 120, ...hiddenInList }),
    drawer: text('开票人', { required: true, max: 20 }),
    payee: text('收款人', { max: 20, ...hiddenInList }),
    reviewer: text('复核人', { max: 20, ...hiddenInList }),
    channel: choice('开票通道', invoiceChannel, { required: true, initial: 'manual' }),
    simulated: flag('模拟渠道', {
      required: true,
      initial: false,
      help: '由模拟的开票平台代替，不产生真实发票',
      ...hiddenInList,
    }),
    appKey: text('平台应用号', { max: 60, ...hiddenInList }),
    apiBase: text('平台地址', { max: 120, rule: rules.url, ...hiddenInList }),
    notifyBase: text('回调地址', {
      max: 120,
      rule: rules.url,
      help: '平台能访问到的本系统地址，如 https://wy.example.com',
      ...hiddenInList,
    }),
    hasStoredKey: flag('已存密钥', { wire: 'Keyed', derived: true, hiddenIn: ['form', 'filter'] }),
    kinds: choices('可开票种', invoiceKind, { required: true, initial: ['eNormal', 'eSpecial'] }),
    limitAmount: money('单张限额', { min: 1, help: '不填不限' }),
    prestoreMode: choice('预存开票', prestoreMode, {
      required: true,
      initial: 'deduct',
      help: '开于充值用不征税商品，开于冲抵按实际费用；两处只开一处',
    }),
    refuseNextYear: flag('不预开明年账期', {
      required: true,
      initial: true,
      help: '账期在明年的收款，到明年再开',
    }),
    paidUpOnly: flag('账单缴清才开票', {
      required: true,
      initial: false,
      help: '部分缴费的账单，缴清后再开',
    }),
  },
)

export type InvoiceSetting = Row<typeof invoiceSetting>
const secretField = text('平台密钥', { max: 200, help: '不填则保持不变', masked: 'secret' })
const settingDraft = extendShape(draftOf(invoiceSetting), { secret: secretField })

/**
 * What a project invoices by: its own set, else the company's; the start values where there is none yet (no
 * id).
 */
export const getOwnerSetting = call({
  route: 'GET InvoiceSet/GetOwnerOne',
  title: '查看开票设置',
  needs: menu.invoice.permissions.view,
  input: shape({ estateCode: keyRef('项目', 'estate', { dataDomain: 'project' }) }),
  output: shape(
    { ...invoiceSetting.fields, id: idOf('编号', { required: true, wire: 'ID' }) },
    { entity: 'invoiceSet' },
  ),
})

export const listSettings = call({
  route: 'GET InvoiceSet/Get',
  title: '查询开票设置',
  needs: permissions.view,
  input: shape({}),
  output: listOf(invoiceSetting),
})

export const addSetting = call({
  route: 'POST InvoiceSet/Post',
  title: '新增开票设置',
  needs: permissions.add,
  input: settingDraft,
  output: recordOf(invoiceSetting),
  affects: ['invoiceSet'],
})

export const editSetting = call({
  route: 'PUT InvoiceSet/Put',
  title: '修改开票设置',
  needs: permissions.edit,
  input: settingDraft,
  output: recordOf(invoiceSetting),
  affects: ['invoiceSet'],
})

/** What an invoice's line names, with its rate and tax class; fee items point at it. */
export const invoiceGood = entity(
  'invoiceGood',
  '开票商品',
  { table: 'invoice_good', tenancy: 'company', title: 'goodName', order: ['id'] },
  {
    goodName: text('名称', { required: true, max: 60, searchable: true }),
    taxCode: text('税收分类编码', {
      required: true,
      min: 19,
      max: 19,
      searchable: true,
      rule: { name: 'taxCode', test: v => (/^\d{19}$/.test(v) ? undefined : '税收分类编码为 19 位数字') },
    }),
    shortName: text('分类简称', { max: 20, help: '如 企业管理服务，票面显示为 *企业管理服务*物业费' }),
    taxRate: decimal('税率', {
      required: true,
      scale: 8,
      min: 0,
      max: 1,
      help: '小数，如 0.06；开票商品对应的收费项目自己有税率时用项目的',
    }),
    unit: text('单位', { max: 10 }),
    isNoTax: flag('不征税', { required: true, initial: false, help: '预存充值用' }),
    isDeposit: flag('用于押金转收入', { help: '押金转收入和扣款开票时用它，一家公司一个' }),
    state: choice('状态', goodState, { required: true, initial: 'on' }),
    feeItemIds: list('对应收费项目', {
      derived: true,
      wire: 'FeeItemIDs',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    feeItemNames: text('对应收费项目', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type InvoiceGood = Row<typeof invoiceGood>

const goodDraft = extendShape(draftOf(invoiceGood), {
  feeItemIds: list('对应收费项目', { max: 200, wire: 'FeeItemIDs', help: '一个收费项目只对应一个开票商品' }),
})

export const goodFilters = ['state', 'isNoTax', 'taxRate'] as const

export const listGoods = call({
  route: 'GET InvoiceGood/Get',
  title: '查询开票商品',
  needs: permissions.view,
  input: search(invoiceGood, goodFilters),
  output: pageOf(invoiceGood),
})

export const getGood = call({
  route: 'GET InvoiceGood/GetOne',
  title: '查看开票商品',
  needs: permissions.view,
  input: byId,
  output: recordOf(invoiceGood),
})

export const addGood = call({
  route: 'POST InvoiceGood/Post',
  title: '新增开票商品',
  needs: permissions.add,
  input: goodDraft,
  output: recordOf(invoiceGood),
  affects: ['invoiceGood', 'feeItem'],
})

export const editGood = call({
  route: 'PUT InvoiceGood/Put',
  title: '编辑开票商品',
  needs: permissions.edit,
  input: goodDraft,
  output: recordOf(invoiceGood),
  affects: ['invoiceGood', 'feeItem'],
})

export const deleteGoods = call({
  route: 'DELETE InvoiceGood/Delete',
  title: '删除开票商品',
  needs: permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['invoiceGood', 'feeItem'],
})

/** Those in use, for choosing. */
export const listUsableGoods = call({
  route: 'GET InvoiceSet/GetProductList',
  title: '可用的开票商品',
  needs: everyone,
  input: shape({}),
  output: listOf(invoiceGood),
})
