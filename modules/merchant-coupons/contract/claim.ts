import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, day, flag, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { plateInputField } from '#modules/parking-lanes/contract/stay.ts'
import { ticketState } from './choices.ts'

const basePath = 'merchant/v1/coupon'

export const tokenField = text('凭证', { required: true, max: 200, wire: ['Token', 't'], masked: 'secret' })

const page = shape({
  estateName: text('项目', { required: true, wire: 'EstateName' }),
  servicePhone: text('服务电话', { wire: 'ServicePhone' }),
  merchantName: text('商户', { required: true, wire: 'MerchantName' }),
  couponName: text('停车券', { required: true, wire: 'CouponName' }),
  valueText: text('优惠', { required: true, wire: 'ValueText' }),
  parkName: text('停车场', { required: true, wire: 'ParkName' }),
  isFixed: flag('固定码', { required: true, wire: 'IsFixed' }),
  /** Of a one-time code that was scanned before; the plate says whose it is. */
  plateNo: text('车牌', { wire: 'PlateNo' }),
  validTo: day('有效期止', { wire: 'ValidTo' }),
  state: choice('状态', ticketState, { wire: 'State' }),
  /** Why nobody can take it now. */
  refusal: text('说明', { wire: 'Refusal' }),
})

export type ClaimPage = NonNullable<typeof page.T>

export const openClaim = call({
  route: `GET ${basePath}/Open`,
  title: '查看停车券码',
  needs: publicAccess,
  perMinute: 600,
  input: shape({ token: tokenField }),
  output: page,
})

/** The plate of the driver who scanned it gets the coupon. */
export const claimCoupon = call({
  route: `POST ${basePath}/Claim`,
  title: '领取停车券',
  needs: publicAccess,
  perMinute: 20,
  input: shape({ token: tokenField, plateNo: plateInputField }),
  output: page,
  affects: ['merchantTicket', 'merchantStock', 'merchantStockRecord'],
})
