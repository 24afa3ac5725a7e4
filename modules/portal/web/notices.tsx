import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { noticeState } from '../contract/choices.ts'
import { notices, type InternalNotice } from '../contract/notice.ts'
import { noticeActions } from './notice-actions.ts'
import { NoticeContent } from './notice-content.tsx'
import { noticeGroups } from './notice-form.ts'
import { ReceiverList } from './receivers.tsx'

const countText = (count: number | undefined, { receiverCount }: InternalNotice): string =>
  receiverCount === undefined ? '' : `${count ?? 0} / ${receiverCount}`

const columns = buildColumns(notices.list.output, [
  { key: 'title', identity: true, grow: 3 },
  { key: 'isImportant', width: 72 },
  { key: 'audience', width: 100, hidePriority: 2 },
  {
    key: 'readCount',
    title: '已读 / 接收',
    width: 104,
    align: 'right',
    sortKey: undefined,
    text: n => countText(n.readCount, n),
    render: n => countText(n.readCount, n),
  },
  {
    key: 'confirmedCount',
    title: '已阅 / 接收',
    width: 104,
    align: 'right',
    sortKey: undefined,
    text: n => (n.isImportant ? countText(n.confirmedCount, n) : ''),
    render: n => (n.isImportant ? countText(n.confirmedCount, n) : ''),
  },
  { key: 'publisherName', width: 96, hidePriority: 1 },
  { key: 'publishTime', width: 150, hidePriority: 1 },
  'state',
])

const remove = createReasonAction(notices.delete, {
  unit: '条公告',
  nameOf: (notice: InternalNotice) => notice.title,
  consequences: ['接收人不再看到该公告，阅读记录一并删除'],
  reasonPresets: ['录入有误', '不再需要'],
})

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'draft', name: '草稿', filter: { state: ['draft'] } },
  { id: 'published', name: '已发布', filter: { state: ['published'] } },
  { id: 'withdrawn', name: '已撤回', filter: { state: ['withdrawn'] } },
]

/** 内部公告: written, published, followed until everybody has read it. */
export default function NoticesPage() {
  const form = useEdit({
    itemName: '公告',
    add: notices.add,
    edit: notices.edit,
    load: notices.get,
    nameOf: (notice: InternalNotice) => notice.title,
    groups: noticeGroups,
    presentation: 'drawer',
    savedText: (notice, isNew) =>
      isNew ? `已保存草稿「${notice.title}」，发布后接收人可见` : `已保存「${notice.title}」`,
  })
  const actionsOf = (notice: InternalNotice) => [...noticeActions(notice, form), remove.row(notice)]
  return (
    <>
      <ListPage
        list={notices.list}
        itemName="公告"
        columns={columns}
        views={views}
        filters={['state', 'audience', 'isImportant', 'publishTime']}
        barFilters={['isImportant', 'publishTime']}
        primaryAction={form.addAction}
        rowActions={actionsOf}
        batchActions={[remove.batch]}
        isDimmed={notice => notice.state === 'withdrawn'}
        drawer={{
          width: 880,
          title: notice => notice.title,
          status: notice => <ChoiceStatus choices={noticeState} value={notice.state} />,
          loadCall: notices.get,
          groups: [
            {
              keys: [
                'isImportant',
                'audience',
                'departmentIds',
                'tags',
                'staffIds',
                'publisherName',
                'publishTime',
                'withdrawTime',
                'withdrawReason',
              ],
            },
          ],
          afterGroups: notice => <NoticeContent of={notice} />,
          tabs: [
            {
              key: 'receivers',
              label: notice => `接收情况 ${notice.receiverCount ?? 0}`,
              body: notice => <ReceiverList noticeId={notice.id} />,
            },
          ],
          historyEntity: 'internalNotice',
          actions: actionsOf,
        }}
      />
      {form.dialog}
    </>
  )
}
