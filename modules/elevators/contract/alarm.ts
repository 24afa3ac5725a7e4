import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, lookup, moment, ref, systemChoice, text } from '#kit/contract/field.ts'
import { listOf, noData, recordIdField, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { alarmResolution, alarmState, elevatorState } from './choices.ts'

/**
 * Somebody is trapped: open until a person has acknowledged it and written what became of it. It is a lift's,
 * or of a controller that is bound to none.
 */
export const elevatorAlarm = entity(
  'elevatorAlarm',
  '困人报警',
  { table: 'elevator_alarm', tenancy: 'project', title: 'elevatorName', order: ['state', '-id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName', hiddenIn: ['table', 'sheet'] }),
    // Of a controller without a lift, or of a lift without a building: all handlers of the project take it.
    buildCode: buildingThrough('elevatorId', { sharedWithoutBuilding: true }),
    elevatorId: ref('电梯', 'elevator', {
      wire: ['ElevatorID', 'ElevatorId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    elevatorName: lookup('电梯', 'elevatorId', 'name', { searchable: true, wire: 'ElevatorName' }),
    /** Only where the device is bound to no lift. */
    deviceId: ref('梯控设备', 'device', {
      wire: 'DeviceID',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    deviceName: lookup('未绑定的设备', 'deviceId', 'name', { searchable: true, wire: 'DeviceName' }),
    deviceLocation: lookup('设备位置', 'deviceId', 'location', { wire: 'DeviceLocation' }),
    alarmTime: moment('报警时间', { required: true }),
    lastTime: moment('最近报警', { required: true, hiddenIn: ['filter', 'table'] }),
    alarmCount: int('次数', { required: true, initial: 1, hiddenIn: ['filter'] }),
    floor: text('所在楼层', { max: 10, hiddenIn: ['filter'] }),
    /** What the device says: it ends nothing by itself. */
    deviceEndTime: moment('设备恢复', { hiddenIn: ['filter'] }),
    rescuePhone: lookup('救援电话', 'elevatorId', 'rescuePhone'),
    /** What the lift goes back to after a false alarm. */
    stateBefore: choice('报警前状态', elevatorState, { hiddenIn: ['filter', 'table', 'sheet'] }),
    state: systemChoice('处理状态', alarmState, 'open'),
    acknowledgedBy: text('确认人', { max: 40, hiddenIn: ['filter'] }),
    acknowledgedTime: moment('确认时间', { hiddenIn: ['filter'] }),
    resolvedBy: text('解除人', { max: 40, hiddenIn: ['filter', 'table'] }),
    resolvedTime: moment('解除时间', { hiddenIn: ['filter'] }),
    resolution: choice('处理结果', alarmResolution, { hiddenIn: ['filter'] }),
    resolveNote: text('处理说明', { max: 500, hiddenIn: ['filter', 'table'] }),
  },
)

export type ElevatorAlarm = Row<typeof elevatorAlarm>

const { permissions } = menu.alarm

export const elevatorAlarms = crud(elevatorAlarm, {
  path: 'ElevatorAlarm',
  permissions,
  operations: ['list', 'get'],
  filters: ['elevatorId', 'state', 'alarmTime'],
})

export const exportElevatorAlarms = crudExport(elevatorAlarms, { needs: menu.alarm.permissions.export })

/** Those that nobody has dealt with yet, whatever project is chosen. */
export const listOpenAlarms = call({
  route: 'GET ElevatorAlarm/GetOpen',
  title: '未解除的困人报警',
  needs: permissions.view,
  input: shape({}),
  output: listOf(elevatorAlarm),
})

const affects = ['elevatorAlarm', 'elevator'] as const

export const acknowledgeAlarm = call({
  route: 'PUT ElevatorAlarm/PutAcknowledge',
  title: '确认困人报警',
  needs: permissions.handle,
  affects,
  input: shape({ id: recordIdField }),
  output: noData,
})

/** Ends the alarm; the lift is then in repair, or runs again where it was none. */
export const resolveAlarm = call({
  route: 'PUT ElevatorAlarm/PutResolve',
  title: '解除困人报警',
  needs: permissions.handle,
  affects,
  input: shape({
    id: recordIdField,
    resolution: choice('处理结果', alarmResolution, { required: true }),
    note: text('处理说明', { required: true, min: 2, max: 500, wire: 'Note' }),
  }),
  output: noData,
})
