import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { replaceDevice, type Device } from '../contract/device.ts'

/** A new box in the place of the old one (ACS-3). */
export const ReplaceDialog = actionDialog({
  call: replaceDevice,
  title: (row: Device) => `更换设备「${row.name}」`,
  submitLabel: '更换设备',
  keys: ['identity', 'address', 'reason'],
  target: row => ({ id: row.id }),
  initial: row => (row.address ? { address: row.address } : {}),
  doneText: row => `已更换「${row.name}」，原有下发项将发送到新设备`,
})
