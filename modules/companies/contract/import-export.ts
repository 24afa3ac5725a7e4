import { call } from '#kit/contract/call.ts'
import { choice, day, int, keyRef, text, type ValueOf } from '#kit/contract/field.ts'
import { partialFields, shape } from '#kit/contract/shape.ts'
import { sheetColumns, sheetSchemaOf } from '#kit/contract/sheet.ts'
import { declareExport, declareImport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { taskState } from '#modules/system/contract/task.ts'
import { menu } from '../module.ts'
import { company, listCompanies } from './company.ts'

const companyFields = company.fields

/** A company, and one of its rooms: who has several stands in several lines. */
const sheetFields = {
  name: companyFields.name,
  ...partialFields({
    companyNo: companyFields.companyNo,
    creditCode: companyFields.creditCode,
    legalPerson: companyFields.legalPerson,
    contactName: companyFields.contactName,
    contactPhone: companyFields.contactPhone,
    industry: companyFields.industry,
    staffCount: companyFields.staffCount,
    inDate: companyFields.inDate,
  }),
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋'] }),
  unitName: text('单元', { max: 20 }),
  roomNo: text('房号', { max: 20, synonyms: ['房间号', '室号'] }),
  beginDate: day('租用起'),
  endDate: day('租用止'),
  ...partialFields({
    invoiceTitle: companyFields.invoiceTitle,
    taxNo: companyFields.taxNo,
    bankName: companyFields.bankName,
    bankAccount: companyFields.bankAccount,
    remark: companyFields.remark,
  }),
}

export type CompanySheetRow = ValueOf<typeof sheetFields>

const importFields = Object.fromEntries(
  Object.entries(sheetFields).map(([k, x]) => [k, { ...x, initial: undefined, notIn: undefined }]),
) as unknown as typeof sheetFields

const columnOrder = [
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

export const companySheet = sheetSchemaOf<CompanySheetRow>(
  '企业',
  { fields: importFields },
  { keys: columnOrder, unique: ['name', 'buildCode', 'unitName', 'roomNo'] },
)

export const companyColumns = sheetColumns(companyFields, [
  ...columnOrder.filter(k => k in companyFields),
  'state',
])

export const importProjectInput = { projectCode: estateField<true>() }

export const importCompanies = declareImport({
  route: 'POST Company/PostImport',
  title: '导入企业',
  needs: menu.company.permissions.import,
  affects: ['company', 'companyRoom', 'room'],
  more: importProjectInput,
})

export const exportCompanies = declareExport({
  route: 'GET Company/GetExport',
  title: '导出企业',
  needs: menu.company.permissions.export,
  of: listCompanies,
})

/** How far an import is; without a number, the latest of the operator. */
export const getImportState = call({
  route: 'GET Company/SearchImportState',
  aliases: ['POST Company/SearchImportState'],
  title: '企业导入进度',
  needs: menu.company.permissions.import,
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
