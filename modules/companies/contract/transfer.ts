import { call } from '#kit/contract/call.ts'
import { choice, day, int, keyRef, text, type ValueOf } from '#kit/contract/field.ts'
import { loosely, shape } from '#kit/contract/shape.ts'
import { sheetColumns, sheetOf } from '#kit/contract/sheet.ts'
import { exports, imports } from '#kit/contract/transfer.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { taskState } from '#modules/system/contract/task.ts'
import { menu } from '../module.ts'
import { company, listCompanies } from './company.ts'

const f = company.fields

/** A company, and one of its rooms: who has several stands in several lines. */
const line = {
  name: f.name,
  ...loosely({
    companyNo: f.companyNo,
    creditCode: f.creditCode,
    legalPerson: f.legalPerson,
    contactName: f.contactName,
    contactPhone: f.contactPhone,
    industry: f.industry,
    staffCount: f.staffCount,
    inDate: f.inDate,
  }),
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋'] }),
  unitName: text('单元', { max: 20 }),
  roomNo: text('房号', { max: 20, synonyms: ['房间号', '室号'] }),
  beginDate: day('租用起'),
  endDate: day('租用止'),
  ...loosely({
    invoiceTitle: f.invoiceTitle,
    taxNo: f.taxNo,
    bankName: f.bankName,
    bankAccount: f.bankAccount,
    remark: f.remark,
  }),
}

export type CompanyLine = ValueOf<typeof line>

const silent = Object.fromEntries(
  Object.entries(line).map(([k, x]) => [k, { ...x, initial: undefined, notIn: undefined }]),
) as unknown as typeof line

const order = [
  'companyNo',
  'name',
  'creditCode',
  'legalPerson',
  'contactName',
  'contactPhone',
  'industry',
  'staffCount',
  'inDate',
  'buildCode',
  'unitName',
  'roomNo',
  'beginDate',
  'endDate',
  'invoiceTitle',
  'taxNo',
  'bankName',
  'bankAccount',
  'remark',
] as const

export const companySheet = sheetOf<CompanyLine>(
  '企业',
  { fields: silent },
  { keys: order, unique: ['name', 'buildCode', 'unitName', 'roomNo'] },
)

export const companyColumns = sheetColumns(f, [...order.filter(k => k in f), 'state'])

export const ofProject = { projectCode: estateOf<true>() }

export const importCompanies = imports({
  at: 'POST Company/PostImport',
  title: '导入企业',
  needs: menu.company.may.import,
  affects: ['company', 'companyRoom', 'room'],
  more: ofProject,
})

export const exportCompanies = exports({
  at: 'GET Company/GetExport',
  title: '导出企业',
  needs: menu.company.may.export,
  of: listCompanies,
})

/** How far an import is; without a number, the latest of the operator. */
export const importState = call({
  at: 'GET Company/SearchImportState',
  names: ['POST Company/SearchImportState'],
  title: '企业导入进度',
  needs: menu.company.may.import,
  input: shape({ taskId: int('任务', { wire: ['TaskID', 'ID'] }) }),
  output: shape({
    taskId: int('任务', { wire: 'TaskID' }),
    state: choice('状态', taskState),
    done: int('已处理'),
    total: int('总数'),
    success: int('成功'),
    fail: int('失败'),
    skipped: int('跳过'),
    message: text('结果说明'),
  }),
})
