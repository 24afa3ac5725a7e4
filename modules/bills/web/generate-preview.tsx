import { Button, Input } from 'antd'
import { EditOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { addFen, subtractFen, sumFen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol, formatCount } from '#kit/web/numbers.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { previewBills, type RunPreview, type RunRequest } from '../contract/run.ts'
import type { ScopeLabels } from './generate-scope.tsx'
import { PreviewGroups } from './preview-groups.tsx'
import { PreviewTable } from './preview-table.tsx'
import { usePreview, usePreviewDownload } from './use-preview.ts'

interface StepProps {
  readonly request: RunRequest
  readonly labels: ScopeLabels
  readonly estate: string
  readonly onBack: () => void
  readonly onGo: (
    preview: RunPreview,
    excluded: readonly string[],
    reason: string,
    gaps: readonly string[] | undefined,
  ) => void
  readonly busy: boolean
}

/**
 * Step two: every bill that would be generated with its calculation; unselected ones are excluded from the
 * run.
 */
export function PreviewStep(props: StepProps) {
  const query = useCall(previewBills, props.request, { staleMs: 0, timeout: 120_000 })
  if (query.isPending)
    return (
      <div className="wizard-body">
        <p className="wizard-hint">正在按每个收费关联逐笔计算……</p>
        <RowSkeleton rows={12} />
      </div>
    )
  if (!query.data)
    return (
      <div className="wizard-body">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  return <Preview {...props} preview={query.data} />
}

function Preview({
  preview,
  request,
  labels,
  estate,
  onBack,
  onGo,
  busy,
}: StepProps & { readonly preview: RunPreview }) {
  const state = usePreview(preview)
  const { saving, save } = usePreviewDownload(request, state.excludedIds)
  const [reason, setReason] = useState('')
  const excludedAmount = sumFen(state.excludedHere.map(r => r.amount ?? 0))
  const added = state.changedGaps.filter(r => !r.out)
  const dropped = state.changedGaps.filter(r => r.out)
  const sumOf = (rows: typeof added) => sumFen(rows.map(r => r.amount ?? 0))
  const count = preview.make.count - state.excludedHere.length + added.length - dropped.length
  const made = subtractFen(preview.make.amount, excludedAmount, sumOf(dropped))
  const amount = addFen(made, sumOf(added))
  return (
    <>
      <RequestSummary preview={preview} request={request} labels={labels} estate={estate} onBack={onBack} />
      <div className="wizard-preview">
        <PreviewGroups
          preview={preview}
          state={state}
          count={count}
          amount={amount}
          excludedAmount={excludedAmount}
          saving={saving}
          onExportSkipped={() => void save('skip')}
        />
        <PreviewTable
          preview={preview}
          state={state}
          projectCode={request.projectCode}
          saving={saving}
          onExport={(group, skipReason) => void save(group, skipReason)}
        />
      </div>
      <footer className="wizard-foot">
        <span>
          将生成 <b className="figure">{formatCount(count)}</b> 张，合计{' '}
          <b className="figure">{displayYuanWithSymbol(amount)}</b>
        </span>
        <span className="note">生成前不会写入任何数据</span>
        {state.excludedIds.length > 0 && (
          <Input
            style={{ width: 260 }}
            maxLength={200}
            placeholder="排除原因（选填）"
            aria-label="排除原因"
            value={reason}
            onChange={e => setReason(e.target.value)}
          />
        )}
        <span className="spring" />
        <Button onClick={onBack}>上一步</Button>
        <Button
          type="primary"
          loading={busy}
          disabled={count <= 0}
          onClick={() => onGo(preview, state.excludedIds, reason.trim(), state.selectedGaps)}
        >
          生成 {formatCount(count)} 张账单
        </Button>
      </footer>
    </>
  )
}

function RequestSummary({
  preview,
  request,
  labels,
  estate,
  onBack,
}: Pick<StepProps, 'request' | 'labels' | 'estate' | 'onBack'> & { readonly preview: RunPreview }) {
  const { dueFrom, dueTo } = preview
  return (
    <div className="wizard-summary">
      <span>
        项目<b>{estate || request.projectCode}</b>
      </span>
      <span>
        对象<b>{labels.what}</b>
      </span>
      <span>
        收费项目<b>{labels.items}</b>
      </span>
      <span>
        账期<b>{request.month}</b>
      </span>
      {dueFrom && (
        <span>
          应缴日<b>{dueFrom === dueTo ? dueFrom : `${dueFrom} 至 ${dueTo}`}</b>
        </span>
      )}
      <span>
        生成后<b>{preview.pending ? '待审核' : '直接生效，不自动通知'}</b>
      </span>
      <span className="spring" />
      <button type="button" className="linkish" onClick={onBack}>
        <EditOutlined /> 改范围
      </button>
    </div>
  )
}
