import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { useSend } from '#kit/web/query.ts'
import { changePlaceState, type ParkPlace } from '../contract/park-place.ts'
import { placeState } from '../contract/labels.ts'
import { placeDateFault, placeStateFault } from '../domain/place-state.ts'
import './parking.css'

type StateInput = Partial<NonNullable<typeof changePlaceState.input.T>>

const isGivenOut = (v: StateInput): boolean =>
  v.placeState === 'sold' || v.placeState === 'let' || v.placeState === 'own'

const isUsageHidden = (v: StateInput): boolean => !isGivenOut(v)

const groups: readonly FormFieldGroup[] = [
  {
    keys: [
      { key: 'placeState', label: '变更为' },
      { key: 'roomCode', isHidden: isUsageHidden, wide: true },
      { key: 'beginDate', isHidden: isUsageHidden },
      { key: 'endDate', isHidden: v => v.placeState !== 'let' && v.placeState !== 'own', help: '已租时必填' },
      { key: 'reason', help: '改为空闲会清除关联房间和起止日期' },
    ],
  },
]

const faultOf = (place: ParkPlace, values: StateInput, all: ReadonlySet<Id>): string | undefined =>
  placeStateFault(
    {
      ...place,
      ...(values.beginDate ? { beginDate: values.beginDate } : {}),
      ...(values.endDate ? { endDate: values.endDate } : {}),
    },
    defined(values.placeState),
    place.parentPlaceId !== undefined && all.has(place.parentPlaceId),
  )

function StateSummary({ places, of }: { readonly places: readonly ParkPlace[]; readonly of: StateInput }) {
  const from = [...Map.groupBy(places, p => p.placeState)]
    .map(([s, all]) => `${labelOf(placeState, s)} ${all.length}`)
    .join('、')
  if (!of.placeState) return <p className="place-note">现在：{from}</p>
  const ids = new Set(places.map(p => p.id))
  const why = new Map<string, number>()
  for (const place of places) {
    const f = faultOf(place, of, ids)
    if (f) {
      why.set(f, (why.get(f) ?? 0) + 1)
    }
  }
  const refusedCount = [...why.values()].reduce((a, b) => a + b, 0)
  return (
    <div className="place-note" role="status">
      <p>
        现在：{from}；可变更 {formatCount(places.length - refusedCount)} 个
        {refusedCount > 0 && `，${formatCount(refusedCount)} 个不能变更`}
      </p>
      {refusedCount > 0 && (
        <ul>
          {[...why].slice(0, 5).map(([f, n]) => (
            <li key={f}>
              {f}（{n} 个）
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/**
 * Gives places out, takes them back, or takes them out of use; what cannot change is listed before and after
 * (C10.1).
 */
export function PlaceStateDialog({
  of: places,
  onClose,
}: {
  readonly of: readonly ParkPlace[]
  readonly onClose: () => void
}) {
  const move = useSend(changePlaceState, { quiet: true })
  const one = places.length === 1 ? places[0] : undefined
  const initial = useMemo(
    () => ({
      ids: places.map(p => String(p.id)),
      projectCode: defined(places[0]).projectCode,
      ...(one?.roomCode ? { roomCode: one.roomCode } : {}),
    }),
    [places, one],
  )
  return (
    <EditDialog
      shape={changePlaceState.input}
      draftKey={draftKeyOf(changePlaceState, initial.ids)}
      title={one ? `变更车位「${one.placeNo}」的状态` : `变更 ${formatCount(places.length)} 个车位的状态`}
      groups={groups}
      initial={initial}
      submitLabel="变更状态"
      presentation="dialog"
      save={v => move.mutateAsync(v)}
      onClose={onClose}
      below={v => <StateSummary places={places} of={v} />}
      rules={values => {
        const dates = placeDateFault(values)
        return {
          ...(dates ? { endDate: dates } : {}),
          ...(values.placeState === 'let' && !values.endDate && places.some(p => !p.endDate)
            ? { endDate: '出租请填写结束日期' }
            : {}),
        }
      }}
      onDone={answer => {
        reportBulkResult(answer, '车位状态变更结果')
        onClose()
      }}
    />
  )
}
