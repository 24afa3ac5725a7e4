import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { useCall } from '#kit/web/query.ts'
import { addWalkIn, getLastVisit } from '../contract/visit.ts'
import { askedAtGatehouse, type GatehouseDialogProps } from './check-in-dialog.tsx'
import type { GatehouseFacts } from './gatehouse.tsx'

const groupsOf = (gatehouse: GatehouseFacts) =>
  defineFormGroups([
    {
      keys: ['visitorName', 'mobile', 'visitorKind', 'personCount', 'certType', 'certNo', 'plateNo'],
    },
    { title: '拜访', keys: ['roomId', 'hostName', 'reason', 'endTime'] },
    { title: '登记', keys: askedAtGatehouse(gatehouse) },
  ])

const isMobile = (mobile: string | undefined): mobile is string => /^1\d{10}$/.test(mobile ?? '')

interface LastVisitProps {
  readonly projectCode: string
  readonly mobile: string | undefined
}

/** Whom somebody with this number visited the last time. */
function LastVisit({ projectCode, mobile }: LastVisitProps) {
  const asked = isMobile(mobile) ? mobile : ''
  const last = useCall(getLastVisit, { projectCode, mobile: asked }, { quiet: true, enabled: asked !== '' })
  if (!last.data || asked === '') return null
  const { visitorName, inTime, roomPath, hostName } = last.data
  return (
    <p role="status">
      上次到访：{[inTime.slice(0, 16), visitorName, roomPath, hostName].filter(Boolean).join('，')}
    </p>
  )
}

/** 临时来访: nobody has invited this visitor. */
export function WalkInDialog({ gatehouse, projectCode, locationId, onDone, onClose }: GatehouseDialogProps) {
  return (
    <EditDialog
      shape={addWalkIn.input}
      title="登记临时来访"
      groups={groupsOf(gatehouse)}
      initial={{ projectCode, locationId }}
      draftKey={undefined}
      presentation="drawer"
      submitLabel="登记进入"
      below={({ mobile }) => <LastVisit projectCode={projectCode} mobile={mobile} />}
      save={values =>
        sendAndToast(
          addWalkIn,
          { ...values, projectCode, locationId },
          `「${values.visitorName}」已登记进入`,
          { quiet: true },
        )
      }
      onDone={onDone}
      onClose={onClose}
    />
  )
}
