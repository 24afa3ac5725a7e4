import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { Choice } from '#kit/web/status.tsx'
import { inUse } from '#modules/estates/contract/estate.ts'
import { editPark, onePark, park, type Park } from '../contract/park.ts'
import { menu } from '../module.ts'
import { Figures, PlacesByState, placesOf } from './figures.tsx'

export default function ParkDetailPage() {
  const navigate = useNavigate()
  const form = useEdit({
    what: '停车场',
    edit: editPark,
    one: onePark,
    name: (p: Park) => p.name,
    as: 'drawer',
  })
  return (
    <DetailPage
      one={onePark}
      title={p => p.name}
      status={p => <Choice of={inUse} value={p.state} />}
      history={park.name}
      below={form.dialog}
      tabs={[
        {
          key: 'places',
          label: '车位',
          body: p => (
            <>
              <div className="park-page">
                <Figures id={p.id} />
              </div>
              <PlacesByState park={p} />
            </>
          ),
        },
      ]}
      verbs={p => [
        form.edit(p),
        { label: '看车位', may: menu.place.may.view, run: () => navigate(placesOf(p.id)) },
      ]}
    />
  )
}
