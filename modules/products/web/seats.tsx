import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { count } from '#kit/web/figure.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { go } from '#kit/web/go.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { nodePrices } from '../contract/node.ts'
import {
  addSeat,
  callSeat,
  deleteSeats,
  editSeat,
  listSeats,
  seatFigures,
  type CallSeat,
} from '../contract/seat.ts'
import { menu } from '../module.ts'
import { places } from './places.ts'
import './products.css'

const shown = columns(listSeats.output, [
  { key: 'seatNo', identity: true },
  'extension',
  { key: 'managerId', grow: 1 },
  { key: 'remark', grow: 1, drop: 1 },
  { key: 'createTime', title: '新增时间', drop: 2 },
  'state',
])

const remove = withReason<CallSeat>(deleteSeats, {
  what: '个坐席',
  name: s => s.seatNo,
  presets: ['不再使用', '录入有误'],
})

/** How many are open and in use, and the way to more. */
function Figures() {
  const f = useCall(seatFigures, undefined, { quiet: true, project: 0, keep: true, fresh: 0 }).data
  const may = usePermission()
  const buys = may(menu.increment.may.add)
  const seat = useCall(nodePrices, undefined, { quiet: true, project: 0, enabled: buys }).data?.find(
    p => p.nodeType === 'seat',
  )
  if (!f) return null
  return (
    <div className={f.used > f.open ? 'shop-note' : 'shop-line'} role="status">
      已开通 <b>{count(f.open)}</b> 席，已启用 <b>{count(f.used)}</b> 席
      {f.used > f.open && '，多出的坐席请停用或续费'}
      {seat && buys && (
        <button type="button" className="linkish" onClick={() => go(places.pay(seat.productId))}>
          {f.open ? '增加坐席' : '开通坐席'}
        </button>
      )}
    </div>
  )
}

/** Who sits at the service line. */
export default function Seats() {
  const form = useEdit({
    what: '坐席',
    add: addSeat,
    edit: editSeat,
    rowIsWhole: true,
    name: (s: CallSeat) => s.seatNo,
    groups: [{ keys: ['seatNo', 'extension', 'managerId', 'state', { key: 'remark', wide: true }] }],
  })
  return (
    <>
      <ListPage
        list={listSeats}
        what="坐席"
        columns={shown}
        bar={['state', 'managerId']}
        above={<Figures />}
        primary={form.add}
        row={s => [form.edit(s), remove.row(s)]}
        batch={[remove.batch]}
        dim={s => s.state === 'off'}
        drawer={{ title: s => s.seatNo, history: callSeat.name, verbs: s => [form.edit(s), remove.row(s)] }}
      />
      {form.dialog}
    </>
  )
}
