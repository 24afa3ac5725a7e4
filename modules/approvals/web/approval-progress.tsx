import { Link } from 'react-router'
import type { Id } from '#kit/domain/id.ts'
import { useCall } from '#kit/web/query.ts'
import type { ApprovalKindKey } from '../contract/choices.ts'
import { getInstanceOfRecord } from '../contract/instance.ts'
import { paths } from '../module.ts'
import { InstanceStatus } from './instance-status.tsx'
import { EarlierRequests, Timeline } from './instance-content.tsx'
import './approvals.css'

interface ApprovalProgressProps {
  readonly bizType: ApprovalKindKey
  readonly bizId: Id
  /** Where its number leads: the page of the office, that of a phone, or none on paper. */
  readonly opens?: 'detail' | 'phone' | 'nothing'
}

/** The approval of a record, in the detail of its module; nothing where it has none that this person sees. */
export function ApprovalProgress({ bizType, bizId, opens = 'detail' }: ApprovalProgressProps) {
  const instance = useCall(getInstanceOfRecord, { bizType, bizId }, { quiet: true }).data
  if (!instance) return null
  return (
    <section className="approval-section" aria-label="审批">
      <h3>
        审批 <InstanceStatus instance={instance} />{' '}
        {opens !== 'nothing' && <Link to={`${paths[opens]}?id=${instance.id}`}>{instance.instanceNo}</Link>}
      </h3>
      <Timeline instance={instance} />
      {opens !== 'nothing' && <EarlierRequests instance={instance} page={paths[opens]} />}
    </section>
  )
}
