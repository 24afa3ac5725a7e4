import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { screenAction } from '#kit/web/screen-action.ts'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { editPlace, getPlace, parkPlace, type ParkPlace } from '../contract/park-place.ts'
import { placeState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { getPlaceGroups, validatePlace } from './park-place-form.tsx'
import { PlaceStateDialog } from './park-place-state-dialog.tsx'

export default function PlaceDetailPage() {
  const navigate = useNavigate()
  const [moving, setMoving] = useState<readonly ParkPlace[]>()
  const form = useEdit({
    itemName: '车位',
    edit: editPlace,
    load: getPlace,
    nameOf: (p: ParkPlace) => p.placeNo,
    groups: getPlaceGroups(false),
    rules: validatePlace,
    presentation: 'drawer',
  })
  return (
    <DetailPage
      loadCall={getPlace}
      title={p => p.placeNo}
      status={p => <ChoiceStatus choices={placeState} value={p.placeState} />}
      historyEntity={parkPlace.name}
      groups={[
        {
          title: '车位',
          keys: ['code', 'parkName', 'areaName', 'placeType', 'ownKind', 'area', 'carLimit', 'parentPlaceNo'],
        },
        { title: '使用', keys: ['placeState', 'roomPath', 'beginDate', 'endDate'] },
        { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
      ]}
      actions={p => [
        form.editAction(p),
        { label: '变更状态', needs: menu.place.permissions.state, run: () => setMoving([p]) },
        screenAction(
          '/service/data/parklots/carportlist/addcarportfeescale',
          { codes: p.code, project: p.projectCode },
          '收费标准',
        ),
        {
          label: '看停车场',
          needs: menu.park.permissions.view,
          run: () => navigate(`/service/data/parklots/parklotsDetail?id=${p.parkId}`),
        },
      ]}
      footer={
        <>
          {form.dialog}
          {moving && <PlaceStateDialog places={moving} onClose={() => setMoving(undefined)} />}
        </>
      }
    />
  )
}
