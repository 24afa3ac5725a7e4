import { labelOf } from '#kit/contract/field.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { useFileUrls } from '#kit/web/file-store.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import type { InspectionCheck } from '../contract/check.ts'
import { findingResult, inspectionState, recheckResult } from '../contract/choices.ts'
import type { InspectionFinding } from '../contract/finding.ts'
import { roomInspections, type RoomInspection } from '../contract/inspection.ts'
import { checkTimes, checkTitle, presenceText, readingsText, useChecks } from './sheet-checks.tsx'
import { useFindings } from './sheet-findings.tsx'
import './sheet-print.css'

/** 验房记录表: the sheet on A4, signed by the owner and the inspector. */
export default function SheetPrintPage() {
  return (
    <SignedInOnly>
      <AddressedPrint />
    </SignedInOnly>
  )
}

function AddressedPrint() {
  const { record, placeholder } = useAddressedRecord(roomInspections.get, {
    tabTitle: sheet => sheet.sheetNo,
  })
  return record ? <PrintedSheet sheet={record} /> : placeholder
}

const Row = ({ finding }: { readonly finding: InspectionFinding }) => (
  <tr>
    <td>{finding.part}</td>
    <td>{finding.itemName}</td>
    <td>{finding.method}</td>
    <td>{finding.result && labelOf(findingResult, finding.result)}</td>
    <td>{finding.problem}</td>
    <td>{finding.fixTime?.slice(0, 10)}</td>
    <td>{finding.recheckResult && labelOf(recheckResult, finding.recheckResult)}</td>
  </tr>
)

/** One check with its problems as they were seen then, signed by those who were there. */
function PrintedCheck({ check }: { readonly check: InspectionCheck }) {
  const [signatureUrl] = useFileUrls(check.signature ? [check.signature] : [])
  return (
    <section>
      <h2>{checkTitle(check)}</h2>
      <p>
        查验时间：{checkTimes(check)}　查验人：{check.inspectorName}　{check.endTime && presenceText(check)}
      </p>
      <ol>
        {check.problems?.map(problem => (
          <li key={problem.findingId}>
            {problem.part} {problem.itemName}：{problem.problem}
            {problem.workOrderNo && `（整改工单 ${problem.workOrderNo}）`}
            {problem.recheckResult && `，${labelOf(recheckResult, problem.recheckResult)}`}
          </li>
        ))}
      </ol>
      {check.meters && check.meters.length > 0 && <p>水电表底：{readingsText(check.meters)}</p>}
      {check.remark && <p>备注：{check.remark}</p>}
      <footer>
        <div>
          <span>业主签名：{check.ownerName}</span>
          {signatureUrl && <img src={signatureUrl} alt={`${checkTitle(check)}业主签名`} />}
        </div>
        <div>查验人签名：</div>
        <div>日期：</div>
      </footer>
    </section>
  )
}

function PrintedSheet({ sheet }: { readonly sheet: RoomInspection }) {
  const findings = useFindings(sheet.id).data?.rows
  const checks = useChecks(sheet.id)
  const facts: readonly (readonly [label: string, value: string | undefined])[] = [
    ['单号', sheet.sheetNo],
    ['项目', sheet.estateName],
    ['房屋', sheet.roomPath],
    ['验房标准', sheet.standardName],
    ['查验人', sheet.inspectorName],
    ['查验时间', (sheet.endTime ?? sheet.startTime)?.slice(0, 16)],
    ['结论', labelOf(inspectionState, sheet.state)],
    ['水电表底', readingsText(sheet.meters)],
  ]
  return (
    <main className="inspection-print">
      <button type="button" disabled={!findings || !checks} onClick={() => window.print()}>
        打印
      </button>
      <h1>验房记录表</h1>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? ''}</dd>
          </div>
        ))}
      </dl>
      <table>
        <thead>
          <tr>
            {['部位', '项目', '检查方法', '结果', '问题', '整改日期', '复查结果'].map(title => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {findings?.map(finding => (
            <Row key={finding.id} finding={finding} />
          ))}
        </tbody>
      </table>
      {sheet.remark && <p>备注：{sheet.remark}</p>}
      {checks?.map(check => (
        <PrintedCheck key={check.id} check={check} />
      ))}
    </main>
  )
}
