import { labelOf } from '#kit/contract/field.ts'
import type { Group } from '#kit/web/detail/detail-panel.tsx'
import { titleType } from '../contract/choices.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { kindWords } from './words.ts'

const t = (r: InvoiceRecord, k: 'addressPhone' | 'bankAccount' | 'email' | 'mobile'): string | undefined =>
  r.title[k]

export const invoiceGroups: readonly Group<InvoiceRecord>[] = [
  {
    title: '发票',
    keys: [
      { key: 'kind', label: '票种', show: kindWords },
      'serialNo',
      'invoiceNo',
      'invoiceCode',
      'issueTime',
      'netAmount',
      'taxAmount',
      'totalAmount',
      'redAmount',
      'channel',
      'operatorName',
      { key: 'redReason', label: '原因', wide: true },
      { key: 'failReason', label: '平台说明', wide: true },
      { key: 'remark', wide: true },
    ],
  },
  {
    title: '购买方',
    keys: [
      {
        key: 'buyer',
        label: '抬头',
        show: r => `${r.title.title}（${labelOf(titleType, r.title.titleType)}）`,
      },
      'buyerTaxNo',
      { key: 'addr', label: '地址电话', show: r => t(r, 'addressPhone') },
      { key: 'bank', label: '开户行账号', show: r => t(r, 'bankAccount') },
      { key: 'email', label: '邮箱', show: r => t(r, 'email') },
      { key: 'mobile', label: '手机', show: r => t(r, 'mobile') },
    ],
  },
  {
    title: '销售方与收款',
    keys: [
      { key: 'seller', label: '销方', show: r => r.seller.companyName },
      { key: 'sellerTax', label: '销方税号', show: r => r.seller.taxNo },
      'payerName',
      'sourceName',
      { key: 'receiptNos', wide: true },
    ],
  },
]
