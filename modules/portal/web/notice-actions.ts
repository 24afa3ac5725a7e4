import type { Actions } from '#kit/web/action.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import type { EditForm } from '#kit/web/form/use-edit.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { confirmAndSend, sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import {
  notices,
  previewAudience,
  publishNotice,
  remindReaders,
  withdrawNotice,
  type InternalNotice,
} from '../contract/notice.ts'
import { menu } from '../module.ts'

const { publish, add } = menu.notice.permissions

/** Says whom it reaches before it is published. */
async function publishAfterAsking({ id, title, isImportant }: InternalNotice): Promise<void> {
  const { receiverCount, withoutAccountCount } = await send(previewAudience, { id })
  const isAgreed = await confirm({
    title: `发布「${title}」`,
    text: [
      `将通知 ${formatCount(receiverCount)} 人${isImportant ? '，每人须确认「已阅」' : ''}。`,
      withoutAccountCount ? `另有 ${formatCount(withoutAccountCount)} 名员工无登录账号，不会收到。` : '',
    ].join(''),
    okLabel: '发布',
  })
  if (!isAgreed) return
  await sendAndToast(publishNotice, { id }, `已发布「${title}」`)
}

const withdraw = ({ id, title }: InternalNotice): Promise<boolean> =>
  confirmAndSend(withdrawNotice, {
    actionLabel: '撤回',
    unit: '条公告',
    title: `撤回「${title}」`,
    consequences: ['接收人不再看到该公告，已发送的消息一并撤回', '撤回后不能再次发布'],
    reason: { presets: ['内容有误', '事项取消'] },
    input: reason => ({ id, reason }),
    doneText: `已撤回「${title}」`,
  })

async function remind({ id }: InternalNotice): Promise<void> {
  const { reminded } = await sendAndInvalidate(remindReaders, { id })
  toast.success(`已提醒 ${formatCount(reminded)} 人`)
}

const isStillWaiting = ({ isImportant, receiverCount = 0, readCount, confirmedCount }: InternalNotice) =>
  receiverCount > ((isImportant ? confirmedCount : readCount) ?? 0)

/** The text and the audience as a new draft. */
async function copy(
  { id }: InternalNotice,
  openCreate: (initial: Partial<InternalNotice>) => void,
): Promise<void> {
  const { title, content, attachments, audience, departmentIds, tags, staffIds, isImportant } = await send(
    notices.get,
    { id },
  )
  openCreate({ title, content, attachments, audience, departmentIds, tags, staffIds, isImportant })
}

export const noticeActions = (
  notice: InternalNotice,
  form: Pick<EditForm<Partial<InternalNotice>, InternalNotice>, 'openCreate' | 'editAction'>,
): Actions => [
  notice.state === 'draft' && { label: '发布', needs: publish, run: () => publishAfterAsking(notice) },
  notice.state === 'published' &&
    isStillWaiting(notice) && { label: '提醒未读', needs: publish, run: () => remind(notice) },
  notice.state === 'published' && {
    label: '撤回',
    needs: publish,
    danger: true,
    run: () => withdraw(notice),
  },
  notice.state === 'draft' && form.editAction(notice),
  { label: '复制', needs: add, run: () => copy(notice, form.openCreate) },
]
