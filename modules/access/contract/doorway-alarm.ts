import { call } from '#kit/contract/call.ts'
import { noData, pageOf, reasonField, recordIdsField, search, shape } from '#kit/contract/shape.ts'
import { deviceFault } from '#modules/devices/contract/device-health.ts'
import { menu } from '../module.ts'

const { permissions } = menu.passage

/** Doors that were forced or stand open: faults of their devices (DEV-2), for those who watch the doors. */
export const listDoorwayAlarms = call({
  route: 'GET DoorAlarm/Get',
  title: '查询门禁报警',
  needs: permissions.view,
  input: search(deviceFault, ['deviceId', 'level', 'state', 'openTime']),
  output: pageOf(deviceFault),
})

export const closeDoorwayAlarms = call({
  route: 'POST DoorAlarm/Close',
  title: '处理门禁报警',
  needs: permissions.alarm,
  affects: ['deviceFault', 'device', 'gateway'],
  input: shape({ ids: recordIdsField, reason: reasonField }),
  output: noData,
})
