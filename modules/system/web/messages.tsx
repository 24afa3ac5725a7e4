import { act } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { count } from '#kit/web/figure.tsx'
import { go } from '#kit/web/go.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { refreshMessages } from '#kit/web/shell/messages.ts'
import { Choice, Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import {
  deleteMessages,
  listMessages,
  noticeLevel,
  readMessages,
  type Notification,
} from '../contract/message.ts'
import { Reading, follow, markRead, useLeads } from './reading.tsx'

const table = columns(listMessages.output, [
  { key: 'title', identity: true, width: 260, grow: 2 },
  { key: 'body', grow: 3, drop: 1 },
  { key: 'kindName', width: 120 },
  'noticeGroup',
  {
    key: 'level',
    render: m => (m.level === 'normal' ? '普通' : <Choice of={noticeLevel} value={m.level} />),
    text: m => noticeLevel.rows[m.level][1],
  },
  { key: 'createTime', title: '时间' },
  {
    key: 'readTime',
    title: '状态',
    width: 80,
    render: m =>
      m.readTime ? (
        <Status tone="off" bare>
          已读
        </Status>
      ) : (
        <Status tone="todo" bare>
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
] as never

const remove = async (ids: readonly string[]): Promise<boolean> => {
  if (
    !(await confirm({
      title: `删除 ${count(ids.length)} 条消息`,
      text: '删除后不能恢复。',
      ok: '删除',
      danger: true,
    }))
  )
    return false
  await act(deleteMessages, { ids })
  void refreshMessages()
  toast.success(`已删除 ${count(ids.length)} 条消息`)
  return true
}

/** Every message to oneself; the bell shows the latest of them. */
export default function Messages() {
  const leads = useLeads()
  const verbs = (m: Notification) => [
    leads(m) !== undefined && { label: '去处理', run: () => follow(leads(m)!) },
    m.readTime === undefined && { label: '标为已读', run: () => markRead([m.id]) },
    { label: '删除', danger: true, run: () => remove([String(m.id)]) },
  ]
  return (
    <ListPage
      list={listMessages}
      what="消息"
      columns={table}
      views={views}
      filters={['noticeGroup', 'level', 'unread', 'createTime']}
      bar={['level']}
      row={verbs}
      dim={m => m.readTime !== undefined}
      tools={[
        {
          label: '全部已读',
          run: async () => {
            await act(readMessages, {})
            void refreshMessages()
            toast.success('全部消息已标为已读')
          },
        },
        { label: '通知设置', run: () => go('/setting/sysNotice/systemmessage/noticesetlist') },
      ]}
      batch={[
        {
          label: '标为已读',
          run: async t => {
            await markRead(t.ids.map(Number))
            toast.success(`已标记 ${count(t.ids.length)} 条`)
            return true
          },
        },
        { label: '删除', danger: true, run: t => remove(t.ids) },
      ]}
      drawer={{
        title: m => m.title,
        groups: [
          { keys: ['title', 'kindName', 'noticeGroup', 'level', 'createTime', { key: 'body', wide: true }] },
        ],
        more: m => <Reading of={m} />,
        verbs,
        page: m => go(`/setting/sysNotice/systemmessage/sytemdetail?id=${m.id}`),
      }}
    />
  )
}
