import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { usePermission } from '#kit/web/session.ts'
import { Choice } from '#kit/web/status.tsx'
import { merchant, merchantState, oneMerchant } from '../contract/merchant.ts'
import { menu } from '../module.ts'
import { shownGroups } from './groups.ts'
import { removeMerchant } from './list.tsx'
import { places } from './places.ts'
import { MerchantStaffList } from './staff.tsx'

/** One merchant; the specification names it three times. */
export default function MerchantDetailPage() {
  const navigate = useNavigate()
  const may = usePermission()
  return (
    <DetailPage
      one={oneMerchant}
      title={m => m.name}
      status={m => <Choice of={merchantState} value={m.state} />}
      groups={shownGroups}
      history={merchant.name}
      tabs={
        may(menu.staff.may.view)
          ? [{ key: 'staff', label: '员工', body: m => <MerchantStaffList of={m} /> }]
          : []
      }
      verbs={m => [
        { label: '编辑', may: menu.merchant.may.edit, run: () => navigate(`${places.edit}?id=${m.id}`) },
        removeMerchant.row(m),
      ]}
    />
  )
}
