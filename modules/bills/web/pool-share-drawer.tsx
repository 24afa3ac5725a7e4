import { toError } from '#kit/domain/to-error.ts'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { toast } from '#kit/web/toast.ts'
import { listOfRows } from '#kit/contract/shape.ts'
import { type SharePool } from '../contract/share-pool.ts'
import { previewPool, runPool, poolShareFields } from '../contract/pool.ts'
import { menu } from '../module.ts'
import './generate.css'

const shareColumns = buildColumns(listOfRows(poolShareFields), [
  { key: 'sourceName', strong: true, width: 120 },
  { key: 'payerName', width: 90 },
  { key: 'weight', align: 'right', width: 90 },
  'amount',
  { key: 'sentence', grow: 2, width: 260, render: r => calculationText(r.sentence), text: r => r.sentence },
])

/** Without the result, which has a column of its own. */
const calculationText = (sentence: string): string => sentence.replace(/ = [\d,.]+ 元$/, '')

/** The shares of a pool, before and after it is billed. */
export function PoolShareDrawer({
  pool,
  onClose,
}: {
  readonly pool: SharePool
  readonly onClose: () => void
}) {
  const query = useCall(previewPool, { id: pool.id }, { staleMs: 0, quiet: true })
  const run = useSend(runPool, { quiet: true })
  const hasPermission = usePermission()
  const [error, setError] = useState<string>()
  const preview = query.data
  const share = async (): Promise<void> => {
    try {
      const result = await run.mutateAsync({ id: pool.id })
      const billed = `已生成 ${formatCount(result.count)} 张公摊账单，合计 ${displayYuanWithSymbol(result.amount)}`
      toast.success(
        result.excludedCount ? `${billed}；${formatCount(result.excludedCount)} 户未参加` : billed,
      )
      onClose()
    } catch (e) {
      setError(toError(e).message)
    }
  }
  return (
    <Drawer
      open
      size={innerWidth < 900 ? '100%' : 820}
      title={`分摊：${pool.name} ${pool.month}`}
      onClose={onClose}
      footer={
        preview && !preview.refusal && pool.state === 'open' && hasPermission(menu.pool.permissions.share) ? (
          <Button type="primary" loading={run.isPending} onClick={() => void share()}>
            生成 {formatCount(preview.rows.length ? preview.count : 0)} 张账单，合计{' '}
            {displayYuanWithSymbol(preview.total)}
          </Button>
        ) : null
      }
    >
      {query.isPending ? (
        <RowSkeleton rows={8} />
      ) : !preview ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className="pool-split">
          <p>
            总额 <b className="figure">{displayYuanWithSymbol(preview.total)}</b>，
            {formatCount(preview.count)} 户参加
            {preview.excluded.length ? `，${formatCount(preview.excluded.length)} 户未参加` : ''}
            。合计与总额一致，尾差列入计算依据。
          </p>
          {preview.refusal && (
            <p className="bad" role="alert">
              {preview.refusal}
            </p>
          )}
          {error && (
            <p className="bad" role="alert">
              {error}
            </p>
          )}
          {preview.truncated && <p>下面先列 {formatCount(preview.rows.length)} 户，合计与张数是全部的。</p>}
          {preview.rows.length > 0 && (
            <div className="split-table" style={{ height: Math.min(480, 90 + preview.rows.length * 36) }}>
              <DataTable
                rows={preview.rows}
                columns={shareColumns}
                keyOf={r => r.relationId}
                label="分摊明细"
                dense
              />
            </div>
          )}
          {preview.excluded.length > 0 && (
            <section>
              <h3>未参加</h3>
              <ul>
                {preview.excluded.slice(0, 100).map(l => (
                  <li key={l.relationId}>
                    {l.sourceName}：{l.reason}
                  </li>
                ))}
              </ul>
              {preview.excluded.length > 100 && <p>另有 {formatCount(preview.excluded.length - 100)} 户</p>}
            </section>
          )}
        </div>
      )}
    </Drawer>
  )
}
