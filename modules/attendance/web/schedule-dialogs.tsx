import { today } from '#kit/web/date-format.ts'
import { lastOfMonth } from '#kit/domain/day.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { copySchedule, fillSchedule } from '../contract/schedule.ts'

/** 循环排班: two days of one shift, one of rest, over a span of days. */
export const FillDialog = actionDialog({
  call: fillSchedule,
  title: (_: object) => '循环排班',
  submitLabel: '排班',
  keys: [{ key: 'staffIds', wide: true }, 'from', 'to', { key: 'cycle', wide: true }],
  target: () => ({}),
  initial: () => ({ from: today(), to: lastOfMonth(today()), cycle: [{ days: 1 }] }),
  rules: values => (values.to < values.from ? { to: '止日不能早于起日' } : undefined),
  doneText: (_, { count }) => `已排班 ${count} 人次`,
})

export const CopyDialog = actionDialog({
  call: copySchedule,
  title: (_: object) => '复制排班',
  submitLabel: '复制',
  keys: [{ key: 'staffIds', wide: true }, 'from', 'to', 'target'],
  target: () => ({}),
  rules: values => (values.target <= values.to ? { target: '粘贴起应晚于复制止' } : undefined),
  doneText: (_, { count }) => `已复制 ${count} 人次`,
})
