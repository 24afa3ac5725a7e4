import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choices, idOf, lookup, ref, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { passageDirection, passageType } from '#modules/access/contract/choices.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'

/** A lane of a car park with its barrier and camera. */
export const parkLane = entity(
  'parkLane',
  '车道',
  { table: 'park_lane', tenancy: 'project', title: 'laneName', order: ['projectCode', 'parkId', 'laneName'] },
  {
    projectCode: estateField(),
    laneName: text('名称', { required: true, max: 40, searchable: true, wire: 'GateName' }),
    parkId: ref('停车场', 'park', { required: true, wire: ['ParkID', 'ParkId'], hiddenIn: ['table'] }),
    parkName: lookup('停车场', 'parkId', 'name', { wire: 'ParkName' }),
    direction: choice('方向', passageDirection, { required: true, initial: 'entrance' }),
    laneType: choice('类型', passageType, { required: true, initial: 'vehicle', wire: 'GateType' }),
    carKinds: choices('允许车类', carKind, { help: '不选为全部', hiddenIn: ['filter'] }),
    boothName: text('岗亭', { max: 40 }),
    deviceNo: text('相机编号', { max: 30, searchable: true, help: '相机的序列号；不填为人工登记' }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type ParkLane = Row<typeof parkLane>

export const parkLanes = crud(parkLane, {
  path: 'ParkGate',
  permissions: menu.lane.permissions,
  filters: ['parkId', 'direction', 'laneType', 'state'],
})

export const pickLanes = pickerOf(parkLane, {
  route: 'GET ParkGate/GetPick',
  title: '选择车道',
  fields: ['id', 'projectCode', 'laneName', 'parkName', 'direction', 'state'],
  search: { ids: idsFilter },
})

/** The lanes of a car park with what stands at them. */
export const listParkDevices = call({
  route: 'GET Park/GetDevList',
  title: '车场设备',
  needs: menu.lane.permissions.view,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    parkId: idOf('停车场', { min: 1, wire: ['ParkID', 'ParkId'] }),
  }),
  output: listOfRows({ ...parkLane.fields }),
})
