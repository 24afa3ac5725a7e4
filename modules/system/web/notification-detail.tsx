import { parseId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { useCall } from '#kit/web/query.ts'
import { useLocation } from 'react-router'
import { notificationLevel, getNotification } from '../contract/notification.ts'
import { MarkReadOnView, openNotificationLink, useNotificationLink } from './notification-reading.tsx'

/** One message, whole; opening it marks it read. */
export default function NotificationDetail() {
  const id = parseId(new URLSearchParams(useLocation().search).get('id'))
  const one = useCall(getNotification, { id }, { quiet: true, enabled: id > 0 }).data
  const linkOf = useNotificationLink()
  return (
    <>
      {one && <MarkReadOnView of={one} />}
      <DetailPage
        loadCall={getNotification}
        title={m => m.title}
        status={m =>
          m.level === 'normal' ? null : <ChoiceStatus choices={notificationLevel} value={m.level} />
        }
        groups={[
          { keys: ['kindName', 'noticeGroup', 'createTime', 'readTime', 'body'] },
          ...(one?.mailState ? [{ keys: ['mailState', 'mailTime', 'mailError'] as const }] : []),
        ]}
        actions={m => [
          linkOf(m) !== undefined && { label: '处理', run: () => openNotificationLink(defined(linkOf(m))) },
        ]}
      />
    </>
  )
}
