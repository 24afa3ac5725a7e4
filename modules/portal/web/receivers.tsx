import type { Id } from '#kit/domain/id.ts'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { receiptState } from '../contract/choices.ts'
import { exportReceivers, noticeReceivers } from '../contract/receiver.ts'

const columns = buildColumns(noticeReceivers.list.output, [
  { key: 'managerName', identity: true, width: 120 },
  { key: 'departmentName', width: 140, grow: 1 },
  { key: 'receipt', width: 88 },
  { key: 'readTime', width: 150 },
  { key: 'confirmTime', width: 150 },
  { key: 'remindTime', width: 150 },
])

const views = [
  { id: '', name: '全部', filter: {} },
  ...keysOf(receiptState).map(key => ({
    id: key,
    name: labelOf(receiptState, key),
    filter: { receipt: [key] },
  })),
]

/** Who has read a notice, who has confirmed it, who has not, and when. */
export const ReceiverList = ({ noticeId }: { readonly noticeId: Id }) => (
  <ListPage
    embedded
    pageSize={15}
    list={noticeReceivers.list}
    itemName="接收人"
    columns={columns}
    views={views}
    fixedFilter={{ noticeId: [String(noticeId)] }}
    filters={['receipt', 'departmentId']}
    barFilters={['departmentId']}
    export={exportReceivers}
  />
)
