import type { Call } from '#kit/contract/call.ts'
import type { Id } from '#kit/domain/id.ts'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { confirmAndSend, sendAndToast } from '#kit/web/record-actions.ts'
import {
  publishStaffNotice,
  publishUserNotice,
  staffNotices,
  userNotices,
  withdrawStaffNotice,
  withdrawUserNotice,
  type StaffNotice,
  type UserNotice,
} from '../contract/direct.ts'
import { menu } from '../module.ts'

const { publish } = menu.direct.permissions

type Direct = UserNotice | StaffNotice

const countText = ({ readCount = 0, totalCount }: Direct): string =>
  totalCount === undefined ? '' : `${readCount} / ${totalCount}`

const columns = [
  { key: 'title', identity: true, grow: 2 },
  {
    key: 'readCount',
    title: '已读 / 接收',
    width: 112,
    align: 'right',
    sortKey: undefined,
    text: countText,
    render: countText,
  },
  { key: 'publisherName', width: 100 },
  { key: 'publishTime', width: 150, hidePriority: 1 },
  'state',
] as const

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'draft', name: '草稿', filter: { state: ['draft'] } },
  { id: 'published', name: '已发布', filter: { state: ['published'] } },
]

const list = { filters: ['state', 'publishTime'], barFilters: ['publishTime'], views }

const isDraft = ({ state }: Direct): boolean => state === 'draft'
const isPublished = ({ state }: Direct): boolean => state === 'published'

const form = {
  presentation: 'drawer',
  editDisabledReason: (row: Direct) => (row.state === 'draft' ? undefined : '已发布或已撤回的通知不能修改'),
  savedText: (row: Direct, isNew: boolean) =>
    isNew ? `已保存草稿「${row.title}」，发布后对方可见` : `已保存「${row.title}」`,
} as const

const deletion = { consequences: ['对方不再看到该通知'], reasons: ['录入有误', '不再需要'] }

/** Says to how many it goes before it does. */
async function publishAfterAsking<O>(
  { id, title, targetIds }: Direct,
  call: Call<{ readonly id: Id }, O>,
): Promise<void> {
  const isAgreed = await confirm({
    title: `发布「${title}」`,
    text: `将通知 ${targetIds.length} 人。`,
    okLabel: '发布',
  })
  if (!isAgreed) return
  await sendAndToast(call, { id }, `已发布「${title}」`)
}

const withdraw = <O,>(
  { id, title }: Direct,
  call: Call<{ readonly id: Id; readonly reason: string }, O>,
): Promise<boolean> =>
  confirmAndSend(call, {
    actionLabel: '撤回',
    unit: '条通知',
    title: `撤回「${title}」`,
    consequences: ['对方不再看到该通知，尚未发送的消息取消发送', '撤回后不能再次发布'],
    reason: { presets: ['内容有误', '事项取消'] },
    input: reason => ({ id, reason }),
    doneText: `已撤回「${title}」`,
  })

const users = crudPages(userNotices, {
  unit: '条通知',
  itemName: '住户通知',
  columns,
  list,
  deletion,
  form: {
    ...form,
    groups: [
      {
        keys: [
          { key: 'title', wide: true },
          { key: 'targetIds', wide: true },
          { key: 'channels', wide: true },
          { key: 'content', wide: true },
        ],
      },
    ],
  },
  actions: [
    {
      label: '发布',
      needs: publish,
      isOffered: isDraft,
      run: row => publishAfterAsking(row, publishUserNotice),
    },
    {
      label: '撤回',
      needs: publish,
      isOffered: isPublished,
      danger: true,
      run: row => withdraw(row, withdrawUserNotice),
    },
  ],
  detail: [
    { keys: ['title', 'targetIds', 'channels', 'content', 'publisherName', 'publishTime', 'withdrawReason'] },
  ],
})

const staff = crudPages(staffNotices, {
  unit: '条通知',
  itemName: '员工通知',
  columns,
  list,
  deletion,
  form: {
    ...form,
    groups: [
      {
        keys: [
          { key: 'title', wide: true },
          { key: 'targetIds', wide: true, help: '有登录账号的员工在系统消息中收到' },
          { key: 'content', wide: true },
        ],
      },
    ],
  },
  actions: [
    {
      label: '发布',
      needs: publish,
      isOffered: isDraft,
      run: row => publishAfterAsking(row, publishStaffNotice),
    },
    {
      label: '撤回',
      needs: publish,
      isOffered: isPublished,
      danger: true,
      run: row => withdraw(row, withdrawStaffNotice),
    },
  ],
  detail: [{ keys: ['title', 'targetIds', 'content', 'publisherName', 'publishTime', 'withdrawReason'] }],
})

const embedded = { embedded: true, addressed: true, pageSize: 15 } as const

export const UserNotices = () => (
  <CrudList model={users.model} list={{ ...embedded, settingsKey: 'notices/users' }} />
)

export const StaffNotices = () => (
  <CrudList model={staff.model} list={{ ...embedded, settingsKey: 'notices/staff' }} />
)
