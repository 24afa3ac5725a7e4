import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { remindReaders, type PublicNotice } from '../contract/notice.ts'

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
  below: () => <p>每人只提醒一次；已提醒过的不再发送。</p>,
  doneText: (_, { reminded, excluded }) =>
    `已提醒 ${reminded} 人${excluded ? `，${excluded} 人无可用号码或微信` : ''}`,
})

interface DialogProps {
  readonly of: readonly PublicNotice[]
  readonly onClose: () => void
}

/** 提醒未读: by SMS or WeChat to those who have not read it. */
export const RemindDialog = ({ of: [notice], onClose }: DialogProps) =>
  notice && <RemindForm record={notice} onClose={onClose} />
