import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import { useSend } from '#kit/web/query.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addPlace, type ParkPlace } from '../contract/park-place.ts'
import { placeDateFault } from '../domain/place-state.ts'

const isNotTandem = (v: Partial<ParkPlace>): boolean => v.placeType !== 'tandem'

/** The state is asked of a new place; later it has a dialog of its own. */
const createPlaceGroups = (fresh: boolean): readonly FormFieldGroup[] => [
  {
    title: '车位',
    keys: [
      { key: 'parkId', deriveValues: () => ({ parentPlaceId: undefined }) },
      'placeNo',
      'code',
      'areaName',
      'placeType',
      { key: 'parentPlaceId', isHidden: isNotTandem },
      'ownKind',
      'area',
      'carLimit',
    ],
  },
  { title: '使用', keys: [...(fresh ? ['placeState'] : []), 'roomCode', 'beginDate', 'endDate'] },
  { title: '其他', keys: ['remark'] },
]

const groupsByMode = { fresh: createPlaceGroups(true), old: createPlaceGroups(false) }
export const getPlaceGroups = (fresh: boolean): readonly FormFieldGroup[] =>
  fresh ? groupsByMode.fresh : groupsByMode.old

export function validatePlace(v: Partial<ParkPlace>): Faults | undefined {
  const dates = placeDateFault(v)
  return {
    ...(dates ? { endDate: dates } : {}),
    ...(v.placeState === 'let' && !v.endDate ? { endDate: '已租的车位请填写结束日期' } : {}),
  }
}

export default function AddPlacePage() {
  const add = useSend(addPlace, { quiet: true })
  const tab = useTab()
  const [at] = useSearchParams()
  const park = Number(at.get('park')) || undefined
  const initial = useMemo(() => (park ? { parkId: park } : {}), [park])
  return (
    <FormPage
      shape={addPlace.input}
      title="新增车位"
      groups={getPlaceGroups(true)}
      initial={initial}
      draftKey="parkPlace/new"
      rules={validatePlace}
      submitLabel="新增车位"
      save={v => add.mutateAsync(v)}
      onDone={a => {
        toast.success(`已新增车位「${(a as ParkPlace).placeNo}」`)
        tab.close()
      }}
    />
  )
}
