import { defineNotificationKind } from '#modules/system/server/public.ts'

export const noticeKind = defineNotificationKind({
  key: 'portal.notice',
  label: '内部公告',
  group: 'notice',
})
