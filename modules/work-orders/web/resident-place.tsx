import { useStored } from '#kit/web/browser-store.ts'
import { FieldFault } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { useCall } from '#kit/web/query.ts'
import { openPlace } from '../contract/resident.ts'
import { ResidentProblem } from './resident-problem.tsx'
import { ReportFields } from './resident-report-fields.tsx'
import { useReport, type KeptReport, type Place } from './resident-report.ts'
import { TypeChoice, TypeFacts } from './resident-types.tsx'

const noReports: readonly KeptReport[] = []
const maxKept = 20

/** Behind the code of a room or public area: report what is wrong there, or follow what was reported. */
export function ResidentPlace({
  token,
  onFollow,
}: {
  readonly token: string
  readonly onFollow: (orderToken: string) => void
}) {
  const place = useCall(openPlace, { token }, { quiet: true, project: 0 })
  const [reports, setReports] = useStored<readonly KeptReport[]>(`work-orders.reports/${token}`, noReports)
  if (place.isError) return <ResidentProblem error={place.error} onRetry={() => void place.refetch()} />
  if (!place.data)
    return (
      <div className="phone resident">
        <p className="empty" role="status">
          正在加载…
        </p>
      </div>
    )
  return (
    <ReportForm
      token={token}
      place={place.data}
      reports={reports}
      onFollow={onFollow}
      onReported={report => {
        setReports([report, ...reports.filter(other => other.orderNo !== report.orderNo)].slice(0, maxKept))
        onFollow(report.token)
      }}
    />
  )
}

interface ReportFormProps {
  readonly token: string
  readonly place: Place
  readonly reports: readonly KeptReport[]
  readonly onFollow: (orderToken: string) => void
  readonly onReported: (report: KeptReport) => void
}

function ReportForm({ token, place, reports, onFollow, onReported }: ReportFormProps) {
  const report = useReport(token, place, onReported)
  const isUploading = report.photos.isBusy || report.videos.isBusy
  return (
    <PhoneForm className="phone resident" onSubmit={() => void report.submit()}>
      <header>
        <div>
          <h1>{place.placeName}</h1>
          {place.servicePhone && (
            <a
              className="big call"
              href={`tel:${place.servicePhone}`}
              aria-label={`拨打物业电话 ${place.servicePhone}`}
            >
              电话
            </a>
          )}
        </div>
        <small>
          {place.estateName} · {place.companyName}
        </small>
      </header>
      <main>
        <KeptReports reports={reports} onFollow={onFollow} />
        <TypeChoice
          types={place.types}
          chosen={report.typeId}
          fault={report.faults.type}
          onChoose={report.setTypeId}
        />
        {report.type && <TypeFacts type={report.type} />}
        <ReportFields report={report} maxPhotos={place.maxPhotos} isRoom={place.placeKind === 'room'} />
      </main>
      <div className="foot one">
        <FieldFault fault={report.refusal} />
        <button type="submit" className="big primary" disabled={report.isBusy || isUploading}>
          {isUploading ? '正在上传…' : report.isBusy ? '正在提交…' : '提交'}
        </button>
      </div>
    </PhoneForm>
  )
}

function KeptReports({ reports, onFollow }: Pick<ReportFormProps, 'reports' | 'onFollow'>) {
  if (!reports.length) return null
  return (
    <details className="kept">
      <summary>我的报事 {reports.length}</summary>
      <ol>
        {reports.map(report => (
          <li key={report.orderNo}>
            <button type="button" onClick={() => onFollow(report.token)}>
              <b>{report.typeName}</b>
              <span>查看进度</span>
              <small>
                {report.orderNo} · {report.day}
              </small>
            </button>
          </li>
        ))}
      </ol>
    </details>
  )
}
