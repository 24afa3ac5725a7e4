import { labelOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { ApproverPreview, type ChosenApprovers } from '#modules/approvals/web/public.ts'
import { leaveType } from '../contract/choices.ts'
import { getOwnLimits, previewOwnApplication } from '../contract/own-apply.ts'
import { previewInputOf, type Amendment, type OwnDraft } from './own-draft.ts'
import './attendance.css'

interface OwnPreviewProps {
  /** For a document that came back, which may be of somebody else. */
  readonly amended?: Pick<Amendment, 'id' | 'staffId' | 'instanceId'> | undefined
  readonly values: Partial<OwnDraft>
  readonly chosen: ChosenApprovers
  readonly onChoose: (chosen: ChosenApprovers) => void
}

/** What has been taken of what the person asks for: punches mended this month, leave of this year. */
function TakenText({ values, amended }: Pick<OwnPreviewProps, 'values' | 'amended'>) {
  const limits = useCall(getOwnLimits, {}, { quiet: true }).data
  if (!limits || (amended && amended.staffId !== limits.staffId)) return null
  if (values.applyType === 'mend') {
    const { mendCount, mendLimit, mendDays } = limits
    return (
      <p>
        本月已补卡 {mendCount} 次，每月最多 {mendLimit} 次，须在 {mendDays} 天内申请
      </p>
    )
  }
  if (values.applyType !== 'leave' || !values.leaveType) return null
  const taken = limits.leaves.find(leave => leave.leaveType === values.leaveType)
  return (
    <p>
      本年已请{labelOf(leaveType, values.leaveType)} {taken?.hours ?? 0} 小时
    </p>
  )
}

function Approvers({ values, amended, chosen, onChoose }: OwnPreviewProps) {
  const input = previewInputOf(values)
  const preview = useCall(
    previewOwnApplication,
    { ...(input ?? { applyType: 'leave' }), amendedId: amended?.id },
    { enabled: input !== undefined, quiet: true, keepPrevious: true },
  )
  if (!input || !preview.data) return null
  const { bizType, form, hours } = preview.data
  return (
    <>
      {hours !== undefined && <p>时长 {hours} 小时</p>}
      <ApproverPreview
        bizType={bizType}
        instanceId={amended?.instanceId}
        form={JSON.parse(form)}
        chosen={chosen}
        onChoose={onChoose}
      />
    </>
  )
}

/** Under the form of a request: how long it lasts, what has been taken already, and who will approve it. */
export const OwnPreview = (props: OwnPreviewProps) => (
  <div className="attendance-preview">
    <TakenText {...props} />
    <Approvers {...props} />
  </div>
)
