import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { later } from '#kit/web/later.tsx'
import { Skeleton } from '#kit/web/list/states.tsx'
import { usePermission } from '#kit/web/session.ts'
import { Choice } from '#kit/web/status.tsx'
import { company, companyState, oneCompany, type Company } from '../contract/company.ts'
import { menu } from '../module.ts'
import { shownGroups } from './groups.ts'
import { useCompanyVerbs } from './list.tsx'

const CompanyRooms = later(() => import('./rooms.tsx').then(m => m.CompanyRooms), <Skeleton rows={6} />)
const Workers = later(() => import('./workers.tsx').then(m => m.Workers), <Skeleton rows={6} />)

export default function CompanyDetailPage() {
  const { verbs, dialog } = useCompanyVerbs()
  const may = usePermission()
  return (
    <DetailPage
      one={oneCompany}
      title={c => c.name}
      status={c => <Choice of={companyState} value={c.state} />}
      groups={shownGroups}
      history={company.name}
      verbs={verbs}
      below={dialog}
      tabs={[
        { key: 'rooms', label: '房间', body: c => <CompanyRooms of={c} /> },
        ...(may(menu.worker.may.view)
          ? [{ key: 'workers', label: '员工', body: (c: Company) => <Workers of={c} /> }]
          : []),
      ]}
    />
  )
}
