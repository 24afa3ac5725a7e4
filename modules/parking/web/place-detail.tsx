import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { screenVerb } from '#kit/web/screen-verb.ts'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { Choice } from '#kit/web/status.tsx'
import { editPlace, onePlace, parkPlace, type ParkPlace } from '../contract/place.ts'
import { placeState } from '../contract/words.ts'
import { menu } from '../module.ts'
import { placeGroups, placeRules } from './place-form.tsx'
import { PlaceStateDialog } from './place-state.tsx'

export default function PlaceDetailPage() {
  const navigate = useNavigate()
  const [moving, setMoving] = useState<readonly ParkPlace[]>()
  const form = useEdit({
    what: '车位',
    edit: editPlace,
    one: onePlace,
    name: (p: ParkPlace) => p.placeNo,
    groups: placeGroups(false),
    rules: placeRules,
    as: 'drawer',
  })
  return (
    <DetailPage
      one={onePlace}
      title={p => p.placeNo}
      status={p => <Choice of={placeState} value={p.placeState} />}
      history={parkPlace.name}
      groups={[
        {
          title: '车位',
          keys: ['code', 'parkName', 'areaName', 'placeType', 'ownKind', 'area', 'carLimit', 'parentPlaceNo'],
        },
        { title: '使用', keys: ['placeState', 'roomPath', 'beginDate', 'endDate'] },
        { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
      ]}
      verbs={p => [
        form.edit(p),
        { label: '变更状态', may: menu.place.may.state, run: () => setMoving([p]) },
        screenVerb(
          '/service/data/parklots/carportlist/addcarportfeescale',
          { codes: p.code, project: p.projectCode },
          '收费标准',
        ),
        {
          label: '看停车场',
          may: menu.park.may.view,
          run: () => navigate(`/service/data/parklots/parklotsDetail?id=${p.parkId}`),
        },
      ]}
      below={
        <>
          {form.dialog}
          {moving && <PlaceStateDialog places={moving} onClose={() => setMoving(undefined)} />}
        </>
      }
    />
  )
}
