import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, list, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { maintainResult, maintainType } from './choices.ts'

/** Maintenance, repair or yearly inspection of a lift that has been done; it moves the lift's next days. */
export const elevatorMaintenance = entity(
  'elevatorMaintenance',
  '电梯维保记录',
  { table: 'elevator_maintenance', tenancy: 'project', title: 'elevatorName', order: ['-doneTime', '-id'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('elevatorId'),
    elevatorId: ref('电梯', 'elevator', {
      required: true,
      immutable: true,
      wire: ['ElevatorID', 'ElevatorId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    elevatorName: lookup('电梯', 'elevatorId', 'name', { wire: 'ElevatorName' }),
    maintainType: choice('类型', maintainType, { required: true, initial: 'halfMonth' }),
    planDate: day('计划日期', { rule: calendarYears, hiddenIn: ['filter'] }),
    doneTime: moment('完成时间', { required: true }),
    worker: text('维保人员', { required: true, max: 40, searchable: true, hiddenIn: ['filter'] }),
    content: text('内容', { max: 1000, hiddenIn: ['table', 'filter'] }),
    result: choice('结果', maintainResult, { required: true, initial: 'passed' }),
    nextDate: day('下次日期', {
      rule: calendarYears,
      hiddenIn: ['table', 'filter'],
      help: '不填：维保按维保周期，年检为一年后',
    }),
    photos: list('照片', { max: 9, holdsFiles: true, hiddenIn: ['table', 'filter', 'sheet'] }),
    confirmStaffId: ref('物业确认人', 'staff', {
      wire: 'ConfirmBy',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    confirmStaffName: lookup('物业确认人', 'confirmStaffId', 'name', { wire: 'ConfirmName' }),
  },
)

export type ElevatorMaintenance = Row<typeof elevatorMaintenance>

export const maintenances = crud(elevatorMaintenance, {
  path: 'PropertyElevatorMaintenance',
  permissions: menu.maintenance.permissions,
  operations: ['list', 'get', 'add'],
  filters: ['elevatorId', 'maintainType', 'result', 'doneTime'],
  affects: ['elevator'],
})

export const exportMaintenances = crudExport(maintenances, { needs: menu.maintenance.permissions.export })
