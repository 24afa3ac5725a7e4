import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { Button, Modal } from 'antd'
import { bulkResultText } from './record-actions.ts'
import { formatCount } from './numbers.tsx'

const maxListed = 200

/** The outcome of a bulk action (G-11): counts, then the records that were not changed, by reason. */
export function BulkResultDialog({
  result,
  title,
  summary = bulkResultText({ ...result, rows: [] }),
  onClose,
}: {
  readonly result: BulkResult
  readonly title: string
  /** Instead of the counts, where they do not count the records. */
  readonly summary?: string
  readonly onClose: () => void
}) {
  const rowsByReason = [...Map.groupBy(result.rows, r => r.reason)].toSorted(
    (a, b) => b[1].length - a[1].length,
  )
  return (
    <Modal
      open
      title={title}
      width={560}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          知道了
        </Button>
      }
      styles={{ body: { maxHeight: 'calc(100vh - 260px)', overflowY: 'auto' } }}
    >
      <p role="status">{summary}</p>
      <dl style={{ display: 'grid', gap: 12, marginTop: 12 }}>
        {rowsByReason.map(([reason, rows]) => (
          <div key={reason}>
            <dt style={{ fontWeight: 600 }}>
              {reason}（{formatCount(rows.length)}）
            </dt>
            <dd style={{ color: 'var(--ink-2)' }}>
              {rows
                .slice(0, maxListed)
                .map(r => r.code ?? r.id)
                .join('、')}
              {rows.length > maxListed && ` 等 ${formatCount(rows.length)} 条`}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
