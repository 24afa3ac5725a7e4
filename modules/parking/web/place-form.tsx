import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { Faults } from '#kit/web/form/state.ts'
import { useSend } from '#kit/web/query.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addPlace, type ParkPlace } from '../contract/place.ts'
import { dateFault } from '../domain/state.ts'

const notTandem = (v: Partial<ParkPlace>): boolean => v.placeType !== 'tandem'

/** The state is asked of a new place; later it has a dialog of its own. */
const groupsOf = (fresh: boolean): readonly AskGroup[] => [
  {
    title: '车位',
    keys: [
      { key: 'parkId', then: () => ({ parentPlaceId: undefined }) },
      'placeNo',
      'code',
      'areaName',
      'placeType',
      { key: 'parentPlaceId', hidden: notTandem },
      'ownKind',
      'area',
      'carLimit',
    ],
  },
  { title: '使用', keys: [...(fresh ? ['placeState'] : []), 'roomCode', 'beginDate', 'endDate'] },
  { title: '其他', keys: ['remark'] },
]

const kept = { fresh: groupsOf(true), old: groupsOf(false) }
export const placeGroups = (fresh: boolean): readonly AskGroup[] => (fresh ? kept.fresh : kept.old)

export function placeRules(v: Partial<ParkPlace>): Faults | undefined {
  const dates = dateFault(v)
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
      of={addPlace.input}
      title="新增车位"
      groups={placeGroups(true)}
      initial={initial}
      draft="parkPlace/new"
      rules={placeRules}
      words="新增车位"
      save={v => add.mutateAsync(v)}
      onDone={a => {
        toast.success(`已新增车位「${(a as ParkPlace).placeNo}」`)
        tab.close()
      }}
    />
  )
}
