import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { Id } from '#kit/domain/id.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { exportStockRecords, merchantStockRecords, merchantStocks } from '../contract/stock.ts'
import { menu } from '../module.ts'
import { buyPath } from './paths.ts'

const stocks = crudPages(merchantStocks, {
  unit: '条库存',
  columns: [
    { key: 'merchantName', identity: true, grow: 1 },
    { key: 'couponName', grow: 1 },
    'balance',
    { key: 'updateTime', title: '最后变动', width: 150, hidePriority: 1 },
  ],
  actions: [
    { label: '购券', needs: menu.order.permissions.buy, run: row => navigateTo(buyPath(row.merchantId)) },
  ],
  drawer: false,
})

/** 商户库存: what each merchant has left of each coupon. */
export const Stocks = () => (
  <CrudList
    model={stocks.model}
    list={{
      embedded: true,
      pageSize: 15,
      barFilters: ['merchantId', 'couponId'],
      settingsKey: 'merchant-coupons/stocks',
    }}
  />
)

/** The stocks of one merchant. */
export const MerchantStocks = ({ merchantId }: { readonly merchantId: Id }) => (
  <CrudList
    model={stocks.model}
    list={{
      embedded: true,
      filters: ['couponId'],
      barFilters: ['couponId'],
      fixedFilter: { merchantId: [String(merchantId)] },
      settingsKey: 'merchant-coupons/merchant-stocks',
    }}
  />
)

const records = crudPages(merchantStockRecords, {
  unit: '条流水',
  export: exportStockRecords,
  columns: [
    { key: 'createTime', title: '时间', width: 150 },
    { key: 'merchantName', identity: true, grow: 1 },
    { key: 'couponName', grow: 1 },
    'changeType',
    'qty',
    'balanceQty',
    { key: 'refNo', width: 150, hidePriority: 1 },
    { key: 'operatorName', hidePriority: 2 },
  ],
  drawer: false,
})

/** 库存流水: every change of a stock, with what was left. */
export const StockRecords = () => (
  <CrudList
    model={records.model}
    list={{
      embedded: true,
      pageSize: 15,
      barFilters: ['merchantId', 'changeType', 'createTime'],
      settingsKey: 'merchant-coupons/records',
    }}
  />
)
