import { Button } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { erasureTreatment } from '../contract/choices.ts'
import {
  erasureRequest,
  getErasure,
  listHeld,
  previewErasure,
  type ErasureRequest,
} from '../contract/erasure.ts'
import { menu } from '../module.ts'
import { erasureGroups, RequestStatus } from './erasure-columns.tsx'
import { ReportTable, SharedNote } from './report-table.tsx'
import './personal-data.css'

const ExecuteDialog = lazyComponent(async () => (await import('./end-dialogs.tsx')).ExecuteDialog)
const EvidenceDialog = lazyComponent(async () => (await import('./end-dialogs.tsx')).EvidenceDialog)
const EndDialog = lazyComponent(async () => (await import('./end-dialogs.tsx')).EndDialog)

type Blocker = NonNullable<typeof previewErasure.output.T>['blockers'][number]

const BlockerList = ({ blockers }: { readonly blockers: readonly Blocker[] }) => (
  <>
    <h3>暂不能执行</h3>
    <ul className="bad">
      {blockers.map(({ label, count, numbers, advice, path }) => (
        <li key={label}>
          {label} {formatCount(count)} 项（{numbers.join('、')}
          {count > numbers.length && ' 等'}），{advice}
          <button type="button" className="linkish" onClick={() => navigateTo(path)}>
            办理
          </button>
        </li>
      ))}
    </ul>
  </>
)

/** What has to be settled first, and what an execution would do. */
function Preview({ id, onExecute }: Pick<ErasureRequest, 'id'> & { readonly onExecute: () => void }) {
  const hasPermission = usePermission()
  const query = useCall(previewErasure, { id }, { quiet: true, project: 0, staleMs: 0 })
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={6} />
  const { blockers, tables, sharedIdentifiers } = query.data
  return (
    <section className="privacy-block">
      {blockers.length > 0 && <BlockerList blockers={blockers} />}
      <div className="bar">
        <h3>将处理的内容</h3>
        <span className="spring" />
        {hasPermission(menu.erasure.permissions.execute) && (
          <Button danger type="primary" disabled={blockers.length > 0} onClick={onExecute}>
            执行删除
          </Button>
        )}
      </div>
      <SharedNote shared={sharedIdentifiers} />
      <ReportTable lines={tables} />
    </section>
  )
}

const Result = ({ result }: Pick<ErasureRequest, 'result'>) => (
  <section className="privacy-block">
    <h3>处理结果</h3>
    <div className="privacy-table">
      <table aria-label="处理结果">
        <thead>
          <tr>
            <th>内容</th>
            <th className="figure">条数</th>
            <th>处理方式</th>
            <th>保留理由</th>
            <th>依法保留至</th>
          </tr>
        </thead>
        <tbody>
          {(result ?? []).map(line => (
            <tr key={line.label}>
              <td>{line.label}</td>
              <td className="figure">{formatCount(line.rowCount)}</td>
              <td>{labelOf(erasureTreatment, line.treatment)}</td>
              <td>{line.keptReason ?? '--'}</td>
              <td>{line.keptUntil ?? '--'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)

/** The vouchers that stayed, one by one. */
function HeldRecords({ id }: Pick<ErasureRequest, 'id'>) {
  const query = useCall(listHeld, { id }, { quiet: true, project: 0, staleMs: 0 })
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={3} />
  if (!query.data.length) return null
  return (
    <section className="privacy-block">
      <h3>依法保留的凭证</h3>
      <div className="privacy-table">
        <table aria-label="依法保留的凭证">
          <thead>
            <tr>
              <th>内容</th>
              <th>编号</th>
              <th>摘要</th>
              <th>保留理由</th>
              <th>依法保留至</th>
            </tr>
          </thead>
          <tbody>
            {query.data.map(row => (
              <tr key={`${row.label}/${row.number}`}>
                <td className="fixed">{row.label}</td>
                <td className="fixed">{row.number}</td>
                <td>{row.content}</td>
                <td>{row.reason}</td>
                <td className="fixed">{row.isReleased ? '已到期清除' : row.keptUntil}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** 删除请求详情: checked, previewed, executed or refused. */
export default function ErasureDetailPage() {
  const [asked, setAsked] = useState<{
    readonly what: 'execute' | 'end' | 'evidence'
    readonly request: ErasureRequest
  }>()
  const close = (): void => setAsked(undefined)
  return (
    <>
      <DetailPage
        loadCall={getErasure}
        title={row => `${row.personName}的删除请求`}
        status={row => <RequestStatus request={row} />}
        groups={erasureGroups}
        historyEntity={erasureRequest.name}
        actions={row =>
          row.state === 'open'
            ? [
                {
                  label: '身份核验材料',
                  needs: menu.erasure.permissions.edit,
                  run: () => setAsked({ what: 'evidence', request: row }),
                },
                {
                  label: '拒绝或撤回',
                  needs: menu.erasure.permissions.edit,
                  run: () => setAsked({ what: 'end', request: row }),
                },
              ]
            : []
        }
        afterGroups={row =>
          row.state === 'open' ? (
            <Preview id={row.id} onExecute={() => setAsked({ what: 'execute', request: row })} />
          ) : (
            row.state === 'done' && (
              <>
                <Result result={row.result} />
                <HeldRecords id={row.id} />
              </>
            )
          )
        }
      />
      {asked?.what === 'execute' && <ExecuteDialog record={asked.request} onClose={close} />}
      {asked?.what === 'evidence' && <EvidenceDialog record={asked.request} onClose={close} />}
      {asked?.what === 'end' && <EndDialog record={asked.request} onClose={close} />}
    </>
  )
}
