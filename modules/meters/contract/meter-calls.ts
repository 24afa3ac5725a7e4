import { call } from '#kit/contract/call.ts'
import { siteAddressRule } from '#kit/contract/rules.ts'
import { day, decimal, flag, idOf, int, keyRef, list, month, text } from '#kit/contract/field.ts'
import {
  extendShape,
  bulkResult,
  byId,
  byIdsWithReason,
  draftOf,
  partialFields,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
  fileResponse,
  reasonField,
  singleValue,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { idRule, meter, meterReplace } from './meter.ts'

export const meterFilters = [
  'meterNo',
  'meterKind',
  'meterUse',
  'buildCode',
  'standardId',
  'isSmart',
  'installDate',
  'nextVerifyDate',
  'state',
] as const

/**
 * `verifyDue`: within 30 days of the next verification, or after it (MTR-18). `withoutStandard`: charged by
 * none.
 */
const meterSearchFields = {
  verifyDue: flag('检定到期', { wire: 'VerifyDue' }),
  withoutStandard: flag('未设收费标准', { wire: 'NoStandard' }),
  sourceCode: text('对象编码', { max: 40 }),
  parentId: idOf('上级表', { wire: 'ParentMeterID', min: 1 }),
}

const meterDraft = draftOf(meter, ['sortKey', 'sourceName', 'buildCode', 'standardId'])

export const searchMeters = search(meter, meterFilters, meterSearchFields)

export const listMeters = call({
  route: 'GET PropertyMeter/Get',
  title: '查询仪表',
  needs: menu.meter.permissions.view,
  input: searchMeters,
  output: pageOf(meter),
})

export const getMeter = call({
  route: 'GET PropertyMeter/GetOne',
  title: '查看仪表',
  needs: menu.meter.permissions.view,
  input: byId,
  output: recordOf(meter),
})

export const addMeter = call({
  route: 'POST PropertyMeter/Post',
  title: '新增仪表',
  needs: menu.meter.permissions.add,
  input: meterDraft,
  output: recordOf(meter),
  affects: ['meter'],
})

export const editMeter = call({
  route: 'PUT PropertyMeter/Put',
  title: '编辑仪表',
  needs: menu.meter.permissions.edit,
  input: meterDraft,
  output: recordOf(meter),
  affects: ['meter', 'meterReading'],
})

export const deleteMeters = call({
  route: 'PUT PropertyMeter/PutDeleteList',
  title: '删除仪表',
  needs: menu.meter.permissions.del,
  input: byIdsWithReason,
  output: bulkResult,
  affects: ['meter'],
})

/**
 * Deletes what the filter finds, if it still finds as many as the screen counted (BILL-1). Meters with
 * readings stay.
 */
export const deleteMetersBySearch = call({
  route: 'POST PropertyMeter/BatchDeleteBySearch',
  title: '按条件删除仪表',
  needs: menu.meter.permissions.del,
  affects: ['meter'],
  input: extendShape(searchMeters, {
    expected: int('预计条数', { required: true, min: 1, wire: 'Count' }),
    reason: reasonField,
  }),
  output: bulkResult,
})

/** Charges meters by a standard: a relation of the meter's room or area that names the meter. */
export const setMeterStandard = call({
  route: 'PUT PropertyMeter/PutFeeStand',
  title: '设置仪表收费标准',
  needs: menu.meter.permissions.standard,
  affects: ['meter', 'feeRelation'],
  input: shape({
    ids: list('仪表', { required: true, max: 2000, wire: ['Ids', 'ID'], rule: idRule }),
    standardId: idOf('收费标准', { required: true, min: 1, wire: 'StandardID' }),
    beginDate: day('起收日期', { required: true }),
  }),
  output: bulkResult,
})

/** Rooms of a building with their meters; rooms without any too. */
export const listRoomsWithMeters = call({
  route: 'GET PropertyMeter/GetRoomAndMeter',
  title: '房间与仪表',
  needs: menu.meter.permissions.view,
  input: shape({
    projectCode: estateField<true>(),
    buildCode: keyRef('楼栋', 'building', { required: true, dataDomain: 'building', wire: 'Buildcode' }),
  }),
  output: listOfRows({
    roomCode: text('房屋编码', { required: true, wire: ['RoomCode', 'Roomcode'] }),
    roomPath: text('房间', { required: true, wire: 'RoomPath' }),
    unitName: text('单元', { wire: 'UnitName' }),
    meterId: idOf('仪表', { wire: 'MeterID' }),
    ...partialFields({
      meterNo: meter.fields.meterNo,
      meterKind: meter.fields.meterKind,
      state: meter.fields.state,
    }),
  }),
})

const labelInput = extendShape(searchMeters, {
  ids: list('勾选的仪表', { max: 2000, wire: ['Ids', 'ID'], rule: idRule }),
  address: text('站点地址', { max: 200, rule: siteAddressRule }),
})

/** Labels that are made while the caller waits; more are a task. */
export const maxDirectLabels = 200

/** A sheet of labels: the QR picture of each meter opens it on the phone. */
export const printLabels = call({
  route: 'GET PropertyMeter/ExportPDF2',
  title: '打印仪表二维码',
  needs: menu.meter.permissions.label,
  input: labelInput,
  output: fileResponse,
})

/** The same as a task: a project's labels take the server seconds. */
export const startLabels = call({
  route: 'POST PropertyMeter/PostExportPDF2',
  title: '后台生成仪表二维码',
  needs: menu.meter.permissions.label,
  input: labelInput,
  output: singleValue(int('任务', { required: true })),
})

/** MTR-11: the old meter's last number, and the new meter in its place. */
export const replaceMeter = call({
  route: 'POST SmartMeter/PostChangeMeter',
  title: '换表',
  needs: menu.meter.permissions.replace,
  affects: ['meter', 'meterReading', 'meterReplace', 'feeRelation'],
  input: shape({
    meterId: idOf('原表', { required: true, min: 1, wire: 'MeterID' }),
    oldEndNum: meterReplace.fields.oldEndNum,
    newMeterNo: meterReplace.fields.newMeterNo,
    newInitNum: meterReplace.fields.newInitNum,
    newMultiple: meterReplace.fields.newMultiple,
    newDigits: int('新表位数', { min: 3, max: 9 }),
    replaceDate: meterReplace.fields.replaceDate,
    reason: meterReplace.fields.reason,
    isRollover: flag('旧表翻表', { initial: false }),
  }),
  output: recordOf(meterReplace),
})

/** Undoes a wrong replacement, while the new meter has no reading. */
export const undoReplacement = call({
  route: 'POST SmartMeter/PostUndoChange',
  title: '撤销换表',
  needs: menu.meter.permissions.replace,
  affects: ['meter', 'meterReading', 'meterReplace', 'feeRelation'],
  output: recordOf(meter),
  input: shape({
    meterId: idOf('原表', { required: true, min: 1, wire: 'MeterID' }),
    reason: reasonField,
  }),
})

export const listReplacements = call({
  route: 'GET SmartMeter/GetChangeMeter',
  title: '换表记录',
  needs: menu.meter.permissions.view,
  input: search(meterReplace, ['meterId', 'replaceDate']),
  output: pageOf(meterReplace),
})

/** What a main meter counted beyond the meters under it (SHR-1). */
export const listMainLosses = call({
  route: 'GET PropertyMeter/GetMainLoss',
  title: '总表损耗',
  needs: menu.meter.permissions.view,
  input: shape({
    projectCode: estateField<true>(),
    fromMonth: month('月份起', { required: true, wire: 'MonthFrom' }),
    toMonth: month('月份止', { required: true, wire: 'MonthTo' }),
  }),
  output: listOfRows({
    meterId: idOf('总表', { required: true, wire: 'MeterID' }),
    meterNo: meter.fields.meterNo,
    sourceName: meter.fields.sourceName,
    meterKind: meter.fields.meterKind,
    parts: int('分表数', { required: true }),
    usage: decimal('总表用量', { required: true }),
    partUsage: decimal('分表用量', { required: true }),
    loss: decimal('损耗', { required: true }),
    rate: decimal('损耗率', { scale: 2, unit: '%' }),
  }),
})
