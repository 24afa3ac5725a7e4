import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  flag,
  idOf,
  int,
  keyRef,
  list,
  moment,
  ref,
  text,
  lookup,
  systemChoice,
} from '#kit/contract/field.ts'
import {
  bulkResult,
  byId,
  byIdsWithReason,
  listOf,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
  recordIdField,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { residencyDraftFields, resident } from './resident.ts'
import { applySource, hiddenMobileField, residencyStatus, residencyChange } from './labels.ts'
import { relation } from './relation.ts'

/** The relation of a person to a room (BASE-9). */
export const residency = entity(
  'residency',
  '住户房屋',
  { table: 'user_room', tenancy: 'project', title: 'userName', order: ['-id'] },
  {
    projectCode: estateField(),
    userId: ref('住户', 'resident', {
      required: true,
      immutable: true,
      wire: 'UserID',
      hiddenIn: ['table', 'filter'],
    }),
    userName: lookup('姓名', 'userId', 'name', { wire: ['Username', 'UserName'] }),
    mobile: lookup('手机号', 'userId', 'mobile', { masked: 'mobile' }),
    roomId: ref('房屋', 'room', {
      required: true,
      immutable: true,
      wire: 'RoomID',
      hiddenIn: ['table', 'filter'],
    }),
    roomCode: lookup('房屋编码', 'roomId', 'code', { wire: ['RoomCode', 'Roomcode'], hiddenIn: ['table'] }),
    roomPath: lookup('房间', 'roomId', 'path', { wire: 'RoomPath' }),
    buildCode: keyRef('楼栋', 'building', {
      required: true,
      immutable: true,
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form'],
    }),
    relation: choice('关系', relation, { required: true, initial: 'owner' }),
    isMain: flag('主业主', { required: true, initial: false }),
    isPayer: flag('缴费人', { required: true, initial: false }),
    inDate: day('入住日期'),
    outDate: day('迁出日期'),
    leaseBegin: day('租期起', { hiddenIn: ['table'] }),
    leaseEnd: day('租期止'),
    status: systemChoice('状态', residencyStatus, 'living'),
    applySource: systemChoice('申请来源', applySource, 'backOffice', { hiddenIn: ['table'] }),
    auditBy: ref('审核人', 'manager', { immutable: true, hiddenIn: ['form', 'table', 'filter'] }),
    auditTime: moment('审核时间', { immutable: true, hiddenIn: ['form', 'table'] }),
    rejectReason: text('驳回原因', { max: 200, immutable: true, hiddenIn: ['form', 'table'] }),
    attachments: list('附件', { max: 9, hiddenIn: ['table', 'filter', 'sheet'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type Residency = Row<typeof residency>

const residencyFilters = {
  userId: idOf('住户', { wire: 'UserID', min: 1 }),
  roomId: idOf('房间', { wire: 'RoomID', min: 1 }),
  roomCode: text('房屋编码', { max: 20, wire: ['RoomCode', 'Roomcode'] }),
}

const movedIn = flag('已入住', { wire: 'MovedIn', help: '否：已登记，尚无入住日期' })

export const listResidencies = call({
  route: 'GET Usertoroom/GetUserToRoom',
  title: '查询住户房屋',
  needs: menu.resident.permissions.view,
  input: search(
    residency,
    [
      'relation',
      'status',
      'isMain',
      'isPayer',
      'inDate',
      'outDate',
      'leaseEnd',
      'applySource',
      'buildCode',
      'createTime',
    ],
    { ...residencyFilters, movedIn },
  ),
  output: pageOf(residency),
})

/** The homes of one person, former ones too. */
export const listResidentHomes = call({
  route: 'GET User/GetUserToRoom',
  title: '住户的房屋',
  needs: menu.resident.permissions.view,
  input: shape({ userId: idOf('住户', { required: true, min: 1, wire: ['UserID', 'ID'] }) }),
  output: listOf(residency),
})

/**
 * People in a room or in several, for pickers: `ID`, `Username`, `Mobile` (0§7), whose middle is hidden from
 * everybody. Those who left are not among them.
 */
export const listRoomResidents = call({
  route: 'POST Usertoroom/GetUsersInRoom',
  aliases: ['Usertoroom/getuserinroom', 'GET Usertoroom/getuserinroom'],
  title: '房间里的人',
  needs: everyone,
  readOnly: true,
  input: shape({
    roomCode: residencyFilters.roomCode,
    roomId: residencyFilters.roomId,
    roomIds: list('多个房间', { max: 50, wire: ['RoomIDs', 'RoomIds'] }),
    projectCode: estateField<false>({ required: false }),
  }),
  output: listOfRows(
    {
      roomId: idOf('房间编号', { required: true, wire: 'RoomID' }),
      id: resident.fields.id,
      name: resident.fields.name,
      mobile: hiddenMobileField,
      linkId: idOf('关系编号', { required: true, wire: 'LinkID' }),
      relation: choice('关系', relation, { required: true }),
      status: choice('状态', residencyStatus, { required: true }),
      isMain: flag('主业主', { required: true }),
      isPayer: flag('缴费人', { required: true }),
      inDate: day('入住日期'),
    },
    { entity: 'residency' },
  ),
})

export const addResidency = call({
  route: 'POST Usertoroom/Post',
  title: '登记入住',
  needs: menu.link.permissions.add,
  affects: ['residency', 'resident', 'room'],
  input: shape({
    userId: idOf('住户', { required: true, wire: 'UserID', min: 1 }),
    projectCode: estateField<false>({ required: false }),
    ...residencyDraftFields,
    attachments: residency.fields.attachments,
  }),
  output: recordOf(residency),
})

export const editResidency = call({
  route: 'PUT Usertoroom/Put',
  title: '修改住户关系',
  needs: menu.link.permissions.edit,
  affects: ['residency', 'resident', 'room'],
  input: shape(
    {
      id: recordIdField,
      version: int('版本'),
      relation: residency.fields.relation,
      isMain: flag('主业主'),
      isPayer: flag('缴费人'),
      inDate: residency.fields.inDate,
      leaseBegin: residency.fields.leaseBegin,
      leaseEnd: residency.fields.leaseEnd,
      effectiveDate: day('生效日期', { help: '更换缴费人或主业主的生效日期，不填为今天' }),
      attachments: residency.fields.attachments,
      remark: residency.fields.remark,
    },
    { entity: residency.name, isDraft: true },
  ),
  output: recordOf(residency),
})

/** Removes residencies that never took effect: pending and rejected ones. */
export const deleteResidencies = call({
  route: 'DELETE Usertoroom/Delete',
  title: '删除住户关系',
  needs: menu.link.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['residency', 'resident', 'room'],
})

const ids = list('编号', { required: true, wire: ['Ids', 'ID'], max: 2000 })

/** Pending to living or rejected, with a reason (BASE-10); each residency separately. */
export const auditResidencies = call({
  route: 'PUT Usertoroom/PutAuditRoomUser',
  title: '审核入住',
  needs: menu.link.permissions.audit,
  affects: ['residency', 'resident', 'room'],
  input: shape({
    ids,
    pass: flag('通过', { required: true, wire: ['Pass', 'IsPass'] }),
    inDate: residencyDraftFields.inDate,
    reason: text('驳回原因', { max: 200, wire: 'Reason' }),
  }),
  output: bulkResult,
})

export const reapplyResidency = call({
  route: 'PUT Usertoroom/PutApplyAgain',
  title: '重新申请入住',
  needs: menu.link.permissions.edit,
  input: byId,
  output: recordOf(residency),
  affects: ['residency', 'resident', 'room'],
})

/** The history of the residencies of a room or a person; entries are never changed. */
export const residencyLog = entity(
  'residencyLog',
  '住户变动',
  { table: 'user_room_log', tenancy: 'project', title: 'userName', order: ['-id'] },
  {
    projectCode: estateField(),
    linkId: ref('关系', 'residency', { wire: 'LinkID', hiddenIn: ['table', 'filter', 'sheet'] }),
    userId: ref('住户', 'resident', {
      required: true,
      wire: 'UserID',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    userName: text('姓名', { required: true, max: 40, wire: ['Username', 'UserName'] }),
    roomId: ref('房屋', 'room', { required: true, wire: 'RoomID', hiddenIn: ['table', 'filter', 'sheet'] }),
    roomPath: lookup('房间', 'roomId', 'path', { wire: 'RoomPath' }),
    buildCode: keyRef('楼栋', 'building', {
      required: true,
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    relation: choice('关系', relation, { required: true }),
    action: choice('变动', residencyChange, { required: true }),
    day: day('日期', { required: true, wire: 'Day' }),
    detail: text('说明', { max: 400 }),
    reason: text('原因', { max: 200 }),
    operatorName: text('操作人', { max: 40 }),
  },
)

export type ResidencyLog = Row<typeof residencyLog>

export const listResidencyLog = call({
  route: 'GET Usertoroom/GetHistory',
  title: '查询住户变动',
  needs: menu.resident.permissions.view,
  input: search(residencyLog, ['action', 'relation', 'day'], residencyFilters),
  output: pageOf(residencyLog),
})
