import { keyRef, text, type ValueOf } from '#kit/contract/field.ts'
import { loosely } from '#kit/contract/shape.ts'
import { sheetColumns, sheetOf } from '#kit/contract/sheet.ts'
import { entity } from '#kit/contract/entity.ts'
import { exports, imports } from '#kit/contract/transfer.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { linkFields, listResidents, resident } from './resident.ts'
import { residency } from './residency.ts'

const f = resident.fields
const l = residency.fields

const place = {
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋', '楼栋名称'] }),
  unitName: text('单元', { max: 20, synonyms: ['单元名称', '单元号'] }),
  roomNo: text('房号', {
    max: 20,
    synonyms: ['房间号', '门牌号', '室号'],
    help: '与楼栋、单元一起填写；都不填则只登记人',
  }),
}

/**
 * What a line says: a person, and the room that he has to do with; who has several rooms stands in several
 * lines.
 */
const line = {
  name: f.name,
  ...loosely({
    mobile: f.mobile,
    gender: f.gender,
    certType: f.certType,
    certNo: f.certNo,
    birthday: f.birthday,
    ...place,
    relation: linkFields.relation,
    isMain: l.isMain,
    isPayer: l.isPayer,
    inDate: l.inDate,
    leaseBegin: l.leaseBegin,
    leaseEnd: l.leaseEnd,
    phone2: f.phone2,
    nation: f.nation,
    education: f.education,
    workUnit: f.workUnit,
    email: f.email,
    address: f.address,
    emergencyName: f.emergencyName,
    emergencyPhone: f.emergencyPhone,
    tags: f.tags,
    remark: f.remark,
  }),
}

export type ResidentLine = ValueOf<typeof line>

/** An empty cell says nothing about the record. */
const helps: Readonly<Record<string, string>> = {
  name: '填文字，不超过 40 个字，不含表情和符号',
  mobile: '填 11 位手机号',
  phone2: '填手机号，或带区号的座机',
  emergencyPhone: '填手机号，或带区号的座机',
  emergencyName: '填文字，不超过 20 个字',
}

const silent = Object.fromEntries(
  Object.entries(line).map(([k, x]) => [
    k,
    { ...x, initial: undefined, notIn: undefined, ...(helps[k] ? { help: helps[k] } : {}) },
  ]),
) as unknown as typeof line

const order = [
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

export const ofProject = { projectCode: estateOf<true>() }

export const residentSheet = sheetOf<ResidentLine>(
  '住户',
  { fields: silent },
  { keys: order, unique: ['mobile', 'buildCode', 'unitName', 'roomNo'] },
)

export const importResidents = imports({
  at: 'POST User/PostImport',
  title: '导入住户',
  needs: menu.resident.may.import,
  affects: ['resident', 'residency', 'room'],
  more: ofProject,
})

/**
 * A person with one of his homes in one row: what an export writes and an import reads. Kept by the database
 * as a view.
 */
export const residentLine = entity(
  'residentLine',
  '住户',
  { table: 'resident_line', reach: 'company', title: 'name', order: ['-id'] },
  {
    ...silent,
    userType: f.userType,
    wechatBind: f.wechatBind,
    appBind: f.appBind,
    source: f.source,
    state: f.state,
    buildName: text('楼栋'),
    estateName: text('项目'),
    roomPath: text('房间'),
    status: l.status,
  },
)

export const residentColumns = sheetColumns(residentLine.fields, [
  ...order.map(k => (k === 'buildCode' ? 'buildName' : k)),
  'estateName',
])

export const exportResidents = exports({
  at: 'GET User/GetExport',
  title: '导出住户',
  needs: menu.resident.may.export,
  of: listResidents,
})
