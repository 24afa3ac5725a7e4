import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { editPark, getPark, park, type Park } from '../contract/park.ts'
import { menu } from '../module.ts'
import { ParkStatisticsBar, PlacesByState, placeListPathOf } from './park-statistics.tsx'

export default function ParkDetailPage() {
  const navigate = useNavigate()
  const form = useEdit({
    itemName: '停车场',
    edit: editPark,
    load: getPark,
    nameOf: (p: Park) => p.name,
    presentation: 'drawer',
  })
  return (
    <DetailPage
      loadCall={getPark}
      title={p => p.name}
      status={p => <ChoiceStatus choices={enabledState} value={p.state} />}
      historyEntity={park.name}
      footer={form.dialog}
      tabs={[
        {
          key: 'places',
          label: '车位',
          body: p => (
            <>
              <div className="park-page">
                <ParkStatisticsBar id={p.id} />
              </div>
              <PlacesByState park={p} />
            </>
          ),
        },
      ]}
      actions={p => [
        form.editAction(p),
        { label: '看车位', needs: menu.place.permissions.view, run: () => navigate(placeListPathOf(p.id)) },
      ]}
    />
  )
}
