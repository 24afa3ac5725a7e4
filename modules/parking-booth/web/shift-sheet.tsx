import { labelOf } from '#kit/contract/field.ts'
import { displayYuan, toChineseCapitals } from '#kit/domain/money.ts'
import { currentMinute } from '#kit/web/date-format.ts'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import { parkPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import { shiftEventKind, shiftState } from '../contract/choices.ts'
import { listShiftEvents, type ShiftEvent } from '../contract/shift-event.ts'
import type { BoothShift } from '../contract/shift.ts'
import { differenceText } from '../domain/cash-difference.ts'
import './parking-booth.css'

const [paperWidthMm, paperHeightMm] = [210, 297]
const maxEvents = 500

const factsOf = (shift: BoothShift): readonly (readonly [string, string | undefined])[] => [
  ['停车场', shift.parkName],
  ['岗亭', shift.boothName],
  ['交班人', shift.offStaffName],
  ['接班人', shift.onStaffName],
  ['当班起', shift.beginTime],
  ['当班止', shift.endTime],
  ['入场车次', String(shift.inCount)],
  ['出场车次', String(shift.outCount)],
  ['免费放行', `${shift.freeCount} 次`],
  ['改价', `${shift.priceCount} 次`],
  ['免收合计', `${displayYuan(shift.waivedAmount)} 元`],
  ['状态', labelOf(shiftState, shift.state)],
]

const eventText = ({ plateNo, oldPlate, laneName }: ShiftEvent): string =>
  [laneName, oldPlate ? `${oldPlate} 改为 ${plateNo}` : plateNo].filter(Boolean).join(' ')

function Sheet({ shift, events }: { readonly shift: BoothShift; readonly events: readonly ShiftEvent[] }) {
  const { handAmount = 0, diff = 0 } = shift
  return (
    <div className="shift-sheet">
      <h1>停车交接班单</h1>
      <dl>
        {factsOf(shift).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <table>
        <thead>
          <tr>
            <th>支付方式</th>
            <th>笔数</th>
            <th>金额</th>
          </tr>
        </thead>
        <tbody>
          {shift.methods.map(({ method, count, amount }) => (
            <tr key={method}>
              <td>{labelOf(parkPayMethod, method)}</td>
              <td>{count}</td>
              <td>{displayYuan(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        现金应交 {displayYuan(shift.cashAmount)} 元，实交 {displayYuan(handAmount)} 元（
        {toChineseCapitals(handAmount)}），{differenceText(diff) ?? '相符'}
      </p>
      {[shift.remark, shift.confirmRemark].map(text => text && <p key={text}>说明：{text}</p>)}
      <table>
        <thead>
          <tr>
            <th>时间</th>
            <th>类型</th>
            <th>车道与车牌</th>
            <th>免收</th>
            <th>原因</th>
          </tr>
        </thead>
        <tbody>
          {events.map(event => (
            <tr key={event.id}>
              <td>{event.eventTime.slice(5, 16)}</td>
              <td>{labelOf(shiftEventKind, event.kind)}</td>
              <td>{eventText(event)}</td>
              <td>{event.waived ? displayYuan(event.waived) : ''}</td>
              <td>{event.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <span>交班人签字：</span>
        <span>接班人签字：</span>
        <span>打印时间：{currentMinute()}</span>
      </footer>
    </div>
  )
}

/** The sheet that goes with the cash, signed by both; printed at once. */
export function ShiftSheet({
  of: [shift],
  onClose,
}: {
  readonly of: readonly BoothShift[]
  readonly onClose: () => void
}) {
  const events = useCall(
    listShiftEvents,
    { shiftId: shift?.id ?? 0, size: maxEvents, order: 'id' },
    { staleMs: 0, enabled: shift !== undefined },
  )
  return (
    shift &&
    events.data && (
      <PrintOut width={paperWidthMm} height={paperHeightMm} onDone={onClose}>
        <Sheet shift={shift} events={events.data.rows} />
      </PrintOut>
    )
  )
}
