import { Button } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import { RowSkeleton } from '#kit/web/list/list-states.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall } from '#kit/web/query.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import type { StepProps } from './step.ts'

const cashierPath = '/finance/chargemanage/cashier'
const shownBills = 5

/** The first bills that wait for their money, each with the way to the counter. */
export function PaymentStep({ projectCode }: StepProps) {
  const bills = useCall(
    listBills,
    { projectCode, payState: ['unpaid'], page: 1, size: shownBills },
    { project: 0, staleMs: 0 },
  )
  if (!bills.data) return <RowSkeleton rows={4} />
  return (
    <div className="inline-form">
      {bills.data.rows.length > 0 ? (
        <table className="step-table">
          <thead>
            <tr>
              <th>收费对象</th>
              <th>缴费人</th>
              <th className="figure">待缴</th>
              <th aria-label="操作" />
            </tr>
          </thead>
          <tbody>
            {bills.data.rows.map(b => (
              <tr key={b.id}>
                <td>{b.sourceName ?? labelOf(sourceType, b.sourceType)}</td>
                <td>{b.payerName ?? ''}</td>
                <td className="figure">{displayYuan(b.unpaid ?? 0, true)}</td>
                <td>
                  <Button
                    size="small"
                    aria-label={`收款 ${b.sourceName ?? ''}`}
                    onClick={() =>
                      navigateTo(
                        `${cashierPath}?type=${codeOf(sourceType, b.sourceType)}&code=${b.sourceCode}`,
                      )
                    }
                  >
                    收款
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p className="step-note">暂无待缴账单</p>
      )}
      <div className="inline-form-actions">
        <Button type="primary" onClick={() => navigateTo(cashierPath)}>
          打开收银台
        </Button>
      </div>
    </div>
  )
}
