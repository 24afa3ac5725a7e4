import { useEffect, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { reminderChannel } from '../contract/choices.ts'
import {
  previewReminder,
  remindReaders,
  type PublicNotice,
  type ReminderPreview,
} from '../contract/notice.ts'
import './notices.css'

type Reminder = NonNullable<typeof remindReaders.input.T>

const countDelayMs = 400

/** The text once nobody has typed for a moment. */
function useSettledText(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), countDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const Cost = ({ segments, usableSms = 0 }: ReminderPreview) => {
  if (segments === undefined) return null
  const isShort = segments > usableSms
  return (
    <p className={isShort ? 'short' : undefined}>
      本次使用短信 {formatCount(segments)} 条，可用 {formatCount(usableSms)} 条
      {isShort && '，不足，请先购买短信'}
    </p>
  )
}

interface CountProps extends Pick<Reminder, 'id' | 'channel' | 'content'> {
  readonly needConfirm: boolean
}

/** Whom it reaches and what it costs, before anything is sent. */
function ReminderCount({ content, needConfirm, ...input }: CountProps) {
  const settled = useSettledText(content)
  const preview = useCall(
    previewReminder,
    { ...input, content: settled },
    { quiet: true, staleMs: 0, keepPrevious: true, enabled: settled !== '' },
  )
  if (settled === '') return null
  return (
    <Loaded query={preview} height={72} rows={3}>
      {found => (
        <div aria-live="polite">
          <p>
            {needConfirm ? '未确认' : '未读'}且未提醒 {formatCount(found.unreadCount)} 人，
            {labelOf(reminderChannel, input.channel)}可送达 {formatCount(found.reachable)} 人
            {found.excluded > 0 && `，不发送 ${formatCount(found.excluded)} 人（${found.reasons ?? ''}）`}
          </p>
          <Cost {...found} />
        </div>
      )}
    </Loaded>
  )
}

const RemindForm = actionDialog({
  call: remindReaders,
  title: ({ title, needConfirm }: PublicNotice) => `提醒${needConfirm ? '未确认' : '未读'}的住户「${title}」`,
  submitLabel: '发送提醒',
  keys: ['channel', { key: 'content', wide: true }],
  target: ({ id }) => ({ id }),
  initial: ({ title, needConfirm }) => ({
    channel: 'sms' as const,
    content: `{name}您好，请${needConfirm ? '阅读并确认' : '阅读'}公告《${title}》。`,
  }),
  below: ({ channel = 'sms', content = '' }, { id, needConfirm }) => (
    <div className="notice-publish">
      <ReminderCount id={id} channel={channel} content={content} needConfirm={needConfirm} />
      <p>每人只提醒一次；未送达的可改用其他渠道提醒。</p>
    </div>
  ),
  doneText: (_, { reminded, excluded }) =>
    `已提醒 ${reminded} 人${excluded ? `，${excluded} 人未送达，可改用其他渠道提醒` : ''}`,
})

interface DialogProps {
  readonly of: readonly PublicNotice[]
  readonly onClose: () => void
}

/** 提醒未读: by SMS or WeChat to those who have not read it. */
export const RemindDialog = ({ of: [notice], onClose }: DialogProps) =>
  notice && <RemindForm record={notice} onClose={onClose} />
