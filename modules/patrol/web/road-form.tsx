import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { parseId, type Id } from '#kit/domain/id.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { pickPoints } from '../contract/point.ts'
import { addRoad, editRoad, getRoad } from '../contract/road.ts'
import { paths } from '../module.ts'
import { RoadStrip } from './road-strip.tsx'

type Draft = NonNullable<typeof addRoad.input.T>
type Road = NonNullable<typeof getRoad.output.T>

const groups = defineFormGroups([
  { title: '路线', keys: ['roadName', 'areaId', 'inOrder', 'state', { key: 'orderTypeId', wide: true }] },
  { title: '路段', keys: [{ key: 'points', wide: true }] },
])

/** Shows the points of the form as a strip. */
function DraftStrip({ values }: { readonly values: Partial<Draft> }) {
  const legs = (values.points ?? []).filter(leg => leg.pointId)
  const ids = legs.map(leg => String(leg.pointId))
  const points = useCall(
    pickPoints,
    { ids, size: Math.max(1, ids.length) },
    { quiet: true, enabled: ids.length > 0, keepPrevious: true },
  ).data?.rows
  const nameById = useMemo(
    () => new Map<Id, string>(points?.map(point => [point.id, point.pointName])),
    [points],
  )
  if (!legs.length) return null
  return (
    <RoadStrip
      points={legs.map(leg => ({
        name: nameById.get(leg.pointId) ?? '--',
        legMinutes: leg.legMinutes ?? 0,
        tolerance: leg.tolerance ?? 0,
      }))}
    />
  )
}

function RoadForm({ row }: { readonly row?: Road }) {
  const navigate = useNavigate()
  const saving = useSend(row ? editRoad : addRoad, { quiet: true })
  return (
    <FormPage<Draft, { readonly id: number }>
      shape={addRoad.input}
      title={row ? `编辑巡更路线「${row.roadName}」` : '新增巡更路线'}
      groups={groups}
      initial={row ?? { inOrder: true, state: 'on' }}
      draftKey={draftKeyOf(addRoad, row ? row.id : 'new')}
      save={values => saving.mutateAsync(values)}
      loadCurrent={row && (async () => ({ ...(await send(getRoad, { id: row.id }, { quiet: true })) }))}
      onDone={() => void navigate(paths.roads, { replace: true })}
      below={values => <DraftStrip values={values} />}
    />
  )
}

function EditedRoad() {
  const { record, placeholder } = useAddressedRecord(getRoad, {
    tabTitle: road => `编辑 ${road.roadName}`,
    staleMs: 0,
  })
  return record ? <RoadForm row={record} /> : placeholder
}

/** 新增、编辑巡更路线 */
export default function RoadFormPage() {
  const [address] = useSearchParams()
  return parseId(address.get('id')) ? <EditedRoad /> : <RoadForm />
}
