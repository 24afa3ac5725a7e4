import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { adjustType, reminderChannel, reminderState } from '../contract/choices.ts'
import type { getBill } from '../contract/list.ts'
import { billPath } from './labels.tsx'
import './bills.css'

export type WholeBill = NonNullable<typeof getBill.output.T>
const formatMinute = (t: string): string => t.slice(0, 16)

const BillNumberLinks = ({ of }: { readonly of: string }) => (
  <>
    {of.split('、').map((no, i) => (
      <span key={no}>
        {i > 0 && '、'}
        <Link to={billPath(no)}>{no}</Link>
      </span>
    ))}
  </>
)

/** How the amount came about, what moved, whom it was asked of, what was changed. */
export function BillDetail({ of: b }: { readonly of: WholeBill }) {
  const kin = (
    [
      ['拆分自', b.parentNo],
      ['替换', b.replacesNo],
      ['被替换为', b.replacedByNo],
    ] as const
  ).flatMap(([label, no]) => (no ? [{ label, no }] : []))
  return (
    <div className="bill-story">
      {kin.length > 0 && (
        <section>
          <h3>来历</h3>
          <table>
            <tbody>
              {kin.map(k => (
                <tr key={k.label}>
                  <td>{k.label}</td>
                  <td>
                    <BillNumberLinks of={k.no} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <section>
        <h3>怎么算的</h3>
        <table>
          <tbody>
            {b.explanation.map((l, i) => (
              <tr key={i}>
                <td>{l.label}</td>
                <td>{l.words}</td>
                <td className="figure">
                  {l.amount === undefined ? emptyPlaceholder : displayYuan(l.amount)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <small>
          {b.calcSnapshot
            ? b.exact
              ? '按出账时的数量与单价快照计算；'
              : '与出账时的快照不一致，请核对；'
            : ''}
          违约金截至今天，收款时重算。
        </small>
      </section>
      {b.children && (
        <section>
          <h3>拆分出的账单</h3>
          <table>
            <tbody>
              {b.children.map(c => (
                <tr key={c.id}>
                  <td>
                    <Link to={billPath(c.billNo)}>{c.billNo}</Link>
                  </td>
                  <td>
                    {c.beginDate} 至 {c.endDate}
                  </td>
                  <td className="figure">
                    应收 {displayYuan(c.receivable)}，未缴 {displayYuan(c.unpaid)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {b.moves.length > 0 && (
        <section>
          <h3>收退款</h3>
          <table>
            <tbody>
              {b.moves.map((m, i) => (
                <tr key={i}>
                  <td>{m.day}</td>
                  <td>
                    {m.principal + m.lateFee < 0 ? '退款' : '收款'}
                    {m.lateFee !== 0 && `，其中违约金 ${displayYuan(Math.abs(m.lateFee))}`}
                  </td>
                  <td className="figure">{displayYuan(m.principal + m.lateFee)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {b.notices.length > 0 && (
        <section>
          <h3>催缴 {b.notices.length}</h3>
          <table>
            <tbody>
              {b.notices.slice(0, 5).map(n => (
                <tr key={n.id}>
                  <td>{formatMinute(n.time)}</td>
                  <td>
                    {labelOf(reminderChannel, n.channel)}，{n.level ? `第 ${n.level} 级` : '到期前'}
                    {n.promiseDate && `，承诺 ${n.promiseDate} 前缴清`}
                  </td>
                  <td className="figure">
                    <ChoiceStatus choices={reminderState} value={n.state} plain />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <small>
            <Link to={`/finance/chargemanage/demandmoney?keyword=${encodeURIComponent(b.sourceName)}`}>
              全部催缴
            </Link>
          </small>
        </section>
      )}
      {b.adjusts.length > 0 && (
        <section>
          <h3>变更 {b.adjusts.length}</h3>
          <table>
            <tbody>
              {b.adjusts.map((a, i) => (
                <tr key={i}>
                  <td>{formatMinute(a.time)}</td>
                  <td>
                    {labelOf(adjustType, a.adjustType)}：{a.oldValue ?? emptyPlaceholder} →{' '}
                    {a.newValue ?? emptyPlaceholder}
                    <small>{[a.operatorName, a.reason].filter(Boolean).join(' · ')}</small>
                  </td>
                  <td className="figure">{a.amount ? displayYuan(a.amount) : ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  )
}
