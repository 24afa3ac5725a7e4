import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { merchant, merchantState, getMerchant } from '../contract/merchant.ts'
import { menu } from '../module.ts'
import { detailGroups } from './merchant-groups.ts'
import { deleteMerchantAction } from './merchant-list.tsx'
import { paths } from './paths.ts'
import { MerchantStaffList } from './merchant-staff.tsx'

/** One merchant; the specification names it three times. */
export default function MerchantDetailPage() {
  const navigate = useNavigate()
  const may = usePermission()
  return (
    <DetailPage
      loadCall={getMerchant}
      title={m => m.name}
      status={m => <ChoiceStatus choices={merchantState} value={m.state} />}
      groups={detailGroups}
      historyEntity={merchant.name}
      tabs={
        may(menu.staff.permissions.view)
          ? [{ key: 'staff', label: '员工', body: m => <MerchantStaffList of={m} /> }]
          : []
      }
      actions={m => [
        {
          label: '编辑',
          needs: menu.merchant.permissions.edit,
          run: () => navigate(`${paths.edit}?id=${m.id}`),
        },
        deleteMerchantAction.row(m),
      ]}
    />
  )
}
