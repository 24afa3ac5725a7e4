import { call } from '#kit/contract/call.ts'
import { idOf, int, money, month, text } from '#kit/contract/field.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { pageOfRows, search } from '#kit/contract/shape.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { menu } from '../module.ts'
import { merchantOrder } from './order.ts'

const count = (label: string, wire: string) => int(label, { required: true, wire })

/** What a merchant bought, gave away and had used in some months. */
export const settlementFields = {
  merchantId: idOf('商户', { required: true, wire: 'MerchantID', hiddenIn: ['table', 'sheet'] }),
  merchantName: text('商户', { required: true, wire: 'MerchantName' }),
  boughtQty: count('购入', 'BoughtQty'),
  boughtAmount: money('购券金额', { required: true, wire: 'BoughtAmount' }),
  presentedQty: count('发放', 'PresentedQty'),
  withdrawnQty: count('撤回', 'WithdrawnQty'),
  usedQty: count('使用', 'UsedQty'),
  usedValue: money('抵扣金额', { required: true, wire: 'UsedValue' }),
  /** Presented and never used, or never presented until the coupon ended. */
  expiredQty: count('过期', 'ExpiredQty'),
  refundedQty: count('退券', 'RefundedQty'),
  refundedAmount: money('退款金额', { required: true, wire: 'RefundedAmount' }),
  netAmount: money('净收', { required: true, wire: 'NetAmount' }),
} as const

export const listSettlements = call({
  route: 'GET merchant/v1/ticket/settlement',
  title: '商户停车券结算',
  needs: menu.order.permissions.view,
  input: search(merchantOrder, ['merchantId'], {
    monthFrom: month('月份起', { wire: 'MonthFrom' }),
    monthTo: month('月份止', { wire: 'MonthTo' }),
  }),
  output: pageOfRows(settlementFields, {
    entity: 'merchantTicket',
    sums: [
      'boughtQty',
      'boughtAmount',
      'presentedQty',
      'withdrawnQty',
      'usedQty',
      'usedValue',
      'expiredQty',
      'refundedQty',
      'refundedAmount',
      'netAmount',
    ],
  }),
})

export type Settlement = NonNullable<typeof listSettlements.output.T>['rows'][number]

export const exportSettlements = {
  label: '商户停车券结算',
  ...declareExport({
    route: 'GET merchant/v1/ticket/settlementExport',
    title: '导出商户停车券结算',
    needs: menu.order.permissions.export,
    list: listSettlements,
  }),
  columns: sheetColumns(settlementFields),
}
