import { choiceTable } from '#kit/contract/field.ts'

export const accountType = choiceTable('MpType', '公众号类型', {
  service: [10, '服务号'],
  subscription: [20, '订阅号'],
  mini: [30, '小程序'],
})

export const authState = choiceTable('AuthState', '授权状态', {
  authorized: [10, '已授权', 'done'],
  invalid: [20, '已失效', 'bad'],
})

/** How the platform sends messages: with a signature alone, or encrypted as well. */
export const messageMode = choiceTable('WxMessageMode', '消息加密方式', {
  plain: [10, '明文模式'],
  encrypted: [20, '安全模式'],
})

export const replyEvent = choiceTable('WxReplyEvent', '触发事件', {
  follow: [10, '关注时'],
  otherwise: [20, '默认回复'],
  keyword: [30, '关键词'],
})

export const matchType = choiceTable('WxMatchType', '匹配方式', {
  exact: [1, '全匹配'],
  contains: [2, '包含'],
})

export const replyType = choiceTable('WxReplyType', '回复类型', {
  text: [10, '文本'],
  image: [20, '图片'],
  article: [30, '图文'],
  video: [40, '视频'],
})

export const materialType = choiceTable('WxMediaType', '素材类型', {
  image: [10, '图片'],
  article: [20, '图文'],
  voice: [30, '语音'],
  video: [40, '视频'],
})

export const buttonType = choiceTable('WxButtonType', '菜单动作', {
  link: [10, '打开网页'],
  keyword: [20, '回复关键词'],
  mini: [30, '打开小程序'],
})

/** What a resident gets a template message for. */
export const messageEvent = choiceTable('WxMessageEvent', '通知事项', {
  notice: [10, '公告'],
  userNotice: [20, '住户通知'],
  activity: [30, '活动'],
  fee: [40, '缴费提醒'],
  workOrder: [50, '工单进度'],
  visitor: [60, '访客'],
  other: [90, '其他'],
})

/** As those of a task of short messages (SMS-3). */
export const massState = choiceTable('WxMassState', '群发状态', {
  waiting: [10, '待发送', 'todo'],
  sending: [20, '发送中', 'doing'],
  sent: [30, '成功', 'done'],
  failed: [40, '失败', 'bad'],
  partly: [50, '部分失败', 'bad'],
  cancelled: [60, '已取消', 'off'],
})

export const massReceiverState = choiceTable('WxMassReceiverState', '发送结果', {
  waiting: [10, '待发送', 'todo'],
  sending: [20, '发送中', 'doing'],
  sent: [30, '已发送', 'done'],
  failed: [40, '失败', 'bad'],
})

export const miniPosition = choiceTable('WxMiniPosition', '位置', {
  launch: [10, '启动页'],
  banner: [20, '首页轮播'],
  middle: [30, '首页中部'],
  service: [40, '服务页顶部'],
})
