import { call } from '#kit/contract/call.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { flag, moment, pickFields, text } from '#kit/contract/field.ts'
import {
  bulkResult,
  byId,
  pageOf,
  pageOfRows,
  recordIdsField,
  recordOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { rules } from '#kit/contract/rules.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { locationField } from './check.ts'
import { inviteValid } from './invite-valid.ts'
import { visitRecord } from './visit-record.ts'
import { inviteVisitor } from './visitor.ts'

const { permissions } = menu.visit

/** The visitors' book. */
export const listVisits = call({
  route: 'GET InviteCheckmanage/Get',
  title: '查询到访登记',
  needs: permissions.view,
  input: search(visitRecord, ['visitorKind', 'state', 'inTime', 'outTime', 'inLocationId', 'invitationId'], {
    isOverdue: flag('超时未离', { wire: 'IsOverdue' }),
    isWalkIn: flag('临时来访', { wire: 'IsWalkIn' }),
    visitorId: { ...visitRecord.fields.visitorId, required: false as const },
  }),
  output: pageOf(visitRecord),
})

export const getVisit = call({
  route: 'GET InviteCheckmanage/GetOne',
  title: '查看到访登记',
  needs: permissions.view,
  input: byId,
  output: recordOf(visitRecord),
})

/** What was entered of somebody the last time: the guard need not ask again. */
export const getLastVisit = call({
  route: 'GET InviteCheckmanage/GetLastOne',
  title: '查看最近一次到访',
  needs: permissions.check,
  input: shape({
    projectCode: estateField<true>(),
    mobile: text('手机', { max: 20, rule: rules.mobile, wire: 'Mobile' }),
    certNo: text('证件号', { max: 30, wire: 'CertNo' }),
    plateNo: text('车牌', { max: 20, wire: 'PlateNo' }),
  }),
  output: recordOf(visitRecord),
})

/** VIS-5: somebody who comes without an invitation. */
export const addWalkIn = call({
  route: 'POST InviteCheckmanage/Post',
  title: '登记临时来访',
  needs: permissions.add,
  affects: ['visitRecord'],
  input: shape({
    ...pickFields(visitRecord.fields, [
      'projectCode',
      'visitorKind',
      'visitorName',
      'mobile',
      'certType',
      'certNo',
      'plateNo',
      'personCount',
      'roomId',
      'hostName',
      'reason',
      'temperature',
      'items',
      'itemPhotos',
      'checkPhoto',
      'remark',
    ]),
    locationId: locationField,
    endTime: moment('应离时间', { wire: 'EndTime', help: '不填为当日结束' }),
  }),
  output: recordOf(visitRecord),
})

export const leave = call({
  route: 'PUT InviteCheckmanage/PutLeave',
  title: '登记离开',
  needs: permissions.check,
  affects: ['visitRecord', 'inviteVisitor', 'invitation', 'inviteValid'],
  input: shape({ ids: recordIdsField, locationId: locationField }),
  output: bulkResult,
})

export const visitExport = crudExport(
  { entity: visitRecord, path: 'InviteCheckmanage', list: listVisits },
  { route: 'GET InviteCheckmanage/export', needs: permissions.export },
)

const { inviteNo: _, ...shownVisitorFields } = inviteVisitor.fields

/** Visitors without their codes: a code is the key of one person. */
export const listVisitors = call({
  route: 'GET InviteVisitor/Get',
  title: '查询邀请访客',
  needs: permissions.view,
  input: search(inviteVisitor, ['state', 'beginTime', 'endTime', 'invitationId'], {
    isExpected: flag('今日待访', { wire: 'IsExpected' }),
  }),
  output: pageOfRows(shownVisitorFields, { entity: inviteVisitor.name }),
})

export const getVisitor = call({
  route: 'GET InviteVisitor/GetOne',
  title: '查看邀请访客',
  needs: permissions.view,
  input: byId,
  output: shape(shownVisitorFields, { entity: inviteVisitor.name }),
})

export const exportVisitors = declareExport({
  route: 'GET InviteVisitor/GetExport',
  title: '导出邀请访客',
  needs: permissions.export,
  list: listVisitors,
})

/** Codes that were shown at gates. */
export const listValidations = call({
  route: 'GET InviteValid/Get',
  title: '查询核验记录',
  needs: permissions.view,
  input: search(inviteValid, ['result', 'direction', 'validTime', 'locationId', 'invitationId', 'visitorId']),
  output: pageOf(inviteValid),
})

export const exportValidations = declareExport({
  route: 'GET InviteVisitor/GetExportRecord',
  title: '导出核验记录',
  needs: permissions.export,
  list: listValidations,
})
