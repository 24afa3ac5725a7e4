import { paths } from './paths.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { addFen, asFen } from '#kit/domain/money.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { adjustType, reminderChannel, reminderState } from '../contract/choices.ts'
import type { getBill } from '../contract/bill-detail.ts'
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

function Section({
  title,
  note,
  children,
}: {
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section>
      <h3>{title}</h3>
      <table>
        <tbody>{children}</tbody>
      </table>
      {note && <small>{note}</small>}
    </section>
  )
}

type BillProps = { readonly of: WholeBill }

function Origin({ of: bill }: BillProps) {
  const links = [
    { label: '拆分自', billNo: bill.parentNo },
    { label: '替换', billNo: bill.replacesNo },
    { label: '被替换为', billNo: bill.replacedByNo },
  ].flatMap(({ label, billNo }) => (billNo ? [{ label, billNo }] : []))
  if (!links.length) return null
  return (
    <Section title="来源">
      {links.map(({ label, billNo }) => (
        <tr key={label}>
          <td>{label}</td>
          <td>
            <BillNumberLinks of={billNo} />
          </td>
        </tr>
      ))}
    </Section>
  )
}

const snapshotNote = (b: WholeBill): string => {
  if (!b.calcSnapshot) return ''
  return b.exact ? '按出账时的数量与单价快照计算；' : '与出账时的快照不一致，请核对；'
}

const Calculation = ({ of: bill }: BillProps) => (
  <Section title="计费明细" note={`${snapshotNote(bill)}违约金截至今天，收款时重算。`}>
    {bill.explanation.map((line, i) => (
      <tr key={i}>
        <td>{line.label}</td>
        <td>{line.words}</td>
        <td className="figure">{line.amount === undefined ? emptyPlaceholder : displayYuan(line.amount)}</td>
      </tr>
    ))}
  </Section>
)

const Children = ({ of: bill }: BillProps) =>
  bill.children ? (
    <Section title="拆分出的账单">
      {bill.children.map(change => (
        <tr key={change.id}>
          <td>
            <Link to={billPath(change.billNo)}>{change.billNo}</Link>
          </td>
          <td>
            {change.beginDate} 至 {change.endDate}
          </td>
          <td className="figure">
            应收 {displayYuan(change.receivable)}，未缴 {displayYuan(change.unpaid)}
          </td>
        </tr>
      ))}
    </Section>
  ) : null

const LedgerEntries = ({ of: bill }: BillProps) =>
  bill.moves.length > 0 ? (
    <Section title="收退款">
      {bill.moves.map((entry, i) => (
        <tr key={i}>
          <td>{entry.day}</td>
          <td>
            {entry.principal + entry.lateFee < 0 ? '退款' : '收款'}
            {entry.lateFee !== 0 && `，其中违约金 ${displayYuan(asFen(Math.abs(entry.lateFee)))}`}
          </td>
          <td className="figure">{displayYuan(addFen(entry.principal, entry.lateFee))}</td>
        </tr>
      ))}
    </Section>
  ) : null

const Notices = ({ of: bill }: BillProps) =>
  bill.notices.length > 0 ? (
    <Section
      title={`催缴 ${bill.notices.length}`}
      note={<Link to={`${paths.notices}?keyword=${encodeURIComponent(bill.sourceName)}`}>全部催缴</Link>}
    >
      {bill.notices.slice(0, 5).map(notice => (
        <tr key={notice.id}>
          <td>{formatMinute(notice.time)}</td>
          <td>
            {labelOf(reminderChannel, notice.channel)}，{notice.level ? `第 ${notice.level} 级` : '到期前'}
            {notice.promiseDate && `，承诺 ${notice.promiseDate} 前缴清`}
          </td>
          <td className="figure">
            <ChoiceStatus choices={reminderState} value={notice.state} plain />
          </td>
        </tr>
      ))}
    </Section>
  ) : null

const Adjustments = ({ of: bill }: BillProps) =>
  bill.adjusts.length > 0 ? (
    <Section title={`变更 ${bill.adjusts.length}`}>
      {bill.adjusts.map((adjust, i) => (
        <tr key={i}>
          <td>{formatMinute(adjust.time)}</td>
          <td>
            {labelOf(adjustType, adjust.adjustType)}：{adjust.oldValue ?? emptyPlaceholder} →{' '}
            {adjust.newValue ?? emptyPlaceholder}
            <small>{[adjust.operatorName, adjust.reason].filter(Boolean).join(' · ')}</small>
          </td>
          <td className="figure">{adjust.amount ? displayYuan(adjust.amount) : ''}</td>
        </tr>
      ))}
    </Section>
  ) : null

/** The origin of a bill, its calculation, payments, reminders and changes. */
export const BillDetail = ({ of }: BillProps) => (
  <div className="bill-story">
    <Origin of={of} />
    <Calculation of={of} />
    <Children of={of} />
    <LedgerEntries of={of} />
    <Notices of={of} />
    <Adjustments of={of} />
  </div>
)
