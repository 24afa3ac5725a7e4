import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, idOf, int, list, ref, text, lookup, type ValueOf } from '#kit/contract/field.ts'
import {
  bulkResult,
  byIdsWithReason,
  noData,
  recordOf,
  pageOf,
  search,
  shape,
  recordIdField,
} from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { room } from './room.ts'
import { changeItem } from './labels.ts'

const hiddenEverywhere = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/**
 * What was, what is from a day on, and why: the history of a room, and the changes that are still to come
 * (BASE-7).
 */
export const roomChange = entity(
  'roomChange',
  '房间变更',
  { table: 'room_change_log', tenancy: 'project', title: 'item', order: ['-effectiveDate', '-id'] },
  {
    projectCode: estateField(),
    roomId: ref('房间', 'room', { required: true, wire: 'RoomID', hiddenIn: ['table', 'filter'] }),
    buildCode: buildingThrough('roomId'),
    roomCode: text('房屋编码', { required: true, max: 20, hiddenIn: ['table'] }),
    roomPath: lookup('房间', 'roomId', 'path', { searchable: true }),
    item: choice('变更项', changeItem, { required: true, wire: 'Field' }),
    oldValue: text('原值', { max: 200, searchable: true }),
    newValue: text('新值', { max: 200, searchable: true }),
    // Whom a change of the payer speaks of, for bills of past days.
    oldRef: ref('原缴费人', 'resident', hiddenEverywhere),
    newRef: ref('新缴费人', 'resident', hiddenEverywhere),
    effectiveDate: day('生效日期', { required: true }),
    reason: text('原因', { max: 200 }),
    /** False while its day has not come. */
    applied: flag('已生效', { required: true }),
    operatorName: text('操作人', { max: 40, searchable: true }),
  },
)

export type RoomChange = Row<typeof roomChange>

const roomAreaFields = {
  buildArea: room.fields.buildArea,
  innerArea: room.fields.innerArea,
  shareArea: room.fields.shareArea,
  chargeArea: room.fields.chargeArea,
  feeRatio: room.fields.feeRatio,
}

/** The figures of a room that bills are computed from. */
export type RoomAreas = ValueOf<typeof roomAreaFields>
export const roomAreaKeys: readonly (keyof RoomAreas)[] = [
  'buildArea',
  'innerArea',
  'shareArea',
  'chargeArea',
  'feeRatio',
]

/** Areas from a day on, also a future one; what is left out stays (BASE-7). */
export const changeRoomAreas = call({
  route: 'PUT Room/PutArea',
  title: '变更房间面积',
  needs: menu.room.permissions.area,
  input: shape({
    id: recordIdField,
    version: int('版本'),
    ...roomAreaFields,
    effectiveDate: day('生效日期', { required: true }),
    reason: text('变更原因', { required: true, min: 2, max: 200 }),
  }),
  output: recordOf(room),
  affects: ['room', 'roomChange'],
})

export const listRoomChanges = call({
  route: 'GET Room/GetChanges',
  title: '查询房间变更',
  needs: menu.room.permissions.view,
  input: search(roomChange, ['item', 'effectiveDate', 'applied'], {
    roomId: idOf('房间', { wire: 'RoomID', min: 1 }),
    roomCode: text('房屋编码', { max: 20 }),
  }),
  output: pageOf(roomChange),
})

/** Takes back changes whose day has not come. */
export const cancelRoomChanges = call({
  route: 'DELETE Room/DeleteChange',
  title: '撤销未生效的变更',
  needs: menu.room.permissions.area,
  input: byIdsWithReason,
  output: noData,
  affects: ['roomChange'],
})

/**
 * Moves rooms to another state; each that may not go says why (BASE-6). Dates that the new state asks for may
 * come along.
 */
export const changeRoomState = call({
  route: 'PUT Room/PutState',
  title: '变更房态',
  needs: menu.room.permissions.state,
  input: shape({
    ids: list('编号', { required: true, wire: ['Ids', 'ID'], max: 2000 }),
    roomState: room.fields.roomState,
    deliverDate: room.fields.deliverDate,
    checkinDate: room.fields.checkinDate,
    decorateBegin: room.fields.decorateBegin,
    decorateEnd: room.fields.decorateEnd,
    effectiveDate: day('生效日期', { help: '不填为入住、交付或装修开始日，均无时为今天' }),
    reason: text('原因', { max: 200 }),
    overridesChecks: flag('强制交付', { help: '验房问题未整改也交付，须填写原因', wire: 'OverridesChecks' }),
  }),
  output: bulkResult,
  affects: ['room', 'roomChange'],
})
