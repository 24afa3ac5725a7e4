import { defined } from '#kit/domain/defined.ts'
import { Button, Modal } from 'antd'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { deductRooms } from '../contract/account.ts'
import './prestore.css'

export type DeductionResult = NonNullable<typeof deductRooms.output.T>
type DeductionRow = DeductionResult['rows'][number]

const listColumns = buildColumns<DeductionRow>(
  { form: 'many', fields: nestedFieldsOf(defined(deductRooms.output.fields.rows)) },
  [
    { key: 'name', identity: false, width: 120, sortKey: undefined },
    { key: 'deducted', sortKey: undefined },
    { key: 'left', sortKey: undefined },
    { key: 'reason', width: 180, grow: 1, sortKey: undefined },
  ],
).map(c => ({ ...c, identity: false }))

/** What a deduction did, room by room (ACC-6). */
export function DeductionResultDialog({
  of: result,
  onClose,
}: {
  readonly of: DeductionResult
  readonly onClose: () => void
}) {
  return (
    <Modal
      open
      title="冲抵结果"
      width={640}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          知道了
        </Button>
      }
    >
      <p role="status">
        {result.rooms
          ? `${formatCount(result.rooms)} 间房冲抵 ${formatCount(result.bills)} 张账单，合计 ${displayYuanWithSymbol(result.amount)}`
          : '暂无可冲抵的账单'}
      </p>
      {result.rows.length > 0 && (
        <div className="prestore-result">
          <DataTable rows={result.rows} columns={listColumns} keyOf={r => r.code} label="冲抵明细" dense />
        </div>
      )}
    </Modal>
  )
}
