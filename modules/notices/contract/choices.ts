import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

export const noticeType = choiceTable('NoticeType', '公告类型', {
  notice: [10, '通知'],
  reminder: [20, '温馨提示'],
  outage: [30, '停水停电'],
  disclosure: [40, '公示'],
  news: [50, '社区新闻'],
})

/** NOT-1. */
export const noticeState = choiceTable('NoticeState', '公告状态', {
  draft: [10, '草稿', 'todo'],
  timed: [20, '待发布', 'hold'],
  published: [30, '已发布', 'done'],
  withdrawn: [40, '已撤回', 'off'],
  expired: [50, '已过期', 'off'],
})

export type NoticeState = ChoiceOf<typeof noticeState>

export const noticeChannel = choiceTable('NoticeChannel', '公告渠道', {
  app: ['app', '住户页'],
  wechat: ['wechat', '微信'],
  sms: ['sms', '短信'],
  screen: ['screen', '信息屏'],
})

export type NoticeChannel = ChoiceOf<typeof noticeChannel>

/** What a receiver received. */
export const noticeKind = choiceTable('NoticeKind', '通知种类', {
  public: [10, '公告'],
  resident: [20, '住户通知'],
  staff: [30, '员工通知'],
})

export type NoticeKind = ChoiceOf<typeof noticeKind>

export const noticeReceipt = choiceTable('NoticeReceipt', '阅读情况', {
  unread: [10, '未读', 'todo'],
  read: [20, '已读', 'doing'],
  confirmed: [30, '已确认', 'done'],
})

export type NoticeReceipt = ChoiceOf<typeof noticeReceipt>

/** Notices to named persons: the codes of the specification. */
export const directState = choiceTable('DirectNoticeState', '通知状态', {
  draft: [10, '草稿', 'todo'],
  published: [30, '已发布', 'done'],
  withdrawn: [40, '已撤回', 'off'],
})

export type DirectState = ChoiceOf<typeof directState>

export const targetType = choiceTable('NoticeTarget', '通知对象', {
  resident: [10, '住户'],
  staff: [20, '员工'],
})

/** Where a message can be asked for again. */
export const reminderChannel = choiceTable('NoticeReminderChannel', '提醒渠道', {
  wechat: ['wechat', '微信'],
  sms: ['sms', '短信'],
})

export const advertisementPosition = choiceTable('AdvertisementPosition', '广告位置', {
  app: [10, '住户页'],
  doorway: [20, '门禁屏'],
  elevator: [30, '电梯屏'],
  mini: [40, '小程序'],
  lobby: [50, '大堂屏'],
})

/** Where a screen hangs: it shows the advertisements of this position. */
export const screenPosition = choiceTable('NoticeScreenPosition', '信息屏位置', {
  doorway: [20, '门禁屏'],
  elevator: [30, '电梯屏'],
  lobby: [50, '大堂屏'],
})

export const advertisementState = choiceTable('AdvertisementState', '广告状态', {
  on: [10, '启用', 'done'],
  off: [20, '停用', 'hold'],
  ended: [30, '已结束', 'off'],
})

export type AdvertisementState = ChoiceOf<typeof advertisementState>

export const matterState = choiceTable('MatterState', '事项状态', {
  draft: [10, '未发布', 'todo'],
  published: [30, '已发布', 'done'],
})

export const matterCategory = choiceTable('MatterCategory', '事项分类', {
  moving: [10, '入住迁出'],
  fitting: [20, '装修'],
  parking: [30, '停车'],
  payment: [40, '缴费'],
  access: [50, '门禁通行'],
  repair: [60, '报修'],
  other: [90, '其他'],
})
