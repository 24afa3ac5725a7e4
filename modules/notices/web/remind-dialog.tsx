import { useEffect, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import type { Audience } from '#modules/messaging/contract/audience.ts'
import { VariablesHelp } from '#modules/messaging/web/public.audience.tsx'
import { reminderChannel } from '../contract/choices.ts'
import {
  previewReminder,
  remindReaders,
  type PublicNotice,
  type ReminderPreview,
} from '../contract/notice.ts'
import { reminderDisabledReason } from '../domain/reminder.ts'
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

/** Counted again once nobody has typed for a moment. */
function useReminderPreview({ content, ...input }: Reminder) {
  const settled = useSettledText(content)
  const preview = useCall(
    previewReminder,
    { ...input, content: settled },
    { quiet: true, staleMs: 0, keepPrevious: true, enabled: settled !== '' },
  )
  return { preview, isEmpty: settled === '' }
}

interface OfReminder {
  readonly notice: PublicNotice
  /** As it was counted last; not known yet at first. */
  readonly counted: ReminderPreview | undefined
  readonly onCount: (counted: ReminderPreview | undefined) => void
}

interface CountProps extends Pick<OfReminder, 'onCount'> {
  readonly input: Reminder
  readonly needConfirm: boolean
}

/** Whom it reaches and what it costs, before anything is sent. */
function ReminderCount({ input, needConfirm, onCount }: CountProps) {
  const { preview, isEmpty } = useReminderPreview(input)
  const { data } = preview
  useEffect(() => onCount(data), [data, onCount])
  if (isEmpty) return null
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
  title: ({ notice: { title, needConfirm } }: OfReminder) =>
    `提醒${needConfirm ? '未确认' : '未读'}的住户「${title}」`,
  submitLabel: '发送提醒',
  keys: [
    'channel',
    { key: 'content', wide: true, help: (values: Audience) => <VariablesHelp audience={values} /> },
  ],
  context: ({ notice: { scopeType, scopeJson } }) => ({ scopeType, scopeJson }),
  target: ({ notice: { id } }) => ({ id }),
  initial: ({ notice: { title, needConfirm } }) => ({
    channel: 'sms' as const,
    content: `{name}您好，请${needConfirm ? '阅读并确认' : '阅读'}公告《${title}》。`,
  }),
  disabledReason: (_, { counted }) => counted && reminderDisabledReason(counted),
  below: ({ channel = 'sms', content = '' }, { notice: { id, needConfirm }, onCount }) => (
    <div className="notice-publish">
      <ReminderCount input={{ id, channel, content }} needConfirm={needConfirm} onCount={onCount} />
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
export function RemindDialog({ of: [notice], onClose }: DialogProps) {
  const [counted, setCounted] = useState<ReminderPreview>()
  if (!notice) return null
  return <RemindForm record={{ notice, counted, onCount: setCounted }} onClose={onClose} />
}
