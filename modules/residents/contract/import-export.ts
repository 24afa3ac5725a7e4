import { crudImport, type SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { entity } from '#kit/contract/entity.ts'
import { choice, flag, keyRef, pickFields, text } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { relation } from './relation.ts'
import { listResidents, resident } from './resident.ts'
import { residency } from './residency.ts'

const { name, mobile, phone2, emergencyName, emergencyPhone } = resident.fields

const roomKeyFields = {
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋', '楼栋名称'] }),
  unitName: text('单元', { max: 20, synonyms: ['单元名称', '单元号'] }),
  roomNo: text('房号', {
    max: 20,
    synonyms: ['房间号', '门牌号', '室号'],
    help: '与楼栋、单元一起填写；都不填则只登记人',
  }),
}

const personKeys = [
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

const identityKeys = ['name', 'mobile', 'gender', 'certType', 'certNo', 'birthday'] as const
const residencyKeys = ['relation', 'isMain', 'isPayer', 'inDate', 'leaseBegin', 'leaseEnd'] as const
const sheetKeys = [
  ...identityKeys,
  'buildCode',
  'unitName',
  'roomNo',
  ...residencyKeys,
  ...personKeys,
] as const

/** A line: a person and one room of the person, who has a line for each room. */
export const importResidents = crudImport(
  { entity: resident, path: 'User' },
  {
    needs: menu.resident.permissions.import,
    input: { projectCode: estateField<true>() },
    affects: ['resident', 'residency', 'room'],
    fields: {
      name: { ...name, help: '填文字，不超过 40 个字，不含表情和符号' },
      mobile: { ...mobile, help: '填 11 位手机号' },
      ...roomKeyFields,
      relation: choice('关系', relation),
      isMain: flag('主业主'),
      isPayer: flag('缴费人'),
      ...pickFields(residency.fields, ['inDate', 'leaseBegin', 'leaseEnd']),
      phone2: { ...phone2, help: '填手机号，或带区号的座机' },
      emergencyName: { ...emergencyName, help: '填文字，不超过 20 个字' },
      emergencyPhone: { ...emergencyPhone, help: '填手机号，或带区号的座机' },
    },
    columns: sheetKeys,
    unique: ['mobile', 'buildCode', 'unitName', 'roomNo'],
  },
)

export type ResidentSheetRow = SheetLineOf<typeof importResidents>

/**
 * A person with one home in one row: what an export writes and an import reads. Kept by the database as a
 * view.
 */
const residentSheetRow = entity(
  'residentLine',
  '住户',
  { table: 'resident_line', tenancy: 'company', title: 'name', order: ['-id'] },
  {
    ...pickFields(resident.fields, [...identityKeys, ...personKeys]),
    ...roomKeyFields,
    ...pickFields(residency.fields, [...residencyKeys, 'status']),
    ...pickFields(resident.fields, ['userType', 'wechatBind', 'appBind', 'source', 'state']),
    buildName: text('楼栋'),
    estateName: text('项目'),
    roomPath: text('房间'),
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
    ...sheetKeys.map(key => (key === 'buildCode' ? 'buildName' : key)),
    'estateName',
  ]),
}
