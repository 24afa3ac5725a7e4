import { call } from '#kit/contract/call.ts'
import { day, flag, idOf, text } from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { bulkResult, reasonField, recordIdsField, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { typedPlateRule } from './car.ts'

const { permissions } = menu.car
const affects = ['car', 'parkPlace', 'carGroup']
const byIdsWithReason = shape({ ids: recordIdsField, reason: reasonField })

export const checkCars = call({
  route: 'PUT Car/PutCheck',
  title: '审核车辆',
  needs: permissions.audit,
  input: shape({
    ids: recordIdsField,
    pass: flag('通过', { required: true, wire: ['Pass', 'IsPass'] }),
    reason: text('原因', { max: 200, wire: 'Reason', help: '不通过时必填' }),
  }),
  output: bulkResult,
  affects,
})

/** Puts cars on the black list; with `black` no, they return to the state before. */
export const blackCars = call({
  route: 'PUT Car/PutBlack',
  title: '拉黑与移出黑名单',
  needs: permissions.black,
  input: shape({
    ids: recordIdsField,
    black: flag('拉黑', { required: true, wire: ['Black', 'IsBlack'] }),
    reason: reasonField,
  }),
  output: bulkResult,
  affects,
})

/** Also a plate of which no car is registered. */
export const addToBlackList = call({
  route: 'POST Car/IntoBlackList',
  title: '车牌加入黑名单',
  needs: permissions.black,
  input: shape({
    projectCode: estateField<true>(),
    plateNo: text('车牌', { required: true, max: 20, rule: typedPlateRule, wire: ['PlateNo', 'CarNo'] }),
    reason: reasonField,
  }),
  output: bulkResult,
  affects,
})

export const suspendCars = call({
  route: 'PUT Car/PutSuspend',
  title: '车辆停用',
  needs: permissions.state,
  input: byIdsWithReason,
  output: bulkResult,
  affects,
})

export const resumeCars = call({
  route: 'PUT Car/PutResume',
  title: '车辆恢复',
  needs: permissions.state,
  input: byIdsWithReason,
  output: bulkResult,
  affects,
})

export const cancelCars = call({
  route: 'PUT Car/PutCancel',
  title: '注销车辆',
  needs: permissions.state,
  input: byIdsWithReason,
  output: bulkResult,
  affects,
})

/** Sets the days by hand, with a reason: free cars, corrections. */
export const adjustValidity = call({
  route: 'PUT Car/PutValidity',
  title: '调整有效期',
  needs: permissions.validity,
  input: shape({
    ids: recordIdsField,
    beginDate: day('有效期起', { rule: calendarYears }),
    endDate: day('有效期止', { rule: calendarYears, help: '当天仍有效；不填为长期' }),
    reason: reasonField,
  }),
  output: bulkResult,
  affects,
})

/** PRK-7: the month right of the place ends at once. */
export const unbindPlaceCars = call({
  route: 'POST Car/UnbindCarByParkPlace',
  title: '解除车位的车辆',
  needs: permissions.edit,
  input: shape({
    placeId: idOf('车位', { required: true, min: 1, wire: ['PlaceID', 'ParkPlaceID'] }),
    ids: { ...recordIdsField, required: false, label: '车辆', wire: ['CarIDs', 'Ids'] },
    reason: reasonField,
  }),
  output: bulkResult,
  affects,
})
