import { crudExport } from '#kit/contract/crud-sheet.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { menu } from '../module.ts'
import { planSheet, planSheetEntity } from './plan.ts'
import { schedules } from './schedule.ts'
import { listTaskRecords, listTasks } from './task-calls.ts'

const needs = menu.plan.permissions.export

export const exportSchedules = crudExport(
  { ...schedules, entity: planSheetEntity('任务标准') },
  { needs, label: '任务计划', columns: planSheet },
)

export const exportTasks = declareExport({
  route: 'GET Task/GetExport',
  title: '导出任务',
  needs,
  list: listTasks,
})

export const exportTaskRecords = declareExport({
  route: 'GET TaskRecord/GetExport',
  title: '导出任务记录',
  needs,
  list: listTaskRecords,
})
