import type { Id } from '#kit/domain/id.ts'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { checkIn } from '../contract/check.ts'
import type { VisitRecord } from '../contract/visit-record.ts'
import type { InviteVisitor } from '../contract/visitor.ts'
import type { GatehouseFacts } from './gatehouse.tsx'

/** Who is let in, as far as it is known before. */
export interface CheckedVisitor extends Partial<
  Pick<InviteVisitor, 'certType' | 'certNo' | 'plateNo' | 'hostName'>
> {
  readonly id: Id
  readonly visitorName: string
  readonly personCount?: number | undefined
  readonly needsCert?: boolean | undefined
  readonly needsFace?: boolean | undefined
}

export interface GatehouseDialogProps {
  readonly gatehouse: GatehouseFacts
  readonly projectCode: string
  readonly locationId: Id | undefined
  readonly onDone: (record: VisitRecord) => void
  readonly onClose: () => void
}

/** What a project asks of everybody who is let in. */
export const askedAtGatehouse = (
  { asksItems, asksPhoto, asksTemperature, maxTemperature }: GatehouseFacts,
  needsFace = false,
) => [
  ...(asksTemperature
    ? [{ key: 'temperature', isRequired: true, help: `达到 ${maxTemperature} ℃ 不予放行` }]
    : []),
  { key: 'checkPhoto', isRequired: asksPhoto || needsFace, help: '拍摄访客' },
  ...(asksItems
    ? [
        { key: 'items', wide: true },
        { key: 'itemPhotos', control: imagesControl },
      ]
    : []),
  { key: 'remark', wide: true },
]

const groupsOf = (gatehouse: GatehouseFacts, needsCert: boolean, needsFace: boolean) =>
  defineFormGroups([
    {
      keys: ['personCount', 'plateNo', 'certType', { key: 'certNo', isRequired: needsCert }],
    },
    { keys: askedAtGatehouse(gatehouse, needsFace) },
  ])

/** 核验登记: the guard has seen the visitor. */
export function CheckInDialog({
  gatehouse,
  locationId,
  visitor,
  onDone,
  onClose,
}: GatehouseDialogProps & { readonly visitor: CheckedVisitor }) {
  const { id, visitorName, personCount = 1, certType, certNo, plateNo, hostName } = visitor
  return (
    <EditDialog
      shape={checkIn.input}
      title={`登记进入「${visitorName}」${hostName === undefined ? '' : ` 拜访 ${hostName}`}`}
      groups={groupsOf(gatehouse, visitor.needsCert ?? false, visitor.needsFace ?? false)}
      initial={{ visitorId: id, locationId, personCount, certType, certNo, plateNo }}
      draftKey={undefined}
      presentation="drawer"
      submitLabel="登记进入"
      save={values =>
        sendAndToast(checkIn, { ...values, visitorId: id, locationId }, `「${visitorName}」已登记进入`, {
          quiet: true,
        })
      }
      onDone={onDone}
      onClose={onClose}
    />
  )
}
