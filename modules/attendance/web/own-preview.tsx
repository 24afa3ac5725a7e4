import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { useCall } from '#kit/web/query.ts'
import { ApproverPreview, type ChosenApprovers } from '#modules/approvals/web/public.ts'
import { leaveType } from '../contract/choices.ts'
import { getOwnLimits, previewOwnApplication } from '../contract/own-apply.ts'
import { previewInputOf, type OwnDraft } from './own-draft.ts'
import './attendance.css'

interface OwnPreviewProps {
  /** Of a request that came back. */
  readonly instanceId?: Id
  readonly values: Partial<OwnDraft>
  readonly chosen: ChosenApprovers
  readonly onChoose: (chosen: ChosenApprovers) => void
}

/** What has been taken of what the person asks for: punches mended this month, leave of this year. */
function TakenText({ values }: { readonly values: Partial<OwnDraft> }) {
  const limits = useCall(getOwnLimits, {}, { quiet: true }).data
  if (!limits) return null
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

function Approvers({ values, instanceId, chosen, onChoose }: OwnPreviewProps) {
  const input = previewInputOf(values)
  const preview = useCall(previewOwnApplication, input ?? { applyType: 'leave' }, {
    enabled: input !== undefined,
    quiet: true,
    keepPrevious: true,
  })
  if (!input || !preview.data) return null
  const { bizType, form, hours } = preview.data
  return (
    <>
      {hours !== undefined && <p>时长 {hours} 小时</p>}
      <ApproverPreview
        bizType={bizType}
        instanceId={instanceId}
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
    <TakenText values={props.values} />
    <Approvers {...props} />
  </div>
)
