import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { company, companyState, oneCompany } from '../contract/company.ts'
import { shownGroups } from './groups.ts'
import { useCompanyVerbs } from './list.tsx'
import { CompanyRooms } from './rooms.tsx'
import { Workers } from './workers.tsx'

export default function CompanyDetailPage() {
  const { verbs, dialog } = useCompanyVerbs()
  return (
    <DetailPage
      one={oneCompany} title={c => c.name} status={c => <Choice of={companyState} value={c.state} />} groups={shownGroups} history={company.name} verbs={verbs} below={dialog}
      tabs={[{ key: 'rooms', label: '房间', body: c => <CompanyRooms of={c} /> }, { key: 'workers', label: '员工', body: c => <Workers of={c} /> }]}
    />
  )
}
