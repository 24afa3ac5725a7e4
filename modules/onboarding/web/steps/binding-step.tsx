import { Button } from 'antd'
import { useRef, useState, type RefObject } from 'react'
import { firstOfMonth } from '#kit/domain/day.ts'
import { today } from '#kit/web/date-format.ts'
import { RowSkeleton, errorText } from '#kit/web/list/list-feedback.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { previewBind } from '#modules/fees/contract/binding-calls.ts'
import { listItems } from '#modules/fees/contract/item.ts'
import { listStandards } from '#modules/fees/contract/standard-calls.ts'
import type { FeeStandard } from '#modules/fees/contract/standard.ts'
import { bindAll, isBindable } from '../actions.ts'
import { getSetupGuide } from '../../contract/guide.ts'
import type { StepProps } from './step.ts'
import { paths } from '../paths.ts'

type ObjectType = 'room' | 'parkPlace'
const objectNames: Record<ObjectType, string> = { room: '全部房间', parkPlace: '全部车位' }

/** The rooms or places that a standard may be bound to. */
interface Objects {
  readonly open: number
  readonly isKnown: boolean
  readonly none: boolean
}

function BindAction({
  standard,
  type,
  objects,
  busy,
  onBind,
  onAddRooms,
}: {
  readonly standard: FeeStandard
  readonly type: ObjectType
  readonly objects: Objects
  readonly busy: boolean
  readonly onBind: () => void
  readonly onAddRooms: () => void
}) {
  if (objects.none && type === 'parkPlace')
    return (
      <span className="step-note">
        暂无车位{' '}
        <Button type="link" size="small" onClick={() => navigateTo(paths.parkPlaces)}>
          新增车位
        </Button>
      </span>
    )
  if (objects.none)
    return (
      <span className="step-note">
        暂无房间{' '}
        <Button type="link" size="small" onClick={onAddRooms}>
          新增房间
        </Button>
      </span>
    )
  if (objects.isKnown && !objects.open && !standard.relations)
    return <span className="step-note">无可绑定</span>
  return (
    <Button
      type={objects.open ? 'primary' : 'default'}
      size="small"
      loading={busy}
      disabled={!objects.open}
      aria-label={`绑定${standard.name}`}
      onClick={onBind}
    >
      {objects.open ? '绑定' : '已绑定'}
    </Button>
  )
}

/** A button that is no more use lets the focus go: the next of the step takes it. */
function focusNextAction(table: RefObject<HTMLTableElement | null>): void {
  if (document.activeElement && document.activeElement !== document.body) return
  const next =
    table.current?.querySelector<HTMLElement>('button:not(:disabled)') ??
    table.current?.closest('section')?.querySelector<HTMLElement>('footer button')
  next?.focus()
}

function BindingRow({
  projectCode,
  standard,
  type,
  onBound,
  onSettled,
  onAddRooms,
}: {
  readonly projectCode: string
  readonly standard: FeeStandard
  readonly type: ObjectType
  readonly onBound: () => void
  readonly onSettled: () => void
  readonly onAddRooms: () => void
}) {
  const [busy, setBusy] = useState(false)
  const preview = useCall(
    previewBind,
    {
      projectCode,
      sourceType: type,
      standardIds: [String(standard.id)],
      beginDate: firstOfMonth(today()),
    },
    { project: 0, staleMs: 0, quiet: true },
  )
  const { success: open = 0, skipped = 0 } = preview.data ?? {}
  const none = preview.data !== undefined && open + skipped === 0 && !standard.relations
  const bind = async (): Promise<void> => {
    setBusy(true)
    try {
      const bound = await bindAll(projectCode, standard, type)
      const rest = bound.skipped ? `，跳过 ${bound.skipped} 个` : ''
      toast.success(`「${standard.name}」已绑定 ${formatCount(bound.success)} 个${rest}`)
      onBound()
    } catch (error) {
      toast.error(errorText(error).message)
    } finally {
      await preview.refetch()
      setBusy(false)
      // Once the button is drawn as it is now.
      setTimeout(onSettled, 0)
    }
  }
  return (
    <tr>
      <td>{standard.name}</td>
      <td>{objectNames[type]}</td>
      <td className="figure">{formatCount(standard.relations ?? 0)}</td>
      <td className="figure">{preview.data ? formatCount(open) : ''}</td>
      <td>
        <BindAction
          standard={standard}
          type={type}
          objects={{ open, none, isKnown: preview.data !== undefined }}
          busy={busy}
          onBind={() => void bind()}
          onAddRooms={onAddRooms}
        />
      </td>
    </tr>
  )
}

/** Rooms that no charge reaches: no bill is made for them. */
function UnboundRooms({ projectCode }: Pick<StepProps, 'projectCode'>) {
  const guide = useCall(getSetupGuide, { projectCode }, { quiet: true, project: 0, staleMs: 0 }).data
  if (!guide?.unboundRooms) return null
  const isShortened = guide.unboundRooms > guide.unboundNames.length
  return (
    <p className="step-preview" role="status">
      未绑定任何收费标准的房间 {formatCount(guide.unboundRooms)} 间：{guide.unboundNames.join('、')}
      {isShortened && ' 等'}；未绑定的房间不出账单
    </p>
  )
}

/** Each cyclic charge is bound to all rooms or places of the project; the rest is bound on its own page. */
export function BindingStep({ projectCode, onDone, onOpenStep }: StepProps) {
  const table = useRef<HTMLTableElement>(null)
  const standards = useCall(listStandards, { projectCode, page: 1, size: 500 }, { project: 0, staleMs: 0 })
  const items = useCall(listItems, { page: 1, size: 500 }, { project: 0 })
  if (!standards.data || !items.data) return <RowSkeleton rows={4} />
  const sceneOf = new Map(items.data.rows.map(i => [i.id, i.scene]))
  const bindable = standards.data.rows.filter(isBindable)
  const metered = standards.data.rows.length - bindable.length
  return (
    <div className="inline-form">
      <table ref={table} className="step-table">
        <thead>
          <tr>
            <th>收费标准</th>
            <th>收费对象</th>
            <th className="figure">已绑定</th>
            <th className="figure">可绑定</th>
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          {bindable.map(standard => (
            <BindingRow
              key={standard.id}
              projectCode={projectCode}
              standard={standard}
              type={sceneOf.get(standard.feeItemId) === 'parkPlace' ? 'parkPlace' : 'room'}
              onAddRooms={() => onOpenStep('room')}
              onSettled={() => focusNextAction(table)}
              onBound={() => {
                void standards.refetch()
                onDone(false)
              }}
            />
          ))}
        </tbody>
      </table>
      <UnboundRooms projectCode={projectCode} />
      {!bindable.length && <p className="step-note">暂无周期性收费标准，请先完成上一步</p>}
      {metered > 0 && (
        <p className="step-note">另有 {metered} 个抄表类标准，安装仪表后按读数出账，不在此处绑定</p>
      )}
      <div className="inline-form-actions">
        <Button onClick={() => navigateTo(paths.bindStandards)}>按条件绑定</Button>
      </div>
    </div>
  )
}
