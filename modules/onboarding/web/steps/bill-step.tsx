import { Button } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { monthOf } from '#kit/domain/month.ts'
import { today } from '#kit/web/date-format.ts'
import { RowSkeleton, errorText } from '#kit/web/list/list-feedback.tsx'
import { displayYuan, displayYuanWithSymbol, formatCount } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { previewBills, type RunPreview } from '#modules/bills/contract/run.ts'
import { skipReason } from '#modules/fees/contract/choices.ts'
import { billThisMonth } from '../actions.ts'
import { BillBatches } from './bill-batches.tsx'
import type { StepProps } from './step.ts'
import { paths } from '../paths.ts'

const maxShownRows = 8

function PreviewSummary({ preview }: { readonly preview: RunPreview }) {
  const made = preview.rows.filter(r => r.group === 'make')
  return (
    <>
      <p className="step-preview" role="status">
        {monthOf(today())} 将生成 <b>{formatCount(preview.make.count)}</b> 张账单，合计{' '}
        <b>{displayYuanWithSymbol(preview.make.amount ?? 0)}</b>
        {preview.nobody > 0 && `，其中 ${formatCount(preview.nobody)} 张暂无缴费人`}
        {preview.skip > 0 && `；跳过 ${formatCount(preview.skip)} 个`}
      </p>
      {preview.reasons.length > 0 && (
        <p className="step-note">
          跳过原因：
          {preview.reasons.map(r => `${labelOf(skipReason, r.reason)} ${formatCount(r.count)} 个`).join('、')}
        </p>
      )}
      {made.length > 0 && (
        <table className="step-table">
          <thead>
            <tr>
              <th>收费对象</th>
              <th>缴费人</th>
              <th>收费标准</th>
              <th>计算依据</th>
              <th className="figure">金额</th>
            </tr>
          </thead>
          <tbody>
            {made.slice(0, maxShownRows).map(row => (
              <tr key={`${row.relationId}/${row.begin}`}>
                <td className="short">{row.sourceName}</td>
                <td className="short">{row.payerName ?? '--'}</td>
                <td className="short">{row.standardName}</td>
                <td>{row.sentence}</td>
                <td className="figure">{displayYuan(row.amount ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {preview.make.count > maxShownRows && (
        <p className="step-note">
          仅列出前 {maxShownRows} 张，共 {formatCount(preview.make.count)} 张；选择「选择范围生成」可查看全部
        </p>
      )}
    </>
  )
}

export function BillStep({ projectCode, count: existing, onDone }: StepProps) {
  const [busy, setBusy] = useState(false)
  const preview = useCall(
    previewBills,
    { projectCode, month: monthOf(today()) },
    { project: 0, staleMs: 0, quiet: true },
  )
  if (preview.isError)
    return (
      <div className="form-band bad" role="alert">
        <span>{errorText(preview.error).message}</span>
      </div>
    )
  if (!preview.data) return <RowSkeleton rows={5} />
  const { count, amount } = preview.data.make
  const generate = async (): Promise<void> => {
    setBusy(true)
    try {
      const run = await billThisMonth(projectCode)
      toast.success(`已生成 ${formatCount(run.made)} 张账单，合计 ${displayYuanWithSymbol(run.amount)}`)
      onDone(true)
    } catch (error) {
      toast.error(errorText(error).message)
    } finally {
      setBusy(false)
      void preview.refetch()
    }
  }
  return (
    <div className="inline-form">
      {(count > 0 || !existing) && <PreviewSummary preview={preview.data} />}
      <BillBatches
        projectCode={projectCode}
        onUndone={() => {
          void preview.refetch()
          onDone(false)
        }}
      />
      <div className="inline-form-actions">
        <Button
          type="primary"
          loading={busy}
          disabled={!count}
          title={count ? undefined : '本月账单均已生成，无待生成账单'}
          onClick={() => void generate()}
        >
          {count ? `生成 ${formatCount(count)} 张账单，${displayYuanWithSymbol(amount ?? 0)}` : '生成账单'}
        </Button>
        <Button onClick={() => navigateTo(paths.generate)}>选择范围生成</Button>
      </div>
    </div>
  )
}
