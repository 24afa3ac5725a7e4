import { labelOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { inspectionChecks, type InspectionCheck } from '../contract/check.ts'
import { recheckResult } from '../contract/choices.ts'
import { withFixTimes } from '../domain/inspection.ts'
import { useFindings } from './sheet-findings.tsx'
import './room-inspection.css'

/** The checks of a sheet, oldest first: of the last one the orders as they stand now. */
export function useChecks(inspectionId: number): readonly InspectionCheck[] | undefined {
  const input = { inspectionId: [String(inspectionId)], size: 100 }
  const checks = useCall(inspectionChecks.list, input, { quiet: true }).data?.rows
  const findings = useFindings(inspectionId).data?.rows
  return (
    findings &&
    checks?.map((check, index) =>
      index === checks.length - 1 && check.problems
        ? { ...check, problems: withFixTimes(check.problems, findings) }
        : check,
    )
  )
}

export const checkTitle = ({ checkNo }: InspectionCheck): string =>
  checkNo === 0 ? '首次查验' : `第 ${checkNo} 次复查`

export const checkTimes = ({ startTime, endTime }: InspectionCheck): string =>
  endTime === undefined
    ? `${startTime?.slice(0, 16) ?? ''} 起，查验中`
    : [startTime, endTime].map(time => time?.slice(0, 16) ?? '').join(' 至 ')

export const presenceText = ({ ownerPresent, ownerName }: InspectionCheck): string =>
  ownerPresent ? `业主在场 ${ownerName ?? ''}`.trimEnd() : '业主不在场'

/** What the meters showed at a check, or as they were read last. */
export const readingsText = (meters: InspectionCheck['meters']): string =>
  meters?.map(({ name, reading }) => `${name} ${reading}`).join('，') ?? ''

type Problem = NonNullable<InspectionCheck['problems']>[number]

const orderText = ({ workOrderNo, fixTime }: Problem): string =>
  [
    workOrderNo && `整改工单 ${workOrderNo}`,
    fixTime ? `${fixTime.slice(0, 16)} 整改` : workOrderNo && '未整改',
  ]
    .filter(Boolean)
    .join(' · ')

const CheckedProblem = ({ problem }: { readonly problem: Problem }) => (
  <li>
    <b>
      {problem.part} {problem.itemName}
    </b>
    {problem.recheckResult && <span> {labelOf(recheckResult, problem.recheckResult)}</span>}
    <p>{problem.problem}</p>
    {problem.photos && problem.photos.length > 0 && <StoredImages fileKeys={problem.photos} size={56} />}
    <small>{orderText(problem)}</small>
  </li>
)

const CheckSection = ({ check }: { readonly check: InspectionCheck }) => (
  <section className="inspection-check" aria-label={checkTitle(check)}>
    <h3>{checkTitle(check)}</h3>
    <small>
      {[checkTimes(check), check.inspectorName, check.endTime && presenceText(check)]
        .filter(Boolean)
        .join(' · ')}
    </small>
    {check.signature && <StoredImages fileKeys={[check.signature]} size={56} />}
    {check.problems && check.problems.length > 0 ? (
      <ol>
        {check.problems.map(problem => (
          <CheckedProblem key={problem.findingId} problem={problem} />
        ))}
      </ol>
    ) : (
      check.endTime && <p>未发现问题</p>
    )}
    {check.meters && check.meters.length > 0 && <p>水电表底：{readingsText(check.meters)}</p>}
    {check.remark && <p>备注：{check.remark}</p>}
  </section>
)

/** Each time that the inspector was in the room, the last one first. */
export function SheetChecks({ inspectionId }: { readonly inspectionId: number }) {
  const checks = useChecks(inspectionId)
  return checks?.toReversed().map(check => <CheckSection key={check.id} check={check} />)
}
