import { call } from '#kit/contract/call.ts'
import { flag, idOf, int, lines, moment, text } from '#kit/contract/field.ts'
import { listOfRows, noData, reasonField, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

const parkIdField = idOf('停车场', { required: true, min: 1, wire: ['ParkID', 'ParkId'] })
const insideField = int('在场', { required: true, min: 0, max: 99_999, unit: '辆', wire: 'Inside' })

/** PRK-9: how full the car parks are. */
export const listParkCounters = call({
  route: 'GET ParkingOutinlog/GetCounters',
  title: '车场在场数',
  needs: menu.stay.permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }) }),
  output: listOfRows(
    {
      parkId: parkIdField,
      parkName: text('停车场', { required: true }),
      total: int('总车位', { required: true }),
      reserved: int('固定车位', { required: true }),
      inside: insideField,
      temporary: int('其中临停', { required: true }),
      free: int('余位', { required: true }),
      isFull: flag('已满', { required: true, wire: 'Full' }),
      longStays: int('超过 72 小时', { required: true }),
      corrections: lines(
        '最近校正',
        {
          time: moment('时间', { required: true }),
          inside: insideField,
          reason: text('原因', { required: true }),
          operatorName: text('操作员', { required: true }),
        },
        { required: true },
      ),
    },
    { entity: 'parkingStay' },
  ),
})

/** The number that somebody counted; the difference stays until it is counted again. */
export const correctCounter = call({
  route: 'PUT ParkingOutinlog/PutCounter',
  title: '校正在场数',
  needs: menu.stay.permissions.count,
  affects: ['parkingStay'],
  input: shape({ parkId: parkIdField, inside: insideField, reason: reasonField }),
  output: noData,
})
