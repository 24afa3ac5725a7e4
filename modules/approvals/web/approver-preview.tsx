import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { readTexts } from '#kit/web/controls/read-value.ts'
import { list, type Fields } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { useCall } from '#kit/web/query.ts'
import type { ApprovalKindKey } from '../contract/choices.ts'
import { previewRequest } from '../contract/instance-actions.ts'
import { type ProcessInstance } from '../contract/instance.ts'
import { encodeForm } from '../domain/form.ts'
import { PlannedNodes } from './planned-nodes.tsx'
import './approvals.css'

export type ChosenApprovers = NonNullable<ProcessInstance['chosen']>

interface ApproverPreviewProps {
  readonly bizType: ApprovalKindKey
  /** For a general request: which definition. */
  readonly processId?: Id
  /** For a request that came back: it is approved by the edition of its time. */
  readonly instanceId?: Id | undefined
  /** The form as it is, in the values of memory. */
  readonly form: Readonly<Record<string, unknown>>
  /** The fields of the form, of a kind or drawn: needed where it holds money. */
  readonly fields?: Fields
  /** For kinds whose requester may choose approvers. */
  readonly chosen?: ChosenApprovers
  readonly onChoose?: (chosen: ChosenApprovers) => void
  /** What is shown where nobody has to agree; by default that nobody has to. */
  readonly noneText?: string
}

const approvers = { ...list('审批人'), target: 'manager' }

/** Who will be asked for a request that is being filled in, and the approvers whom its requester chooses. */
export function ApproverPreview({
  bizType,
  processId,
  instanceId,
  form,
  fields = {},
  chosen = [],
  onChoose,
  noneText = '不需要审批',
}: ApproverPreviewProps) {
  const input = {
    bizType,
    ...(processId ? { processId } : {}),
    ...(instanceId ? { instanceId } : {}),
    form: encodeForm(fields, form),
  }
  const plan = useCall(previewRequest, input, { quiet: true, keepPrevious: true }).data
  if (!plan) return null
  if (!plan.isRequired) return noneText ? <p>{noneText}</p> : null
  const choose = (nodeKey: string, value: unknown): void =>
    onChoose?.([
      ...chosen.filter(choice => choice.nodeKey !== nodeKey),
      ...(readTexts(value).length ? [{ nodeKey, approverIds: readTexts(value) }] : []),
    ])
  return (
    <section className="approval-try" aria-label="审批人">
      <h3>审批人</h3>
      <PlannedNodes nodes={plan.nodes.filter(node => node.applies)} />
      {plan.nodes
        .filter(node => onChoose && node.applies && node.rule === 'requesterChoice')
        .map(node => (
          <label className="labelled" key={node.key}>
            <span>{node.name}：选择审批人</span>
            <RefSelect
              named
              multiple
              field={approvers}
              value={chosen.find(choice => choice.nodeKey === node.key)?.approverIds}
              onChange={value => choose(node.key, value)}
            />
          </label>
        ))}
    </section>
  )
}
