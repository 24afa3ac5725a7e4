import { choiceTable } from '#kit/contract/field.ts'

export const parkType = choiceTable('ParkType', '停车场类型', {
  below: [10, '地下'],
  ground: [20, '地面'],
  rack: [30, '立体'],
  road: [40, '路侧'],
})

export const fullPolicy = choiceTable('FullPolicy', '满位策略', { refuse: [1, '禁止临停'], let: [2, '允许'] })

export const placeType = choiceTable('PlaceType', '车位类型', {
  plain: [10, '普通'],
  tandem: [20, '子母'],
  charge: [30, '充电'],
  access: [40, '无障碍'],
  mini: [50, '微型'],
})

export const ownKind = choiceTable('OwnKind', '产权', {
  owned: [10, '产权'],
  shelter: [20, '人防'],
  rented: [30, '租赁'],
  temp: [40, '临停'],
})

export const placeState = choiceTable('PlaceState', '车位状态', {
  free: [10, '空闲', 'open'],
  sold: [20, '已售', 'done'],
  let: [30, '已租', 'done'],
  own: [40, '自用', 'done'],
  off: [50, '停用', 'off'],
})

export type PlaceState = keyof typeof placeState.rows

export const placeLevel = choiceTable('ParkLevel', '层级', {
  project: [10, '项目'],
  park: [20, '停车场'],
  area: [30, '区域'],
  place: [40, '车位'],
})

export const plateColor = choiceTable('PlateColor', '车牌颜色', {
  blue: [10, '蓝'],
  yellow: [20, '黄'],
  green: [30, '绿'],
  white: [40, '白'],
  black: [50, '黑'],
})

export const carKind = choiceTable('CarKind', '车辆类别', {
  month: [10, '月租车'],
  fixed: [20, '固定车'],
  inner: [30, '内部车'],
  visitor: [40, '访客车'],
  temp: [50, '临时车'],
  stored: [60, '储值车'],
  vip: [70, 'VIP'],
})

export type CarKind = keyof typeof carKind.rows

export const carState = choiceTable('CarState', '车辆状态', {
  pending: [10, '待审核', 'todo'],
  normal: [20, '正常', 'done'],
  expired: [30, '已到期', 'hold'],
  suspended: [40, '欠费停用', 'hold'],
  cancelled: [50, '已注销', 'off'],
  blocked: [60, '黑名单', 'bad'],
})

export type CarState = keyof typeof carState.rows

/** What changed the days on which a car may enter. */
export const validityChange = choiceTable('CarValidityChange', '有效期变动', {
  registered: [10, '登记', 'open'],
  renewed: [20, '续期', 'done'],
  adjusted: [30, '调整', 'hold'],
  refunded: [40, '退款', 'off'],
  unbound: [50, '解除车位', 'off'],
})
