import { call } from '#kit/contract/call.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { choice, day, idOf, int, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { sheetPlaceFields } from '#modules/rooms/contract/sheet-place.ts'
import { taskState } from '#modules/system/contract/task.ts'
import { menu } from '../module.ts'
import { companies } from './company.ts'

const companyColumns = [
  'companyNo',
  'name',
  'creditCode',
  'legalPerson',
  'contactName',
  'contactPhone',
  'industry',
  'staffCount',
  'inDate',
] as const

const invoiceColumns = ['invoiceTitle', 'taxNo', 'bankName', 'bankAccount', 'remark'] as const

/** A company, and one of its rooms: who has several is in several lines. */
export const importCompanies = crudImport(companies, {
  needs: menu.company.permissions.import,
  fields: {
    ...sheetPlaceFields(['房间号', '室号']),
    beginDate: day('租用起'),
    endDate: day('租用止'),
  },
  columns: [...companyColumns, 'buildCode', 'unitName', 'roomNo', 'beginDate', 'endDate', ...invoiceColumns],
  unique: ['name', 'buildCode', 'unitName', 'roomNo'],
  affects: ['company', 'companyRoom', 'room'],
})

export const exportCompanies = crudExport(companies, {
  needs: menu.company.permissions.export,
  columns: [...companyColumns, ...invoiceColumns, 'state'],
})

/** How far an import is; without a number, the latest of the operator. */
export const getImportState = call({
  route: 'GET Company/SearchImportState',
  aliases: ['POST Company/SearchImportState'],
  title: '企业导入进度',
  needs: menu.company.permissions.import,
  input: shape({ taskId: idOf('任务', { wire: ['TaskID', 'ID'] }) }),
  output: shape({
    taskId: idOf('任务', { wire: 'TaskID' }),
    state: choice('状态', taskState),
    done: int('已处理'),
    total: int('总数'),
    success: int('成功'),
    fail: int('失败'),
    skipped: int('跳过'),
    message: text('结果说明'),
  }),
})
