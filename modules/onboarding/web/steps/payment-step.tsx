import { Button } from 'antd'
import { codeOf } from '#kit/contract/field.ts'
import { sumFen } from '#kit/domain/money.ts'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall } from '#kit/web/query.ts'
import { listBillSources } from '#modules/bills/contract/list.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { getCashierView } from '#modules/payments/contract/cashier.ts'
import { cashierAddress, paths } from '../paths.ts'
import type { StepProps } from './step.ts'

const shownSources = 5

type Source = NonNullable<typeof listBillSources.output.T>[number]

/** What the cashier asks for when it opens an object: all of its bills that are due, late fees of today. */
function OwingSource({ source, projectCode }: { readonly source: Source; readonly projectCode: string }) {
  const { sourceCode, sourceName } = source
  const view = useCall(
    getCashierView,
    { projectCode, sourceType: source.sourceType, sourceCode },
    { quiet: true, staleMs: 0 },
  ).data
  const due = view?.groups.flatMap(group => group.bills).filter(bill => bill.selectedByDefault)
  return (
    <tr>
      <td className="short">{sourceName}</td>
      <td className="short">{view?.payerName ?? '--'}</td>
      <td className="figure">{due ? displayYuan(sumFen(due.map(bill => bill.total))) : ''}</td>
      <td>
        <Button
          size="small"
          aria-label={`收款 ${sourceName}`}
          onClick={() => navigateTo(cashierAddress(codeOf(sourceType, source.sourceType), sourceCode))}
        >
          收款
        </Button>
      </td>
    </tr>
  )
}

/** Rooms pay for their parking places: these have no line of their own. */
function firstSources(sources: readonly Source[]): readonly Source[] {
  const rooms = sources.filter(source => source.sourceType === 'room')
  return (rooms.length ? rooms : sources).slice(0, shownSources)
}

/** The first who owe, each with the way to the counter. */
export function PaymentStep({ projectCode }: StepProps) {
  const sources = useCall(
    listBillSources,
    { projectCode, payState: ['unpaid'], page: 1, size: 200 },
    { project: 0, staleMs: 0 },
  )
  if (!sources.data) return <RowSkeleton rows={4} />
  const shown = firstSources(sources.data)
  return (
    <div className="inline-form">
      {shown.length > 0 ? (
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
            {shown.map(source => (
              <OwingSource
                key={`${source.sourceType}/${source.sourceCode}`}
                source={source}
                projectCode={projectCode}
              />
            ))}
          </tbody>
        </table>
      ) : (
        <p className="step-note">暂无待缴账单</p>
      )}
      <div className="inline-form-actions">
        <Button type="primary" onClick={() => navigateTo(paths.cashier)}>
          打开收银台
        </Button>
      </div>
    </div>
  )
}
