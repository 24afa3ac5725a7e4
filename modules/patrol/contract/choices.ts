import { choiceTable } from '#kit/contract/field.ts'

/** How being at a point is shown (PAT-1). Codes are texts: a point has several. */
export const signKind = choiceTable('PatrolSignTypes', '签到方式', {
  qr: ['qr', '二维码'],
  nfc: ['nfc', 'NFC'],
  ble: ['ble', '蓝牙'],
  gps: ['gps', '定位'],
  photo: ['photo', '拍照'],
})

export const deviceState = choiceTable('PatrolDeviceState', '设备状态', {
  normal: [10, '正常', 'done'],
  broken: [20, '故障', 'bad'],
  stopped: [30, '停用', 'off'],
})
