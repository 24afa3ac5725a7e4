import { useNavigate } from 'react-router'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { exportInstances, processInstances } from '../contract/instance.ts'
import { paths } from '../module.ts'
import { instanceColumns } from './instance-list.tsx'

/** 审批历史: requests that are over. */
export default function HistoryPage() {
  const navigate = useNavigate()
  return (
    <ListPage
      list={processInstances.list}
      itemName="已结束的审批"
      columns={instanceColumns}
      fixedFilter={{ state: ['approved', 'refused', 'withdrawn', 'terminated'] }}
      filters={['bizType', 'applicantId', 'departmentId', 'processId', 'applyTime', 'finishTime']}
      barFilters={['bizType', 'finishTime']}
      rowActions={instance => [
        { label: '详情', run: () => void navigate(`${paths.detail}?id=${instance.id}`) },
      ]}
      export={exportInstances}
    />
  )
}
