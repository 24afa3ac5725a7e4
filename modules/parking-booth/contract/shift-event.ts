import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import { pageOf, search } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { parkingCharge } from '#modules/parking-lanes/contract/charge.ts'
import { menu } from '../module.ts'
import { shiftEventKind } from './choices.ts'

const hidden = { hiddenIn: ['table', 'filter', 'sheet', 'detail', 'form'] } as const
const shiftIdField = idOf('当班', { min: 1, wire: 'ShiftID' })

/** Something that the booth did by hand; it belongs to the next sheet of the person (PRK-10). */
export const shiftEvent = entity(
  'shiftEvent',
  '岗亭操作',
  { table: 'park_shift_event', tenancy: 'project', title: 'plateNo', order: ['-id'] },
  {
    projectCode: estateField(),
    parkId: ref('停车场', 'park', { required: true, wire: ['ParkID', 'ParkId'], ...hidden }),
    shiftId: idOf('当班', { wire: 'ShiftID', ...hidden }),
    eventTime: moment('时间', { required: true }),
    kind: choice('类型', shiftEventKind, { required: true, wire: 'EventKind' }),
    plateNo: text('车牌', { max: 8, searchable: true }),
    oldPlate: text('原车牌', { max: 8, hiddenIn: ['filter'] }),
    laneId: ref('车道', 'parkLane', { wire: ['GateID', 'GateId'], ...hidden }),
    laneName: lookup('车道', 'laneId', 'laneName', { wire: 'GateName' }),
    stayId: idOf('出入记录', { wire: ['StayID', 'PassID'], ...hidden }),
    waived: money('免收', { required: true, hiddenIn: ['filter'] }),
    reason: text('原因', { required: true, max: 200, hiddenIn: ['filter'] }),
    operatorId: idOf('操作员', { required: true, wire: 'OperatorID', ...hidden }),
    operatorName: text('操作员', { required: true, max: 40, hiddenIn: ['filter'] }),
  },
)

export type ShiftEvent = Row<typeof shiftEvent>

/** Of one shift, or all. */
export const shiftEvents = crud(shiftEvent, {
  path: 'ParkingExchangeEvent',
  permissions: menu.shift.permissions,
  operations: ['list'],
  filters: ['kind', 'eventTime'],
  search: { shiftId: shiftIdField },
  sums: ['waived'],
})

export const { list: listShiftEvents } = shiftEvents

/** What was collected in a shift. */
export const listShiftCharges = call({
  route: 'GET ParkingExchange/GetCharges',
  title: '当班收费',
  needs: menu.shift.permissions.view,
  input: search(parkingCharge, ['payMethod'], {
    shiftId: idOf('当班', { required: true, min: 1, wire: 'ShiftID' }),
  }),
  output: pageOf(parkingCharge, {
    sums: ['amount', 'couponAmount', 'hostAmount', 'waivedAmount', 'paidAmount'],
  }),
})
