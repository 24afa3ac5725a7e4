import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { patrolDevices } from '../contract/device.ts'
import { paths } from '../module.ts'

/** 巡更设备: phones and readers, and who has them. */
export const pages = crudPages(patrolDevices, {
  paths: { list: paths.devices },
  unit: '台巡更设备',
  columns: [
    { key: 'deviceNo', identity: true },
    { key: 'deviceName', grow: 2 },
    'staffName',
    'state',
    { key: 'updateTime', wideOnly: true },
  ],
  form: { groups: [{ keys: ['deviceNo', 'deviceName', 'staffId', 'state', 'remark'] }] },
})
