import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { erasureRequest, listErasures, type ErasureRequest } from '../contract/erasure.ts'
import { menu, paths } from '../module.ts'
import { erasureColumns, erasureGroups, RequestStatus } from './erasure-columns.tsx'

const views = [
  { id: '', name: '待处理', filter: { state: ['open', 'approved'] } },
  { id: 'done', name: '已删除', filter: { state: ['done'] } },
  { id: 'all', name: '全部', filter: {} },
]

const open = ({ id }: Pick<ErasureRequest, 'id'>): void => navigateTo(`${paths.erasure}?id=${id}`)

/** 删除请求: what people asked to have erased, and what became of it. */
export default function ErasureListPage() {
  return (
    <ListPage
      list={listErasures}
      itemName="删除请求"
      columns={erasureColumns}
      filters={['state', 'applicant', 'dueDate', 'createTime']}
      barFilters={[]}
      views={views}
      keywordPlaceholder="姓名"
      primaryAction={{
        label: '查找人员',
        needs: menu.person.permissions.view,
        run: () => navigateTo(paths.people),
      }}
      rowActions={row => [{ label: '办理', run: () => open(row) }]}
      isDimmed={row => row.state !== 'open' && row.state !== 'approved'}
      drawer={{
        title: row => `${row.personName}的删除请求`,
        status: row => <RequestStatus request={row} />,
        groups: erasureGroups,
        historyEntity: erasureRequest.name,
        actions: row => [{ label: '办理', run: () => open(row) }],
        openAsPage: open,
      }}
    />
  )
}
