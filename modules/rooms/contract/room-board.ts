import { call, everyone } from '#kit/contract/call.ts'
import {
  choice,
  decimal,
  flag,
  idOf,
  int,
  keyRef,
  lines,
  money,
  part,
  text,
  type ValueOf,
} from '#kit/contract/field.ts'
import { listOfRows, shape, recordIdField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { room } from './room.ts'
import { debtAge, positionLevel, placeKind, roomState, sceneType, sectionTone } from './labels.ts'

const { id, projectCode, code, path, roomNo, floorNum, roomType, buildArea, state, unitName } = room.fields

const cellFields = {
  id,
  code,
  path,
  roomNo,
  floorNum,
  roomType,
  roomState: room.fields.roomState,
  buildArea,
  state,
  mainOwnerName: room.fields.mainOwnerName,
  companyName: room.fields.companyName,
  people: room.fields.people,
  /** What is overdue, late fees included; absent without the right to see bills. */
  debt: money('欠费', { wire: 'Debt' }),
  debtAge: choice('欠费账龄', debtAge),
}

export type BoardCell = ValueOf<typeof cellFields>
const count = int('户数', { required: true })

const counts = lines(
  '各房态户数',
  { roomState: choice('房态', roomState, { required: true }), count },
  { required: true },
)

/** Percent with two decimals; absent where no room is delivered yet (STAT-9, STAT-13). */
const occupancy = decimal('入住率', { scale: 2, unit: '%' })
const debt = money('欠费', { wire: 'Debt', help: '已逾期未缴，含违约金' })
const buildCode = keyRef('楼栋', 'building', { required: true, dataDomain: 'building', wire: 'Buildcode' })
const buildName = text('楼栋', { required: true, wire: 'BuildName' })

/** The buildings of an estate with what is in them: the board's left column. */
export const listBoardBuildings = call({
  route: 'GET Room/GetBoardBuildings',
  title: '房态图楼栋',
  needs: menu.room.permissions.view,
  input: shape({ projectCode }),
  output: listOfRows(
    {
      buildCode,
      buildName,
      rooms: int('户数', { required: true }),
      occupied: int('已入住', { required: true }),
      occupancy,
      debt,
    },
    { entity: 'room' },
  ),
})

const boardUnitFields = {
  unitName,
  floorCount: int('层数', { required: true }),
  undergroundFloors: int('地下层数', { required: true }),
  rooms: lines('房间', cellFields, { required: true }),
}

/**
 * One building drawn as floors and units, with counts by state. Rooms come from the highest floor down, by
 * number.
 */
export const getRoomBoard = call({
  route: 'GET Room/GetBoard',
  title: '房态图',
  needs: menu.room.permissions.view,
  input: shape({ projectCode, buildCode }),
  output: shape(
    {
      buildCode,
      buildName,
      total: int('户数', { required: true }),
      occupancy,
      debt,
      debtCounts: lines('欠费户数', { age: choice('欠费账龄', debtAge, { required: true }), count }),
      counts,
      units: lines('单元', boardUnitFields, { required: true }),
    },
    { entity: 'room' },
  ),
})

const sectionLineFields = {
  label: text('名称', { required: true }),
  value: text('内容'),
  /** Instead of a text: amounts are under each other, to the right. */
  amount: money('金额'),
  note: text('说明'),
  tone: choice('含义', sectionTone),
  /** A screen of the product that shows this line whole. */
  to: text('链接'),
}

export const panelSectionFields = {
  key: text('段', { required: true }),
  title: text('标题', { required: true }),
  /** How many there are in all, where the lines are the first of them. */
  count: int('数量'),
  lines: lines('内容', sectionLineFields, { required: true }),
  to: text('全部'),
}

export type PanelSectionContent = ValueOf<typeof panelSectionFields>
export type PanelSectionLine = ValueOf<typeof sectionLineFields>

/** One room, everything: each module gives its section; those the caller may not see are left out. */
export const getRoomPanel = call({
  route: 'GET Room/GetPanel',
  title: '一房一档',
  needs: menu.room.permissions.view,
  input: shape({ id: recordIdField }),
  output: shape(
    {
      room: part('房间', room.fields, { required: true }),
      /** All that is unpaid, due or not: what the cashier would take. */
      unpaid: money('未缴'),
      sections: lines('各段', panelSectionFields, { required: true }),
    },
    { entity: 'room' },
  ),
})

const positionNodeFields = {
  key: text('键', { required: true }),
  level: choice('层级', positionLevel, { required: true }),
  name: text('名称', { required: true }),
  projectCode,
  buildCode: text('楼栋编码', { wire: 'Buildcode' }),
  unitName: text('单元', { wire: 'Unitname' }),
  /** The room or area itself: its id and code; `kind` marks shops and areas. */
  id: idOf('编号', { wire: 'ID' }),
  code: text('编码', { wire: ['Roomcode', 'RoomCode'] }),
  kind: choice('种类', placeKind),
  floorNum: int('楼层'),
  count: int('房间数'),
  leaf: flag('没有下级', { required: true }),
}

export type PositionNode = ValueOf<typeof positionNodeFields>

/**
 * One level of the tree project → building → unit → room, as it is opened. Without a level: what is under the
 * deepest part that is given.
 */
export const listPositionNodes = call({
  route: 'GET Room/GetPositionRoomNode',
  title: '位置树',
  needs: everyone,
  input: shape({
    level: choice('层级', positionLevel),
    projectCode: estateField({ required: false }),
    buildCode: text('楼栋编码', { max: 20, wire: 'Buildcode' }),
    unitName: text('单元', { max: 20, wire: ['Unitname', 'UnitName'] }),
    floorNum: int('楼层', { min: -20, max: 200 }),
    sceneType: choice('房屋类别', sceneType),
  }),
  output: listOfRows(positionNodeFields),
})
