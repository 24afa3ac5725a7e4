import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { OrderState } from '../contract/choices.ts'
import { chargerOrders, exportChargerOrders, stopChargerOrder, type ChargerOrder } from '../contract/order.ts'
import { paths } from '../module.ts'
import { useLiveChargers } from './live-chargers.ts'

const stateView = (name: string, ...state: readonly OrderState[]) => ({
  id: state[0] ?? '',
  name,
  filter: { state },
})

const isCharging = ({ state }: ChargerOrder): boolean => state === 'charging'

/** 充电记录: every charge with what was paid, used and given back. */
export const pages = crudPages(chargerOrders, {
  paths: { list: paths.orders, detail: paths.orderDetail },
  unit: '条充电记录',
  itemName: '充电记录',
  export: exportChargerOrders,
  actions: [
    {
      label: '停止充电',
      call: stopChargerOrder,
      keys: [{ key: 'reason', wide: true }],
      isOffered: isCharging,
      doneText: '已发送停止指令：',
      danger: true,
    },
  ],
  columns: [
    { key: 'orderNo', identity: true, width: 150 },
    { key: 'hubName', grow: 1 },
    { key: 'portNo', width: 64 },
    { key: 'mobile', hidePriority: 3, wideOnly: true },
    { key: 'chargeMode', hidePriority: 3, wideOnly: true },
    { key: 'beginTime', width: 150 },
    { key: 'endTime', width: 150, hidePriority: 2, wideOnly: true },
    'energyKwh',
    { key: 'minutes', hidePriority: 2, wideOnly: true },
    { key: 'paidAmount', hidePriority: 1 },
    { key: 'prepaidAmount', hiddenByDefault: true },
    'realAmount',
    { key: 'refundAmount', hidePriority: 1 },
    { key: 'stopReason', hidePriority: 3, wideOnly: true },
    { key: 'orderTime', hiddenByDefault: true },
    'state',
  ],
  detail: [
    {
      title: '充电',
      keys: [
        'orderNo',
        'hubName',
        'hubNo',
        'portNo',
        'mobile',
        'orderTime',
        'payTime',
        'beginTime',
        'endTime',
        'minutes',
        'energyKwh',
        'stopReason',
        'failReason',
      ],
    },
    {
      title: '费用',
      keys: [
        'standardName',
        'chargeMode',
        'prepaidAmount',
        'paidAmount',
        'elecFee',
        'serviceFee',
        'idleFee',
        'realAmount',
        'refundAmount',
      ],
    },
  ],
  list: {
    keywordPlaceholder: '订单、桩号',
    barFilters: ['hubId', 'orderTime', 'chargeMode'],
    filters: ['mobile', ...chargerOrders.filters],
    views: [
      { id: '', name: '全部', filter: {} },
      stateView('充电中', 'charging', 'starting'),
      stateView('结算中', 'settling'),
      stateView('已完成', 'done'),
      stateView('启动失败', 'failed'),
      stateView('异常', 'abnormal'),
    ],
  },
  useExtras: () => {
    useLiveChargers(chargerOrders.list)
    return {}
  },
})
