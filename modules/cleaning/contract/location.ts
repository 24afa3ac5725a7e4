import { call } from '#kit/contract/call.ts'
import { crud, idsFilter } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, keyRef, lookup, pickFields, ref, text } from '#kit/contract/field.ts'
import { siteAddressRule } from '#kit/contract/rules.ts'
import { extendShape, fileResponse, shape } from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** A place that is cleaned and looked at; its sign is scanned there. */
export const cleaningLocation = entity(
  'cleaningLocation',
  '保洁点位',
  {
    table: 'cleaning_location',
    tenancy: 'project',
    title: 'locationName',
    order: ['projectCode', 'buildCode', 'floorNum', 'locationName'],
  },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    locationName: text('名称', { required: true, max: 60, searchable: true, synonyms: ['点位', '点位名称'] }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table'],
      synonyms: ['楼号', '栋'],
    }),
    buildName: lookup('楼栋', 'buildCode', 'name', { wire: 'BuildName' }),
    floorNum: int('楼层', { min: -9, max: 200, wire: 'FloorNum', help: '地下为负数，如 -1' }),
    templateId: ref('保洁模板', 'cleaningTemplate', {
      wire: 'TemplateID',
      hiddenIn: ['table', 'sheet', 'detail'],
      help: '到点位检查时采用的检查项',
    }),
    templateName: lookup('保洁模板', 'templateId', 'templateName', { wire: 'TemplateName' }),
    staffId: ref('保洁员', 'staff', { wire: 'StaffID', hiddenIn: ['table', 'sheet', 'detail'] }),
    staffName: lookup('保洁员', 'staffId', 'name', { wire: 'StaffName' }),
    /** Random: a number that can be guessed would be signed from anywhere. */
    qrCode: text('二维码', {
      max: 60,
      immutable: true,
      wire: 'QrCode',
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    remark: text('备注', { max: 200, hiddenIn: ['filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type CleaningLocation = Row<typeof cleaningLocation>

const { permissions } = menu.location

export const cleaningLocations = crud(cleaningLocation, {
  path: 'CleaningLocation',
  permissions,
  filters: ['buildCode', 'templateId', 'staffId', 'floorNum', 'state'],
  search: { ids: idsFilter },
  without: ['qrCode'],
  list: { route: 'GET CleaningLocation/Query' },
  add: { route: 'POST CleaningLocation/AddCleanLocation' },
  edit: { route: 'POST CleaningLocation/EditCleanLocation' },
  delete: { route: 'POST CleaningLocation/CleanDelete' },
})

export const exportLocations = crudExport(cleaningLocations, { needs: permissions.export })

export const importLocations = crudImport(cleaningLocations, {
  needs: permissions.import,
  columns: ['locationName', 'buildCode', 'floorNum', 'templateId', 'staffId', 'remark', 'state'],
  optional: ['state'],
  unique: ['locationName', 'buildCode', 'floorNum'],
})

export const maxLabels = 200

/** A sheet of labels: the QR picture of each point opens its inspection on the phone. */
export const printLocationLabels = call({
  route: 'GET CleaningLocation/GetLocationMakeQRCodePDF',
  title: '打印保洁点位二维码',
  needs: permissions.label,
  input: extendShape(cleaningLocations.list.input, {
    address: text('站点地址', { max: 200, rule: siteAddressRule }),
  }),
  output: fileResponse,
})

/** Whose label was scanned. */
export const findPointOfCode = call({
  route: 'GET CleaningLocation/GetByCode',
  title: '按二维码查看保洁点位',
  needs: menu.plan.permissions.execute,
  input: shape({ code: text('签到码', { required: true, max: 60, wire: ['QrCode', 'Code'] }) }),
  output: shape(pickFields(cleaningLocation.fields, ['id', 'locationName'])),
})
