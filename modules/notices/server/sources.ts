import { defineMessageSource } from '#modules/messaging/server/public.ts'

/** What goes out with a notice; a company's service, not advertising. */
export const noticeSource = defineMessageSource({ key: 'notices.notice', label: '公告', purpose: 'service' })

/** The same to those who have not read it. */
export const reminderSource = defineMessageSource({
  key: 'notices.reminder',
  label: '公告提醒',
  purpose: 'service',
})

export const directSource = defineMessageSource({
  key: 'notices.direct',
  label: '住户通知',
  purpose: 'service',
})
