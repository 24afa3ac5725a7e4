import type { ReactNode } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import type { Fen } from '#kit/domain/money.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { displayYuanWithSymbol, formatCount } from '#kit/web/numbers.tsx'
import { StatusIcon } from '#kit/web/status.tsx'
import { skipReason } from '#modules/fees/contract/choices.ts'
import type { RunPreview } from '../contract/run.ts'
import type { PreviewTab } from './preview-rows.tsx'
import { skipFixes } from './skip-fixes.ts'
import type { PreviewState } from './use-preview.ts'

interface GroupsProps {
  readonly preview: RunPreview
  readonly state: PreviewState
  /** Bills and fen that would be generated without the excluded ones. */
  readonly count: number
  readonly amount: Fen
  readonly excludedAmount: Fen
  readonly saving: boolean
  readonly onExportSkipped: () => void
}

/** The groups of a preview with their counts; choosing one lists its rows. */
export function PreviewGroups(props: GroupsProps) {
  const { preview, state, count, amount, excludedAmount } = props
  const card = (
    tab: PreviewTab,
    tone: 'done' | 'off' | 'todo' | 'hold',
    label: string,
    index: number,
    note: string,
  ): ReactNode => (
    <button
      type="button"
      aria-pressed={state.filter.tab === tab && !state.filter.skipReason}
      onClick={() => state.changeFilter({ tab, skipReason: undefined })}
    >
      <StatusIcon tone={tone} />
      <span>{label}</span>
      <b className="figure">{formatCount(index)}</b>
      <small>{note}</small>
    </button>
  )
  return (
    <nav className="wizard-groups" aria-label="预览分组">
      {card('make', 'done', '将生成', count, displayYuanWithSymbol(amount))}
      {preview.gaps > 0 && card('gap', 'todo', '中间未出账', preview.gaps, '勾选的随这次补出')}
      {card('skip', 'off', '跳过', preview.skip, '这些对象不出账')}
      {card('warn', 'todo', '提醒', preview.warn, '照常出账，建议核对')}
      {card(
        'excluded',
        'hold',
        '人工排除',
        state.excludedHere.length + preview.excluded,
        excludedAmount ? displayYuanWithSymbol(excludedAmount) : '取消勾选即排除',
      )}
      {preview.reasons.length > 0 && <SkipReasons {...props} />}
      {preview.warn > 0 && <Warnings preview={preview} state={state} />}
      {preview.incompleteRelations > 0 && (
        <p className="wizard-hint" style={{ margin: 16 }}>
          {formatCount(preview.incompleteRelations)} 个关联要补出的账期超过 36 期，这次先出前 36
          期，之后再生成一次。
        </p>
      )}
    </nav>
  )
}

function SkipReasons({ preview, state, saving, onExportSkipped }: GroupsProps) {
  return (
    <>
      <h2>
        跳过原因
        <button type="button" className="linkish" disabled={saving} onClick={onExportSkipped}>
          导出 {formatCount(preview.skip)} 条
        </button>
      </h2>
      <ul>
        {preview.reasons.map(({ reason, count }) => {
          const fix = skipFixes[reason]
          return (
            <li key={reason}>
              <button
                type="button"
                className="linkish"
                onClick={() => state.changeFilter({ tab: 'skip', skipReason: reason })}
              >
                {labelOf(skipReason, reason)}
              </button>
              <b className="figure">{formatCount(count)}</b>
              {fix ? (
                <button type="button" className="linkish" onClick={() => navigateTo(fix.to())}>
                  {fix.words}
                </button>
              ) : (
                <span />
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

function Warnings({ preview, state }: Pick<GroupsProps, 'preview' | 'state'>) {
  const warnings = [
    { label: '比上期增减超过 50%', count: preview.jumps },
    { label: '无缴费人', count: preview.nobody },
  ].filter(w => w.count > 0)
  return (
    <>
      <h2>提醒</h2>
      <ul>
        {warnings.map(({ label, count }) => (
          <li key={label}>
            <span>{label}</span>
            <b className="figure">{formatCount(count)}</b>
            <button
              type="button"
              className="linkish"
              onClick={() => state.changeFilter({ tab: 'warn', skipReason: undefined })}
            >
              核对
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
