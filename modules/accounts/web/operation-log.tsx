import { defined } from '#kit/domain/defined.ts'
import { Drawer } from 'antd'
import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { Status } from '#kit/web/status.tsx'
import { getOperation, listOperations } from '../contract/operation-log.ts'
import './accounts.css'

type OperationRow = NonNullable<(typeof listOperations)['output']['T']>['rows'][number]

const listColumns = buildColumns(listOperations.output, [
  { key: 'title', width: 180, identity: true },
  { key: 'operTime', width: 160, render: l => l.operTime, text: l => l.operTime },
  { key: 'operatorName', width: 90 },
  {
    key: 'isSuccessful',
    title: '结果',
    width: 96,
    fitContent: false,
    grow: 0,
    render: l => (
      <Status tone={l.isSuccessful ? 'done' : 'bad'} plain>
        {l.isSuccessful ? '成功' : '未成功'}
      </Status>
    ),
    text: l => (l.isSuccessful ? '成功' : '未成功'),
  },
  { key: 'content', title: '说明' },
  'projectCode',
  'ip',
  { key: 'tookMs', hiddenByDefault: true },
  { key: 'call', hiddenByDefault: true },
])

/** One operation: what was sent, and what it did to each record. */
function OperationDrawer({ of, onClose }: { readonly of: OperationRow; readonly onClose: () => void }) {
  const { data, isPending, isError, error, refetch } = useCall(
    getOperation,
    { id: of.id, operTime: of.operTime },
    { quiet: true, project: 0 },
  )
  return (
    <Drawer
      open
      size={innerWidth < 900 ? '100%' : 880}
      title={`${of.title} · ${of.operatorName} · ${of.operTime}`}
      onClose={onClose}
    >
      {isPending ? (
        <div style={{ position: 'relative', height: 240 }}>
          <RowSkeleton rows={5} />
        </div>
      ) : isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="sheet-page" style={{ padding: 0 }}>
          {!data.isSuccessful && (
            <div className="form-band bad">
              <span>{data.content}</span>
            </div>
          )}
          {(data.entries ?? []).map((entry, i) => (
            <section key={i}>
              <h2>
                {entry.action} {entry.entity}
                {entry.entityId ? ` #${entry.entityId}` : ''}
                {entry.reason && <small>{entry.reason}</small>}
              </h2>
              {(entry.changes ?? []).length > 0 && (
                <table className="changes">
                  <thead>
                    <tr>
                      <th>字段</th>
                      <th>变更前</th>
                      <th>变更后</th>
                    </tr>
                  </thead>
                  <tbody>
                    {defined(entry.changes).map(change => (
                      <tr key={change.field}>
                        <td>{change.field}</td>
                        <td>{change.before}</td>
                        <td>{change.after}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </section>
          ))}
          {data.input && (
            <section>
              <h2>提交内容</h2>
              <ScrollRegion label="提交内容" className="changes submitted">
                <pre>{data.input}</pre>
              </ScrollRegion>
            </section>
          )}
          {!data.entries?.length && !data.input && <p className="absent">这次操作未改动数据</p>}
        </div>
      )}
    </Drawer>
  )
}

export default function OperationLog() {
  const [open, setOpen] = useState<OperationRow>()
  return (
    <>
      <ListPage
        list={listOperations}
        itemName="操作日志"
        columns={listColumns.map(change =>
          change.key === 'title'
            ? {
                ...change,
                render: (l: OperationRow) => (
                  <button type="button" className="linkish" onClick={() => setOpen(l)}>
                    {l.title}
                  </button>
                ),
              }
            : change,
        )}
        filters={['operTime', 'operatorIds', 'failed']}
        barFilters={['operTime', 'operatorIds', 'failed']}
        keyOf={l => `${l.id}/${l.operTime}`}
      />
      {open && <OperationDrawer of={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
