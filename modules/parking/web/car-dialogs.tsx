import { useProject } from '#modules/estates/web/public.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { addToBlackList, blackCars, unbindPlaceCars } from '../contract/car-actions.ts'
import type { Car } from '../contract/car.ts'
import type { ParkPlace } from '../contract/park-place.ts'

type Cars = readonly Car[]

const nameOf = (rows: Cars): string =>
  rows.length === 1 && rows[0] ? `「${rows[0].plateNo}」` : ` ${formatCount(rows.length)} 辆车`

const blackForm = (black: boolean, label: string) =>
  actionDialog({
    call: blackCars,
    title: (rows: Cars) => `${label}${nameOf(rows)}`,
    submitLabel: label,
    keys: [{ key: 'reason', wide: true }],
    target: rows => ({ ids: rows.map(row => String(row.id)), black }),
    doneText: rows => `已${label}${nameOf(rows)}`,
  })

const BlackForm = blackForm(true, '拉黑')
const WhiteForm = blackForm(false, '移出黑名单')

interface CarsDialogProps {
  readonly of: Cars
  readonly onClose: () => void
}

export const BlackDialog = ({ of, onClose }: CarsDialogProps) => <BlackForm record={of} onClose={onClose} />
export const WhiteDialog = ({ of, onClose }: CarsDialogProps) => <WhiteForm record={of} onClose={onClose} />

const UnbindForm = actionDialog({
  call: unbindPlaceCars,
  title: (place: ParkPlace) => `解除车位「${place.placeNo}」的车辆`,
  submitLabel: '解除',
  danger: true,
  keys: [{ key: 'reason', wide: true, help: '车位上全部车辆的有效期止于昨天，随即不能按月租入场' }],
  target: place => ({ placeId: place.id }),
  doneText: place => `已解除车位「${place.placeNo}」的车辆`,
})

interface PlaceDialogProps {
  readonly of: readonly ParkPlace[]
  readonly onClose: () => void
}

export const UnbindDialog = ({ of: [place], onClose }: PlaceDialogProps) =>
  place && <UnbindForm record={place} onClose={onClose} />

const blackListGroups = [{ keys: ['plateNo', { key: 'reason', wide: true }] }] as const

/** A plate is turned away, whether a car of it is registered or not. */
export function BlackListDialog({ onClose }: { readonly onClose: () => void }) {
  const projectCode = useProject()
  const sending = useSend(addToBlackList, { quiet: true })
  return (
    <EditDialog
      shape={addToBlackList.input}
      title="加入黑名单"
      groups={projectCode ? blackListGroups : [{ keys: ['projectCode', ...blackListGroups[0].keys] }]}
      initial={projectCode ? { projectCode } : {}}
      draftKey="parking/black-list"
      submitLabel="加入"
      presentation="dialog"
      save={values => sending.mutateAsync(values)}
      onClose={onClose}
      onDone={() => {
        toast.success('已加入黑名单')
        onClose()
      }}
    />
  )
}
