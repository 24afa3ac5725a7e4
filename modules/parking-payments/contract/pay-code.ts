import { call } from '#kit/contract/call.ts'
import { idOf, ref, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { fileResponse, listOfRows, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

const basePath = 'parking/v1/PayCode'
/** Whose codes are shown. */
export const payCodePark = ref('停车场', 'park', { required: true, wire: ['ParkID', 'ParkId'] })

/** The codes of a car park: one for its lobbies, and one of each lane. */
export const listPayCodes = call({
  route: `GET ${basePath}/Get`,
  title: '停车缴费二维码',
  needs: menu.payment.permissions.view,
  input: shape({ parkId: payCodePark }),
  output: listOfRows({
    laneId: idOf('车道', { wire: 'GateID' }),
    name: text('位置', { required: true, wire: 'Name' }),
    use: text('用途', { required: true, wire: 'Use' }),
    url: text('地址', { required: true, wire: 'Url' }),
  }),
})

export const printPayCodes = call({
  route: `GET ${basePath}/GetSheet`,
  title: '打印停车缴费二维码',
  needs: menu.payment.permissions.print,
  input: shape({
    parkId: payCodePark,
    /** Where drivers reach the product: what the browser that prints is at. */
    origin: text('网址', { required: true, max: 200, rule: rules.url }),
  }),
  output: fileResponse,
})
