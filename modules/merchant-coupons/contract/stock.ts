import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, lookup, ref, text } from '#kit/contract/field.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { stockChange } from './choices.ts'

const { permissions } = menu.stock
const hiddenReference = { hiddenIn: ['table', 'sheet', 'detail'] } as const

export const merchantField = ref('商户', 'merchant', {
  required: true,
  wire: ['MerchantID', 'MerchantId'],
  ...hiddenReference,
})

export const couponField = ref('停车券', 'merchantCoupon', {
  required: true,
  wire: ['CouponID', 'CouponId'],
  ...hiddenReference,
})

/** What a merchant has left of a coupon: bought − presented + withdrawn − refunded − expired. */
export const merchantStock = entity(
  'merchantStock',
  '停车券库存',
  {
    table: 'merchant_coupon_stock',
    tenancy: 'project',
    title: 'couponName',
    order: ['merchantId', 'couponId'],
  },
  {
    projectCode: estateField(),
    merchantId: merchantField,
    buildCode: buildingThrough('merchantId'),
    merchantName: lookup('商户', 'merchantId', 'name', { wire: 'MerchantName' }),
    couponId: couponField,
    couponName: lookup('停车券', 'couponId', 'couponName', { wire: 'CouponName' }),
    balance: int('结余', { required: true, wire: 'BalanceQty' }),
  },
)

export type MerchantStock = Row<typeof merchantStock>

export const merchantStocks = crud(merchantStock, {
  path: 'merchant/v1/ticket/stock',
  permissions,
  operations: ['list'],
  filters: ['merchantId', 'couponId', 'balance'],
  sums: ['balance'],
})

/** One change of a stock, with what was left after it. */
export const merchantStockRecord = entity(
  'merchantStockRecord',
  '停车券流水',
  { table: 'merchant_parking_record', tenancy: 'project', title: 'refNo', order: ['-id'] },
  {
    projectCode: estateField(),
    merchantId: merchantField,
    buildCode: buildingThrough('merchantId'),
    merchantName: lookup('商户', 'merchantId', 'name', { wire: 'MerchantName' }),
    couponId: couponField,
    couponName: lookup('停车券', 'couponId', 'couponName', { wire: 'CouponName' }),
    changeType: choice('类型', stockChange, { required: true, wire: 'ChangeType' }),
    /** Negative where the stock gets less. */
    qty: int('数量', { required: true, wire: 'Qty' }),
    balanceQty: int('结余', { required: true, wire: 'BalanceQty', hiddenIn: ['filter'] }),
    refNo: text('关联单号', { max: 30, searchable: true, wire: 'RefNo' }),
    operatorName: text('操作人', { max: 40, hiddenIn: ['filter'] }),
  },
)

export type MerchantStockRecord = Row<typeof merchantStockRecord>

export const merchantStockRecords = crud(merchantStockRecord, {
  path: 'MerchantParkingRecord',
  permissions,
  operations: ['list'],
  filters: ['merchantId', 'couponId', 'changeType', 'createTime'],
  sums: ['qty'],
})

export const exportStockRecords = crudExport(merchantStockRecords, { needs: permissions.export })
