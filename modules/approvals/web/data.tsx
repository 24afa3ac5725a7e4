import { useNavigate } from 'react-router'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { exportInstances, processInstances } from '../contract/instance.ts'
import { paths } from '../module.ts'
import { instanceColumns } from './instance-list.tsx'

/** 审批数据: every request of the company, with what an administrator may do. */
export default function DataPage() {
  const navigate = useNavigate()
  return (
    <ListPage
      list={processInstances.list}
      itemName="审批"
      columns={instanceColumns}
      filters={[
        'bizType',
        'state',
        'applicantId',
        'departmentId',
        'processId',
        'amount',
        'applyTime',
        'finishTime',
      ]}
      barFilters={['bizType', 'state', 'applyTime']}
      rowActions={instance => [
        { label: '详情', run: () => void navigate(`${paths.detail}?id=${instance.id}`) },
      ]}
      export={exportInstances}
    />
  )
}
