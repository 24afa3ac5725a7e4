import { Modal } from 'antd'
import { columns } from '#kit/web/columns.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import type { Month } from '#kit/contract/field.ts'
import { membersOf } from '#kit/contract/value.ts'
import { readingCom, type Place } from '../contract/reading.ts'
import { unitOf } from './live.ts'

const history = { fields: membersOf(readingCom.output.fields.history!) }
type Line = NonNullable<NonNullable<typeof readingCom.output.T>['history']>[number]

const shown = columns<Line>(history as never, [
  'month',
  { key: 'readDate', title: '抄表日期' },
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
  readonly of: Pick<Place, 'meterId' | 'meterNo' | 'sourceName' | 'meterKind'>
  readonly month: Month
  readonly onClose: () => void
}) {
  const got = useCall(readingCom, { meterId: of.meterId, month }, { quiet: true })
  return (
    <Modal
      open
      title={`${of.sourceName ?? ''} ${of.meterNo} 抄表历史`}
      footer={null}
      width={680}
      onCancel={onClose}
    >
      {got.isPending ? (
        <Skeleton rows={6} />
      ) : got.isError ? (
        <Trouble error={got.error} retry={() => void got.refetch()} />
      ) : (
        <>
          <DataTable
            rows={got.data.history ?? []}
            columns={shown}
            keyOf={r => `${r.meterNo}/${r.readDate}`}
            label="抄表历史"
            dense
            instead={got.data.history?.length ? undefined : <p className="blank">还没有读数</p>}
          />
          {got.data.estimate !== undefined && (
            <p className="meter-note">
              按近期日均用量，今天约为 <b>{got.data.estimate}</b>（{unitOf(of)}表读数）。
            </p>
          )}
        </>
      )}
    </Modal>
  )
}
