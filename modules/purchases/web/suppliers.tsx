import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { exportSuppliers, suppliers } from '../contract/supplier.ts'
import { paths } from '../module.ts'

/** 供应商: whom the company buys from. */
export const pages = crudPages(suppliers, {
  paths: { list: paths.suppliers },
  unit: '家供应商',
  export: exportSuppliers,
  deletion: { consequences: ['有采购或订单的供应商不能删除；不再合作请停用'] },
  columns: [
    { key: 'supplierName', identity: true, grow: 2 },
    { key: 'supplierNo', hidePriority: 2 },
    { key: 'category', grow: 1 },
    'contactName',
    { key: 'phone', fitContent: true },
    { key: 'taxNo', hiddenByDefault: true },
    'state',
  ],
  list: {
    barFilters: ['category', 'state'],
    views: [
      { id: '', name: '启用', filter: { state: ['on'] } },
      { id: 'off', name: '停用', filter: { state: ['off'] } },
      { id: 'all', name: '全部', filter: { state: ['on', 'off'] } },
    ],
  },
  detail: [
    { title: '供应商', keys: ['supplierName', 'supplierNo', 'category', 'state'] },
    { title: '联系', keys: ['contactName', 'phone', 'address'] },
    { title: '开票与付款', keys: ['taxNo', 'bankName', 'bankAccount'] },
    { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
  ],
  form: {
    groups: [
      { title: '供应商', keys: ['supplierName', 'supplierNo', 'category', 'state'] },
      { title: '联系', keys: ['contactName', 'phone', 'address'] },
      { title: '开票与付款', keys: ['taxNo', 'bankName', 'bankAccount', 'remark'] },
    ],
  },
})
