import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { callMethod, callResult } from './choices.ts'

/** A call of a lift, as its controller decided it. Kept by month. */
export const elevatorCall = entity(
  'elevatorCall',
  '呼梯记录',
  { table: 'elevator_call', tenancy: 'project', title: 'elevatorName', order: ['-id'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('elevatorId'),
    elevatorId: ref('电梯', 'elevator', {
      required: true,
      wire: ['ElevatorID', 'ElevatorId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    elevatorName: lookup('电梯', 'elevatorId', 'name', { wire: 'ElevatorName' }),
    deviceId: ref('梯控设备', 'device', {
      required: true,
      wire: 'DeviceID',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    recordKey: text('记录号', { max: 60, hiddenIn: ['table', 'filter'] }),
    callTime: moment('时间', { required: true }),
    userId: ref('住户', 'resident', { wire: 'UserID', hiddenIn: ['table', 'filter', 'sheet', 'detail'] }),
    userName: lookup('住户', 'userId', 'name', { wire: ['Username', 'UserName'] }),
    staffId: ref('员工', 'staff', { wire: 'StaffID', hiddenIn: ['table', 'filter', 'sheet', 'detail'] }),
    staffName: lookup('员工', 'staffId', 'name', { wire: 'StaffName' }),
    /** Who came by an invitation, as they were called then. */
    visitorName: text('访客', { max: 40, wire: 'VisitorName', hiddenIn: ['filter'] }),
    cardNo: text('卡号', { max: 40, searchable: true, hiddenIn: ['filter'] }),
    fromFloor: text('起始层', { max: 10, hiddenIn: ['filter'] }),
    toFloor: text('目的层', { max: 10 }),
    method: choice('方式', callMethod),
    result: choice('结果', callResult, { required: true }),
    reason: text('原因', { max: 200, hiddenIn: ['filter'] }),
  },
)

export type ElevatorCall = Row<typeof elevatorCall>

/** Those of the last thirty days, unless another time is asked. */
export const elevatorCalls = crud(elevatorCall, {
  path: 'elevator/v1/callrecord',
  permissions: menu.record.permissions,
  operations: ['list'],
  filters: ['elevatorId', 'callTime', 'toFloor', 'method', 'result'],
  list: { route: 'GET elevator/v1/callrecord/get' },
})

export const exportElevatorCalls = crudExport(elevatorCalls, { needs: menu.record.permissions.export })
