import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { exportCharges, parkingCharges } from '../contract/charge.ts'
import { paths } from '../module.ts'

/** 停车收费: what was collected for stays, by whom and how. */
export const pages = crudPages(parkingCharges, {
  paths: { list: paths.charges, detail: paths.chargeDetail },
  unit: '条停车收费记录',
  itemName: '停车收费记录',
  export: exportCharges,
  columns: [
    { key: 'plateNo', identity: true, width: 110 },
    { key: 'parkName', width: 140, grow: 1 },
    'chargeType',
    'amount',
    { key: 'couponAmount', hidePriority: 2 },
    { key: 'hostAmount', hidePriority: 3 },
    { key: 'waivedAmount', hidePriority: 3 },
    'paidAmount',
    'payMethod',
    { key: 'payTime', width: 150 },
    { key: 'orderNo', width: 170, hidePriority: 4 },
    { key: 'coupons', grow: 1, hiddenByDefault: true },
    { key: 'cashierName', hidePriority: 1 },
    { key: 'passNo', hidePriority: 3 },
  ],
  detail: [
    {
      keys: [
        'passNo',
        'plateNo',
        'parkName',
        'chargeType',
        'inTime',
        'payTime',
        'payMethod',
        'orderNo',
        'cashierName',
      ],
    },
    {
      title: '金额',
      keys: ['amount', 'couponAmount', 'hostAmount', 'waivedAmount', 'paidAmount', 'coupons', 'explanation'],
    },
  ],
  list: {
    keywordPlaceholder: '车牌',
    barFilters: ['parkId', 'payTime', 'payMethod'],
    filters: ['plateNo', ...parkingCharges.filters],
  },
})
