import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { StateMessage } from '#kit/web/list/list-feedback.tsx'
import { useSend } from '#kit/web/query.ts'
import { getAreaDrawing, savePlaces } from '../contract/drawing.ts'
import { paths } from '../module.ts'
import { placesControl } from './places-control.tsx'

type AreaDrawing = NonNullable<typeof getAreaDrawing.output.T>
type Draft = NonNullable<typeof savePlaces.input.T>

function PlacesForm({ area, image }: { readonly area: AreaDrawing; readonly image: string }) {
  const navigate = useNavigate()
  const saving = useSend(savePlaces, { quiet: true })
  const groups = useMemo(
    () => [{ keys: [{ key: 'places', wide: true, control: placesControl(image, area.points) }] }],
    [image, area.points],
  )
  return (
    <FormPage<Draft>
      shape={savePlaces.input}
      title={`布置点位「${area.areaName}」`}
      groups={groups}
      initial={{ id: area.id, places: area.places }}
      draftKey={draftKeyOf(savePlaces, area.id)}
      save={values => saving.mutateAsync({ ...values, id: area.id })}
      onDone={() => void navigate(paths.areas, { replace: true })}
    />
  )
}

/** 布置巡更点位: where the points of an area are on its drawing. */
export default function AreaDrawingPage() {
  const { record, placeholder } = useAddressedRecord(getAreaDrawing, {
    tabTitle: area => `布置点位 ${area.areaName}`,
    staleMs: 0,
  })
  if (!record) return placeholder
  const { image, areaName } = record
  return image === undefined ? (
    <StateMessage text={`「${areaName}」未上传平面图，请先在巡更区域中上传`} />
  ) : (
    <PlacesForm area={record} image={image} />
  )
}
