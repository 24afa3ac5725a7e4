import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { defined } from '#kit/domain/defined.ts'
import { Segmented } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { compare } from '#kit/domain/decimal.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import type { FormField, FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { roomAreaKeys, type RoomAreas } from '../contract/room-change.ts'
import { addRoomBatch } from '../contract/room-batch.ts'
import { addRoom, editRoom } from '../contract/room.ts'
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
  const hasPermission = usePermission()
  const [searchParams] = useSearchParams()
  const labels = roomKinds[kind]
  const inBuilding = searchParams.get('building') ?? undefined
  const canBatch = hasPermission(menu.room.permissions.batch)
  const [batch, setBatch] = useState(canBatch && searchParams.get('way') === 'batch')
  const tab = useTab()
  const navigate = useNavigate()
  const add = useSend(addRoom, { quiet: true })
  const generate = useSend(addRoomBatch, { quiet: true })
  const [newRoomId, setNewRoomId] = useState<number>()
  const initial = useMemo(
    () => ({
      ...(kind === 'shop' ? { roomType: 'shop' as const } : {}),
      ...(inBuilding ? { buildCode: inBuilding } : {}),
    }),
    [kind, inBuilding],
  )
  const title = (
    <span className="add-methods">
      新增{labels.itemName}{' '}
      {canBatch && (
        <Segmented
          aria-label="新增方式"
          value={batch ? 'batch' : 'one'}
          onChange={values => setBatch(values === 'batch')}
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
        submitLabel={
          newRoomId ? `生成 ${formatCount(newRoomId)} 间${labels.itemName}` : `生成${labels.itemName}`
        }
        rules={values =>
          values.floorFrom !== undefined && values.floorTo !== undefined && values.floorFrom > values.floorTo
            ? { floorTo: '终止楼层不能低于起始楼层' }
            : undefined
        }
        save={values => generate.mutateAsync(values)}
        aside={values => <BatchPreview batch={values} onNewFloor={setNewRoomId} />}
        onDone={answer => {
          const { newCount, existing } = answer
          if (newCount) {
            toast.success(
              `已生成 ${formatCount(newCount)} 间${labels.itemName}${existing ? `，${formatCount(existing)} 间已存在，保持原样` : ''}`,
            )
          } else {
            toast.info(`没有新的${labels.itemName}：${formatCount(existing)} 间都已存在`)
          }
          if (newCount) {
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
      submitLabel={`新增${labels.itemName}`}
      save={values => add.mutateAsync(values)}
      onDone={created => {
        toast.success(`已新增${labels.itemName}「${created.path}」`)
        tab.close()
        void navigate(`${labels.list}?keyword=${encodeURIComponent(created.path)}`)
      }}
    />
  )
}

const emptyToUndefined = (values: string | undefined): string | undefined =>
  values === undefined || values === '' ? undefined : values

const isDifferentNumber = (answer: string | undefined, b: string | undefined): boolean =>
  emptyToUndefined(answer) === undefined || emptyToUndefined(b) === undefined
    ? emptyToUndefined(answer) !== emptyToUndefined(b)
    : compare(defined(answer), defined(b)) !== 0

/** Figures that bills are computed from and that differ: their first day is required (BASE-7). */
const hasAreaChanges = (before: RoomAreas, after: Partial<RoomAreas>): boolean => {
  const completed = withChargeArea({ ...after, feeRatio: after.feeRatio ?? '1' })
  return roomAreaKeys.some(
    labels => typeof completed[labels] !== 'object' && isDifferentNumber(before[labels], completed[labels]),
  )
}

function EditPage({ kind }: { readonly kind: RoomKind }) {
  const labels = roomKinds[kind]
  const edit = useSend(editRoom, { quiet: true })
  const tab = useTab()
  const {
    id,
    record: room,
    placeholder,
  } = useAddressedRecord(getRoomById, { tabTitle: r => `编辑 ${r.path}` })
  const lastBuildArea = useRef<string>(undefined)
  const groups = useMemo((): readonly FormFieldGroup[] => {
    if (!room) return []
    lastBuildArea.current = room.buildArea
    // A charge area that is the build area goes along with it while one types, until it is edited itself.
    const buildAreaField: FormField = {
      key: 'buildArea',
      deriveValues: (values, all) => {
        const before = lastBuildArea.current
        lastBuildArea.current = values
        return typeof values === 'string' && all.chargeArea === before ? { chargeArea: values } : undefined
      },
    }
    const hasNoAreaChange = (values: Partial<RoomAreas>): boolean => !hasAreaChanges(room, values)
    return [
      positionGroup,
      kindGroups[kind],
      {
        title: '面积与计费',
        keys: [
          buildAreaField,
          ...areaFields.slice(1),
          {
            key: 'effectiveDate',
            isHidden: hasNoAreaChange,
            help: '面积或收费系数的生效日期；可填以后的日期',
          },
          { key: 'reason', isHidden: hasNoAreaChange },
        ],
      },
      { title: '交付与使用', keys: dateFields },
      otherGroup,
    ]
  }, [room, kind])
  if (!room) return placeholder
  return (
    <FormPage
      key={room.id}
      shape={editRoom.input}
      title={`编辑${labels.itemName}「${room.path}」`}
      groups={groups}
      initial={room}
      draftKey={`${kind}/${room.id}`}
      rules={values =>
        hasAreaChanges(room, values)
          ? {
              ...(values.effectiveDate ? {} : { effectiveDate: '面积或收费系数有变更，请填写生效日期' }),
              ...((values.reason ?? '').trim().length < 2 ? { reason: '请注明变更原因，至少 2 个字' } : {}),
            }
          : undefined
      }
      save={values =>
        edit.mutateAsync(
          hasAreaChanges(room, values) ? values : { ...values, effectiveDate: undefined, reason: undefined },
        )
      }
      loadCurrent={async () => ({ ...(await send(getRoomById, { id })) })}
      onDone={saved => {
        toast.success(`已保存${labels.itemName}「${saved.path}」`)
        tab.close()
      }}
    />
  )
}

export const AddRoomPage = () => <AddPage kind="room" />
export const AddShopPage = () => <AddPage kind="shop" />
export const EditRoomPage = () => <EditPage kind="room" />
export const EditShopPage = () => <EditPage kind="shop" />
