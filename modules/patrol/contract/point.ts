import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choices, decimal, file, int, lines, list, lookup, ref, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  bulkResult,
  byIdsWithReason,
  extendShape,
  fileResponse,
  idRule,
  search,
} from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { checkItemFields } from '#modules/planned-work/contract/task.ts'
import { menu } from '../module.ts'
import { signKind } from './choices.ts'
import { tagNumberRule } from './tag-number.ts'
import { maxCheckItems } from './template.ts'

const beside = { hiddenIn: ['table', 'filter'] } as const

const placeOnDrawing = (label: string) =>
  decimal(label, {
    scale: 2,
    min: 0,
    max: 100,
    immutable: true,
    hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
  })

/** A place where somebody must have been, and how that is shown (PAT-1). */
export const patrolPoint = entity(
  'patrolPoint',
  '巡更点位',
  { table: 'patrol_point', tenancy: 'project', title: 'pointName', order: ['projectCode', 'pointCode'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName', hiddenIn: ['table', 'sheet'] }),
    pointCode: text('编码', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      wire: 'LocationCode',
      searchable: true,
      help: '项目内唯一；不填则自动生成',
    }),
    pointName: text('名称', { required: true, max: 60, wire: 'LocationName', searchable: true }),
    areaId: ref('区域', 'patrolArea', {
      required: true,
      wire: 'AreaID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    areaName: lookup('区域', 'areaId', 'areaName', { wire: 'AreaName' }),
    signTypes: choices('签到方式', signKind, { required: true, initial: ['qr'] }),
    nfcNo: text('NFC 编号', { max: 30, rule: tagNumberRule, searchable: true, ...beside }),
    bleNo: text('蓝牙编号', { max: 60, searchable: true, ...beside }),
    longitude: decimal('经度', { scale: 6, min: -180, max: 180, ...beside }),
    latitude: decimal('纬度', { scale: 6, min: -90, max: 90, ...beside }),
    radius: int('签到半径', {
      min: 10,
      max: 2000,
      unit: '米',
      wire: ['RadiusM', 'Radius'],
      help: '定位签到时使用',
      ...beside,
    }),
    templateId: ref('检查模板', 'patrolTemplate', {
      wire: 'TemplateID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    templateName: lookup('检查模板', 'templateId', 'templateName', { wire: 'TemplateName' }),
    items: lines('其他检查项', checkItemFields, {
      max: maxCheckItems,
      wire: ['CheckItems', 'Items'],
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    photo: file('点位照片', { wire: 'PhotoUrl', hiddenIn: ['table', 'filter', 'sheet'] }),
    /** Where it is on the drawing of its area, in hundredths from the left and from the top. */
    drawingX: placeOnDrawing('图上横向位置'),
    drawingY: placeOnDrawing('图上纵向位置'),
    remark: text('备注', { max: 200, ...beside }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type PatrolPoint = Row<typeof patrolPoint>

const { permissions } = menu.point

export const patrolPoints = crud(patrolPoint, {
  path: 'PatrolLocation',
  permissions,
  filters: ['areaId', 'signTypes', 'state', 'templateId'],
  without: ['drawingX', 'drawingY'],
  list: { aliases: ['PatrolLocation/PCGet'] },
  add: { route: 'POST PatrolLocation/post' },
  edit: { route: 'PUT PatrolLocation/PutOne' },
  affects: ['patrolArea', 'patrolRoad'],
})

export const pickPoints = pickerOf(patrolPoint, {
  route: 'GET PatrolLocation/GetPick',
  title: '选择巡更点位',
  fields: ['id', 'pointCode', 'pointName', 'areaName', 'state'],
  search: { ids: idsFilter },
})

export const exportPoints = crudExport(patrolPoints, {
  needs: permissions.export,
  route: 'GET PatrolLocation/GetExportOutRecords',
})

/** Areas and templates by their names. */
export const importPoints = crudImport(patrolPoints, {
  needs: permissions.import,
  route: 'POST PatrolLocation/PostImport',
  columns: [
    'pointCode',
    'pointName',
    'areaId',
    'signTypes',
    'nfcNo',
    'bleNo',
    'longitude',
    'latitude',
    'radius',
    'templateId',
    'remark',
  ],
  unique: ['pointName'],
  affects: ['patrolPoint', 'patrolArea'],
})

/** `https://anju.example` without a path. */
const siteAddressRule = {
  name: 'siteAddress',
  test: (s: string) => (/^https?:\/\/[\w.:[\]-]+$/.test(s) ? undefined : '站点地址应为 https://域名'),
}

/** Labels of one sheet; a project has some hundred points. */
export const maxLabels = 600

/** A4 sheets of labels: the QR code of each point, its number and name. */
export const printPointLabels = call({
  route: 'GET PatrolLocation/GetLocationMakeQRCodePDF',
  title: '打印巡更点二维码',
  needs: permissions.label,
  input: extendShape(search(patrolPoint, patrolPoints.filters), {
    ids: list('勾选的点位', { max: 2000, wire: ['Ids', 'ID'], rule: idRule }),
    address: text('站点地址', { max: 200, rule: siteAddressRule }),
  }),
  output: fileResponse,
})

/** The labels of before count no more: they were photographed, or got lost. */
export const renewPointCodes = call({
  route: 'POST PatrolLocation/PostRenewCode',
  title: '更换巡更点二维码',
  needs: permissions.renew,
  affects: ['patrolPoint'],
  input: byIdsWithReason,
  output: bulkResult,
})
