import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { getStaff, staff } from '../contract/staff.ts'
import { staffState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { deleteStaffAction, useStaffActions } from './staff-actions.tsx'
import { detailGroups } from './field-groups.tsx'
import { paths } from './paths.ts'

export default function StaffDetailPage() {
  const navigate = useNavigate()
  const deeds = useStaffActions()
  return (
    <DetailPage
      loadCall={getStaff}
      title={s => s.name}
      status={s => <ChoiceStatus choices={staffState} value={s.state} />}
      groups={detailGroups}
      historyEntity={staff.name}
      footer={deeds.dialog}
      actions={s => [
        {
          label: '编辑',
          needs: menu.staff.permissions.edit,
          run: () => navigate(`${paths.edit}?id=${s.id}`),
        },
        ...deeds.verbs(s),
        deleteStaffAction.row(s),
      ]}
    />
  )
}
