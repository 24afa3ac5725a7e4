import { cardPermissions } from './card-permissions.ts'
import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  file,
  flag,
  idOf,
  int,
  keyRef,
  list,
  money,
  ref,
  text,
  lookup,
  systemChoice,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  bulkResult,
  byIdsWithReason,
  draftOf,
  idRule,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { cardState, cardType, faceState } from './labels.ts'

/** A number as it is kept: it is hexadecimal as a rule, and readers spell it in either case (ACS-1). */
export const cardNumberOf = (cardNo: string): string => cardNo.toUpperCase()

/** For other modules that have to do with cards. */
export { cardPermissions }

const holderFields = {
  userId: ref('持有人', 'resident', { wire: 'UserID', hiddenIn: ['table', 'filter'] }),
  userName: lookup('持有人', 'userId', 'name', { wire: ['Username', 'UserName'] }),
  staffId: ref('员工', 'staff', { wire: 'StaffID', hiddenIn: ['table', 'filter'] }),
  staffName: lookup('员工', 'staffId', 'name', { wire: 'StaffName' }),
} as const

/** Doors beside those of the holder's home and work. */
const doorwayGroupsField = {
  ...list('门组', {
    max: 100,
    rule: idRule,
    wire: 'DoorwayGroupIDs',
    hiddenIn: ['table', 'filter'],
    help: '住处、单位之外另授予的门',
  }),
  target: 'doorwayGroup',
  targetBy: 'id' as const,
}

const validityFields = { beginDate: day('生效'), endDate: day('失效') }

/**
 * A card as somebody's property: whose it is, for which room, until when. Which doors it opens is access
 * control's.
 */
export const identityCard = entity(
  'identityCard',
  '门禁卡',
  { table: 'identity_card', tenancy: 'project', title: 'cardNo', order: ['-id'] },
  {
    projectCode: estateField(),
    cardNo: text('卡号', {
      required: true,
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
    }),
    cardType: choice('卡类型', cardType, { required: true, initial: 'ic' }),
    ...holderFields,
    roomId: ref('房屋', 'room', { wire: 'RoomID', hiddenIn: ['table', 'filter'] }),
    roomCode: lookup('房屋编码', 'roomId', 'code', { wire: ['RoomCode', 'Roomcode'], hiddenIn: ['table'] }),
    roomPath: lookup('房间', 'roomId', 'path', { wire: 'RoomPath' }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      immutable: true,
      hiddenIn: ['table', 'form', 'filter'],
    }),
    doorwayGroupIds: doorwayGroupsField,
    ...validityFields,
    deposit: money('押金', { min: 0 }),
    state: systemChoice('状态', cardState, 'normal'),
    issueBy: ref('发卡人', 'manager', { immutable: true, hiddenIn: ['table', 'form', 'filter'] }),
    endReason: text('注销原因', {
      max: 200,
      immutable: true,
      hiddenIn: ['table', 'form', 'filter'],
      wire: 'EndReason',
    }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type IdentityCard = Row<typeof identityCard>

const holderFilters = {
  userId: idOf('住户', { wire: 'UserID', min: 1 }),
  staffId: idOf('员工', { wire: 'StaffID', min: 1 }),
  roomId: idOf('房间', { wire: 'RoomID', min: 1 }),
}

/** Whose validity ends within this many days, today included (ACS-4). */
export const endingDays = 7

const endsSoonFilter = { endsSoon: flag('即将到期', { wire: 'EndsSoon' }) }

const cardDraft = draftOf(identityCard, ['state', 'issueBy', 'endReason', 'buildCode'])

export const listCards = call({
  route: 'GET PropertyUserIdentitycard/Get',
  title: '查询门禁卡',
  needs: menu.card.permissions.view,
  input: search(identityCard, ['cardType', 'state', 'endDate', 'createTime'], {
    ...holderFilters,
    ...endsSoonFilter,
  }),
  output: pageOf(identityCard),
})

/** All cards of one holder or room. */
export const listHolderCards = call({
  route: 'GET PropertyUserIdentitycard/GetList',
  aliases: ['PropertyUserIdentitycard/GetCardList'],
  title: '持卡列表',
  needs: menu.card.permissions.view,
  input: shape(holderFilters),
  output: listOfRows({ ...identityCard.fields }),
})

export const listCardTypes = call({
  route: 'GET PropertyUserIdentitycard/GetCardTypeList',
  title: '卡类型',
  needs: everyone,
  input: shape({}),
  output: listOfRows({ code: int('代码', { required: true }), name: text('名称', { required: true }) }),
})

/** A new card (no id) or a changed one; BASE-15: nobody on the block list gets one. */
export const saveCard = call({
  route: 'PUT PropertyUserIdentitycard/put',
  aliases: ['POST PropertyUserIdentitycard/post'],
  title: '发卡',
  needs: menu.card.permissions.add,
  input: cardDraft,
  output: recordOf(identityCard),
  affects: ['identityCard', 'resident'],
})

/** 挂失, 解挂, 注销: each card separately. */
export const changeCardStates = call({
  route: 'POST PropertyUserIdentitycard/BatchPut',
  title: '变更卡状态',
  needs: menu.card.permissions.edit,
  affects: ['identityCard', 'resident'],
  input: shape({
    ids: list('编号', { required: true, wire: ['Ids', 'ID'], max: 2000 }),
    state: choice('状态', cardState, { required: true }),
    reason: text('原因', { max: 200 }),
  }),
  output: bulkResult,
})

export const deleteCards = call({
  route: 'DELETE PropertyUserIdentitycard/Delete',
  title: '删除门禁卡',
  needs: menu.card.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['identityCard', 'resident'],
})

/** Of one person in a project: with and without glasses, a beard, a cap. */
export const maxFaces = 3

/** A face as somebody's key. Devices get it from access control; its state says how far it is. */
export const faceKey = entity(
  'faceKey',
  '人脸',
  { table: 'face_key', tenancy: 'project', title: 'userName', order: ['-id'] },
  {
    projectCode: estateField(),
    ...holderFields,
    face: file('人脸照片', {
      required: true,
      wire: 'FaceUrl',
      help: '正面免冠照，JPG 或 PNG，宽高不少于 300 像素，不超过 2048 KB；由门禁设备识别，不能识别的为「下发失败」',
    }),
    quality: int('质量分', { min: 0, max: 100, immutable: true, hiddenIn: ['form'] }),
    doorwayGroupIds: doorwayGroupsField,
    ...validityFields,
    state: systemChoice('状态', faceState, 'waiting'),
    failReason: text('失败原因', { max: 100, immutable: true, hiddenIn: ['form'] }),
    /** On no device any more, whatever it was: its last day is past. */
    isExpired: flag('已过期', { derived: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] }),
  },
)

export type FaceKey = Row<typeof faceKey>

const expiredFilter = { isExpired: flag('已过期', { wire: 'IsExpired' }) }
const faceDraft = draftOf(faceKey, ['quality', 'state', 'failReason'])

export const listFaces = call({
  route: 'GET PropertyUserFacekey/get',
  title: '查询人脸',
  needs: menu.card.permissions.view,
  input: search(faceKey, ['state', 'endDate', 'createTime'], {
    userId: holderFilters.userId,
    ...endsSoonFilter,
    ...expiredFilter,
  }),
  output: pageOf(faceKey),
})

export const listStaffFaces = call({
  route: 'GET PropertyUserFacekey/XiaoChengXuStaffGet',
  title: '查询员工人脸',
  needs: menu.card.permissions.view,
  input: search(faceKey, ['state', 'endDate', 'createTime'], {
    staffId: holderFilters.staffId,
    ...endsSoonFilter,
    ...expiredFilter,
  }),
  output: pageOf(faceKey),
})

/** `ID` above 0 changes the one that is there ([S]). */
export const saveFace = call({
  route: 'POST PropertyUserFacekey/PostPC',
  title: '录入人脸',
  needs: menu.card.permissions.add,
  input: faceDraft,
  output: recordOf(faceKey),
  affects: ['faceKey', 'resident'],
})

export const saveStaffFace = call({
  route: 'POST PropertyUserFacekey/PostStaffPC',
  title: '录入员工人脸',
  needs: menu.card.permissions.add,
  input: faceDraft,
  output: recordOf(faceKey),
  affects: ['faceKey', 'resident'],
})

export const deleteFaces = call({
  route: 'DELETE PropertyUserFacekey/DeletePC',
  title: '删除人脸',
  needs: menu.card.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['faceKey', 'resident'],
})
