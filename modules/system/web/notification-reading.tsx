import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useContext, useEffect } from 'react'
import { navigateTo } from '#kit/web/navigation.ts'
import { openTaskCentre } from '#kit/web/task-centre.ts'
import { invalidate } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { HostContext } from '#kit/web/shell/host.ts'
import { refreshMessages } from '#kit/web/shell/messages.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { mailState, markNotificationsRead, type Notification } from '../contract/notification.ts'
import './notifications.css'

export const markRead = async (ids: readonly Id[]): Promise<void> => {
  await send(markNotificationsRead, { ids: ids.map(String) }, { quiet: true, project: 0 })
  void invalidate(['notification'])
  void refreshMessages()
}

/** Opening a message marks it as read. */
export function MarkReadOnView({ of }: { readonly of: Notification }) {
  useEffect(() => {
    if (of.readTime === undefined) {
      markRead([of.id]).catch(() => undefined)
    }
  }, [of.id, of.readTime])
  return null
}

/** What became of a message that was to be sent by e-mail too. */
export const MailOutcome = ({
  of: { mailState: state, mailTime, mailError },
}: {
  readonly of: Notification
}) =>
  state ? (
    <p className="notice-mail">
      邮件：
      <ChoiceStatus choices={mailState} value={state} /> {mailTime?.slice(0, 16)} {mailError}
    </p>
  ) : null

/** Where a message leads, as far as this person may go there. */
export function useNotificationLink(): (m: Notification) => string | undefined {
  const host = useContext(HostContext)
  return m =>
    m.link === 'tasks' || (m.link && host?.screens.find(defined(m.link.split(/[?#]/)[0])))
      ? m.link
      : undefined
}

export const openNotificationLink = (link: string): void =>
  link === 'tasks' ? openTaskCentre() : navigateTo(link)
