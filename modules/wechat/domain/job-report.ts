/** What the platform calls the outcome of a mass message: why it sent none of it. */
const refusalByCode: Readonly<Record<string, string>> = {
  10001: '涉嫌广告',
  20001: '涉嫌政治',
  20002: '涉嫌色情',
  20004: '涉嫌社会',
  20006: '涉嫌违法犯罪',
  20008: '涉嫌欺诈',
  20013: '涉嫌版权',
  21000: '涉嫌其他',
  22000: '涉嫌互推',
  30001: '原创校验出错',
  30002: '原创校验不通过',
  30003: '原创校验不通过',
  40001: '公众号管理员拒绝',
  40002: '公众号管理员 30 分钟内未确认',
}

/** How many of a batch got it, as its report says. */
export interface MassReport {
  readonly messageId: string
  readonly status: string
  readonly arrivedCount: number
}

export function readMassReport(fields: Readonly<Record<string, string>>): MassReport | undefined {
  const { MsgID: messageId = '', Status: status = '', SentCount = '' } = fields
  if (!/^\d{1,20}$/.test(messageId) || !status) return undefined
  const arrivedCount = status === 'send success' ? Number(SentCount) : 0
  if (!Number.isSafeInteger(arrivedCount) || arrivedCount < 0) return undefined
  return { messageId, status: status.slice(0, 60), arrivedCount }
}

/** Why some of a batch did not get it; nothing where all did. */
export function massFaultOf({ status }: MassReport, missed: number): string | undefined {
  if (!missed) return undefined
  if (status === 'send success') return `${missed} 位关注者未收到（拒收或已取消关注）`
  const [, code = ''] = /^err\((\d+)\)$/.exec(status) ?? []
  const reason = refusalByCode[code]
  return reason ? `微信未发送：${reason}` : `微信未发送（${status}）`
}

export interface TemplateReport {
  readonly messageId: string
  readonly outcome: 'delivered' | 'refused' | 'failed'
}

/** Of a template message: the receiver may have declined messages since (WX-1). */
export function readTemplateReport(fields: Readonly<Record<string, string>>): TemplateReport | undefined {
  const { MsgID: messageId = '', Status: status = '' } = fields
  if (!/^\d{1,20}$/.test(messageId) || !status) return undefined
  if (status === 'success') return { messageId, outcome: 'delivered' }
  return { messageId, outcome: /user block/i.test(status) ? 'refused' : 'failed' }
}
