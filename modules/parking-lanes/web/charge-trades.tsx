import { useMemo } from 'react'
import { addDays } from '#kit/domain/day.ts'
import { today } from '#kit/web/date-format.ts'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useTradeLinks } from '#modules/payments/web/public.trade-screens.ts'
import { exportCharges, parkingCharges } from '../contract/charge.ts'
import { menu, paths } from '../module.ts'
import { pages as chargePages } from './charges.tsx'
import { recordPath } from './paths.ts'

const { model } = crudPages(parkingCharges, {
  paths: { list: paths.chargeTrades, detail: paths.chargeDetail },
  unit: '条停车收费记录',
  itemName: '停车收费记录',
  export: exportCharges,
  columns: [
    { key: 'payTime', width: 150 },
    { key: 'plateNo', identity: true, width: 110 },
    { key: 'parkName', width: 140, grow: 1 },
    'chargeType',
    'payMethod',
    'amount',
    { key: 'couponAmount', hidePriority: 1 },
    { key: 'hostAmount', hidePriority: 2 },
    { key: 'waivedAmount', hidePriority: 2 },
    'paidAmount',
    { key: 'cashierName', hidePriority: 2 },
    { key: 'orderNo', width: 170, hidePriority: 3 },
    { key: 'passNo', hidePriority: 4 },
  ],
  detail: chargePages.model.options.detail,
  actions: [
    {
      label: '查看收款',
      needs: menu.charge.permissions.view,
      isOffered: ({ recordId }) => recordId !== undefined,
      run: ({ recordId }) => recordId !== undefined && navigateTo(recordPath(recordId)),
    },
  ],
})

/** 停车收费交易详情: the money of stays, the last days first. */
export default function ChargeTradesPage() {
  const day = today()
  const links = useTradeLinks(paths.chargeTrades)
  const views = useMemo(
    () => [
      { id: '', name: '近 30 天', filter: { payTimeFrom: `${addDays(day, -29)} 00:00:00` } },
      { id: '*', name: '全部', filter: {} },
    ],
    [day],
  )
  return (
    <CrudList
      model={model}
      list={{
        keywordPlaceholder: '车牌',
        barFilters: ['parkId', 'payTime', 'payMethod'],
        filters: ['plateNo', ...parkingCharges.filters],
        views,
        toolbarActions: links,
      }}
    />
  )
}
