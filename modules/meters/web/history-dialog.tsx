import { listOfRows } from '#kit/contract/shape.ts'
import { Modal } from 'antd'
import { buildColumns } from '#kit/web/columns.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import type { Month } from '#kit/contract/field.ts'
import { getEntryContext, type MeterMonth, readingHistoryFields } from '../contract/month-grid.ts'
import { usageUnitOf } from './entry-preview.ts'

const historyColumns = buildColumns(listOfRows(readingHistoryFields), [
  'month',
  'readDate',
  { key: 'curNum', title: '止数' },
  'usage',
  'isEstimate',
  { key: 'meterNo', grow: 1 },
])

/** The last twelve readings of a room's meter, those before a replacement too. */
export function HistoryDialog({
  of,
  month,
  onClose,
}: {
  readonly of: Pick<MeterMonth, 'meterId' | 'meterNo' | 'sourceName' | 'meterKind'>
  readonly month: Month
  readonly onClose: () => void
}) {
  const query = useCall(getEntryContext, { meterId: of.meterId, month }, { quiet: true })
  return (
    <Modal
      open
      title={`${of.sourceName ?? ''} ${of.meterNo} 抄表历史`}
      footer={null}
      width={680}
      onCancel={onClose}
    >
      {query.isPending ? (
        <RowSkeleton rows={6} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <DataTable
            rows={query.data.history ?? []}
            columns={historyColumns}
            keyOf={r => `${r.meterNo}/${r.readDate}`}
            label="抄表历史"
            dense
            placeholder={query.data.history?.length ? undefined : <p className="blank">暂无读数</p>}
          />
          {query.data.estimate !== undefined && (
            <p className="meter-note">
              按近期日均用量，今天约为 <b>{query.data.estimate}</b>（{usageUnitOf(of)}表读数）。
            </p>
          )}
        </>
      )}
    </Modal>
  )
}
