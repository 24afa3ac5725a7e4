import { Button } from 'antd'
import { useCallback, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import { erasureTreatment } from '../contract/choices.ts'
import { listHeld, type ErasureRequest } from '../contract/erasure.ts'
import './personal-data.css'

type HeldRow = NonNullable<typeof listHeld.output.T>[number]

const manualNote = '本公司的云文件，内容由办理人核对，不自动处理；条数只计名称、上传人含其姓名或号码的'

type ResultLine = NonNullable<ErasureRequest['result']>[number]

const noteOf = ({ keptReason, treatment, numbers }: ResultLine, isPrinted: boolean): string => {
  if (keptReason !== undefined) return keptReason
  if (numbers?.length && isPrinted) return '可能是其他人，未处理'
  if (numbers?.length) return `未处理，请逐条核对，文字中有姓名、号码的予以修改。编号：${numbers.join('、')}`
  return treatment === 'manual' ? manualNote : '--'
}

/** What may be somebody else's is named to the company alone. */
const ResultTable = ({
  result,
  isPrinted = false,
}: Pick<ErasureRequest, 'result'> & { readonly isPrinted?: boolean }) => (
  <div className="privacy-table">
    <table aria-label="处理结果">
      <thead>
        <tr>
          <th>内容</th>
          <th className="figure">条数</th>
          <th>处理方式</th>
          <th>说明</th>
          <th>依法保留至</th>
        </tr>
      </thead>
      <tbody>
        {(result ?? []).map(line => (
          <tr key={line.label}>
            <td>{line.label}</td>
            <td className="figure">{formatCount(line.rowCount)}</td>
            <td>{labelOf(erasureTreatment, line.treatment)}</td>
            <td>{noteOf(line, isPrinted)}</td>
            <td>{line.keptUntil ?? '--'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** The vouchers that stayed, one by one. */
const HeldTable = ({ rows, hasNames }: { readonly rows: readonly HeldRow[]; readonly hasNames: boolean }) => (
  <div className="privacy-table">
    <table aria-label="依法保留的凭证">
      <thead>
        <tr>
          <th>内容</th>
          <th>编号</th>
          {hasNames && <th>依法保留的姓名</th>}
          <th>摘要</th>
          <th>保留理由</th>
          <th>依法保留至</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={`${row.label}/${row.number}`}>
            <td className="fixed">{row.label}</td>
            <td className="fixed">{row.number}</td>
            {hasNames && <td className="fixed">{row.keptName ?? '--'}</td>}
            <td>{row.content}</td>
            <td>{row.reason}</td>
            <td className="fixed">{row.isReleased ? '已到期清除' : row.keptUntil}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** What the person is handed: what was done, what stays and why, without the name. */
const ResultSheet = ({
  request,
  kept,
}: {
  readonly request: ErasureRequest
  readonly kept: readonly HeldRow[]
}) => (
  <main className="privacy-sheet">
    <h1>个人信息删除结果单</h1>
    <p>
      请求编号 {request.id}，{request.kindLabel}
      {request.personId > 0 && `编号 ${request.personId}`}，登记 {request.createTime?.slice(0, 10)}，审批人{' '}
      {request.approveName}，执行人 {request.endName}，执行时间 {request.endTime?.slice(0, 16)}。
    </p>
    <ResultTable result={request.result} isPrinted />
    {kept.length > 0 && (
      <>
        <p>
          以下凭证依会计与税收法律保留，期满清除；原处姓名已改为「{request.personName}
          」，不再能按姓名、号码查到。
        </p>
        <HeldTable rows={kept} hasNames={false} />
      </>
    )}
    <footer>
      <span>经办人签字：</span>
      <span>申请人签字：</span>
      <span>日期：</span>
    </footer>
  </main>
)

/** What an execution did, what the law keeps, and the sheet to hand out. */
export function ErasureResult({ request }: { readonly request: ErasureRequest }) {
  const [isPrinting, setPrinting] = useState(false)
  const stop = useCallback(() => setPrinting(false), [])
  const query = useCall(listHeld, { id: request.id }, { quiet: true, project: 0, staleMs: 0 })
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={3} />
  return (
    <section className="privacy-block">
      <div className="bar">
        <h3>处理结果</h3>
        <span className="spring" />
        <Button onClick={() => setPrinting(true)}>打印结果单</Button>
      </div>
      <ResultTable result={request.result} />
      {query.data.length > 0 && (
        <>
          <h3>依法保留的凭证</h3>
          <HeldTable rows={query.data} hasNames />
        </>
      )}
      {isPrinting && (
        <PrintOut width={210} height={297} onDone={stop}>
          <ResultSheet request={request} kept={query.data} />
        </PrintOut>
      )}
    </section>
  )
}
