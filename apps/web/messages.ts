import { defined } from '#kit/domain/defined.ts'
import type { Message, Messages } from '#kit/web/shell/host.ts'
import { send } from '#kit/web/send.ts'
import { listUnreadAnnouncements } from '#modules/system/contract/announcement.ts'
import {
  countUnreadNotifications,
  listNotifications,
  notificationLevel,
  markNotificationsRead,
  type Notification,
} from '#modules/system/contract/notification.ts'

const quietOptions = { quiet: true, project: 0 } as const

const toMessage = (m: Notification): Message => ({
  id: m.id,
  group: m.noticeGroup,
  kind: m.kindName ?? m.kind,
  title: m.title,
  text: m.body,
  tone: defined(notificationLevel.rows[m.level][2]),
  at: defined(m.createTime),
  target: m.link,
  read: m.readTime !== undefined,
})

const maxShown = 60

export const messages: Omit<Messages, 'paths' | 'taskEnded'> = {
  unread: async signal => {
    const { todo, notice, system } = await send(countUnreadNotifications, undefined, {
      ...quietOptions,
      ...(signal ? { signal } : {}),
    })
    return { todo, notice, system }
  },
  latest: async signal =>
    (
      await send(
        listNotifications,
        { page: 1, size: maxShown },
        { ...quietOptions, ...(signal ? { signal } : {}) },
      )
    ).rows.map(toMessage),
  read: ({ ids, group, kind, about }) =>
    send(
      markNotificationsRead,
      {
        ...(ids ? { ids: ids.map(String) } : {}),
        ...(group ? { noticeGroup: group } : {}),
        ...(kind ? { kind } : {}),
        ...(about === undefined ? {} : { bizId: about }),
      },
      quietOptions,
    ),
  announcements: async signal =>
    (await send(listUnreadAnnouncements, undefined, { ...quietOptions, ...(signal ? { signal } : {}) })).map(
      n => ({
        message: n.messageId,
        title: n.title,
        text: n.content,
        tone: defined(notificationLevel.rows[n.level][2]),
      }),
    ),
}
