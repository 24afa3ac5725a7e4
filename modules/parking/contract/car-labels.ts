import { choiceTable } from '#kit/contract/field.ts'

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
