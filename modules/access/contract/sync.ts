import { call } from '#kit/contract/call.ts'
import { choice, flag, int, list, moment, text } from '#kit/contract/field.ts'
import { noData, pageOfRows, recordIdField, search, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { itemAction, itemState } from '#modules/devices/contract/choices.ts'
import { menu } from '../module.ts'
import { doorwayDevice } from './doorway-device.ts'

const { permissions } = menu.sync

/** What a device of a door is to hold, what of it is not there, and why (ACS-3). */
export const listDoorwayItems = call({
  route: 'GET Doorway/GetItems',
  title: '查询门禁设备的下发项',
  needs: permissions.view,
  input: search(doorwayDevice, [], { id: recordIdField, isUnsynced: flag('未同步') }),
  output: pageOfRows(
    {
      itemKey: text('下发项', { required: true, wire: 'ItemKey' }),
      content: text('内容', { required: true }),
      holderName: text('人员', { wire: 'PersonName' }),
      action: choice('下发方式', itemAction, { required: true }),
      state: choice('状态', itemState, { required: true }),
      reason: text('失败原因'),
      attempts: int('失败次数', { required: true }),
      nextTime: moment('下次下发'),
      syncTime: moment('同步时间'),
    },
    { entity: 'doorwayDevice' },
  ),
})

/** Sends again: some items of a device, or all of it. */
export const resendDoorwayItems = call({
  route: 'POST Doorway/Resend',
  title: '重新下发门禁凭证',
  needs: permissions.resend,
  affects: ['doorwayDevice', 'device', 'deviceItem'],
  input: shape({ id: recordIdField, keys: list('下发项', { max: 2000 }) }),
  output: noData,
})

/** Computes again who may open what in a project, and sends what differs. */
export const recomputeProject = call({
  route: 'POST SRGate/UpdateEstateCache',
  title: '重新计算项目的门禁权限',
  needs: permissions.resend,
  affects: ['doorwayDevice'],
  input: shape({ projectCode: estateField<true>() }),
  output: noData,
})
