import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Status } from '#kit/web/status.tsx'
import {
  addNotice,
  deleteNotices,
  listNotices,
  systemNotice,
  type SystemNotice,
} from '../contract/announcement.ts'

const remove = withReason<SystemNotice>(deleteNotices, {
  verb: '撤回',
  what: '条公告',
  name: n => n.title,
  follows: ['页面顶部的提醒和大家收到的消息会一起撤回。'],
  presets: ['内容有误', '事项取消'],
})

const stateOf = (n: SystemNotice, now: string): { tone: 'todo' | 'off' | 'done'; text: string } =>
  n.waiting
    ? { tone: 'todo', text: '待发布' }
    : n.endTime && n.endTime <= now
      ? { tone: 'off', text: '已结束' }
      : { tone: 'done', text: '已发布' }

const wall = (): string => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

const table = columns(systemNotice, [
  { key: 'title', identity: true, width: 220 },
  { key: 'content', grow: 3, drop: 1 },
  'level',
  'startTime',
  'endTime',
  { key: 'told', width: 88 },
  { key: 'seen', width: 88 },
  {
    key: 'waiting',
    title: '状态',
    width: 96,
    render: n => {
      const s = stateOf(n, wall())
      return <Status tone={s.tone}>{s.text}</Status>
    },
    text: n => stateOf(n, wall()).text,
  },
])

const groups = [{ keys: ['title', 'level', 'startTime', 'endTime', { key: 'content', wide: true }] }]

/** What the company tells everybody who signs in. */
export default function Announcements() {
  const form = useEdit({
    what: '系统公告',
    add: addNotice,
    name: (n: SystemNotice) => n.title,
    groups,
    as: 'dialog',
  })
  return (
    <>
      <ListPage
        list={listNotices}
        what="系统公告"
        columns={table}
        bar={['level']}
        primary={{ ...form.add, label: '发布系统公告', run: () => form.openNew({ startTime: wall() }) }}
        row={n => [remove.row(n)]}
        batch={[remove.batch]}
        drawer={{ title: n => n.title, history: systemNotice.name, verbs: n => [remove.row(n)] }}
      />
      {form.dialog}
    </>
  )
}
