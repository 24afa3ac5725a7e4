import { defined } from '#kit/domain/defined.ts'
import { Segmented } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { compare } from '#kit/domain/decimal.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import type { FormField, FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { roomAreaKeys, type RoomAreas } from '../contract/room-change.ts'
import { addRoomBatch, addRoom, editRoom, type Room } from '../contract/room.ts'
import { withChargeArea } from '../domain/room-areas.ts'
import { menu } from '../module.ts'
import { BatchPreview } from './batch-preview.tsx'
import { roomKinds, getRoomById, type RoomKind } from './room-kinds.ts'
import { UnitControl, UnitsControl } from './unit-control.tsx'

const buildingField: FormField = {
  key: 'buildCode',
  deriveValues: () => ({ unitName: undefined, unitNames: undefined }),
}

const positionGroup: FormFieldGroup = {
  title: '位置',
  keys: [buildingField, { key: 'unitName', control: UnitControl, wide: false }, 'floorNum', 'roomNo', 'code'],
}

const kindGroups: Record<RoomKind, FormFieldGroup> = {
  room: { title: '房屋', keys: ['roomType', 'layout', 'orientation', 'useType'] },
  shop: { title: '经营', keys: ['brand', 'industry', 'useType'] },
}

const areaFields: readonly (string | FormField)[] = [
  'buildArea',
  'innerArea',
  'shareArea',
  'chargeArea',
  'feeRatio',
]
const dateFields = ['deliverDate', 'checkinDate', 'decorateBegin', 'decorateEnd']
const otherGroup: FormFieldGroup = { title: '其他', keys: ['ownerCertNo', 'state', 'remark'] }

const formGroupsOf = (kind: RoomKind): readonly FormFieldGroup[] => [
  positionGroup,
  kindGroups[kind],
  { title: '面积与计费', keys: areaFields },
  { title: '交付与使用', keys: ['roomState', ...dateFields] },
  otherGroup,
]

const addGroups = { room: formGroupsOf('room'), shop: formGroupsOf('shop') }

const batchGroups: Record<RoomKind, readonly FormFieldGroup[]> = {
  room: [
    {
      title: '范围',
      keys: [
        buildingField,
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
        buildingField,
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
function AddPage({ kind }: { readonly kind: RoomKind }) {
  const may = usePermission()
  const [at] = useSearchParams()
  const k = roomKinds[kind]
  const inBuilding = at.get('building') ?? undefined
  const canBatch = may(menu.room.permissions.batch)
  const [batch, setBatch] = useState(canBatch && at.get('way') === 'batch')
  const tab = useTab()
  const navigate = useNavigate()
  const add = useSend(addRoom, { quiet: true })
  const generate = useSend(addRoomBatch, { quiet: true })
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
        shape={addRoomBatch.input}
        title={title}
        groups={batchGroups[kind]}
        initial={initial}
        draftKey={`${kind}/batch`}
        submitLabel={fresh ? `生成 ${formatCount(fresh)} 间${k.what}` : `生成${k.what}`}
        rules={v =>
          v.floorFrom !== undefined && v.floorTo !== undefined && v.floorFrom > v.floorTo
            ? { floorTo: '终止楼层不能低于起始楼层' }
            : undefined
        }
        save={v => generate.mutateAsync(v)}
        aside={v => <BatchPreview of={v} onFresh={setFresh} />}
        onDone={a => {
          const { fresh: n, existing } = a as { fresh: number; existing: number }
          if (n) {
            toast.success(
              `已生成 ${formatCount(n)} 间${k.what}${existing ? `，${formatCount(existing)} 间已存在，保持原样` : ''}`,
            )
          } else {
            toast.info(`没有新的${k.what}：${formatCount(existing)} 间都已存在`)
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
      shape={addRoom.input}
      title={title}
      groups={addGroups[kind]}
      initial={initial}
      draftKey={`${kind}/new`}
      submitLabel={`新增${k.what}`}
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

const emptyToUndefined = (v: string | undefined): string | undefined =>
  v === undefined || v === '' ? undefined : v

const isDifferentNumber = (a: string | undefined, b: string | undefined): boolean =>
  emptyToUndefined(a) === undefined || emptyToUndefined(b) === undefined
    ? emptyToUndefined(a) !== emptyToUndefined(b)
    : compare(defined(a), defined(b)) !== 0

/** Figures that bills are computed from and that differ: from which day they hold must be said (BASE-7). */
const hasAreaChanges = (was: RoomAreas, now: Partial<RoomAreas>): boolean => {
  const full = withChargeArea({ ...now, feeRatio: now.feeRatio ?? '1' })
  return roomAreaKeys.some(k => typeof full[k] !== 'object' && isDifferentNumber(was[k], full[k]))
}

function EditPage({ kind }: { readonly kind: RoomKind }) {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const k = roomKinds[kind]
  const one = useCall(getRoomById, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editRoom, { quiet: true })
  const tab = useTab()
  const room = one.data
  const built = useRef<string>(undefined)
  useTabTitle(room && `编辑 ${room.path}`)
  const groups = useMemo((): readonly FormFieldGroup[] => {
    if (!room) return []
    built.current = room.buildArea
    // A charge area that is the build area goes along with it while one types, until it is said itself.
    const follow: FormField = {
      key: 'buildArea',
      deriveValues: (v, all) => {
        const was = built.current
        built.current = v
        return typeof v === 'string' && all.chargeArea === was ? { chargeArea: v } : undefined
      },
    }
    const still = (v: Partial<RoomAreas>): boolean => !hasAreaChanges(room, v)
    return [
      positionGroup,
      kindGroups[kind],
      {
        title: '面积与计费',
        keys: [
          follow,
          ...areaFields.slice(1),
          {
            key: 'effectiveDate',
            isHidden: still,
            help: '面积或收费系数从哪天起按新的计算；可以是以后的日期',
          },
          { key: 'reason', isHidden: still },
        ],
      },
      { title: '交付与使用', keys: dateFields },
      otherGroup,
    ]
  }, [room, kind])
  if (id <= 0)
    return (
      <ErrorState error={new Error(`地址里没有要编辑的${k.what}编号`)} onRetry={() => location.reload()} />
    )
  if (one.isError) return <ErrorState error={one.error} onRetry={() => void one.refetch()} />
  if (!room) return <RowSkeleton rows={8} />
  return (
    <FormPage
      key={room.id}
      shape={editRoom.input}
      title={`编辑${k.what}「${room.path}」`}
      groups={groups}
      initial={room}
      draftKey={`${kind}/${room.id}`}
      rules={v =>
        hasAreaChanges(room, v)
          ? {
              ...(v.effectiveDate ? {} : { effectiveDate: '面积或收费系数有变更，请填写生效日期' }),
              ...((v.reason ?? '').trim().length < 2 ? { reason: '请写明变更原因，至少 2 个字' } : {}),
            }
          : undefined
      }
      save={v =>
        edit.mutateAsync(hasAreaChanges(room, v) ? v : { ...v, effectiveDate: undefined, reason: undefined })
      }
      loadCurrent={async () => ({ ...(await send(getRoomById, { id })) })}
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
