import { useNavigate } from 'react-router'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { exportInstances, processInstances } from '../contract/instance.ts'
import { paths } from '../module.ts'
import { endedInstanceColumns } from './instance-list.tsx'

/** 审批历史: requests that are over. */
export default function HistoryPage() {
  const navigate = useNavigate()
  return (
    <ListPage
      list={processInstances.list}
      itemName="已结束的审批"
      columns={endedInstanceColumns}
      fixedFilter={{ state: ['approved', 'refused', 'withdrawn', 'terminated'] }}
      filters={['bizType', 'applicantId', 'departmentId', 'processId', 'amount', 'applyTime', 'finishTime']}
      barFilters={['bizType', 'finishTime']}
      rowActions={instance => [
        { label: '详情', run: () => void navigate(`${paths.detail}?id=${instance.id}`) },
      ]}
      export={exportInstances}
    />
  )
}
