import { labelOf } from '#kit/contract/field.ts'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { titleType } from '../contract/choices.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { kindLabel } from './labels.ts'

const titleValue = (
  r: InvoiceRecord,
  k: 'addressPhone' | 'bankAccount' | 'email' | 'mobile',
): string | undefined => r.title[k]

export const invoiceGroups: readonly DetailGroup<InvoiceRecord>[] = [
  {
    title: '发票',
    keys: [
      { key: 'kind', label: '票种', render: kindLabel },
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
        render: r => `${r.title.title}（${labelOf(titleType, r.title.titleType)}）`,
      },
      'buyerTaxNo',
      { key: 'addr', label: '地址电话', render: r => titleValue(r, 'addressPhone') },
      { key: 'bank', label: '开户行账号', render: r => titleValue(r, 'bankAccount') },
      { key: 'email', label: '邮箱', render: r => titleValue(r, 'email') },
      { key: 'mobile', label: '手机', render: r => titleValue(r, 'mobile') },
    ],
  },
  {
    title: '销售方与收款',
    keys: [
      { key: 'seller', label: '销方', render: r => r.seller.companyName },
      { key: 'sellerTax', label: '销方税号', render: r => r.seller.taxNo },
      'payerName',
      'sourceName',
      { key: 'receiptNos', wide: true },
    ],
  },
]
