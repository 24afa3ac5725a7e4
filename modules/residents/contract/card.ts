import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, file, int, keyRef, list, money, ref, text, through } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  bulk,
  byIdsWhy,
  draftOf,
  nothing,
  oneOf,
  pageOf,
  rowsOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { cardState, cardType, faceState } from './words.ts'

const holder = {
  userId: ref('持有人', 'resident', { wire: 'UserID', notIn: ['table', 'filter'] }),
  userName: through('持有人', 'userId', 'name', { wire: ['Username', 'UserName'] }),
  staffId: ref('员工', 'staff', { wire: 'StaffID', notIn: ['table', 'filter'] }),
  staffName: through('员工', 'staffId', 'name', { wire: 'StaffName' }),
} as const

const valid = { beginDate: day('生效'), endDate: day('失效') }

/**
 * A card as somebody's property: whose it is, for which room, until when. Which doors it opens is access
 * control's.
 */
export const identityCard = entity(
  'identityCard',
  '门禁卡',
  { table: 'identity_card', reach: 'project', title: 'cardNo', order: ['-id'] },
  {
    projectCode: estateOf(),
    cardNo: text('卡号', { required: true, max: 20, rule: rules.lettersDigits, fixed: true, sought: true }),
    cardType: choice('卡类型', cardType, { required: true, initial: 'ic' }),
    ...holder,
    roomId: ref('房屋', 'room', { wire: 'RoomID', notIn: ['table', 'filter'] }),
    roomCode: through('房屋编码', 'roomId', 'code', { wire: ['RoomCode', 'Roomcode'], notIn: ['table'] }),
    roomPath: through('房间', 'roomId', 'path', { wire: 'RoomPath' }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      fixed: true,
      notIn: ['table', 'form', 'filter'],
    }),
    doorwayGroupIds: list('门组', { max: 100, wire: 'DoorwayGroupIDs', notIn: ['table', 'filter'] }),
    ...valid,
    deposit: money('押金', { min: 0 }),
    state: choice('状态', cardState, { required: true, initial: 'normal', fixed: true, notIn: ['form'] }),
    issueBy: ref('发卡人', 'manager', { fixed: true, notIn: ['table', 'form', 'filter'] }),
    endReason: text('注销原因', {
      max: 200,
      fixed: true,
      notIn: ['table', 'form', 'filter'],
      wire: 'EndReason',
    }),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
  },
)

export type IdentityCard = Row<typeof identityCard>

const of = {
  userId: int('住户', { wire: 'UserID', min: 1 }),
  staffId: int('员工', { wire: 'StaffID', min: 1 }),
  roomId: int('房间', { wire: 'RoomID', min: 1 }),
}

const cardDraft = draftOf(identityCard, ['state', 'issueBy', 'endReason', 'buildCode'])

export const listCards = call({
  at: 'GET PropertyUserIdentitycard/Get',
  title: '查询门禁卡',
  needs: menu.card.may.view,
  input: search(identityCard, ['cardType', 'state', 'endDate', 'createTime'], of),
  output: pageOf(identityCard),
})

/** All cards of one holder or room. */
export const cardsOf = call({
  at: 'GET PropertyUserIdentitycard/GetList',
  names: ['PropertyUserIdentitycard/GetCardList'],
  title: '持卡列表',
  needs: menu.card.may.view,
  input: shape(of),
  output: rowsOf({ ...identityCard.fields }),
})

export const cardTypes = call({
  at: 'GET PropertyUserIdentitycard/GetCardTypeList',
  title: '卡类型',
  needs: everyone,
  input: shape({}),
  output: rowsOf({ code: int('代码', { required: true }), name: text('名称', { required: true }) }),
})

/** A new card (no id) or a changed one; BASE-15: nobody on the block list gets one. */
export const saveCard = call({
  at: 'PUT PropertyUserIdentitycard/put',
  names: ['POST PropertyUserIdentitycard/post'],
  title: '发卡',
  needs: menu.card.may.add,
  input: cardDraft,
  output: oneOf(identityCard),
  affects: ['identityCard', 'resident'],
})

/** 挂失, 解挂, 注销: each card by itself. */
export const changeCards = call({
  at: 'POST PropertyUserIdentitycard/BatchPut',
  title: '变更卡状态',
  needs: menu.card.may.edit,
  affects: ['identityCard', 'resident'],
  input: shape({
    ids: list('编号', { required: true, wire: ['Ids', 'ID'], max: 2000 }),
    state: choice('状态', cardState, { required: true }),
    reason: text('原因', { max: 200 }),
  }),
  output: bulk,
})

export const deleteCards = call({
  at: 'DELETE PropertyUserIdentitycard/Delete',
  title: '删除门禁卡',
  needs: menu.card.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['identityCard', 'resident'],
})

/** A face as somebody's key. Devices get it from access control; its state says how far it is. */
export const faceKey = entity(
  'faceKey',
  '人脸',
  { table: 'face_key', reach: 'project', title: 'userName', order: ['-id'] },
  {
    projectCode: estateOf(),
    ...holder,
    face: file('人脸照片', { required: true, wire: 'FaceUrl', help: '正面免冠照，不超过 2048 KB' }),
    quality: int('质量分', { min: 0, max: 100, fixed: true, notIn: ['form'] }),
    doorwayGroupIds: list('门组', { max: 100, wire: 'DoorwayGroupIDs', notIn: ['table', 'filter'] }),
    ...valid,
    state: choice('状态', faceState, { required: true, initial: 'waiting', fixed: true, notIn: ['form'] }),
    failReason: text('失败原因', { max: 100, fixed: true, notIn: ['form'] }),
  },
)

export type FaceKey = Row<typeof faceKey>
const faceDraft = draftOf(faceKey, ['quality', 'state', 'failReason'])

export const listFaces = call({
  at: 'GET PropertyUserFacekey/get',
  title: '查询人脸',
  needs: menu.card.may.view,
  input: search(faceKey, ['state', 'endDate', 'createTime'], { userId: of.userId }),
  output: pageOf(faceKey),
})

export const listStaffFaces = call({
  at: 'GET PropertyUserFacekey/XiaoChengXuStaffGet',
  title: '查询员工人脸',
  needs: menu.card.may.view,
  input: search(faceKey, ['state', 'endDate', 'createTime'], { staffId: of.staffId }),
  output: pageOf(faceKey),
})

/** `ID` above 0 changes the one that is there ([S]). */
export const saveFace = call({
  at: 'POST PropertyUserFacekey/PostPC',
  title: '录入人脸',
  needs: menu.card.may.add,
  input: faceDraft,
  output: oneOf(faceKey),
  affects: ['faceKey', 'resident'],
})

export const saveStaffFace = call({
  at: 'POST PropertyUserFacekey/PostStaffPC',
  title: '录入员工人脸',
  needs: menu.card.may.add,
  input: faceDraft,
  output: oneOf(faceKey),
  affects: ['faceKey', 'resident'],
})

export const deleteFaces = call({
  at: 'DELETE PropertyUserFacekey/DeletePC',
  title: '删除人脸',
  needs: menu.card.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['faceKey', 'resident'],
})
