import { keyRef, text, type ValueOf } from '#kit/contract/field.ts'
import { partialFields } from '#kit/contract/shape.ts'
import { sheetColumns, sheetSchemaOf } from '#kit/contract/sheet.ts'
import { entity } from '#kit/contract/entity.ts'
import { declareExport, declareImport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { residencyDraftFields, listResidents, resident } from './resident.ts'
import { residency } from './residency.ts'

const residentFields = resident.fields
const residencyFields = residency.fields

const roomKeyFields = {
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋', '楼栋名称'] }),
  unitName: text('单元', { max: 20, synonyms: ['单元名称', '单元号'] }),
  roomNo: text('房号', {
    max: 20,
    synonyms: ['房间号', '门牌号', '室号'],
    help: '与楼栋、单元一起填写；都不填则只登记人',
  }),
}

/** A line: a person and one room of the person, who has a line for each room. */
const sheetFields = {
  name: residentFields.name,
  ...partialFields({
    mobile: residentFields.mobile,
    gender: residentFields.gender,
    certType: residentFields.certType,
    certNo: residentFields.certNo,
    birthday: residentFields.birthday,
    ...roomKeyFields,
    relation: residencyDraftFields.relation,
    isMain: residencyFields.isMain,
    isPayer: residencyFields.isPayer,
    inDate: residencyFields.inDate,
    leaseBegin: residencyFields.leaseBegin,
    leaseEnd: residencyFields.leaseEnd,
    phone2: residentFields.phone2,
    nation: residentFields.nation,
    education: residentFields.education,
    workUnit: residentFields.workUnit,
    email: residentFields.email,
    address: residentFields.address,
    emergencyName: residentFields.emergencyName,
    emergencyPhone: residentFields.emergencyPhone,
    tags: residentFields.tags,
    remark: residentFields.remark,
  }),
}

export type ResidentSheetRow = ValueOf<typeof sheetFields>

/** What a cell may hold, for the columns whose kind says too little. */
const helpTexts: Readonly<Record<string, string>> = {
  name: '填文字，不超过 40 个字，不含表情和符号',
  mobile: '填 11 位手机号',
  phone2: '填手机号，或带区号的座机',
  emergencyPhone: '填手机号，或带区号的座机',
  emergencyName: '填文字，不超过 20 个字',
}

/** Without start values: an empty cell leaves the record as it is. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, without start values
const importFields = Object.fromEntries(
  Object.entries(sheetFields).map(([k, x]) => [
    k,
    { ...x, initial: undefined, hiddenIn: undefined, ...(helpTexts[k] ? { help: helpTexts[k] } : {}) },
  ]),
) as unknown as typeof sheetFields

const columnOrder = [
  'name',
  'mobile',
  'gender',
  'certType',
  'certNo',
  'birthday',
  'buildCode',
  'unitName',
  'roomNo',
  'relation',
  'isMain',
  'isPayer',
  'inDate',
  'leaseBegin',
  'leaseEnd',
  'phone2',
  'nation',
  'education',
  'workUnit',
  'email',
  'address',
  'emergencyName',
  'emergencyPhone',
  'tags',
  'remark',
] as const

export const importProjectInput = { projectCode: estateField<true>() }

export const residentSheet = sheetSchemaOf<ResidentSheetRow>(
  '住户',
  { fields: importFields },
  { keys: columnOrder, unique: ['mobile', 'buildCode', 'unitName', 'roomNo'] },
)

export const importResidents = declareImport({
  route: 'POST User/PostImport',
  title: '导入住户',
  needs: menu.resident.permissions.import,
  affects: ['resident', 'residency', 'room'],
  extraInput: importProjectInput,
})

/**
 * A person with one home in one row: what an export writes and an import reads. Kept by the database as a
 * view.
 */
const residentSheetRow = entity(
  'residentLine',
  '住户',
  { table: 'resident_line', tenancy: 'company', title: 'name', order: ['-id'] },
  {
    ...importFields,
    userType: residentFields.userType,
    wechatBind: residentFields.wechatBind,
    appBind: residentFields.appBind,
    source: residentFields.source,
    state: residentFields.state,
    buildName: text('楼栋'),
    estateName: text('项目'),
    roomPath: text('房间'),
    status: residencyFields.status,
  },
)

export const exportResidents = {
  ...declareExport({
    route: 'GET User/GetExport',
    title: '导出住户',
    needs: menu.resident.permissions.export,
    list: listResidents,
  }),
  entity: residentSheetRow,
  columns: sheetColumns(residentSheetRow.fields, [
    ...columnOrder.map(k => (k === 'buildCode' ? 'buildName' : k)),
    'estateName',
  ]),
}
