import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Company } from '../contract/company.ts'

export const formGroups: readonly FormFieldGroup[] = [
  {
    title: '企业',
    keys: [
      { key: 'name', wide: true },
      'companyNo',
      'creditCode',
      'legalPerson',
      'industry',
      'staffCount',
      'inDate',
      { key: 'license', wide: true },
    ],
  },
  {
    title: '联系与开票',
    keys: [
      'contactName',
      'contactPhone',
      { key: 'invoiceTitle', wide: true },
      'taxNo',
      'bankName',
      'bankAccount',
      { key: 'remark', wide: true },
    ],
  },
]

export const detailGroups: readonly DetailGroup<Company>[] = [
  {
    title: '企业',
    keys: [
      'name',
      'companyNo',
      'state',
      'creditCode',
      'legalPerson',
      'industry',
      'staffCount',
      'inDate',
      { key: 'outDate', label: '迁出日期' },
      'area',
      'workers',
      { key: 'rooms', wide: true },
    ],
  },
  {
    title: '联系与开票',
    keys: ['contactName', 'contactPhone', 'invoiceTitle', 'taxNo', 'bankName', 'bankAccount'],
  },
  { title: '其他', keys: ['license', 'remark', 'createTime', 'updateTime'] },
]
