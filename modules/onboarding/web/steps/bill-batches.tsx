import { Button } from 'antd'
import { displayYuan, formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { listRuns, undoRun } from '#modules/bills/contract/run.ts'
import { undoBillRun } from '#modules/bills/web/public.tsx'

/** What was generated in the guide: each batch with its result, and the way to undo it (GEN-7). */
export function BillBatches({
  projectCode,
  onUndone,
}: {
  readonly projectCode: string
  readonly onUndone: () => void
}) {
  const hasPermission = usePermission()
  const runs = useCall(
    listRuns,
    { projectCode, kind: ['wizard'], state: ['done'], page: 1, size: 5 },
    { project: 0, staleMs: 0, quiet: true },
  )
  const batches = runs.data?.rows.filter(run => run.made > 0) ?? []
  if (!batches.length) return null
  return (
    <table className="step-table" aria-label="已生成的批次">
      <thead>
        <tr>
          <th>批次</th>
          <th>账单月份</th>
          <th className="figure">账单</th>
          <th className="figure">金额</th>
          <th aria-label="操作" />
        </tr>
      </thead>
      <tbody>
        {batches.map(run => (
          <tr key={run.id}>
            <td className="short">{run.batchNo}</td>
            <td className="short">{run.month}</td>
            <td className="figure">{formatCount(run.made)} 张</td>
            <td className="figure">{displayYuan(run.amount)}</td>
            <td>
              {hasPermission(undoRun.needs) && (
                <Button
                  size="small"
                  danger
                  aria-label={`撤销批次 ${run.batchNo}`}
                  onClick={() =>
                    void undoBillRun(run.id).then(isUndone => {
                      if (isUndone) {
                        onUndone()
                      }
                    })
                  }
                >
                  撤销本批
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
