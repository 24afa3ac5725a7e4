import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, lookup, text } from '#kit/contract/field.ts'
import { fileResponse, recordIdField, shape } from '#kit/contract/shape.ts'
import { buildingThrough, enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { couponField, merchantField } from './stock.ts'
import { addressField } from './ticket.ts'

const { permissions } = menu.ticket

/** A code that stays at a merchant's counter: each stay in the car park gets one coupon by it. */
export const merchantCode = entity(
  'merchantCode',
  '停车券固定码',
  { table: 'merchant_coupon_code', tenancy: 'project', title: 'codeName', order: ['-id'] },
  {
    projectCode: estateField(),
    codeName: text('名称', {
      required: true,
      max: 40,
      searchable: true,
      help: '如 一楼收银台',
      wire: 'CodeName',
    }),
    merchantId: { ...merchantField, immutable: true },
    buildCode: buildingThrough('merchantId'),
    merchantName: lookup('商户', 'merchantId', 'name', { wire: 'MerchantName' }),
    couponId: { ...couponField, immutable: true },
    couponName: lookup('停车券', 'couponId', 'couponName', { wire: 'CouponName' }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type MerchantCode = Row<typeof merchantCode>

export const merchantCodes = crud(merchantCode, {
  path: 'merchant/v1/ticket/qrcoderule',
  permissions: {
    view: permissions.view,
    add: permissions.code,
    edit: permissions.code,
    del: permissions.code,
  },
  filters: ['merchantId', 'couponId', 'state'],
})

/** The label of a fixed code, to be printed and put up. */
export const printCode = call({
  route: 'GET merchant/v1/ticket/save_qrcoderule',
  title: '打印固定码',
  needs: permissions.code,
  input: shape({ id: recordIdField, address: addressField }),
  output: fileResponse,
})
