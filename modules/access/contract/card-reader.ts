import { call } from '#kit/contract/call.ts'
import { flag, idOf, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { cardPermissions } from '#modules/residents/contract/card.ts'

/** Of those who issue cards. */
const needs = cardPermissions.add
const deviceIdField = idOf('设备', { required: true, min: 1, wire: ['DeviceID', 'DeviceId'] })
const taskIdField = idOf('任务', { required: true, min: 1, wire: ['TaskID', 'TaskId'] })

/** Devices of doors that read a card for a form. */
export const listCardReaders = call({
  route: 'GET EccOpenDoor/GetReaders',
  title: '可读卡的设备',
  needs,
  input: shape({ projectCode: estateField<true>() }),
  output: listOfRows(
    {
      deviceId: deviceIdField,
      deviceName: text('设备', { required: true, wire: 'DevName' }),
      isOnline: flag('在线', { required: true, wire: 'Online' }),
    },
    { entity: 'device' },
  ),
})

/** Waits at the device for a card; what it reads is asked for below. */
export const startCardReading = call({
  route: 'POST EccOpenDoor/ReadCard',
  title: '读卡',
  needs,
  input: shape({ projectCode: estateField<true>(), deviceId: deviceIdField }),
  output: shape({ taskId: taskIdField }),
})

/** Answers when it has ended, or after some seconds that it has not. */
export const getCardRead = call({
  route: 'GET EccOpenDoor/GetCardRead',
  title: '查询读到的卡号',
  needs,
  input: shape({ taskId: taskIdField }),
  output: shape({
    isEnded: flag('已结束', { required: true, wire: 'Ended' }),
    cardNo: text('卡号', { wire: 'CardNo' }),
    reason: text('失败原因'),
  }),
})
