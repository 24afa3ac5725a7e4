import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** Over which time the highest fee counts (C10.2). */
export const feeCapType = choiceTable('ParkFeeCapType', '封顶方式', {
  hours: [1, '每 24 小时'],
  day: [2, '自然日'],
  stay: [3, '单次'],
})

export type FeeCapType = ChoiceOf<typeof feeCapType>

/** On which days a rule is charged: holidays are the days off of the company's calendar. */
export const feeRuleDays = choiceTable('ParkFeeRuleDays', '适用日期', {
  every: [10, '每天'],
  holiday: [20, '节假日'],
})

/** C10.3: what a coupon takes off. */
export const couponKind = choiceTable('ParkCouponKind', '停车券类型', {
  minutes: [10, '时长券'],
  amount: [20, '金额券'],
  free: [30, '免费券'],
  discount: [40, '折扣券'],
})

export type CouponKind = ChoiceOf<typeof couponKind>

export const stayState = choiceTable('ParkStayState', '状态', {
  inside: [10, '在场', 'doing'],
  paid: [20, '已预付', 'doing'],
  out: [30, '已出场', 'done'],
  abnormal: [40, '异常出场', 'bad'],
  merged: [50, '已合并', 'off'],
})

export type StayState = ChoiceOf<typeof stayState>

export const exitKind = choiceTable('ParkExitKind', '放行方式', {
  auto: [1, '自动'],
  manual: [2, '手动放行'],
  free: [3, '免费放行'],
  system: [4, '系统清场'],
})

export type ExitKind = ChoiceOf<typeof exitKind>

export const ageBand = choiceTable('ParkAgeBand', '停留时段', {
  upTo2: [10, '2 小时以内'],
  upTo12: [20, '2–12 小时'],
  upTo24: [30, '12–24 小时'],
  upTo72: [40, '1–3 天'],
  over72: [50, '3 天以上'],
})

export type AgeBand = ChoiceOf<typeof ageBand>

export const chargeType = choiceTable('ParkChargeType', '类型', {
  stay: [10, '临停'],
  month: [20, '月卡'],
  stored: [30, '储值充值'],
  more: [40, '补缴'],
  returned: [50, '退款'],
})

export const parkPayMethod = choiceTable('ParkPayMethod', '支付方式', {
  cash: [10, '现金'],
  wechat: [20, '微信'],
  alipay: [30, '支付宝'],
  card: [40, '刷卡'],
  coupon: [50, '停车券'],
  /** Of a visitor, by the person who is visited (PRK-24). */
  host: [60, '被访人承担'],
})

/** How a cashier is paid; a coupon is used by itself, never by choosing it. */
export const boothPayMethod = choiceTable('ParkBoothPayMethod', '支付方式', {
  cash: [10, '现金'],
  wechat: [20, '微信'],
  alipay: [30, '支付宝'],
  card: [40, '刷卡'],
})

export type BoothPayMethod = ChoiceOf<typeof boothPayMethod>

/** Why a barrier is asked to open. */
export const openOrigin = choiceTable('ParkOpenOrigin', '开闸方式', {
  payment: [10, '缴费放行'],
  staff: [20, '远程开闸'],
  release: [30, '手动放行'],
  scan: [40, '扫码通行'],
  camera: [50, '识别放行'],
})

export type OpenOrigin = ChoiceOf<typeof openOrigin>

export const laneCommandState = choiceTable('ParkLaneCommandState', '执行状态', {
  waiting: [10, '待发送', 'doing'],
  sent: [20, '已发送', 'doing'],
  done: [30, '已开闸', 'done'],
  failed: [40, '未开闸', 'bad'],
  expired: [50, '已过期', 'off'],
})

export type LaneCommandState = ChoiceOf<typeof laneCommandState>
