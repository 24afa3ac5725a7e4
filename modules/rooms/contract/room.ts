import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  idOf,
  int,
  keyRef,
  list,
  ref,
  text,
  lookup,
  type ValueOf,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  extendShape,
  byIdsWithReason,
  draftOf,
  partialFields,
  noData,
  recordOf,
  pageOfRows,
  listOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { inParts } from '#kit/contract/list-parts.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { payerKind, placeKind, roomState, roomType, sceneType, useType } from './labels.ts'

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const
const hiddenEverywhere = {
  immutable: true,
  hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
} as const

const areaField = (label: string, help?: string) =>
  decimal(label, { unit: '㎡', min: 0, max: 9_999_999, ...(help ? { help } : {}) })

/** A room or a shop: what is lived in, worked in or let as one. */
export const room = entity(
  'room',
  '房间',
  { table: 'room', tenancy: 'project', key: 'code', title: 'path', order: ['projectCode', 'sortKey'] },
  {
    projectCode: estateField(),
    code: text('房屋编码', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      wire: ['Roomcode', 'RoomCode'],
      help: '项目内唯一；不填则自动生成',
    }),
    path: text('房间', { required: true, max: 80, hiddenIn: ['form', 'filter', 'sheet'], wire: 'RoomPath' }),
    buildCode: keyRef('楼栋', 'building', {
      required: true,
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table'],
      synonyms: ['楼宇', '楼号', '栋', '楼栋名称'],
    }),
    unitName: text('单元', {
      required: true,
      max: 20,
      wire: ['Unitname', 'UnitName'],
      synonyms: ['单元名称', '单元号'],
    }),
    floorNum: int('楼层', {
      required: true,
      min: -20,
      max: 200,
      synonyms: ['所在楼层', '层'],
      help: '地下为负数，无 0 层',
    }),
    roomNo: text('房号', {
      required: true,
      max: 20,
      searchable: true,
      synonyms: ['房间号', '门牌号', '室号'],
    }),
    roomType: choice('房屋类型', roomType, {
      required: true,
      initial: 'home',
      wire: 'Roomtype',
      synonyms: ['类型', '房间类型'],
    }),
    buildArea: areaField('建筑面积'),
    innerArea: areaField('套内面积'),
    shareArea: areaField('公摊面积'),
    chargeArea: areaField('计费面积', '不填为建筑面积'),
    feeRatio: decimal('收费系数', { min: 0, max: 9999, initial: '1', ...hiddenInList }),
    layout: text('户型', { max: 20, help: '如 3室2厅' }),
    orientation: text('朝向', { max: 10, hiddenIn: ['table'] }),
    roomState: choice('房态', roomState, {
      required: true,
      initial: 'unsold',
      synonyms: ['房屋状态', '房间状态'],
    }),
    useType: choice('使用性质', useType, { hiddenIn: ['table'] }),
    deliverDate: day('交付日期'),
    checkinDate: day('入住日期', { hiddenIn: ['table'] }),
    decorateBegin: day('装修开始', { hiddenIn: ['table'] }),
    decorateEnd: day('装修结束', { hiddenIn: ['table'] }),
    ownerCertNo: text('产权证号', { max: 40, ...hiddenInList }),
    brand: text('商铺招牌', { max: 40, searchable: true, help: '商铺填写' }),
    industry: text('经营业态', { max: 40, help: '商铺填写' }),
    // People and companies are kept by their own modules; a room carries what its lists show of them.
    mainOwnerId: ref('主业主', 'resident', { wire: 'MainOwnerID', ...hiddenEverywhere }),
    mainOwnerName: text('主业主', {
      max: 40,
      immutable: true,
      hiddenIn: ['form', 'filter'],
      wire: 'MainOwnerName',
    }),
    payerId: ref('缴费人', 'resident', { wire: 'PayerID', ...hiddenEverywhere }),
    payerName: text('缴费人', {
      max: 80,
      immutable: true,
      hiddenIn: ['form', 'filter', 'table'],
      wire: 'PayerName',
    }),
    payerKind: choice('缴费人类别', payerKind, { immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
    companyId: ref('租用企业', 'company', { wire: 'CompanyID', ...hiddenEverywhere }),
    companyName: text('租用企业', {
      max: 80,
      immutable: true,
      hiddenIn: ['form', 'filter', 'table'],
      wire: 'CompanyName',
    }),
    people: int('在住人数', { required: true, initial: 0, immutable: true, hiddenIn: ['form', 'filter'] }),
    remark: text('备注', { max: 200, ...hiddenInList }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
    buildName: lookup('楼栋', 'buildCode', 'name', { wire: 'BuildName' }),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    sortKey: text('次序', {
      required: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
      wire: 'SortKey',
    }),
  },
)

export type Room = Row<typeof room>

/** Made from the others by the server: the way people say a room, and its place in natural order. */
export const computedFields = [
  'path',
  'sortKey',
  'mainOwnerId',
  'mainOwnerName',
  'payerId',
  'payerName',
  'payerKind',
  'companyId',
  'companyName',
  'people',
] as const

const { sortKey: _sortKey, ...listedRoomFields } = room.fields

/**
 * A row of the list. With a scene of public areas some rows are such areas: they have an id of their own, a
 * code, a name as `roomNo`, and no unit.
 */
const listedFields = {
  ...partialFields(listedRoomFields),
  kind: choice('种类', placeKind, {
    required: true,
    derived: true,
    hiddenIn: ['table', 'form', 'filter', 'sheet'],
  }),
}

export type ListedRoom = ValueOf<typeof listedFields>

const extraFilters = {
  sceneType: choice('房屋类别', sceneType, { hiddenIn: ['form'] }),
  unitName: text('单元', { max: 20, wire: ['UnitName', 'Unitname'] }),
  floorNum: int('楼层', { min: -20, max: 200 }),
  /** Rooms whose codes are known: what a picker holds already. */
  codes: list('房屋编码', { max: 2000, wire: 'RoomCodes' }),
}

export const roomFilters = [
  'buildCode',
  'roomNo',
  'roomType',
  'roomState',
  'useType',
  'layout',
  'buildArea',
  'chargeArea',
  'deliverDate',
  'brand',
  'industry',
  'state',
] as const

/** What the list and its export ask alike. The keyword is a room number or a path (`3-2-1502`, `321502`). */
export const roomSearch = search(room, roomFilters, extraFilters)

export const listRooms = call({
  route: 'GET room/get',
  title: '查询房间',
  needs: everyone,
  input: inParts(roomSearch),
  output: pageOfRows(listedFields, { sums: ['buildArea', 'innerArea', 'shareArea', 'chargeArea'] }),
})

export const findRooms = call({
  route: 'GET room/search',
  title: '搜索房间',
  needs: everyone,
  input: shape({
    keyword: text('关键字', { required: true, max: 100, wire: ['KeyWord', 'Keyword'] }),
    sceneType: extraFilters.sceneType,
    projectCode: estateField({ required: false }),
    size: int('条数', { min: 1, max: 200 }),
  }),
  output: listOfRows(listedFields),
})

export const getRoom = call({
  route: 'GET room/GetOne',
  title: '查看房间',
  needs: menu.room.permissions.view,
  input: shape({
    id: idOf('编号', { wire: 'ID', min: 1 }),
    code: text('房屋编码', { max: 20, wire: ['Roomcode', 'RoomCode'] }),
    projectCode: estateField({ required: false }),
  }),
  output: recordOf(room),
})

/** Members of a save that say from when new areas hold (BASE-7); needed only where an area changes. */
export const effectiveFields = {
  effectiveDate: day('生效日期', { help: '面积或收费系数有变更时必填' }),
  reason: text('变更原因', { max: 200, wire: 'Reason' }),
}

export const addRoom = call({
  route: 'POST room/post',
  title: '新增房间',
  needs: menu.room.permissions.add,
  input: draftOf(room, [...computedFields]),
  output: recordOf(room),
  affects: ['room'],
})

/** The state of a room changes by its own call only. */
export const editRoom = call({
  route: 'PUT room/put',
  title: '编辑房间',
  needs: menu.room.permissions.edit,
  input: extendShape(draftOf(room, [...computedFields, 'roomState']), effectiveFields),
  output: recordOf(room),
  affects: ['room', 'roomChange'],
})

export const deleteRooms = call({
  route: 'DELETE Room/Delete',
  title: '删除房间',
  needs: menu.room.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['room'],
})
