import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, lookup, ref, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { deviceState } from './choices.ts'

/** A phone or reader that is handed to the people who patrol. */
export const patrolDevice = entity(
  'patrolDevice',
  '巡更设备',
  { table: 'patrol_device', tenancy: 'project', title: 'deviceName', order: ['deviceNo'] },
  {
    projectCode: estateField(),
    deviceNo: text('编号', { required: true, max: 30, rule: rules.lettersDigits, searchable: true }),
    deviceName: text('名称', { required: true, max: 40, searchable: true }),
    staffId: ref('领用人', 'staff', { wire: 'StaffID', hiddenIn: ['table', 'sheet', 'detail'] }),
    staffName: lookup('领用人', 'staffId', 'name', { wire: 'StaffName' }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', deviceState, { required: true, initial: 'normal' }),
  },
)

export type PatrolDevice = Row<typeof patrolDevice>

export const patrolDevices = crud(patrolDevice, {
  path: 'PatrolDevice',
  permissions: menu.device.permissions,
  filters: ['state', 'staffId'],
  add: { route: 'POST PatrolDevice/post' },
})
