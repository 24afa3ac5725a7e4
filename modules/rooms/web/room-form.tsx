import { Segmented } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { compare } from '#kit/domain/decimal.ts'
import { count } from '#kit/web/figure.tsx'
import type { Ask, AskGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { useTab, useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { areaKeys, type Areas } from '../contract/change.ts'
import { addBatch, addRoom, editRoom, type Batch, type Room } from '../contract/room.ts'
import { withChargeArea } from '../domain/areas.ts'
import { menu } from '../module.ts'
import { BatchPreview } from './batch-preview.tsx'
import { kinds, oneById, type KindName } from './kinds.ts'
import { UnitControl, UnitsControl } from './unit-control.tsx'

const building: Ask = { key: 'buildCode', then: () => ({ unitName: undefined, unitNames: undefined }) }

const where: AskGroup = {
  title: '位置',
  keys: [building, { key: 'unitName', control: UnitControl, wide: false }, 'floorNum', 'roomNo', 'code'],
}

const what: Record<KindName, AskGroup> = {
  room: { title: '房屋', keys: ['roomType', 'layout', 'orientation', 'useType'] },
  shop: { title: '经营', keys: ['brand', 'industry', 'useType'] },
}

const figures: readonly (string | Ask)[] = ['buildArea', 'innerArea', 'shareArea', 'chargeArea', 'feeRatio']
const days = ['deliverDate', 'checkinDate', 'decorateBegin', 'decorateEnd']
const rest: AskGroup = { title: '其他', keys: ['ownerCertNo', 'state', 'remark'] }

const groupsOf = (kind: KindName): readonly AskGroup[] => [
  where,
  what[kind],
  { title: '面积与计费', keys: figures },
  { title: '交付与使用', keys: ['roomState', ...days] },
  rest,
]

const adding = { room: groupsOf('room'), shop: groupsOf('shop') }

const batching: Record<KindName, readonly AskGroup[]> = {
  room: [
    {
      title: '范围',
      keys: [
        building,
        { key: 'unitNames', control: UnitsControl, wide: false },
        'floorFrom',
        'floorTo',
        'perFloor',
      ],
    },
    { title: '每间都相同的', keys: ['roomType', 'roomState', 'layout', 'buildArea', 'innerArea'] },
  ],
  shop: [
    {
      title: '范围',
      keys: [
        building,
        { key: 'unitNames', control: UnitsControl, wide: false },
        'floorFrom',
        'floorTo',
        'perFloor',
      ],
    },
    { title: '每间都相同的', keys: ['roomState', 'buildArea', 'innerArea'] },
  ],
}

/** One by one, or floors × rooms per floor at once. */
function AddPage({ kind }: { readonly kind: KindName }) {
  const may = usePermission()
  const [at] = useSearchParams()
  const k = kinds[kind]
  const inBuilding = at.get('building') ?? undefined
  const canBatch = may(menu.room.may.batch)
  const [batch, setBatch] = useState(canBatch && at.get('way') === 'batch')
  const tab = useTab()
  const navigate = useNavigate()
  const add = useSend(addRoom, { quiet: true })
  const generate = useSend(addBatch, { quiet: true })
  const [fresh, setFresh] = useState<number>()
  const initial = useMemo(
    () => ({
      ...(kind === 'shop' ? { roomType: 'shop' as const } : {}),
      ...(inBuilding ? { buildCode: inBuilding } : {}),
    }),
    [kind, inBuilding],
  )
  const title = (
    <span className="add-ways">
      新增{k.what}{' '}
      {canBatch && (
        <Segmented
          aria-label="新增方式"
          value={batch ? 'batch' : 'one'}
          onChange={v => setBatch(v === 'batch')}
          options={[
            { value: 'one', label: '逐间新增' },
            { value: 'batch', label: '批量生成' },
          ]}
        />
      )}
    </span>
  )
  if (batch)
    return (
      <FormPage
        key="batch"
        of={addBatch.input}
        title={title}
        groups={batching[kind]}
        initial={initial}
        draft={`${kind}/batch`}
        words={fresh ? `生成 ${count(fresh)} 间${k.what}` : `生成${k.what}`}
        rules={v =>
          v.floorFrom !== undefined && v.floorTo !== undefined && v.floorFrom > v.floorTo
            ? { floorTo: '终止楼层不能低于起始楼层' }
            : undefined
        }
        save={v => generate.mutateAsync(v)}
        aside={v => <BatchPreview of={v as Partial<Batch>} onFresh={setFresh} />}
        onDone={a => {
          const { fresh: n, existing } = a as { fresh: number; existing: number }
          if (n) {
            toast.success(
              `已生成 ${count(n)} 间${k.what}${existing ? `，${count(existing)} 间已存在，保持原样` : ''}`,
            )
          } else {
            toast.info(`没有新的${k.what}：${count(existing)} 间都已存在`)
          }
          if (n) {
            tab.close()
          }
        }}
      />
    )
  return (
    <FormPage
      key="one"
      of={addRoom.input}
      title={title}
      groups={adding[kind]}
      initial={initial}
      draft={`${kind}/new`}
      words={`新增${k.what}`}
      save={v => add.mutateAsync(v)}
      onDone={a => {
        const made = a as Room
        toast.success(`已新增${k.what}「${made.path}」`)
        tab.close()
        void navigate(`${k.list}?keyword=${encodeURIComponent(made.path)}`)
      }}
    />
  )
}

const number = (v: string | undefined): string | undefined => (v === undefined || v === '' ? undefined : v)

const differs = (a: string | undefined, b: string | undefined): boolean =>
  number(a) === undefined || number(b) === undefined ? number(a) !== number(b) : compare(a!, b!) !== 0

/** Figures that bills are computed from and that differ: from which day they hold must be said (BASE-7). */
const changed = (was: Areas, now: Partial<Areas>): boolean => {
  const full = withChargeArea({ ...now, feeRatio: now.feeRatio ?? '1' })
  return areaKeys.some(k => typeof full[k] !== 'object' && differs(was[k], full[k]))
}

function EditPage({ kind }: { readonly kind: KindName }) {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const k = kinds[kind]
  const one = useCall(oneById, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editRoom, { quiet: true })
  const tab = useTab()
  const room = one.data
  const built = useRef<string>(undefined)
  useTabName(room && `编辑 ${room.path}`)
  const groups = useMemo((): readonly AskGroup[] => {
    if (!room) return []
    built.current = room.buildArea
    // A charge area that is the build area goes along with it while one types, until it is said itself.
    const follow: Ask = {
      key: 'buildArea',
      then: (v, all) => {
        const was = built.current
        built.current = v
        return typeof v === 'string' && all.chargeArea === was ? { chargeArea: v } : undefined
      },
    }
    const still = (v: Partial<Areas>): boolean => !changed(room, v)
    return [
      where,
      what[kind],
      {
        title: '面积与计费',
        keys: [
          follow,
          ...figures.slice(1),
          { key: 'effectiveDate', hidden: still, help: '面积或收费系数从哪天起按新的计算；可以是以后的日期' },
          { key: 'reason', hidden: still },
        ],
      },
      { title: '交付与使用', keys: days },
      rest,
    ]
  }, [room, kind])
  if (id <= 0)
    return <Trouble error={new Error(`地址里没有要编辑的${k.what}编号`)} retry={() => location.reload()} />
  if (one.isError) return <Trouble error={one.error} retry={() => void one.refetch()} />
  if (!room) return <Skeleton rows={8} />
  return (
    <FormPage
      key={room.id}
      of={editRoom.input}
      title={`编辑${k.what}「${room.path}」`}
      groups={groups}
      initial={room}
      draft={`${kind}/${room.id}`}
      rules={v =>
        changed(room, v)
          ? {
              ...(v.effectiveDate ? {} : { effectiveDate: '面积或收费系数有变更，请填写生效日期' }),
              ...((v.reason ?? '').trim().length < 2 ? { reason: '请写明变更原因，至少 2 个字' } : {}),
            }
          : undefined
      }
      save={v =>
        edit.mutateAsync(
          changed(room, v) ? v : ({ ...v, effectiveDate: undefined, reason: undefined } as never),
        )
      }
      load={async () => ({ ...(await send(oneById, { id })) })}
      onDone={a => {
        toast.success(`已保存${k.what}「${(a as Room).path}」`)
        tab.close()
      }}
    />
  )
}

export const AddRoomPage = () => <AddPage kind="room" />
export const AddShopPage = () => <AddPage kind="shop" />
export const EditRoomPage = () => <EditPage kind="room" />
export const EditShopPage = () => <EditPage kind="shop" />
