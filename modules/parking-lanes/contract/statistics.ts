import { call } from '#kit/contract/call.ts'
import { day, idOf, int, lines, money, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** So many days are counted at most: all records of them are read. */
export const maxStatisticsDays = 92

const asked = shape({
  projectCode: estateField<false>({ required: false }),
  parkId: idOf('停车场', { min: 1, wire: ['ParkID', 'ParkId'] }),
  dayFrom: day('起', { wire: ['BeginDate', 'DayFrom'] }),
  dayTo: day('止', { wire: ['EndDate', 'DayTo'] }),
})

const period = {
  dayFrom: day('起', { required: true, wire: ['BeginDate', 'DayFrom'] }),
  dayTo: day('止', { required: true, wire: ['EndDate', 'DayTo'] }),
}

const counts = {
  inCount: int('入场', { required: true }),
  outCount: int('出场', { required: true }),
}

const countedBy = {
  key: text('编号', { required: true }),
  label: text('名称', { required: true }),
  ...counts,
}

/** The figures of a time: the last seven days unless another is asked. */
export const getStayStatistics = call({
  route: 'GET ParkingOutinlog/LogStatistics',
  title: '停车统计',
  needs: menu.stay.permissions.view,
  input: asked,
  output: shape(
    {
      ...period,
      ...counts,
      insideCount: int('现在在场', { required: true }),
      freeCount: int('免费放行', { required: true }),
      abnormalCount: int('异常出场', { required: true }),
      shouldPay: money('应收', { required: true }),
      discount: money('优惠', { required: true }),
      paid: money('实收', { required: true }),
    },
    { entity: 'parkingStay' },
  ),
})

/** Entries and exits by day, by hour and by kind of car. */
export const getInOutStatistics = call({
  route: 'GET ParkingOutinlog/CarInOutStatistics',
  title: '进出统计',
  needs: menu.stay.permissions.view,
  input: asked,
  output: shape(
    {
      ...period,
      days: lines('每日', countedBy, { required: true }),
      hours: lines('各时段', countedBy, { required: true }),
      kinds: lines('车类', countedBy, { required: true }),
    },
    { entity: 'parkingStay' },
  ),
})
