import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { oneStaff, staff } from '../contract/staff.ts'
import { staffState } from '../contract/words.ts'
import { menu } from '../module.ts'
import { remove, useDeeds } from './deeds.tsx'
import { shownGroups } from './groups.tsx'
import { places } from './places.ts'

export default function StaffDetailPage() {
  const navigate = useNavigate()
  const deeds = useDeeds()
  return (
    <DetailPage
      one={oneStaff}
      title={s => s.name}
      status={s => <Choice of={staffState} value={s.state} />}
      groups={shownGroups}
      history={staff.name}
      below={deeds.dialog}
      verbs={s => [
        { label: '编辑', may: menu.staff.may.edit, run: () => navigate(`${places.edit}?id=${s.id}`) },
        ...deeds.verbs(s),
        remove.row(s),
      ]}
    />
  )
}
