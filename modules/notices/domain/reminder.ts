import type { ReminderPreview } from '../contract/notice.ts'

/** Why a reminder cannot be sent as it is: nobody is reached, or the quota is short. */
export function reminderDisabledReason({
  reachable,
  segments = 0,
  usableSms = segments,
}: Pick<ReminderPreview, 'reachable' | 'segments' | 'usableSms'>): string | undefined {
  if (!reachable) return '无可送达的住户，不能发送'
  return segments > usableSms ? '短信余量不足，不能发送' : undefined
}
