import { navigateTo } from '#kit/web/navigation.ts'
import { confirmAndSend, createReasonAction } from '#kit/web/record-actions.ts'
import type { Action } from '#kit/web/action.tsx'
import { deleteDevices, resendDeviceItems, type Device } from '../contract/device.ts'
import { menu, paths } from '../module.ts'

const { permissions } = menu.device

export const deleteDevice = createReasonAction<Device>(deleteDevices, {
  unit: '台设备',
  nameOf: row => row.name,
  consequences: ['设备的下发项一并删除，事件、故障与任务记录保留'],
  reasonPresets: ['录入有误', '设备已拆除'],
})

export const openDevice = (row: Pick<Device, 'id'>): void => navigateTo(`${paths.detail}?id=${row.id}`)

/** ACS-3: what the device should hold is sent again, all of it. */
export const resendAction = (row: Device): Action => ({
  label: '重新下发',
  needs: permissions.resend,
  run: () =>
    confirmAndSend(resendDeviceItems, {
      actionLabel: '重新下发',
      unit: '台设备',
      title: `重新下发「${row.name}」的全部下发项`,
      reason: false,
      consequences: ['设备应有的凭证与设置全部重新发送，设备离线的在恢复连接后发送'],
      input: { id: row.id },
      doneText: `已重新下发「${row.name}」`,
    }),
})
