import type { DirectState, NoticeReceipt, NoticeState } from '../contract/choices.ts'

/** NOT-1: why a notice cannot be changed as it is. A published one can: it gets a new version. */
export const editFault = (state: NoticeState): string | undefined => {
  if (state === 'timed') return '公告正在等待定时发布，请先撤回再修改'
  return state === 'withdrawn' || state === 'expired'
    ? '已撤回或已过期的公告不能修改，请复制为新公告'
    : undefined
}

export const publishFault = (state: NoticeState): string | undefined => {
  if (state === 'published') return '公告已发布，无需重复发布'
  if (state === 'timed') return '公告已在等待定时发布；如需立即发布，请先撤回并清空发布时间'
  return state === 'draft' ? undefined : '已撤回或已过期的公告不能再次发布，请复制为新公告'
}

export const withdrawFault = (state: NoticeState): string | undefined => {
  if (state === 'draft') return '公告尚未发布，无需撤回'
  return state === 'withdrawn' ? '公告已撤回，无需重复撤回' : undefined
}

/** Nobody sees it any more: it cannot come first. */
export const topFault = (state: NoticeState): string | undefined =>
  state === 'withdrawn' || state === 'expired' ? '已撤回或已过期的公告不能置顶，请复制为新公告' : undefined

export const remindFault = (state: NoticeState): string | undefined =>
  state === 'published' ? undefined : '只能提醒已发布公告的接收人'

/** What becomes of it by being withdrawn: one that waits for its time is a draft again. */
export const withdrawnState = (state: NoticeState): NoticeState => (state === 'timed' ? 'draft' : 'withdrawn')

interface Times {
  readonly publishTime?: string | undefined
  readonly expireTime?: string | undefined
}

/** What it becomes by being published now. */
export const publishedState = ({ publishTime }: Times, now: string): 'timed' | 'published' =>
  publishTime !== undefined && publishTime > now ? 'timed' : 'published'

/** It must be shown for a while. */
export const expiryFault = ({ publishTime, expireTime }: Times, now: string): string | undefined => {
  if (expireTime === undefined) return undefined
  const begin = publishTime !== undefined && publishTime > now ? publishTime : now
  return expireTime > begin ? undefined : '过期时间应晚于发布时间和现在'
}

export const directEditFault = (state: DirectState): string | undefined =>
  state === 'draft' ? undefined : '已发布或已撤回的通知不能修改，请复制为新通知'

export const directPublishFault = (state: DirectState): string | undefined => {
  if (state === 'published') return '通知已发布，无需重复发布'
  return state === 'withdrawn' ? '已撤回的通知不能再次发布，请复制为新通知' : undefined
}

export const directWithdrawFault = (state: DirectState): string | undefined => {
  if (state === 'draft') return '通知尚未发布，无需撤回'
  return state === 'withdrawn' ? '通知已撤回，无需重复撤回' : undefined
}

const receiptOrder = { unread: 0, read: 1, confirmed: 2 } as const satisfies Record<NoticeReceipt, number>

/** Whether a receipt goes on to another: it never goes back. */
export const advances = (from: NoticeReceipt, to: NoticeReceipt): boolean =>
  receiptOrder[to] > receiptOrder[from]
