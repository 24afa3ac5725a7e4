import { parseId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { refreshMessages } from '#kit/web/shell/messages.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import {
  deleteNotifications,
  listNotifications,
  notificationLevel,
  markNotificationsRead,
  type Notification,
} from '../contract/notification.ts'
import {
  MailOutcome,
  MarkReadOnView,
  openNotificationLink,
  markRead,
  useNotificationLink,
} from './notification-reading.tsx'
import { paths } from './paths.ts'

const listColumns = buildColumns(listNotifications.output, [
  { key: 'title', identity: true, width: 260, grow: 2 },
  { key: 'body', grow: 3, hidePriority: 1 },
  { key: 'kindName', width: 120 },
  'noticeGroup',
  {
    key: 'level',
    render: m =>
      m.level === 'normal' ? '普通' : <ChoiceStatus choices={notificationLevel} value={m.level} />,
    text: m => notificationLevel.rows[m.level][1],
  },
  { key: 'createTime', title: '时间' },
  {
    key: 'readTime',
    title: '状态',
    width: 80,
    render: message =>
      message.readTime ? (
        <Status tone="off" plain>
          已读
        </Status>
      ) : (
        <Status tone="todo" plain>
          未读
        </Status>
      ),
    text: m => (m.readTime ? '已读' : '未读'),
  },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'unread', name: '未读', filter: { unread: true } },
  { id: 'todo', name: '待办', filter: { noticeGroup: ['todo'] } },
  { id: 'notice', name: '通知', filter: { noticeGroup: ['notice'] } },
  { id: 'system', name: '系统', filter: { noticeGroup: ['system'] } },
]

const confirmAndDelete = async (ids: readonly string[]): Promise<boolean> => {
  if (
    !(await confirm({
      title: `删除 ${formatCount(ids.length)} 条消息`,
      text: '删除后不能恢复。',
      okLabel: '删除',
      danger: true,
    }))
  )
    return false
  await sendAndInvalidate(deleteNotifications, { ids })
  void refreshMessages()
  toast.success(`已删除 ${formatCount(ids.length)} 条消息`)
  return true
}

/** Every message to oneself; the bell shows the latest of them. */
export default function Notifications() {
  const linkOf = useNotificationLink()
  const getActions = (m: Notification) => [
    linkOf(m) !== undefined && { label: '处理', run: () => openNotificationLink(defined(linkOf(m))) },
    m.readTime === undefined && { label: '标为已读', run: () => markRead([m.id]) },
    { label: '删除', danger: true, run: () => confirmAndDelete([String(m.id)]) },
  ]
  return (
    <ListPage
      list={listNotifications}
      itemName="消息"
      columns={listColumns}
      views={views}
      filters={['noticeGroup', 'level', 'unread', 'createTime']}
      barFilters={['level']}
      rowActions={getActions}
      isDimmed={m => m.readTime !== undefined}
      toolbarActions={[
        {
          label: '全部已读',
          run: async () => {
            await sendAndInvalidate(markNotificationsRead, {})
            void refreshMessages()
            toast.success('全部消息已标为已读')
          },
        },
        { label: '通知设置', run: () => navigateTo(paths.noticeSetting) },
      ]}
      batchActions={[
        {
          label: '标为已读',
          run: async t => {
            await markRead(t.ids.map(parseId))
            toast.success(`已标记 ${formatCount(t.ids.length)} 条`)
            return true
          },
        },
        { label: '删除', danger: true, run: t => confirmAndDelete(t.ids) },
      ]}
      drawer={{
        title: m => m.title,
        groups: [{ keys: ['title', 'kindName', 'noticeGroup', 'level', 'createTime', 'body'] }],
        afterGroups: message => (
          <>
            <MailOutcome of={message} />
            <MarkReadOnView of={message} />
          </>
        ),
        actions: getActions,
        openAsPage: m => navigateTo(`${paths.message}?id=${m.id}`),
      }}
    />
  )
}
