import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Status } from '#kit/web/status.tsx'
import {
  addAnnouncement,
  deleteAnnouncements,
  listAnnouncements,
  systemNotice,
  type SystemNotice,
} from '../contract/announcement.ts'

const deleteAction = createReasonAction<SystemNotice>(deleteAnnouncements, {
  label: '撤回',
  unit: '条公告',
  nameOf: n => n.title,
  consequences: ['页面顶部的提醒和已发送的消息一并撤回。'],
  reasonPresets: ['内容有误', '事项取消'],
})

const getAnnouncementStatus = (
  notice: SystemNotice,
  now: Moment,
): { tone: 'todo' | 'off' | 'done'; text: string } =>
  notice.waiting
    ? { tone: 'todo', text: '待发布' }
    : notice.endTime && notice.endTime <= now
      ? { tone: 'off', text: '已结束' }
      : { tone: 'done', text: '已发布' }

const getChinaTime = (): Moment => fromInstant(Date.now())

const listColumns = buildColumns(systemNotice, [
  { key: 'title', identity: true, width: 220 },
  { key: 'content', grow: 3, hidePriority: 1 },
  'level',
  'startTime',
  'endTime',
  { key: 'notified', width: 88 },
  { key: 'seen', width: 88 },
  {
    key: 'waiting',
    title: '状态',
    width: 96,
    render: n => {
      const s = getAnnouncementStatus(n, getChinaTime())
      return <Status tone={s.tone}>{s.text}</Status>
    },
    text: n => getAnnouncementStatus(n, getChinaTime()).text,
  },
])

const groups = [{ keys: ['title', 'level', 'startTime', 'endTime', 'content'] }]

/** What the company tells everybody who signs in. */
export default function Announcements() {
  const form = useEdit({
    itemName: '系统公告',
    add: addAnnouncement,
    nameOf: (n: SystemNotice) => n.title,
    groups,
    presentation: 'dialog',
  })
  return (
    <>
      <ListPage
        list={listAnnouncements}
        itemName="系统公告"
        columns={listColumns}
        barFilters={['level']}
        primaryAction={{
          ...form.addAction,
          label: '新增系统公告',
          run: () => form.openCreate({ startTime: getChinaTime() }),
        }}
        rowActions={n => [deleteAction.row(n)]}
        batchActions={[deleteAction.batch]}
        drawer={{
          title: n => n.title,
          historyEntity: systemNotice.name,
          actions: n => [deleteAction.row(n)],
        }}
      />
      {form.dialog}
    </>
  )
}
