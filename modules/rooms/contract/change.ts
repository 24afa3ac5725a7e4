import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, int, list, ref, text, through, type ValueOf } from '#kit/contract/field.ts'
import { bulk, byIdsWhy, nothing, oneOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { room } from './room.ts'
import { changeItem } from './words.ts'

const inside = { notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/**
 * What was, what is from a day on, and why: the history of a room, and the changes that are still to come
 * (BASE-7).
 */
export const roomChange = entity(
  'roomChange',
  '房间变更',
  { table: 'room_change_log', reach: 'project', title: 'item', order: ['-effectiveDate', '-id'] },
  {
    projectCode: estateOf(),
    roomId: ref('房间', 'room', { required: true, wire: 'RoomID', notIn: ['table', 'filter'] }),
    roomCode: text('房屋编码', { required: true, max: 20, notIn: ['table'] }),
    roomPath: through('房间', 'roomId', 'path'),
    item: choice('变更项', changeItem, { required: true, wire: 'Field' }),
    oldValue: text('原值', { max: 200 }),
    newValue: text('新值', { max: 200 }),
    // Whom a change of the payer speaks of, for bills of past days.
    oldRef: ref('原缴费人', 'resident', inside),
    newRef: ref('新缴费人', 'resident', inside),
    effectiveDate: day('生效日期', { required: true }),
    reason: text('原因', { max: 200 }),
    /** False while its day has not come. */
    applied: flag('已生效', { required: true }),
    operatorName: text('操作人', { max: 40 }),
  },
)

export type RoomChange = Row<typeof roomChange>

const areas = {
  buildArea: room.fields.buildArea,
  innerArea: room.fields.innerArea,
  shareArea: room.fields.shareArea,
  chargeArea: room.fields.chargeArea,
  feeRatio: room.fields.feeRatio,
}

/** The figures of a room that bills are computed from. */
export type Areas = ValueOf<typeof areas>
export const areaKeys = Object.keys(areas) as readonly (keyof Areas)[]

/** Areas from a day on, also a future one; what is left out stays (BASE-7). */
export const changeAreas = call({
  at: 'PUT Room/PutArea',
  title: '变更房间面积',
  needs: menu.room.may.area,
  input: shape({
    id: int('编号', { required: true, min: 1, wire: 'ID' }),
    version: int('版本'),
    ...areas,
    effectiveDate: day('生效日期', { required: true }),
    reason: text('变更原因', { required: true, min: 2, max: 200 }),
  }),
  output: oneOf(room),
  affects: ['room', 'roomChange'],
})

export const listChanges = call({
  at: 'GET Room/GetChanges',
  title: '查询房间变更',
  needs: menu.room.may.view,
  input: search(roomChange, ['item', 'effectiveDate', 'applied'], {
    roomId: int('房间', { wire: 'RoomID', min: 1 }),
    roomCode: text('房屋编码', { max: 20 }),
  }),
  output: pageOf(roomChange),
})

/** Takes back changes whose day has not come. */
export const cancelChanges = call({
  at: 'DELETE Room/DeleteChange',
  title: '撤销未生效的变更',
  needs: menu.room.may.area,
  input: byIdsWhy,
  output: nothing,
  affects: ['roomChange'],
})

/**
 * Moves rooms to another state; each that may not go says why (BASE-6). Dates that the new state asks for may
 * come along.
 */
export const changeState = call({
  at: 'PUT Room/PutState',
  title: '变更房态',
  needs: menu.room.may.state,
  input: shape({
    ids: list('编号', { required: true, wire: ['Ids', 'ID'], max: 2000 }),
    roomState: room.fields.roomState,
    deliverDate: room.fields.deliverDate,
    checkinDate: room.fields.checkinDate,
    decorateBegin: room.fields.decorateBegin,
    decorateEnd: room.fields.decorateEnd,
    reason: text('原因', { max: 200 }),
  }),
  output: bulk,
  affects: ['room', 'roomChange'],
})
