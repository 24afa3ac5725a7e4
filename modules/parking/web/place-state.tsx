import { useMemo } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { tellDone } from '#kit/web/acts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { count } from '#kit/web/figure.tsx'
import { OutcomeDialog, useOutcome } from '#kit/web/outcome.tsx'
import { useSend } from '#kit/web/query.ts'
import { changePlaceState, type ParkPlace } from '../contract/place.ts'
import { placeState } from '../contract/words.ts'
import { dateFault, placeFault } from '../domain/state.ts'
import './parking.css'

type Said = Partial<NonNullable<typeof changePlaceState.input.T>>

const given = (v: Said): boolean =>
  v.placeState === 'sold' || v.placeState === 'let' || v.placeState === 'own'

const hides = (v: Said): boolean => !given(v)

const groups: readonly AskGroup[] = [
  {
    keys: [
      { key: 'placeState', label: '变更为' },
      { key: 'roomCode', hidden: hides, wide: true },
      { key: 'beginDate', hidden: hides },
      { key: 'endDate', hidden: v => v.placeState !== 'let' && v.placeState !== 'own', help: '已租时必填' },
      { key: 'reason', help: '改为空闲会清除关联房间和起止日期' },
    ],
  },
]

const faultOf = (p: ParkPlace, v: Said, all: ReadonlySet<number>): string | undefined =>
  placeFault(
    {
      ...p,
      ...(v.beginDate ? { beginDate: v.beginDate } : {}),
      ...(v.endDate ? { endDate: v.endDate } : {}),
    },
    v.placeState!,
    p.parentPlaceId !== undefined && all.has(p.parentPlaceId),
  )

function Judged({ places, of }: { readonly places: readonly ParkPlace[]; readonly of: Said }) {
  const from = [...Map.groupBy(places, p => p.placeState)]
    .map(([s, all]) => `${labelOf(placeState, s)} ${all.length}`)
    .join('、')
  if (!of.placeState) return <p className="place-note">现在：{from}</p>
  const ids = new Set(places.map(p => p.id))
  const why = new Map<string, number>()
  for (const p of places) {
    const f = faultOf(p, of, ids)
    if (f) {
      why.set(f, (why.get(f) ?? 0) + 1)
    }
  }
  const held = [...why.values()].reduce((a, b) => a + b, 0)
  return (
    <div className="place-note" role="status">
      <p>
        现在：{from}；可变更 {count(places.length - held)} 个{held > 0 && `，${count(held)} 个不能变更`}
      </p>
      {held > 0 && (
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
 * Gives places out, takes them back, or takes them out of use; what cannot go is said before and after
 * (C10.1).
 */
export function PlaceStateDialog({
  places,
  onClose,
}: {
  readonly places: readonly ParkPlace[]
  readonly onClose: () => void
}) {
  const move = useSend(changePlaceState, { quiet: true })
  const [outcome, show] = useOutcome()
  const one = places.length === 1 ? places[0] : undefined
  const initial = useMemo(
    () => ({
      ids: places.map(p => String(p.id)),
      projectCode: places[0]!.projectCode,
      ...(one?.roomCode ? { roomCode: one.roomCode } : {}),
    }),
    [places, one],
  )
  if (outcome) return <OutcomeDialog of={outcome} title="车位状态变更结果" onClose={onClose} />
  return (
    <EditDialog
      of={changePlaceState.input}
      title={one ? `变更车位「${one.placeNo}」的状态` : `变更 ${count(places.length)} 个车位的状态`}
      groups={groups}
      initial={initial}
      words="变更状态"
      as="dialog"
      save={v => move.mutateAsync(v)}
      onClose={onClose}
      below={v => <Judged places={places} of={v} />}
      rules={v => {
        const dates = dateFault(v)
        return {
          ...(dates ? { endDate: dates } : {}),
          ...(v.placeState === 'let' && !v.endDate && places.some(p => !p.endDate)
            ? { endDate: '出租请填写结束日期' }
            : {}),
        }
      }}
      onDone={a => {
        const b = a as NonNullable<typeof changePlaceState.output.T>
        if (b.fail || b.skipped) {
          show(b)
        } else {
          tellDone(b, '')
          onClose()
        }
      }}
    />
  )
}
