import type { Id } from '#kit/domain/id.ts'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { exportMessages, outgoingMessages, settleMessage } from '../contract/message.ts'
import { menu } from '../module.ts'

const { model } = crudPages(outgoingMessages, {
  unit: '条发送记录',
  export: exportMessages,
  actions: [
    {
      label: '核对结果',
      needs: menu.record.permissions.settle,
      call: settleMessage,
      keys: [
        { key: 'state', help: '在短信服务商处查到的结果：已送达，或失败' },
        { key: 'reason', wide: true },
      ],
      initial: () => ({ state: 'delivered' }),
      isOffered: row => row.state === 'unclear',
    },
  ],
  columns: [
    { key: 'receiverName', identity: true, width: 110 },
    { key: 'roomName', hidePriority: 1, grow: 1 },
    { key: 'address', width: 120 },
    { key: 'channel', width: 72, hidePriority: 2 },
    { key: 'content', grow: 2 },
    { key: 'segments', title: '条数', width: 64, hidePriority: 2 },
    { key: 'sentTime', width: 150, hidePriority: 1 },
    { key: 'endTime', title: '送达时间', width: 150, hidePriority: 3 },
    { key: 'failReason', title: '原因', width: 150 },
    'state',
  ],
  detail: [
    { title: '接收人', keys: ['receiverKind', 'receiverName', 'roomName', 'address'] },
    { title: '内容', keys: ['channel', 'purpose', { key: 'content', wide: true }] },
    {
      title: '发送',
      keys: [
        'segments',
        'quota',
        'sendTime',
        'sentTime',
        'endTime',
        'attempts',
        'providerRef',
        'failReason',
        'state',
      ],
    },
  ],
})

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'unclear', name: '结果未知', filter: { state: ['unclear'] } },
  { id: 'failed', name: '失败与拒收', filter: { state: ['failed', 'refused'] } },
]

/** 发送记录: each message with what became of it. */
export const Records = () => (
  <CrudList
    model={model}
    list={{
      embedded: true,
      pageSize: 15,
      keywordPlaceholder: '接收人、号码',
      barFilters: ['channel', 'state', 'createTime'],
      settingsKey: 'messaging/records',
      views,
    }}
  />
)

/** The messages of one task. */
export const TaskRecords = ({ id }: { readonly id: Id }) => (
  <CrudList
    model={model}
    list={{
      embedded: true,
      barFilters: ['state'],
      fixedFilter: { taskId: id },
      settingsKey: 'messaging/task-records',
      views,
    }}
  />
)
