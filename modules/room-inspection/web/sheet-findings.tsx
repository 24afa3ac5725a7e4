import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { findingResult, recheckResult } from '../contract/choices.ts'
import { inspectionFindings, type InspectionFinding } from '../contract/finding.ts'
import type { RoomInspection } from '../contract/inspection.ts'
import './room-inspection.css'

export const useFindings = (inspectionId: number) =>
  useCall(inspectionFindings.list, { inspectionId: [String(inspectionId)], size: 500 }, { quiet: true })

const FindingRow = ({ finding }: { readonly finding: InspectionFinding }) => (
  <tr>
    <td>{finding.part}</td>
    <td>{finding.itemName}</td>
    <td>
      {finding.result ? <ChoiceStatus choices={findingResult} value={finding.result} /> : '未查验'}
      {finding.recheckResult && (
        <>
          {' '}
          <ChoiceStatus choices={recheckResult} value={finding.recheckResult} />
        </>
      )}
    </td>
    <td>
      {finding.problem}
      {finding.photos && finding.photos.length > 0 && <StoredImages fileKeys={finding.photos} size={40} />}
    </td>
    <td>
      {finding.workOrderNo}
      {finding.fixTime && <small> {finding.fixTime.slice(0, 16)} 整改</small>}
    </td>
  </tr>
)

/** A sheet that has started has items for more than a window: nothing below them is in view to be moved. */
const placeholderHeight = ({ state }: RoomInspection): number => (state === 'waiting' ? 40 : 900)

/** What was seen in the room: item by item. */
export function SheetFindings({ sheet }: { readonly sheet: RoomInspection }) {
  const query = useFindings(sheet.id)
  return (
    <section className="inspection-findings">
      <Loaded query={query} height={placeholderHeight(sheet)} rows={6}>
        {({ rows }) =>
          rows.length ? (
            <table>
              <thead>
                <tr>
                  <th>部位</th>
                  <th>项目</th>
                  <th>结果</th>
                  <th>问题</th>
                  <th>整改工单</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(finding => (
                  <FindingRow key={finding.id} finding={finding} />
                ))}
              </tbody>
            </table>
          ) : (
            <p>尚未开始查验</p>
          )
        }
      </Loaded>
    </section>
  )
}
