import { Link } from 'react-router'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { findScreen } from '#kit/web/screen-registry.ts'
import { usePermission } from '#kit/web/session.ts'
import { listFollowUps } from '#modules/bills/contract/follow-up.ts'
import { listGaps } from '#modules/bills/contract/gaps.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { paths } from './paths.ts'

/** Lists that wait for a decision: gaps (GEN-3) and bills that no longer fit (C27-7, CYC-9). */
export function PendingLists() {
  const hasPermission = usePermission()
  const project = useProject()
  const needs = findScreen(paths.gaps)?.needs
  const canView = needs !== undefined && hasPermission(needs)
  const gaps = useCall(
    listGaps,
    { projectCode: project ?? '' },
    { quiet: true, enabled: canView && Boolean(project) },
  )
  const followUps = useCall(
    listFollowUps,
    { state: ['open'], size: 1, ...(project ? { projectCode: project } : {}) },
    { quiet: true, enabled: canView },
  )
  return (
    <>
      {gaps.data && gaps.data.length > 0 && (
        <Link to={paths.gaps}>漏账检查 {formatCount(gaps.data.length)}</Link>
      )}
      {followUps.data && followUps.data.total > 0 && (
        <Link to={paths.followUps}>待处理账单 {formatCount(followUps.data.total)}</Link>
      )}
    </>
  )
}
