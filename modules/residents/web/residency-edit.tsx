import { useMemo } from 'react'
import { today } from '#kit/web/date-format.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { roomChangeNotices, useEffectiveDateLimit } from '#modules/rooms/web/public.tsx'
import { editResidency, type Residency } from '../contract/residency.ts'
import { residencyName } from './residency-approve.tsx'

type EditInput = Partial<NonNullable<typeof editResidency.input.T>>

/** Whether the room may get another payer or main owner: these begin on a day (C27-7). */
const changesPeople = (before: Residency, { relation, isMain, isPayer }: EditInput): boolean =>
  before.status === 'living' &&
  (relation !== before.relation || Boolean(isMain) !== before.isMain || Boolean(isPayer) !== before.isPayer)

/** Corrects a residency; who pays from another day on says from which. */
export function ResidencyEditDialog({
  residency,
  onClose,
}: {
  readonly residency: Residency
  readonly onClose: () => void
}) {
  const edit = useSend(editResidency, { quiet: true })
  const roomIds = useMemo(() => [residency.roomId], [residency])
  const limit = useEffectiveDateLimit(roomIds)
  const initial = useMemo(() => ({ ...residency, effectiveDate: today() }), [residency])
  const groups = useMemo(
    () => [
      {
        keys: [
          'relation',
          'isMain',
          'isPayer',
          {
            key: 'effectiveDate',
            help: limit.help,
            isHidden: (values: EditInput) => !changesPeople(residency, values),
          },
          'inDate',
          'leaseBegin',
          'leaseEnd',
          'remark',
        ],
      },
    ],
    [residency, limit.help],
  )
  return (
    <EditDialog
      shape={editResidency.input}
      title={`编辑住户关系「${residencyName(residency)}」`}
      groups={groups}
      draftKey={draftKeyOf(editResidency, residency.id)}
      initial={initial}
      presentation="dialog"
      rules={values => {
        const fault = changesPeople(residency, values) ? limit.faultOf(values.effectiveDate) : undefined
        return {
          ...(fault ? { effectiveDate: fault } : {}),
          ...(residency.isPayer && values.isMain && !values.isPayer
            ? { isPayer: '主业主默认为缴费人；如需更换，请把另一位住户设为缴费人' }
            : {}),
        }
      }}
      save={values =>
        edit.mutateAsync(changesPeople(residency, values) ? values : { ...values, effectiveDate: undefined })
      }
      onClose={onClose}
      onDone={() => {
        toast.success(`已保存住户关系「${residencyName(residency)}」`)
        onClose()
        const { projectCode, roomCode, roomPath = '' } = residency
        if (roomCode) {
          roomChangeNotices
            .all()
            .forEach(notify => void notify({ projectCode, code: roomCode, path: roomPath }))
        }
      }}
    />
  )
}
