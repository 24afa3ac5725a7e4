import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-states.tsx'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { company, companyState, getCompany, type Company } from '../contract/company.ts'
import { menu } from '../module.ts'
import { detailGroups } from './company-groups.ts'
import { useCompanyActions } from './company-list.tsx'

const CompanyRoomList = lazyComponent(
  () => import('./company-rooms.tsx').then(m => m.CompanyRoomList),
  <RowSkeleton rows={6} />,
)
const WorkerList = lazyComponent(
  () => import('./company-workers.tsx').then(m => m.WorkerList),
  <RowSkeleton rows={6} />,
)

export default function CompanyDetailPage() {
  const { verbs, dialog } = useCompanyActions()
  const may = usePermission()
  return (
    <DetailPage
      loadCall={getCompany}
      title={c => c.name}
      status={c => <ChoiceStatus choices={companyState} value={c.state} />}
      groups={detailGroups}
      historyEntity={company.name}
      actions={verbs}
      footer={dialog}
      tabs={[
        { key: 'rooms', label: '房间', body: c => <CompanyRoomList of={c} /> },
        ...(may(menu.worker.permissions.view)
          ? [{ key: 'workers', label: '员工', body: (c: Company) => <WorkerList of={c} /> }]
          : []),
      ]}
    />
  )
}
