import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, moment, text, type ValueOf } from '#kit/contract/field.ts'
import { allowMasked, rules } from '#kit/contract/rules.ts'
import { byIdsWithReason, draftOf, noData, recordOf, pageOf, search } from '#kit/contract/shape.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { titleType } from './choices.ts'
import { taxNoRule } from './tax-no.ts'

/** What an invoice says of its buyer (INV-4). */
export const titleFields = {
  titleType: choice('抬头类型', titleType, { required: true, initial: 'personal' }),
  title: text('发票抬头', { required: true, max: 80 }),
  taxNo: text('税号', { max: 20, rule: taxNoRule }),
  addressPhone: text('地址电话', { max: 120 }),
  bankAccount: text('开户行账号', { max: 120 }),
  email: text('邮箱', { max: 60, rule: rules.email }),
  mobile: text('手机', { max: 20, rule: allowMasked(rules.mobile), masked: 'mobile' }),
}

export type Title = ValueOf<typeof titleFields>
const hiddenInList = { hiddenIn: ['filter'] } as const

/** Titles that a payer has used, kept for the next time. */
export const invoiceTitle = entity(
  'invoiceTitle',
  '开票抬头',
  { table: 'invoice_title', tenancy: 'company', title: 'title', order: ['-lastTime', '-id'] },
  {
    payerKind: choice('缴费人类别', payerSide),
    payerId: idOf('缴费人编号', {
      wire: 'PayerID',
      hiddenIn: ['table', 'form', 'filter', 'detail', 'sheet'],
    }),
    payerName: text('缴费人', { required: true, max: 80, searchable: true }),
    ...titleFields,
    title: text('发票抬头', { required: true, max: 80, searchable: true }),
    addressPhone: text('地址电话', { max: 120, ...hiddenInList }),
    bankAccount: text('开户行账号', { max: 120, ...hiddenInList }),
    lastTime: moment('最近开票', { hiddenIn: ['form'] }),
  },
)

export type InvoiceTitle = Row<typeof invoiceTitle>
const { permissions } = menu.invoice
export const titleFilters = ['titleType', 'payerKind', 'lastTime'] as const

export const listTitles = call({
  route: 'GET InvoiceTitle/Get',
  title: '查询开票抬头',
  needs: permissions.view,
  input: search(invoiceTitle, titleFilters),
  output: pageOf(invoiceTitle),
})

export const editTitle = call({
  route: 'PUT InvoiceTitle/Put',
  title: '编辑开票抬头',
  needs: permissions.open,
  input: draftOf(invoiceTitle, ['payerKind', 'payerId', 'payerName', 'lastTime']),
  output: recordOf(invoiceTitle),
  affects: ['invoiceTitle'],
})

export const deleteTitles = call({
  route: 'DELETE InvoiceTitle/Delete',
  title: '删除开票抬头',
  needs: permissions.open,
  input: byIdsWithReason,
  output: noData,
  affects: ['invoiceTitle'],
})
