import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, decimal, idOf, int, lookup, money, ref, text } from '#kit/contract/field.ts'
import { listOfRows, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { couponKind } from '#modules/parking-lanes/contract/choices.ts'
import { menu } from '../module.ts'
import { couponState } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const
const { permissions } = menu.coupon

/** What merchants buy and give to the plates of their customers (C10.3). */
export const merchantCoupon = entity(
  'merchantCoupon',
  '停车券',
  { table: 'merchant_parking_coupon', tenancy: 'project', title: 'couponName', order: ['-id'] },
  {
    projectCode: estateField(),
    couponName: text('名称', { required: true, max: 40, searchable: true, wire: 'CouponName' }),
    parkId: ref('停车场', 'park', {
      required: true,
      immutable: true,
      wire: ['ParkID', 'ParkId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    parkCode: lookup('车场编码', 'parkId', 'code', { wire: 'ParkCode', hiddenIn: ['table', 'filter'] }),
    parkName: lookup('停车场', 'parkId', 'name', { wire: 'ParkName' }),
    kind: choice('类型', couponKind, { required: true, initial: 'minutes', immutable: true, wire: 'Kind' }),
    faceValue: decimal('面值', {
      scale: 4,
      min: 0,
      max: 99_999,
      immutable: true,
      help: '时长券为分钟，金额券为元，折扣券为应付的百分数（八折填 80）；免费券不填',
    }),
    sellPrice: money('售价', { required: true, min: 0, max: 9_999_999, initial: 0 }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      wire: 'FeeItemID',
      help: '售券收入记入的项目，限临时类与其他类',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    feeItemName: lookup('收费项目', 'feeItemId', 'name', { wire: 'FeeItemName', ...inDetail }),
    validDays: int('有效天数', { min: 1, max: 366, help: '自发放当日起算；不填为截止日期之前' }),
    validTo: day('截止日期', { help: '到期后不能购买、发放与使用' }),
    dayLimit: int('单车日限', {
      min: 0,
      max: 99,
      initial: 1,
      wire: 'DayLimitPerPlate',
      help: '一辆车一天最多领取的张数；0 为不限',
      hiddenIn: ['filter'],
    }),
    totalQty: int('总量', { min: 0, max: 9_999_999, initial: 0, help: '0 为不限', hiddenIn: ['filter'] }),
    /** Ordered by merchants: an order takes it, one that is cancelled returns it. */
    soldQty: int('已售', {
      required: true,
      initial: 0,
      immutable: true,
      wire: 'SoldQty',
      hiddenIn: ['form', 'filter'],
    }),
    state: choice('状态', couponState, { required: true, initial: 'on', hiddenIn: ['form'] }),
    remark: text('备注', { max: 200, ...inDetail }),
  },
)

export type MerchantCoupon = Row<typeof merchantCoupon>

export const merchantCoupons = crud(merchantCoupon, {
  path: 'merchant/v1/merchantparkingcoupon',
  permissions,
  operations: ['list', 'get', 'save', 'edit', 'delete'],
  filters: ['parkId', 'kind', 'state', 'validTo'],
  search: { ids: idsFilter },
  without: ['soldQty', 'state'],
  list: { route: 'GET merchant/v1/merchantparkingcoupon/get', aliases: ['MerchantParkingCoupon/Get'] },
  get: {
    route: 'GET merchant/v1/merchantparkingcoupon/getonebyid',
    aliases: ['MerchantParkingCoupon/GetOne'],
  },
  save: {
    route: 'POST merchant/v1/merchantparkingcoupon/save',
    aliases: ['MerchantParkingCoupon/post'],
    needs: permissions.add,
  },
  edit: { route: 'PUT MerchantParkingCoupon/Put' },
  delete: { route: 'DELETE MerchantParkingCoupon/Delete' },
})

export const { list: listCoupons, get: getCoupon } = merchantCoupons

export const pickCoupons = pickerOf(merchantCoupon, {
  route: 'GET merchant/v1/merchantparkingcoupon/getpick',
  title: '选择停车券',
  fields: ['id', 'projectCode', 'couponName', 'parkName', 'kind', 'state'],
  search: { ids: idsFilter },
})

/** Those that may be bought and presented now, of one car park. */
export const listActiveCoupons = call({
  route: 'GET merchant/v1/merchantparkingcoupon/getactivelistbyparkcode',
  title: '车场可用的停车券',
  needs: permissions.view,
  input: shape({ parkCode: text('车场编码', { required: true, max: 20, wire: 'ParkCode' }) }),
  output: listOfRows({ ...merchantCoupon.fields }, { entity: 'merchantCoupon' }),
})

export const updateCouponState = call({
  route: 'PUT merchant/v1/merchantparkingcoupon/updatestate',
  aliases: ['MerchantParkingCoupon/UpdateState'],
  title: '停车券启用停用',
  needs: permissions.state,
  input: shape({ id: recordIdField, state: choice('状态', couponState, { wire: 'State' }) }),
  output: recordOf(merchantCoupon),
  affects: ['merchantCoupon'],
})

export const couponIdField = idOf('停车券', { required: true, min: 1, wire: ['CouponID', 'CouponId'] })
