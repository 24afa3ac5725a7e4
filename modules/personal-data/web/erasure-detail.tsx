import { Button } from 'antd'
import { useState } from 'react'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { findScreen } from '#kit/web/screen-registry.ts'
import { usePermission } from '#kit/web/session.ts'
import {
  approveErasure,
  erasureRequest,
  getErasure,
  previewErasure,
  type ErasureRequest,
} from '../contract/erasure.ts'
import { menu } from '../module.ts'
import { erasureGroups, RequestStatus } from './erasure-columns.tsx'
import { ErasureResult } from './erasure-result.tsx'
import { MentionList } from './mention-list.tsx'
import { ReportTable, SharedNote } from './report-table.tsx'
import './personal-data.css'

const ExecuteDialog = lazyComponent(async () => (await import('./end-dialogs.tsx')).ExecuteDialog)
const EvidenceDialog = lazyComponent(async () => (await import('./end-dialogs.tsx')).EvidenceDialog)
const EndDialog = lazyComponent(async () => (await import('./end-dialogs.tsx')).EndDialog)

type Blocker = NonNullable<typeof previewErasure.output.T>['blockers'][number]

function BlockerList({ blockers }: { readonly blockers: readonly Blocker[] }) {
  const hasPermission = usePermission()
  const isOpenToCaller = (path: string): boolean => {
    const screen = findScreen(path.split('?')[0] ?? path)
    return screen !== undefined && (screen.needs === undefined || hasPermission(screen.needs))
  }
  return (
    <>
      <h3>暂不能执行</h3>
      <ul className="bad">
        {blockers.map(({ label, count, numbers, advice, path }) => (
          <li key={`${label} ${advice}`}>
            {label} {formatCount(count)} 项（{numbers.join('、')}
            {count > numbers.length && ' 等'}），{advice}
            {isOpenToCaller(path) && (
              <button type="button" className="linkish" onClick={() => navigateTo(path)}>
                办理
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** What has to be settled first, and what an execution would do. */
function Preview({
  id,
  state,
  onExecute,
}: Pick<ErasureRequest, 'id' | 'state'> & { readonly onExecute: () => void }) {
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
        {state === 'approved' && hasPermission(menu.erasure.permissions.execute) && (
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

const isPending = ({ state }: ErasureRequest): boolean => state === 'open' || state === 'approved'

const approve = ({ id, version, personName }: ErasureRequest): Promise<unknown> =>
  confirmAndSend(approveErasure, {
    actionLabel: '审批通过',
    unit: '项请求',
    title: `审批通过「${personName}」的删除请求`,
    okLabel: '审批通过',
    consequences: [
      '请先核对身份核验材料、将处理的内容与疑似记录',
      '审批之后不能修改，由有执行权限的人员执行',
    ],
    reason: false,
    input: { id, version },
    doneText: '已审批，可以执行',
  })

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
        actions={row => [
          ...(row.state === 'open'
            ? [
                {
                  label: '审批通过',
                  needs: menu.erasure.permissions.approve,
                  disabledReason: row.isRegistrar ? '由登记人以外的人员审批' : undefined,
                  run: () => void approve(row),
                },
                {
                  label: '身份核验材料',
                  needs: menu.erasure.permissions.edit,
                  run: () => setAsked({ what: 'evidence', request: row }),
                },
              ]
            : []),
          ...(isPending(row)
            ? [
                {
                  label: '拒绝或撤回',
                  needs: menu.erasure.permissions.edit,
                  run: () => setAsked({ what: 'end', request: row }),
                },
              ]
            : []),
        ]}
        afterGroups={row =>
          isPending(row) ? (
            <>
              <Preview
                id={row.id}
                state={row.state}
                onExecute={() => setAsked({ what: 'execute', request: row })}
              />
              <MentionList request={row} />
            </>
          ) : (
            row.state === 'done' && <ErasureResult request={row} />
          )
        }
      />
      {asked?.what === 'execute' && <ExecuteDialog record={asked.request} onClose={close} />}
      {asked?.what === 'evidence' && <EvidenceDialog record={asked.request} onClose={close} />}
      {asked?.what === 'end' && <EndDialog record={asked.request} onClose={close} />}
    </>
  )
}
