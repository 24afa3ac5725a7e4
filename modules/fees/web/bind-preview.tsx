import { useEffect, useState } from 'react'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { bindOutcome, previewBind, type BindResult } from '../contract/binding-calls.ts'
import './fees.css'

type BindInput = NonNullable<typeof previewBind.input.T>
const maxShownRows = 200

/** What a binding does or did, counted, with the reasons of what is left out. */
export function BindResultSummary({ of, done }: { readonly of: BindResult; readonly done?: boolean }) {
  const word = done ? '已' : '将'
  return (
    <>
      <div className="figures" role="status" aria-live="polite">
        <span>
          对象 <b>{formatCount(of.objects)}</b>
        </span>
        <span>
          {word}绑定 <b>{formatCount(of.success)}</b>
        </span>
        {of.replaced > 0 && (
          <span>
            其中替换 <b>{formatCount(of.replaced)}</b>
          </span>
        )}
        {of.skipped > 0 && (
          <span>
            跳过 <b>{formatCount(of.skipped)}</b>
          </span>
        )}
        {of.fail > 0 && (
          <span className="bad">
            失败 <b>{formatCount(of.fail)}</b>
          </span>
        )}
      </div>
      {of.reasons.length > 0 && (
        <ul>
          {of.reasons.map(r => (
            <li key={r.reason}>
              {r.reason}：{formatCount(r.count)}
            </li>
          ))}
        </ul>
      )}
      {of.rows.length > 0 && (
        <ScrollRegion label="关联预览" className="bind-rows">
          <table>
            <thead>
              <tr>
                <th>收费对象</th>
                <th>收费标准</th>
                <th>结果</th>
                <th>说明</th>
              </tr>
            </thead>
            <tbody>
              {of.rows.slice(0, maxShownRows).map(row => (
                <tr key={`${row.standardId} ${row.sourceCode}`}>
                  <td>{row.sourceName}</td>
                  <td>{row.standardName}</td>
                  <td>
                    <ChoiceStatus choices={bindOutcome} value={row.outcome} />
                  </td>
                  <td>{row.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {of.success + of.skipped + of.fail > Math.min(maxShownRows, of.rows.length) && (
        <p>列出前 {formatCount(Math.min(maxShownRows, of.rows.length))} 行，跳过的在前</p>
      )}
    </>
  )
}

/** Asked once the form rests; nothing is written. */
export function BindPreview({
  input,
  ready,
  missingText,
}: {
  readonly input: Partial<BindInput>
  readonly ready: boolean
  readonly missingText: string
}) {
  const now = JSON.stringify(input)
  const [rested, setRested] = useState(input)
  useEffect(() => {
    const t = setTimeout(() => setRested(input), 300)
    return () => clearTimeout(t)
  }, [now])
  const preview = useCall(
    previewBind,
    { projectCode: '', sourceType: 'room', ...rested },
    { enabled: ready, keepPrevious: true, quiet: true, staleMs: 0 },
  )
  const renderPreview = () => {
    if (!ready) return <p>{missingText}</p>
    if (preview.isError)
      return (
        <p className="bad" role="alert">
          {preview.error.message || '预览计算失败，请重试'}
        </p>
      )
    if (preview.data) return <BindResultSummary of={preview.data} />
    return <p>正在计算</p>
  }
  return (
    <section className="bind-preview" aria-label="绑定预览">
      <h3>绑定预览</h3>
      {renderPreview()}
    </section>
  )
}
