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
