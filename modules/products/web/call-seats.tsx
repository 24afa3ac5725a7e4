import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { listNodePrices } from '../contract/increment-node.ts'
import {
  addSeat,
  callSeat,
  deleteSeats,
  editSeat,
  listSeats,
  getSeatCounts,
  type CallSeat,
} from '../contract/call-seat.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'
import './products.css'

const listColumns = buildColumns(listSeats.output, [
  { key: 'seatNo', identity: true },
  'extension',
  { key: 'managerId', grow: 1 },
  { key: 'remark', grow: 1, hidePriority: 1 },
  { key: 'createTime', title: '新增时间', hidePriority: 2 },
  'state',
])

const deleteAction = createReasonAction<CallSeat>(deleteSeats, {
  unit: '个坐席',
  nameOf: s => s.seatNo,
  reasonPresets: ['不再使用', '录入有误'],
})

/** How many are open and in use, and the way to more. */
function SeatCounts() {
  const counts = useCall(getSeatCounts, undefined, {
    quiet: true,
    project: 0,
    keepPrevious: true,
    staleMs: 0,
  }).data
  const hasPermission = usePermission()
  const canBuy = hasPermission(menu.increment.permissions.add)
  const seat = useCall(listNodePrices, undefined, { quiet: true, project: 0, enabled: canBuy }).data?.find(
    p => p.nodeType === 'seat',
  )
  if (!counts) return <div className="shop-line">已开通 -- 席</div>
  return (
    <div className={counts.used > counts.open ? 'shop-note' : 'shop-line'} role="status">
      已开通 <b>{formatCount(counts.open)}</b> 席，已启用 <b>{formatCount(counts.used)}</b> 席
      {counts.used > counts.open && '，多出的坐席请停用或续费'}
      {seat && canBuy && (
        <button
          type="button"
          className="linkish"
          onClick={() => navigateTo(paths.valueOrder(seat.productId))}
        >
          {counts.open ? '增加坐席' : '开通坐席'}
        </button>
      )}
    </div>
  )
}

/** Who sits at the service line. */
export default function CallSeats() {
  const form = useEdit({
    itemName: '坐席',
    add: addSeat,
    edit: editSeat,
    isRowComplete: true,
    nameOf: (s: CallSeat) => s.seatNo,
    groups: [{ keys: ['seatNo', 'extension', 'managerId', 'state', 'remark'] }],
  })
  return (
    <>
      <ListPage
        list={listSeats}
        itemName="坐席"
        columns={listColumns}
        barFilters={['state', 'managerId']}
        belowToolbar={<SeatCounts />}
        primaryAction={form.addAction}
        rowActions={s => [form.editAction(s), deleteAction.row(s)]}
        batchActions={[deleteAction.batch]}
        isDimmed={s => s.state === 'off'}
        drawer={{
          title: s => s.seatNo,
          historyEntity: callSeat.name,
          actions: s => [form.editAction(s), deleteAction.row(s)],
        }}
      />
      {form.dialog}
    </>
  )
}
