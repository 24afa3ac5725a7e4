import type { Message, Messages } from '#kit/web/shell/host.ts'
import { send } from '#kit/web/send.ts'
import { newNotices } from '#modules/system/contract/announcement.ts'
import {
  countMessages,
  listMessages,
  noticeLevel,
  readMessages,
  type Notification,
} from '#modules/system/contract/message.ts'

const quiet = { quiet: true, project: 0 } as const

const asMessage = (m: Notification): Message => ({
  id: m.id,
  group: m.noticeGroup,
  kind: m.kindName ?? m.kind,
  title: m.title,
  text: m.body,
  tone: noticeLevel.rows[m.level][2]!,
  at: m.createTime!,
  opens: m.link,
  read: m.readTime !== undefined,
})

const shown = 60

export const messages: Messages = {
  places: {
    all: '/setting/sysNotice/systemmessage',
    one: id => `/setting/sysNotice/systemmessage/sytemdetail?id=${id}`,
    settings: '/setting/sysNotice/systemmessage/noticesetlist',
  },
  taskEnded: 'system.task',
  unread: async signal => {
    const { todo, notice, system } = await send(countMessages, undefined, {
      ...quiet,
      ...(signal ? { signal } : {}),
    })
    return { todo, notice, system }
  },
  latest: async signal =>
    (
      await send(listMessages, { page: 1, size: shown }, { ...quiet, ...(signal ? { signal } : {}) })
    ).rows.map(asMessage),
  read: ({ ids, group, kind, about }) =>
    send(
      readMessages,
      {
        ...(ids ? { ids: ids.map(String) } : {}),
        ...(group ? { noticeGroup: group } : {}),
        ...(kind ? { kind } : {}),
        ...(about === undefined ? {} : { bizId: about }),
      },
      quiet,
    ),
  announced: async signal =>
    (await send(newNotices, undefined, { ...quiet, ...(signal ? { signal } : {}) })).map(n => ({
      message: n.messageId,
      title: n.title,
      text: n.content,
      tone: noticeLevel.rows[n.level][2]!,
    })),
}
