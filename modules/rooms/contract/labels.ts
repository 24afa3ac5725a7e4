import { choiceTable } from '#kit/contract/field.ts'

/** The `Code` of a room list that fails, whatever the cause ([S]). */
export const roomListFailedCode = 0

/** 4 is a shop ([S], BASE-6). */
export const roomType = choiceTable('RoomType', '房屋类型', {
  home: [1, '住宅'],
  flat: [2, '公寓'],
  office: [3, '办公'],
  shop: [4, '商铺'],
  store: [5, '储藏/车库'],
  villa: [6, '别墅'],
  dorm: [7, '宿舍'],
  other: [9, '其他'],
})

/** What becomes of a room (BASE-6). A category on screen: its colours are the board's own. */
export const roomState = choiceTable('RoomState', '房态', {
  unsold: [10, '未售'],
  pending: [20, '待交付'],
  vacant: [30, '空置'],
  lived: [40, '已入住'],
  let: [50, '已出租'],
  fitting: [60, '装修中'],
  own: [70, '自用'],
})

export type RoomState = keyof typeof roomState.rows

/** The one character a cell of the board shows. */
export const roomStateMarks: { readonly [state in RoomState]: string } = {
  unsold: '售',
  pending: '交',
  vacant: '空',
  lived: '住',
  let: '租',
  fitting: '修',
  own: '用',
}

export const useType = choiceTable('UseType', '使用性质', {
  self: [10, '自住'],
  let: [20, '出租'],
  trade: [30, '商用'],
  common: [40, '公用'],
})

/** What a picker or list wants ([S]). */
export const sceneType = choiceTable('SceneType', '房屋类别', {
  room: [0, '房间'],
  shop: [1, '商铺'],
  roomShop: [2, '房间/商铺'],
  roomShopArea: [3, '房间/商铺/公共区域'],
  area: [4, '公共区域'],
})

/** What a row of the mixed list is. */
export const placeKind = choiceTable('PlaceKind', '位置种类', {
  room: [0, '房间'],
  shop: [1, '商铺'],
  area: [4, '公共区域'],
})

/** Levels of the position tree. */
export const positionLevel = choiceTable('PositionLevel', '层级', {
  project: [10, '项目'],
  building: [20, '楼栋'],
  unit: [30, '单元'],
  room: [40, '房间'],
})

/** As what somebody pays for a room. */
export const payerKind = choiceTable('PayerKind', '缴费人类别', {
  owner: [10, '业主'],
  tenant: [20, '租户'],
  company: [30, '企业'],
})

/** What the history of a room is about; modules that add facts to a room add theirs. */
export const changeItem = choiceTable('RoomChangeItem', '变更项', {
  buildArea: ['BuildArea', '建筑面积'],
  innerArea: ['InnerArea', '套内面积'],
  shareArea: ['ShareArea', '公摊面积'],
  chargeArea: ['ChargeArea', '计费面积'],
  feeRatio: ['FeeRatio', '收费系数'],
  roomState: ['RoomState', '房态'],
  roomNo: ['RoomNo', '房号'],
  mainOwner: ['MainOwner', '主业主'],
  payer: ['Payer', '缴费人'],
  company: ['Company', '租用企业'],
})

/** How long a room's oldest overdue bill has been due (AGE-1, as the board colours it). */
export const debtAge = choiceTable('RoomDebtAge', '欠费账龄', {
  days30: [1, '欠费 30 天内'],
  days90: [2, '31～90 天'],
  days365: [3, '91～365 天'],
  older: [4, '一年以上'],
})

export type DebtAge = keyof typeof debtAge.rows

/** How an import treats a room that is already there. */
export const duplicateMode = choiceTable('RoomDuplicateMode', '遇到已有的房间', {
  skip: [1, '跳过，保留原数据'],
  replace: [2, '覆盖房间资料（空白单元格不改，不修改住户）'],
  append: [3, '覆盖房间资料，并按手机号追加住户'],
  renumber: [4, '批量改房号（填「新房号」）'],
})

/** What a line about a record means, for its colour. */
export const sectionTone = choiceTable('SectionTone', '含义', {
  done: ['done', '正常', 'done'],
  doing: ['doing', '进行中', 'doing'],
  todo: ['todo', '待处理', 'todo'],
  bad: ['bad', '异常', 'bad'],
  hold: ['hold', '暂停', 'hold'],
  open: ['open', '未开始', 'open'],
  off: ['off', '结束', 'off'],
})
