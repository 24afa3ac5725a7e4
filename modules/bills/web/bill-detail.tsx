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

function Origin({ of: b }: BillProps) {
  const links = [
    { label: '拆分自', billNo: b.parentNo },
    { label: '替换', billNo: b.replacesNo },
    { label: '被替换为', billNo: b.replacedByNo },
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

const Calculation = ({ of: b }: BillProps) => (
  <Section title="计费明细" note={`${snapshotNote(b)}违约金截至今天，收款时重算。`}>
    {b.explanation.map((line, i) => (
      <tr key={i}>
        <td>{line.label}</td>
        <td>{line.words}</td>
        <td className="figure">{line.amount === undefined ? emptyPlaceholder : displayYuan(line.amount)}</td>
      </tr>
    ))}
  </Section>
)

const Children = ({ of: b }: BillProps) =>
  b.children ? (
    <Section title="拆分出的账单">
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
    </Section>
  ) : null

const LedgerEntries = ({ of: b }: BillProps) =>
  b.moves.length > 0 ? (
    <Section title="收退款">
      {b.moves.map((entry, i) => (
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

const Notices = ({ of: b }: BillProps) =>
  b.notices.length > 0 ? (
    <Section
      title={`催缴 ${b.notices.length}`}
      note={<Link to={`${paths.notices}?keyword=${encodeURIComponent(b.sourceName)}`}>全部催缴</Link>}
    >
      {b.notices.slice(0, 5).map(notice => (
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

const Adjustments = ({ of: b }: BillProps) =>
  b.adjusts.length > 0 ? (
    <Section title={`变更 ${b.adjusts.length}`}>
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
