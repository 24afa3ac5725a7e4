import { call } from '#kit/contract/call.ts'
import { flag, int, lines, list, type ValueOf } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { room } from './room.ts'

export const roomBatchFields = {
  projectCode: estateField(),
  buildCode: room.fields.buildCode,
  unitNames: list('单元', { max: 50, help: '不选则为该楼栋的全部单元' }),
  floorFrom: int('起始楼层', { required: true, min: -20, max: 200, initial: 1 }),
  floorTo: int('终止楼层', { required: true, min: -20, max: 200 }),
  perFloor: int('每层户数', { required: true, min: 1, max: 99, initial: 4 }),
  roomType: room.fields.roomType,
  roomState: room.fields.roomState,
  buildArea: room.fields.buildArea,
  innerArea: room.fields.innerArea,
  layout: room.fields.layout,
}

export type RoomBatch = ValueOf<typeof roomBatchFields>

/** Which of floors × rooms per floor are new and which are there already (BASE-3). */
const batchPlan = shape({
  newCount: int('将新增', { required: true, wire: 'Fresh' }),
  existing: int('已存在', { required: true }),
  rows: lines(
    '明细',
    {
      unitName: room.fields.unitName,
      floorNum: room.fields.floorNum,
      roomNo: room.fields.roomNo,
      exists: flag('已存在', { required: true }),
    },
    { required: true },
  ),
})

export const previewRoomBatch = call({
  route: 'GET Room/GetBatchPreview',
  title: '预览批量生成',
  needs: menu.room.permissions.batch,
  input: shape(roomBatchFields),
  output: batchPlan,
})

export const addRoomBatch = call({
  route: 'POST Room/PostBatch',
  title: '批量生成房间',
  needs: menu.room.permissions.batch,
  input: shape(roomBatchFields),
  output: batchPlan,
  affects: ['room'],
})
