import { labelOf } from '#kit/contract/field.ts'
import { legalGround } from '#kit/contract/legal-ground.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { erasureTreatment } from '../contract/choices.ts'
import type { getPersonReport } from '../contract/person.ts'
import './personal-data.css'

export type ReportTableLine = NonNullable<(typeof getPersonReport.output)['T']>['tables'][number]

const endText = ({ keptUntil, until }: ReportTableLine): string => keptUntil ?? until

/** What is kept of a person, where, why, since when and until when, and what an erasure does with it. */
export const ReportTable = ({ lines }: { readonly lines: readonly ReportTableLine[] }) => (
  <div className="privacy-table">
    <table aria-label="保存的内容">
      <thead>
        <tr>
          <th>内容</th>
          <th>信息项</th>
          <th className="figure">条数</th>
          <th>最早</th>
          <th>目的与依据</th>
          <th>保存至</th>
          <th>删除时</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={line.tableName}>
            <td className="fixed">{line.label}</td>
            <td>{line.columns}</td>
            <td className="figure">{formatCount(line.rowCount)}</td>
            <td className="fixed">{line.since?.slice(0, 10) ?? '--'}</td>
            <td className="why">
              {line.purpose}
              <small>{labelOf(legalGround, line.ground)}</small>
            </td>
            <td>
              {endText(line)}
              {line.keptReason !== undefined && <small>{line.keptReason}</small>}
            </td>
            <td className="fixed">
              {labelOf(erasureTreatment, line.treatment)}
              {line.treatment === 'manual' && <small>条数只计名称、上传人含其姓名或号码的</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** What is not the person's alone: in the texts of others it stays. */
export const SharedNote = ({ shared }: { readonly shared: readonly string[] | undefined }) =>
  shared?.length ? (
    <p className="lead">
      {[...new Set(shared)].join('、')}
      与他人相同：只处理其本人的记录，不在其他记录的文字中查找。
    </p>
  ) : null
